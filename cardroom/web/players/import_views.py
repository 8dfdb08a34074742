"""Views of a file of players: upload and dry run, decisions, the import that two people sign, and the export."""

from __future__ import annotations

import base64
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from cardroom.documents.export import csv_file
from cardroom.floor.commands.command_types import bytes_given
from cardroom.floor.commands.player_files import (
    import_answer,
    players_import,
)
from cardroom.floor.errors import BadInput, FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.people.models import Player
from cardroom.people.player_file import (
    COLUMNS,
    MOST_BYTES,
    SOMEBODY_ELSE,
    FileRefused,
    Judged,
    Outcome,
    judge,
    players_csv,
    read_lines,
    refused_csv,
)
from cardroom.people.rights import Right

from ..parts.access import Permissions, room_for
from ..parts.command_headers import done_once
from ..parts.forms.signed import WitnessedForm, right_to_sign
from ..parts.forms.upload import UploadForm, file_field

#: Lines of one kind that the page shows; the file of what is left out has all of them.
SHOWN = 100
_DECISION = "line-"


class PlayersUploadForm(UploadForm):
    """The file."""

    most_bytes = MOST_BYTES

    file = file_field("A file of players (CSV or TOML)", ".csv,.toml,text/csv")


class ImportForm(WitnessedForm):
    """Who signs for the import beside the person who imports."""

    right = right_to_sign(players_import)


@login_required
@require_http_methods(["GET", "POST"])
@sensitive_post_parameters("approver_pin")
def import_page(request: HttpRequest, code: str) -> HttpResponse:
    """Take a file, show what an import would do, take decisions, and import what two people sign."""
    room, permissions = room_for(request, code)
    context: dict[str, Any] = {
        "room": room,
        "permissions": permissions,
        "columns": COLUMNS,
        "why_not": permissions.why_not(Right.SET_PEOPLE),
        "form": PlayersUploadForm(),
    }
    if request.method != "POST" or context["why_not"]:
        return render(request, "web/players/import.html", context)
    if "content" not in request.POST:
        context["form"] = form = PlayersUploadForm(request.POST, request.FILES)
        if not form.is_valid():
            return render(request, "web/players/import.html", context, status=422)
        return _checked(request, permissions, context, form.cleaned_data["file"].read(), {})
    content = request.POST["content"]
    decisions = _decisions(request)
    try:
        data = bytes_given(content)
    except BadInput:
        return redirect("web:players_import", code=code)
    if request.POST.get("do") == "left-out":
        return _left_out(request, permissions, context, data, decisions)
    if request.POST.get("do") != "import":
        return _checked(request, permissions, context, data, decisions)
    signed = ImportForm(request.POST)
    if not signed.is_valid():
        return _checked(request, permissions, context, data, decisions, signed=signed, status=422)

    def command(meta: CommandMeta) -> str:
        answer = players_import(
            meta,
            room.pk,
            content=content,
            plan=request.POST.get("plan", ""),
            decisions=decisions,
            approver=signed.signature(),
        )
        return f"{answer['new']} players added, {answer['changed']} changed."

    if error := done_once(request, command):
        return _checked(request, permissions, context, data, decisions, signed=signed, error=error)
    return redirect("web:players", code=code)


@login_required
@require_GET
def export_file(request: HttpRequest, code: str) -> HttpResponse:
    """Give the players of a room as a file that an import reads back."""
    room, _permissions = room_for(request, code, Right.SET_PEOPLE)
    return _csv(players_csv(room), f"players-{room.code}.csv")


def _checked(
    request: HttpRequest,
    permissions: Permissions,
    context: dict[str, Any],
    data: bytes,
    decisions: dict[str, str],
    *,
    signed: ImportForm | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the dry run of a file."""
    try:
        judged = judge(permissions.room, read_lines(data), decisions)
    except FileRefused as refused:
        return _unread(request, context, refused)
    kinds = {kind: [each for each in judged if each.outcome is kind] for kind in Outcome}
    decided = [
        each for each in judged if str(each.line.number) in decisions and each not in kinds[Outcome.ALIKE]
    ]
    answer = import_answer(data, judged)
    context |= {
        "answer": answer,
        "lines": len(judged),
        "written": answer["new"] + answer["changed"],
        "content": base64.b64encode(data).decode(),
        "asked": [
            *((each, decisions[str(each.line.number)], _likely(permissions, each)) for each in decided),
            *((each, "", each.alike) for each in kinds[Outcome.ALIKE]),
        ],
        "refused": kinds[Outcome.REFUSED][:SHOWN],
        "changed": kinds[Outcome.CHANGED][:SHOWN],
        "shown": SHOWN,
        "somebody_else": SOMEBODY_ELSE,
        "signed": signed or ImportForm(),
        "error": error,
    }
    return render(request, "web/players/import.html", context, status=error.status if error else status)


def _likely(permissions: Permissions, each: Judged) -> list[Player]:
    """Whom a line that was decided may have meant: the decision can be changed."""
    undecided = judge(permissions.room, [each.line], {})[0]
    return undecided.alike


def _decisions(request: HttpRequest) -> dict[str, str]:
    return {
        name.removeprefix(_DECISION): str(value)[:12]
        for name, value in request.POST.items()
        if name.startswith(_DECISION) and value
    }


def _unread(request: HttpRequest, context: dict[str, Any], refused: FileRefused) -> HttpResponse:
    """Say why a file cannot be read at all, and ask for another one."""
    context["error"] = BadInput("bad_file", str(refused), path="file")
    return render(request, "web/players/import.html", context, status=422)


def _left_out(
    request: HttpRequest,
    permissions: Permissions,
    context: dict[str, Any],
    data: bytes,
    decisions: dict[str, str],
) -> HttpResponse:
    try:
        judged = judge(permissions.room, read_lines(data), decisions)
    except FileRefused as refused:
        return _unread(request, context, refused)
    return _csv(refused_csv(judged), f"players-{permissions.room.code}-left-out.csv")


def _csv(text: str, name: str) -> HttpResponse:
    return HttpResponse(
        csv_file(text),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": content_disposition_header(as_attachment=True, filename=name) or ""},
    )
