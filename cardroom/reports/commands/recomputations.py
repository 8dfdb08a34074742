"""Asking for the fees of a period to be computed again."""

from __future__ import annotations

import datetime
from typing import Annotated, TypedDict

from cardroom.core.dates import day_text
from cardroom.core.json_types import Key
from cardroom.floor.errors import BadInput
from cardroom.floor.execution import room_command
from cardroom.floor.transactions import RoomTransaction
from cardroom.jobs.lifecycle import job_ask
from cardroom.jobs.models import Job
from cardroom.people.rights import Right

from ..background.fee_audits import why_not_recompute
from ..background.lifecycle import RECOMPUTATION
from ..queries.query import MOST_DAYS

#: For any days asked for, a room has one under way at a time.
_KEY = "fees"


class RecomputationAnswer(TypedDict):
    """It waits for a worker."""

    recomputation: int


@room_command(
    "POST recomputations",
    Right.VERIFY,
    bumps_version=False,
    check=why_not_recompute,
    title="Run a fee audit",
    tag="Reports",
    example={"from": "2026-11-01", "to": "2026-11-30"},
)
def recomputation_start(
    tx: RoomTransaction,
    *,
    first: Annotated[datetime.date, Key("from"), "First gaming day."],
    last: Annotated[datetime.date, Key("to"), "Last gaming day, included."],
) -> RecomputationAnswer:
    """Ask for the fees of every round of the gaming days to be computed again, in the background; one at a time."""
    if last < first:
        raise BadInput(
            "days_reversed",
            f"The period ends on {day_text(last)}, before it begins on {day_text(first)}.",
            path="to",
        )
    if first.year < 2000 or last.year > 2999:
        raise BadInput("no_such_days", "Give days between 2000-01-01 and 2999-12-31.", path="from")
    if (last - first).days + 1 > MOST_DAYS:
        raise BadInput("too_many_days", f"At most {MOST_DAYS} gaming days at a time.", path="to")
    days = {"first": str(first), "last": str(last)}
    job = job_ask(
        RECOMPUTATION,
        room=tx.room,
        at=tx.now,
        cause="asked",
        arguments=days,
        key=_KEY,
        at_most_one=Job.AtMostOne.OPEN,
        asked_by=tx.actor,
    )
    tx.journal("recomputation_start", {"recomputation": job.pk, **days})
    return {"recomputation": job.pk}
