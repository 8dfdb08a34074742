"""What the pages of schedules and of games do alike: find a version, lead to a draft, discard or file it, and withdraw what is filed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from cardroom.filings.models import Filing, StateFiling
from cardroom.filings.selectors import versions
from cardroom.floor.acts.commands import Envelope, RoomCommand
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..access import Powers, room_for
from ..command_headers import done_once
from ..forms.schedule import FileForm, WithdrawForm, planned
from ..forms.signed import WitnessedForm

_DRAFT = Filing.Status.DRAFT
Version = TypeVar("Version", bound=StateFiling)


@dataclasses.dataclass(frozen=True)
class FilingPages(Generic[Version]):
    """One kind of filing. `what` is its word in addresses and messages, and `<what>_id` what its commands call a version.

    `kind` is its model; `discard`, `file` and `withdraw` are the commands. `show` is the page
    of a version, given the request, the powers, the version, and by name the forms as filled in and what was refused.
    """

    what: str
    kind: type[Version]
    discard: RoomCommand[...]
    file: RoomCommand[...]
    withdraw: RoomCommand[...]
    show: Callable[..., HttpResponse]

    def version(self, powers: Powers, number: int, version: int) -> Version:
        """The version of that number in the room; a draft is there for those alone who file."""
        found = versions(self.kind, powers.room).filter(number=number, version=version).first()
        if found is None or (found.status == _DRAFT and not powers.may(Right.FILE_SCHEDULES)):
            raise Http404(f"There is no version {version} of {self.what} {number} in this room.")
        return found

    def draft_of(self, room: Room, number: int) -> Version | None:
        """The draft of a number, if it has one."""
        return versions(self.kind, room).filter(number=number, status=_DRAFT).first()

    def to_draft(self, room: Room, number: int) -> HttpResponse:
        """Lead to the draft of a number; to the list when there is none any more."""
        if (draft := self.draft_of(room, number)) is None:
            return redirect(f"web:{self.what}s", room.code)
        return redirect(f"web:{self.what}_edit", room.code, number, draft.version)

    def drop(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Discard a draft, and lead to the list that it was on; there alone when it is gone already."""
        room, powers = room_for(request, code, Right.FILE_SCHEDULES)
        draft = versions(self.kind, room).filter(number=number, version=version).first()
        if draft is None:
            return redirect(f"web:{self.what}s", code)

        def act(envelope: Envelope) -> str:
            self.discard(envelope, room.pk, **{f"{self.what}_id": draft.pk})
            return f"The draft of version {version} of {self.what} {number} is discarded."

        if error := done_once(request, act):
            return self.show(request, powers, draft, error=error, status=error.status)
        return redirect(f"web:{self.what}s", code)

    def lodge(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """File a draft."""
        room, powers = room_for(request, code, Right.FILE_SCHEDULES)
        draft = self.version(powers, number, version)
        form = FileForm(request.POST, auto_id="file-%s")
        if not form.is_valid():
            return self.show(request, powers, draft, file=form, status=422)

        def act(envelope: Envelope) -> str:
            self._signed(self.file, envelope, room, draft, form)
            return f"{draft} is filed, in force from {form.cleaned_data['effective_from']}."

        if error := done_once(request, act):
            return self.show(request, powers, draft, file=form, error=error, status=error.status)
        return redirect(f"web:{self.what}", code, number, version)

    def close(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Withdraw a filed version without another in its place."""
        room, powers = room_for(request, code, Right.FILE_SCHEDULES)
        filed = self.version(powers, number, version)
        form = WithdrawForm(request.POST, auto_id="withdraw-%s")
        if not form.is_valid():
            return self.show(request, powers, filed, withdraw=form, status=422)

        def act(envelope: Envelope) -> str:
            self._signed(self.withdraw, envelope, room, filed, form)
            return f"{filed} is withdrawn."

        if error := done_once(request, act):
            return self.show(request, powers, filed, withdraw=form, error=error, status=error.status)
        return redirect(f"web:{self.what}", code, number, version)

    def _signed(
        self,
        command: RoomCommand[...],
        envelope: Envelope,
        room: Room,
        version: Version,
        form: FileForm | WithdrawForm,
    ) -> None:
        """Give a command that a second person signs on the same screen."""
        said = {
            name: value for name, value in form.cleaned_data.items() if name not in WitnessedForm.base_fields
        }
        command(envelope, room.pk, **{f"{self.what}_id": version.pk}, **said, approver=form.signed_by())

    def context(
        self, powers: Powers, filed: Version, file: FileForm | None, withdraw: WithdrawForm | None
    ) -> dict[str, Any]:
        """What the page of every version shows: whether it is in force, and the forms of those who file."""
        plans = planned(filed.effective_from, filed.state_reference)
        return {
            "room": powers.room,
            "powers": powers,
            "in_force": filed.in_force(gaming_day(powers.room, timezone.now())),
            "may_file": powers.may(Right.FILE_SCHEDULES),
            "has_draft": self.draft_of(powers.room, filed.number),
            "file": file or FileForm(initial=plans, auto_id="file-%s"),
            "withdraw": withdraw or WithdrawForm(auto_id="withdraw-%s"),
        }
