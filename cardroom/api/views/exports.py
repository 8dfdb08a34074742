"""API reads of what a room has as files: the same that an import reads back, one read for every kind of file."""

from __future__ import annotations

from typing import Annotated, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.commands.imports import FILES, ImportCommands
from cardroom.floor.reads.access import get_room_for
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..base import SignedInView
from ..operations import reads


class ExportRecord(TypedDict):
    """What a room has of one kind, as a file."""

    name: Annotated[str, "Of the file."]
    content: Annotated[str, "The file, as CSV; an import of it changes nothing."]


def _view(files: ImportCommands) -> type[SignedInView]:
    kind = files.kind

    class Export(SignedInView):
        @reads(
            f"Read the {kind.many} of a room as a file",
            ExportRecord,
            description=f"Columns: {', '.join(kind.columns.names)}.",
            access=get_room_for,
            right=Right.SET_PEOPLE,
            tag="People",
        )
        def get(self, request: Request, room: Room) -> Response:
            return Response({"name": f"{kind.name}-{room.code}.csv", "content": kind.exported(room)})

    return type(f"{kind.name.capitalize()}Export", (Export,), {})


#: By address.
EXPORTS = {f"rooms/<id:room_id>/{name}/export": _view(files) for name, files in FILES.items()}
