"""Commands on the document of a game's draft: attach the room's own, or take it off. Filed versions keep theirs."""

from __future__ import annotations

import base64
from typing import Annotated, Final, TypedDict

from cardroom.core.json_types import Base64, Id, OneOf, Text
from cardroom.filings import services
from cardroom.filings.models import FiledDocument, Filing, GameFiling
from cardroom.filings.models.documents import MOST_BYTES, NAME_LENGTH
from cardroom.people.rights import Right

from ..execution.carry_out import room_command
from ..execution.transactions import RoomTransaction
from .command_types import bytes_given
from .filings import Read, read_version, refused_by_the_floor, version_data

_NO_CHECK: Final = "it depends on the version that is named: cardroom.filings.services"
EXAMPLE: Final = {"name": "approval.pdf", "content": base64.b64encode(b"%PDF-1.7\n%%EOF\n").decode()}

Content = Annotated[str, Base64.of(MOST_BYTES), "The bytes of the PDF in Base64 (RFC 4648), on one line."]


class DocumentAnswer(TypedDict):
    """A document was attached to a draft, or taken off; SHA-256 is empty where there is none."""

    game: int
    status: Annotated[str, OneOf(Filing.Status)]
    sha256: str
    digest: Annotated[str, "Of what it says now."]


@room_command(
    "PUT games/{game_id}/document",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="Attach the room's document to the draft of a game",
    tag="Filings",
    example=EXAMPLE,
)
def game_document_attach(
    tx: RoomTransaction,
    *,
    game_id: Id,
    digest: Read,
    name: Annotated[str, Text(NAME_LENGTH)],
    content: Content,
) -> DocumentAnswer:
    """A PDF by its content, in the place of the one before. Its SHA-256 is part of what is signed."""
    draft = read_version(tx, GameFiling, game_id, digest)
    return _replaced(tx, draft, document_of(tx, name, content))


def document_of(tx: RoomTransaction, name: str, content: str) -> FiledDocument:
    """The room's document of these bytes in Base64: the one that it has of this name and content, else a new one, not saved yet.

    Raises BadInput for what is no PDF.
    """
    given = bytes_given(content)
    with refused_by_the_floor():
        document = FiledDocument.of(tx.room, name, given, added_by=tx.actor, added_at=tx.now)
    known = FiledDocument.objects.filter(room=tx.room, sha256=document.sha256, name=document.name).first()
    return known or document


@room_command(
    "DELETE games/{game_id}/document",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="Take the document off the draft of a game",
    tag="Filings",
)
def game_document_detach(tx: RoomTransaction, *, game_id: Id, digest: Read) -> DocumentAnswer:
    """The journal keeps its name and SHA-256."""
    return _replaced(tx, read_version(tx, GameFiling, game_id, digest), None)


def _replaced(tx: RoomTransaction, draft: GameFiling, document: FiledDocument | None) -> DocumentAnswer:
    before = draft.content()
    with refused_by_the_floor():
        if document is not None and document.pk is None:
            services.check_is_draft(draft)
            document.save()
        draft = services.edit(draft, by=tx.actor, document=document)
    tx.journal(
        "game_document",
        {**version_data(draft), "before": before["document"], "after": draft.content()["document"]},
    )
    return {
        "game": draft.pk,
        "status": draft.status,
        "sha256": "" if document is None else document.sha256,
        "digest": draft.digest,
    }
