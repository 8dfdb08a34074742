"""Views that every kind of filing has (`FilingPages`): its list, a version, its draft, and the commands on them."""

from __future__ import annotations

import abc
from collections.abc import Callable
from itertools import groupby
from typing import Any, ClassVar, Generic, TypeVar

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from cardroom.core.dates import day_text
from cardroom.filings.models import Filing, StateFiling
from cardroom.filings.selectors import versions
from cardroom.floor.commands.filings import FilingCommands
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta, RoomCommand
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..account.fresh_sign_in import fresh_sign_in_required
from ..parts.access import Permissions, room_for
from ..parts.command_headers import READ, done_once
from ..parts.forms.signed import WitnessedForm
from .schedule_form import FileForm, NewForm, WithdrawForm, planned

_DRAFT = Filing.Status.DRAFT
Version = TypeVar("Version", bound=Filing)


class FilingPages(abc.ABC, Generic[Version]):
    """One kind of filing. Its word (`kind.word`) is part of URLs, URL names, messages and arguments of commands.

    A kind brings its commands (`FilingCommands`), what a first draft says (`empty_of`), what its page and its draft show
    beside what all have (`page_context`, `draft_context`), and the form of a draft.
    """

    commands: FilingCommands[Version]
    heading: ClassVar[str]
    #: What a version says, in the words of a page: "To change what is charged, draft the next version".
    text: ClassVar[str]
    lead: ClassVar[str]
    none_filed: ClassVar[str]
    #: Whether it is of games alone that a player banks.
    banked: ClassVar[bool] = False
    #: What the list reads beside each version.
    listed_with: ClassVar[tuple[str, ...]] = ("tables",)
    #: Several of the kind, in addresses and their names; else its word with an s.
    several: ClassVar[str] = ""
    #: The page that is shown when a draft has been saved: its own (`_edit`), or the version's.
    saved_page: ClassVar[str] = ""

    @property
    def plural(self) -> str:
        return self.several or f"{self.word}s"

    @property
    def of_state(self) -> bool:
        """Whether it is of a rulebook, and has a number of the state's."""
        return issubclass(self.kind, StateFiling)

    @abc.abstractmethod
    def empty_of(self, rulebook: str) -> dict[str, Any]:
        """What the first draft of a number says."""

    @abc.abstractmethod
    def page_context(self, version: Version) -> dict[str, Any]:
        """What the page of a version shows of its own."""

    def draft_context(self, draft: Version, form: Any) -> dict[str, Any]:
        """What the page of a draft shows of its own."""
        return {}

    def described(self, room: Room, found: list[Version]) -> dict[int, dict[str, Any]]:
        """What the list shows of each version beside what all have, by id."""
        return {}

    def list_forms(self) -> dict[str, forms.Form]:
        """Forms of the list beside the one for a new number, by their names in the template."""
        return {}

    @abc.abstractmethod
    def form_of(self, draft: Version) -> Any:
        """The form that edits a draft; None where it holds what the form cannot show."""

    @abc.abstractmethod
    def form_typed(self, draft: Version, request: HttpRequest) -> Any:
        """The form of a draft as it was typed: `is_valid()`, and `arguments()` for the command."""

    @property
    def kind(self) -> type[Version]:
        return self.commands.kind

    @property
    def word(self) -> str:
        return self.kind.word

    def paths(self) -> list[URLPattern]:
        """The addresses of a kind: `rooms/<code>/games/…`, called `games`, `game`, `game_new`, `game_edit` and so on."""
        several = f"rooms/<slug:code>/{self.plural}/"
        one = f"{several}<id:number>/<id:version>/"
        pages: tuple[tuple[str, str, Callable[..., HttpResponse]], ...] = (
            (f"{several}new/", "_new", require_POST(self.new_page)),
            (one, "", require_GET(self.version_page)),
            (f"{one}edit/", "_edit", require_http_methods(["GET", "POST"])(self.edit_page)),
            (f"{one}next/", "_next", require_POST(self.next_page)),
            (f"{one}discard/", "_discard", require_POST(self.discard_page)),
            (f"{one}file/", "_lodge", require_POST(fresh_sign_in_required(self.file_page))),
            (f"{one}withdraw/", "_withdraw", require_POST(fresh_sign_in_required(self.withdraw_page))),
        )
        return [
            path(several, login_required(require_GET(self.list_page)), name=self.plural),
            *(path(route, login_required(page), name=f"{self.word}{name}") for route, name, page in pages),
        ]

    def list_page(self, request: HttpRequest, code: str) -> HttpResponse:
        """Show every version of a kind in a room, by number, and which of them is in force today."""
        _, permissions = room_for(request, code)
        return self.show_list(request, permissions)

    def version_page(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Show one version."""
        _, permissions = room_for(request, code)
        return self.show(request, permissions, self.version(permissions, number, version))

    def new_page(self, request: HttpRequest, code: str) -> HttpResponse:
        """Draft the first version of a new number."""
        room, permissions = room_for(request, code, Right.FILE_SCHEDULES)
        form = NewForm(request.POST, room=room, banked=self.banked, of_state=self.of_state)
        if not form.is_valid():
            return self.show_list(request, permissions, new=form, status=422)
        number = form.cleaned_data["number"]

        def command(meta: CommandMeta) -> str:
            self.commands.draft(
                meta, room.pk, **self.empty_of(form.cleaned_data.get("rulebook", "")), **form.cleaned_data
            )
            return f"{self.word.capitalize()} {number} has a draft."

        if error := done_once(request, command):
            return self.show_list(request, permissions, new=form, error=error, status=error.status)
        return self.to_draft(room, number)

    def next_page(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Draft the next version of a number, which begins by saying what this one says."""
        room, permissions = room_for(request, code, Right.FILE_SCHEDULES)
        model = self.version(permissions, number, version)
        head = ("rulebook", "title") if self.of_state else ("title",)
        columns = {
            name: getattr(model, name) for name in (*head, *self.kind.drafted) if name != "state_reference"
        }

        def command(meta: CommandMeta) -> str:
            self.commands.draft(meta, room.pk, number=number, **columns)
            return f"The draft says what version {version} says."

        if error := done_once(request, command):
            return self.show(request, permissions, model, error=error, status=error.status)
        return self.to_draft(room, number)

    def edit_page(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Write on a draft, which is saved whole; a filed version has no such page."""
        room, permissions = room_for(request, code, Right.FILE_SCHEDULES)
        draft = self.version(permissions, number, version)
        if draft.status != _DRAFT:
            return redirect(f"web:{self.word}", code, number, version)
        if request.method == "GET":
            return self.show_draft(request, permissions, draft, self.form_of(draft))
        form = self.form_typed(draft, request)
        # Another line is asked for, or what is typed is shown as it is typed.
        if request.POST.get("more") or request.htmx:  # type: ignore[attr-defined]  # django-htmx sets it
            return self.show_draft(request, permissions, draft, form)
        if not form.is_valid():
            return self.show_draft(request, permissions, draft, form, status=422)

        def command(meta: CommandMeta) -> str:
            self.commands.edit(meta, room.pk, **self._read(draft, request), **form.arguments())
            return "The draft is saved."

        if error := done_once(request, command):
            return self.show_draft(request, permissions, draft, form, error=error, status=error.status)
        page = "_edit" if request.POST.get("stay") else self.saved_page
        return redirect(f"web:{self.word}{page}", code, number, version)

    def discard_page(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Discard a draft, and lead to the list that it was on; there alone when it is gone already."""
        room, permissions = room_for(request, code, Right.FILE_SCHEDULES)
        draft = versions(self.kind, room).filter(number=number, version=version).first()
        if draft is None:
            return redirect(f"web:{self.plural}", code)

        def command(meta: CommandMeta) -> str:
            self.commands.discard(meta, room.pk, **self._read(draft, request))
            return f"The draft of version {version} of {self.word} {number} is discarded."

        if error := done_once(request, command):
            return self.show(request, permissions, draft, error=error, status=error.status)
        return redirect(f"web:{self.plural}", code)

    def file_page(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """File a draft."""
        room, permissions = room_for(request, code, Right.FILE_SCHEDULES)
        draft = self.version(permissions, number, version)
        form = FileForm(request.POST, of_state=self.of_state, auto_id="file-%s")
        if not form.is_valid():
            return self.show(request, permissions, draft, file=form, status=422)

        def command(meta: CommandMeta) -> str:
            self._signed(self.commands.file, meta, room, self._read(draft, request), form)
            return f"{draft} is filed, in force from {day_text(form.cleaned_data['effective_from'])}."

        if error := done_once(request, command):
            return self.show(request, permissions, draft, file=form, error=error, status=error.status)
        return redirect(f"web:{self.word}", code, number, version)

    def withdraw_page(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Withdraw a filed version without another in its place."""
        room, permissions = room_for(request, code, Right.FILE_SCHEDULES)
        filed = self.version(permissions, number, version)
        form = WithdrawForm(request.POST, auto_id="withdraw-%s")
        if not form.is_valid():
            return self.show(request, permissions, filed, withdraw=form, status=422)

        def command(meta: CommandMeta) -> str:
            self._signed(self.commands.withdraw, meta, room, self._read(filed, request), form)
            return f"{filed} is withdrawn."

        if error := done_once(request, command):
            return self.show(request, permissions, filed, withdraw=form, error=error, status=error.status)
        return redirect(f"web:{self.word}", code, number, version)

    def version(self, permissions: Permissions, number: int, version: int) -> Version:
        """The version of that number in the room; a draft is there for those alone who file."""
        found = versions(self.kind, permissions.room).filter(number=number, version=version).first()
        if found is None or (found.status == _DRAFT and not permissions.may(Right.FILE_SCHEDULES)):
            raise Http404(f"There is no version {version} of {self.word} {number} in this room.")
        return found

    def to_draft(self, room: Room, number: int) -> HttpResponse:
        """Lead to the draft of a number; to the list when there is none any more."""
        if (draft := self._draft_of(room, number)) is None:
            return redirect(f"web:{self.plural}", room.code)
        return redirect(f"web:{self.word}_edit", room.code, number, draft.version)

    def show_list(
        self,
        request: HttpRequest,
        permissions: Permissions,
        *,
        new: NewForm | None = None,
        error: FloorError | None = None,
        status: int = 200,
        **given: forms.Form,
    ) -> HttpResponse:
        """Show the list, with the forms of those who file."""
        room, may_file = permissions.room, permissions.may(Right.FILE_SCHEDULES)
        today = gaming_day(room, timezone.now())
        found = [
            version
            for version in versions(self.kind, room).prefetch_related(*self.listed_with)
            if may_file or version.status != _DRAFT
        ]
        described = self.described(room, found)
        shown = [(version, version.in_force(today), described.get(version.pk)) for version in found]
        series = [(number, list(group)) for number, group in groupby(shown, key=lambda each: each[0].number)]
        free = {"number": max((number for number, _ in series), default=0) + 1}
        context = {
            **self._context(permissions),
            "series": series,
            "new": new or NewForm(initial=free, room=room, banked=self.banked, of_state=self.of_state),
            **self.list_forms(),
            **given,
            "error": error,
        }
        return render(request, "web/filings/list.html", context, status=status)

    def show(
        self,
        request: HttpRequest,
        permissions: Permissions,
        version: Version,
        *,
        file: FileForm | None = None,
        withdraw: WithdrawForm | None = None,
        error: FloorError | None = None,
        status: int = 200,
        **given: forms.Form,
    ) -> HttpResponse:
        """Show a version, with the forms of those who file; `given` are forms of its kind that were posted."""
        file = file or FileForm(
            initial=planned(version.effective_from, getattr(version, "state_reference", "")),
            of_state=self.of_state,
            auto_id="file-%s",
        )
        file.wrote = () if version.edited_by_id is None else (version.edited_by_id,)
        context = {
            **self._context(permissions),
            "version": version,
            "in_force": version.in_force(gaming_day(permissions.room, timezone.now())),
            "has_draft": self._draft_of(permissions.room, version.number),
            "file": file,
            "withdraw": withdraw or WithdrawForm(auto_id="withdraw-%s"),
            **self.page_context(version),
            **given,
            "error": error,
        }
        return render(request, f"web/filings/{self.word}.html", context, status=status)

    def show_draft(
        self,
        request: HttpRequest,
        permissions: Permissions,
        draft: Version,
        form: Any,
        *,
        error: FloorError | None = None,
        status: int = 200,
        **given: forms.Form,
    ) -> HttpResponse:
        """Show the form of a draft; `given` are other forms of its kind that were posted."""
        context = {
            **self._context(permissions),
            "version": draft,
            # What was typed is of the text that was read, and goes in the place of no other.
            "read": request.POST.get(READ) or draft.digest,
            "form": form,
            **self.draft_context(draft, form),
            **given,
            "error": error,
        }
        return render(request, f"web/filings/{self.word}_edit.html", context, status=status)

    def _context(self, permissions: Permissions) -> dict[str, Any]:
        names = ("new", "edit", "next", "discard", "lodge", "withdraw")
        return {
            "room": permissions.room,
            "permissions": permissions,
            "may_file": permissions.may(Right.FILE_SCHEDULES),
            "pages": self,
            "to": {
                "list": f"web:{self.plural}",
                "one": f"web:{self.word}",
                **{name: f"web:{self.word}_{name}" for name in names},
            },
        }

    def _draft_of(self, room: Room, number: int) -> Version | None:
        return versions(self.kind, room).filter(number=number, status=_DRAFT).first()

    def _read(self, version: Version, request: HttpRequest) -> dict[str, Any]:
        """The arguments by which the commands know a version: its id, and what the page said of it (`read`)."""
        return {f"{self.word}_id": version.pk, "digest": request.POST.get(READ, "")}

    def _signed(
        self,
        command: RoomCommand[...],
        meta: CommandMeta,
        room: Room,
        read: dict[str, Any],
        form: FileForm | WithdrawForm,
    ) -> None:
        """Give a command that a second person signs on the same screen."""
        values = {
            name: value for name, value in form.cleaned_data.items() if name not in WitnessedForm.base_fields
        }
        command(meta, room.pk, **read, **values, approver=form.signature())
