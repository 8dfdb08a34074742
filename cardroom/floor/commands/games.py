"""Commands on the games that a room files: draft, change, discard, file and withdraw a version (steps in `filing_steps`)."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import Id, Json, OneOf, Reason
from cardroom.filings.models import GameFiling
from cardroom.people.approval import Approval
from cardroom.people.rights import Right
from games.rotation.profile import PROFILES

from ..execution import room_command
from ..transactions import RoomTransaction
from .filing_steps import (
    FILE_EXAMPLE,
    FILINGS_TAG,
    NO_FILING_CHECK,
    WITHDRAW_EXAMPLE,
    FirstDay,
    LastDay,
    Number,
    PlannedDay,
    PlannedReference,
    Read,
    Reference,
    RulebookId,
    Status,
    Title,
    discarded,
    drafted,
    edited,
    filed,
    read_version,
    withdrawn,
)

GameOptions = Annotated[
    dict[str, Any] | None,
    Json(),
    "The room's choices, as in the round sheet, a house rake too; the fee schedule is filed by itself.",
]
Rotation = Annotated[
    str,
    OneOf(("", *PROFILES)),
    "Profile by which the bank rotates, one that is in force; empty for the rulebook's own.",
]


class GameAnswer(TypedDict):
    """A game was drafted, changed, filed or withdrawn."""

    game: int
    status: Status
    digest: Annotated[str, "Of what it says now."]


class GameGone(TypedDict):
    """A game's draft was discarded."""

    game: int


@room_command(
    "POST games",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=NO_FILING_CHECK,
    title="Draft the next version of a game",
    tag=FILINGS_TAG,
    example={"number": 1, "rulebook": "california", "options": {"coverage": "gross"}},
)
def game_draft(
    tx: RoomTransaction,
    *,
    number: Number,
    rulebook: RulebookId,
    options: GameOptions = None,
    rotation: Rotation = "",
    title: Title = "",
    effective_from: PlannedDay = None,
    state_reference: PlannedReference = "",
) -> GameAnswer:
    """Rulebook, options, paytables, rotation profile and house rake. The fee schedule is filed by itself."""
    new = GameFiling(
        room=tx.room,
        number=number,
        rulebook=rulebook,
        options=options or {},
        rotation=rotation,
        title=title,
        effective_from=effective_from,
        state_reference=state_reference,
    )
    return _game(drafted(tx, new))


@room_command(
    "PUT games/{game_id}",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=NO_FILING_CHECK,
    title="Change the draft of a game",
    tag=FILINGS_TAG,
    example={"title": "3 Card Poker", "options": {"coverage": "net"}},
)
def game_edit(
    tx: RoomTransaction,
    *,
    game_id: Id,
    digest: Read,
    options: GameOptions = None,
    rotation: Rotation = "",
    title: Title = "",
    effective_from: PlannedDay = None,
    state_reference: PlannedReference = "",
) -> GameAnswer:
    """The whole of it. A filed version is never changed: draft the next one."""
    return _game(
        edited(
            tx,
            read_version(tx, GameFiling, game_id, digest),
            options=options or {},
            rotation=rotation,
            title=title,
            effective_from=effective_from,
            state_reference=state_reference,
        )
    )


@room_command(
    "DELETE games/{game_id}",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=NO_FILING_CHECK,
    title="Discard the draft of a game",
    tag=FILINGS_TAG,
)
def game_discard(tx: RoomTransaction, *, game_id: Id, digest: Read) -> GameGone:
    """The journal keeps what it said. A filed version is never deleted: withdraw it."""
    discarded(tx, read_version(tx, GameFiling, game_id, digest))
    return {"game": game_id}


@room_command(
    "POST games/{game_id}/file",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=NO_FILING_CHECK,
    fresh=True,
    title="File the draft of a game",
    tag=FILINGS_TAG,
    example=FILE_EXAMPLE,
)
def game_file(
    tx: RoomTransaction,
    *,
    game_id: Id,
    digest: Read,
    effective_from: FirstDay,
    state_reference: Reference,
    approver: Approval,
) -> GameAnswer:
    """In force from its first day on, in the place of the version before it, on the next gaming day at the earliest.

    A second person who may file signs it.
    """
    draft = read_version(tx, GameFiling, game_id, digest)
    return _game(filed(tx, draft, approver, effective_from, state_reference=state_reference))


@room_command(
    "POST games/{game_id}/withdraw",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=NO_FILING_CHECK,
    fresh=True,
    title="Withdraw a filed game",
    tag=FILINGS_TAG,
    example=WITHDRAW_EXAMPLE,
)
def game_withdraw(
    tx: RoomTransaction,
    *,
    game_id: Id,
    digest: Read,
    reason: Reason,
    approver: Approval,
    effective_to: LastDay = None,
) -> GameAnswer:
    """Without another in its place. A second person who may file signs it."""
    return _game(withdrawn(tx, read_version(tx, GameFiling, game_id, digest), approver, reason, effective_to))


def _game(version: GameFiling) -> GameAnswer:
    return {"game": version.pk, "status": version.status, "digest": version.digest}
