"""Command that has the records verified in the background."""

from __future__ import annotations

from typing import TypedDict

from cardroom.floor.execution.carry_out import room_command
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.people.rights import Right

from ..verification.runs import verification_ask, verification_under_way


class VerificationAnswer(TypedDict):
    """Workers verify the records; `joined` where they were at it already."""

    verification: int
    joined: bool


@room_command(
    "POST verification",
    Right.VERIFY,
    bumps_version=False,
    no_check="who asks while one is under way joins it",
    title="Verify the records",
    tag="Reports",
    done="The records are being verified.",
)
def verification_start(tx: RoomTransaction) -> VerificationAnswer:
    """Have workers prove the whole database, in pieces. Who asks while they are at it joins them."""
    joined = verification_under_way() is not None
    job = verification_ask(tx.room, tx.now, tx.actor, "asked")
    if not joined:
        tx.journal("verification_start", {"verification": job.pk})
    return {"verification": job.pk, "joined": joined}
