"""Views of files of a room's people, one page for every kind: upload and dry run, decisions, the import that two sign, the export."""

from __future__ import annotations

import base64
import dataclasses
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.http import content_disposition_header
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from cardroom.documents.export import csv_file
from cardroom.floor.commands.command_types import bytes_given
from cardroom.floor.commands.imports import (
    DECISION_LENGTH,
    FILES,
    ImportCommands,
    import_answer,
    players_files,
)
from cardroom.floor.errors import BadInput, FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.imports.kinds import SOMEBODY_ELSE, Outcome
from cardroom.floor.imports.lines import FileRefused, read_lines
from cardroom.people.rights import Right

from ..account.fresh_sign_in import why_not_fresh
from ..parts.access import Permissions, room_for
from ..parts.command_headers import done_once
from ..parts.forms.signed import WitnessedForm, right_to_sign
from ..parts.forms.upload import UploadForm, file_field

#: Lines of one outcome that the page shows, and lines that wait for a decision: a form has so many fields. The file of what is left
#: out has all of them.
SHOWN, MOST_ASKED = 100, 500
#: The dry run's form has the file in one of its fields, in Base64 and escaped: a body is larger than the file.
MOST_BYTES = 1_500_000
_DECISION = "line-"
#: The page of what a file is of, which the import leads to, and its name.
_LEADS_TO = {
    "players": ("web:players", "Players"),
    "staff": ("web:people", "People"),
    "providers": ("web:providers", "Providers"),
}


class FileForm(UploadForm):
    """The file."""

    most_bytes = MOST_BYTES

    file = file_field("The file (CSV or TOML)", ".csv,.toml,text/csv")


class ImportForm(WitnessedForm):
    """Who signs for the import beside the person who imports: the same for every kind."""

    right = right_to_sign(players_files.carry_out)


