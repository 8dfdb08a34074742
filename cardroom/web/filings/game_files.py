"""Files of a game: its approval as TOML and JSON, out and into a draft, and the room's own document as a PDF."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.views.decorators.http import require_GET, require_POST

from cardroom.filings.approval_file import (
    ApprovalFileRefused,
    approval_json,
    approval_toml,
    read_approval_file,
)
from cardroom.filings.models import Filing, GameFiling
from cardroom.filings.models.documents import MOST_BYTES
from cardroom.floor.commands.filed_documents import game_document_attach, game_document_detach
from cardroom.floor.commands.filings import games
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.people.rights import Right
from games.approval import APPROVAL, NUMBER

from ..parts.access import Permissions, room_for
from ..parts.attached import attached
from ..parts.command_headers import done_once
from ..parts.forms.upload import UploadForm, file_field
from .views import FilingPages

_FORMS: dict[str, tuple[Callable[[GameFiling], str], str]] = {
    "toml": (approval_toml, "application/toml"),
    "json": (approval_json, "application/json"),
}


class ApprovalUploadForm(UploadForm):
    """An approval's file, written elsewhere."""

    file = file_field("An approval's file (TOML or JSON)")


class DocumentForm(UploadForm):
    """The room's own document."""

    most_bytes = MOST_BYTES

    file = file_field("The room's document (PDF)", "application/pdf")


class GameFilePages(FilingPages[GameFiling]):
    """The addresses of a game's files, beside those that every kind of filing has."""

    def paths(self) -> list[URLPattern]:
        one = "rooms/<slug:code>/games/<id:number>/<id:version>/"
        return [
            *super().paths(),
            path(f"{one}approval.toml", _read(self.approval_file), {"form": "toml"}, name="game_toml"),
            path(f"{one}approval.json", _read(self.approval_file), {"form": "json"}, name="game_json"),
            path(f"{one}approval/", _write(self.approval_upload), name="game_upload"),
            path(f"{one}document.pdf", _read(self.document), name="game_document"),
            path(f"{one}document/", _write(self.document_attach), name="game_attach"),
            path(f"{one}document/remove/", _write(self.document_detach), name="game_detach"),
        ]

    def approval_file(
        self, request: HttpRequest, code: str, number: int, version: int, form: str
    ) -> HttpResponse:
        """Give the approval of a version as a file."""
        room, permissions = room_for(request, code)
        game = self.version(permissions, number, version)
        write, kind = _FORMS[form]
        try:
            text = write(game)
        except ApprovalFileRefused as refused:
            return HttpResponse(str(refused), status=409, content_type="text/plain; charset=utf-8")
        return attached(text, kind, f"{room.code}-game-{number}-version-{version}.{form}")

    def approval_upload(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Put what a file says into a draft, in the place of the differences that it had."""
        _, permissions = room_for(request, code, Right.FILE_SCHEDULES)
        draft = self._draft(permissions, number, version)
        form = ApprovalUploadForm(request.POST, request.FILES, auto_id="upload-%s")
        if form.is_valid():
            given = form.cleaned_data["file"]
            try:
                read = read_approval_file(given.read(), file=given.name, rulebook=draft.rulebook)
            except ApprovalFileRefused as refused:
                form.add_error("file", str(refused))
        if not form.is_valid():
            return self.show_draft(request, permissions, draft, self.form_of(draft), upload=form, status=422)

        def command(meta: CommandMeta) -> str:
            games.edit(
                meta,
                permissions.room.pk,
                **self._read(draft, request),
                title=draft.title,
                effective_from=draft.effective_from,
                state_reference=read.approval.get(NUMBER) or draft.state_reference,
                options={**_other_options(draft), APPROVAL: read.approval},
                rotation=draft.rotation,
            )
            return f"The draft says what {given.name} says."

        if error := done_once(request, command):
            form_of = self.form_of(draft)
            return self.show_draft(
                request, permissions, draft, form_of, upload=form, error=error, status=error.status
            )
        return redirect("web:game_edit", code, number, version)

    def document(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Give the room's own document."""
        _, permissions = room_for(request, code)
        game = self.version(permissions, number, version)
        if game.document is None:
            raise Http404("No document is attached to this version.")
        return attached(bytes(game.document.content), "application/pdf", game.document.name)

    def document_attach(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Attach the room's own document to a draft, in the place of the one before."""
        _, permissions = room_for(request, code, Right.FILE_SCHEDULES)
        draft = self._draft(permissions, number, version)
        form = DocumentForm(request.POST, request.FILES, auto_id="document-%s")
        if not form.is_valid():
            return self.show(request, permissions, draft, document=form, status=422)
        given = form.cleaned_data["file"]

        def command(meta: CommandMeta) -> str:
            content = base64.b64encode(given.read()).decode()
            game_document_attach(
                meta, permissions.room.pk, **self._read(draft, request), name=given.name, content=content
            )
            return f"{given.name} is attached."

        if error := done_once(request, command):
            form.add_error("file", str(error.message))
            return self.show(request, permissions, draft, document=form, error=error, status=error.status)
        return redirect("web:game", code, number, version)

    def document_detach(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Take the document off a draft."""
        _, permissions = room_for(request, code, Right.FILE_SCHEDULES)
        draft = self._draft(permissions, number, version)

        def command(meta: CommandMeta) -> str:
            game_document_detach(meta, permissions.room.pk, **self._read(draft, request))
            return "The document is taken off the draft."

        if error := done_once(request, command):
            return self.show(request, permissions, draft, error=error, status=error.status)
        return redirect("web:game", code, number, version)

    def _draft(self, permissions: Permissions, number: int, version: int) -> GameFiling:
        found = self.version(permissions, number, version)
        if found.status != Filing.Status.DRAFT:
            raise Http404(f"{found} is filed, and stays as it was filed.")
        return found


def _read(page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    return login_required(require_GET(page))


def _write(page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    return login_required(require_POST(page))


def _other_options(draft: GameFiling) -> dict[str, Any]:
    return {name: value for name, value in draft.options.items() if name != APPROVAL}