@dataclasses.dataclass
class ImportPage:
    """The page of one kind of file, for one request."""

    files: ImportCommands
    request: HttpRequest
    permissions: Permissions

    def show(self, *, error: FloorError | None = None, status: int = 200, **more: Any) -> HttpResponse:
        """Draw the page: without `answer` the form of a file."""
        room, kind = self.permissions.room, self.files.kind
        back, title = _LEADS_TO[kind.name]
        context = {
            "room": room,
            "permissions": self.permissions,
            "kind": kind,
            "page": f"web:{kind.name}_import",
            "export": f"web:{kind.name}_export",
            "back": back,
            "back_title": title,
            "why_not": self.permissions.why_not(Right.SET_PEOPLE),
            "form": FileForm(),
            "error": error,
            **more,
        }
        template = "web/imports/import.html"
        return render(self.request, template, context, status=error.status if error else status)

    def uploaded(self) -> HttpResponse:
        """Show what an import of the file would do that was chosen."""
        form = FileForm(self.request.POST, self.request.FILES)
        if not form.is_valid():
            return self.show(form=form, status=422)
        return self.dry_run(form.cleaned_data["file"].read(), {})

    def dry_run(
        self,
        data: bytes,
        decisions: dict[str, str],
        *,
        signed: ImportForm | None = None,
        error: FloorError | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """Show what an import of a file would do."""
        kind = self.files.kind
        try:
            judged = kind.judged(
                self.permissions.room, self.permissions.staff, decisions, read_lines(kind.columns, data)
            )
        except FileRefused as refused:
            return self.unread(refused)
        of = {outcome: [each for each in judged if each.outcome is outcome] for outcome in Outcome}
        answer = import_answer(kind, data, judged)
        asked = [
            (each, decisions.get(str(each.line.number), ""))
            for each in judged
            if each.outcome is Outcome.ALIKE or str(each.line.number) in decisions
        ]
        signed = signed or ImportForm()
        signed.about = tuple(each.about.pk for each in judged if each.about is not None)
        return self.show(
            error=error,
            status=status,
            answer=answer,
            lines=len(judged),
            written=answer["new"] + answer["changed"],
            content=base64.b64encode(data).decode(),
            asked=asked[:MOST_ASKED],
            unasked=len(asked) - MOST_ASKED,
            left_out=answer["alike"] + answer["refused"],
            refused=of[Outcome.REFUSED][:SHOWN],
            changed=of[Outcome.CHANGED][:SHOWN],
            new=of[Outcome.NEW][:SHOWN],
            shown=SHOWN,
            somebody_else=SOMEBODY_ELSE,
            signed=signed,
        )

    def left_out(self, data: bytes, decisions: dict[str, str]) -> HttpResponse:
        """Give the lines that are left out as a file to mend."""
        kind, room = self.files.kind, self.permissions.room
        try:
            lines = read_lines(kind.columns, data)
        except FileRefused as refused:
            return self.unread(refused)
        text = kind.left_out(kind.judged(room, self.permissions.staff, decisions, lines))
        return _csv(text, f"{kind.name}-{room.code}-left-out.csv")

    def imported(self, data: bytes, decisions: dict[str, str]) -> HttpResponse:
        """Import what two people sign, and lead to the page of what the file is of."""
        request, room = self.request, self.permissions.room
        signed = ImportForm(request.POST)
        if not signed.is_valid():
            return self.dry_run(data, decisions, signed=signed, status=422)

        def command(meta: CommandMeta) -> str:
            answer = self.files.carry_out(
                meta,
                room.pk,
                content=request.POST["content"],
                plan=request.POST.get("plan", ""),
                decisions=decisions,
                approver=signed.signature(),
            )
            left_out = answer["alike"] + answer["refused"]
            then = f" {self.files.kind.then}" if answer["new"] and self.files.kind.then else ""
            return f"{answer['new']} added, {answer['changed']} changed, {left_out} left out.{then}"

        if error := done_once(request, command):
            return self.dry_run(data, decisions, signed=signed, error=error)
        return redirect(_LEADS_TO[self.files.kind.name][0], code=room.code)

    def unread(self, refused: FileRefused) -> HttpResponse:
        """Say why a file cannot be read at all, and ask for another one."""
        return self.show(error=BadInput("bad_file", str(refused), path="file"))


@login_required
@require_http_methods(["GET", "POST"])
@sensitive_post_parameters("approver_pin")
def import_page(request: HttpRequest, code: str, name: str) -> HttpResponse:
    """Take a file, show what an import would do, take decisions, and import what two people sign."""
    _room, permissions = room_for(request, code)
    files = FILES[name]
    page = ImportPage(files, request, permissions)
    if permissions.why_not(Right.SET_PEOPLE):
        return page.show()
    if files.kind.fresh and (late := why_not_fresh(request)):
        return late
    if request.method != "POST":
        return page.show()
    if "content" not in request.POST:
        return page.uploaded()
    try:
        data = bytes_given(request.POST["content"])
    except BadInput:
        return redirect(f"web:{name}_import", code=code)
    match request.POST.get("do"):
        case "left-out":
            return page.left_out(data, _decisions(request))
        case "import":
            return page.imported(data, _decisions(request))
    return page.dry_run(data, _decisions(request))


@login_required
@require_GET
def export_file(request: HttpRequest, code: str, name: str) -> HttpResponse:
    """Give what a room has of one kind as a file that an import reads back."""
    room, _permissions = room_for(request, code, Right.SET_PEOPLE)
    return _csv(FILES[name].kind.exported(room), f"{name}-{room.code}.csv")


def paths(name: str, below: str) -> list[URLPattern]:
    """Return the addresses of one kind of file, below those of its page."""
    return [
        path(f"rooms/<slug:code>/{below}/import/", import_page, {"name": name}, name=f"{name}_import"),
        path(f"rooms/<slug:code>/{below}/export.csv", export_file, {"name": name}, name=f"{name}_export"),
    ]


def _decisions(request: HttpRequest) -> dict[str, str]:
    return {
        name.removeprefix(_DECISION): str(value)[:DECISION_LENGTH]
        for name, value in request.POST.items()
        if name.startswith(_DECISION) and value
    }


def _csv(text: str, name: str) -> HttpResponse:
    return HttpResponse(
        csv_file(text),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": content_disposition_header(as_attachment=True, filename=name) or ""},
    )
