"""Commands on a room's fee schedules: draft, change, discard, file and withdraw a version (steps in `filing_steps`)."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import Id, Json, Reason
from cardroom.filings.models import FeeSchedule
from cardroom.people.approval import Approval
from cardroom.people.rights import Right

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

ScheduleDocument = Annotated[
    dict[str, Any], Json(), "Table limit, lines and waivers, in whole cents; it may be illegal yet."
]


class ScheduleAnswer(TypedDict):
    """A schedule was drafted, changed, filed or withdrawn."""

    schedule: int
    status: Status
    digest: Annotated[str, "Of what it says now."]


class ScheduleGone(TypedDict):
    """A schedule's draft was discarded."""

    schedule: int


@room_command(
    "POST schedules/versions",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=NO_FILING_CHECK,
    title="Draft the next version of a fee schedule",
    tag=FILINGS_TAG,
    example={
        "number": 3,
        "rulebook": "california",
        "document": {
            "clause": "california:fees.s1",
            "ante_min_cents": 500,
            "ante_max_cents": None,
            "lines": [{"payer": "player", "per": "ante", "fee_cents": 100}],
        },
    },
)
def schedule_draft(
    tx: RoomTransaction,
    *,
    number: Number,
    rulebook: RulebookId,
    document: ScheduleDocument,
    title: Title = "",
    effective_from: PlannedDay = None,
    state_reference: PlannedReference = "",
) -> ScheduleAnswer:
    """Of a new number, or of one that has no draft."""
    new = FeeSchedule(
        room=tx.room,
        number=number,
        rulebook=rulebook,
        document=document,
        title=title,
        effective_from=effective_from,
        state_reference=state_reference,
    )
    return _schedule(drafted(tx, new))


@room_command(
    "PUT schedules/versions/{schedule_id}",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=NO_FILING_CHECK,
    title="Change the draft of a fee schedule",
    tag=FILINGS_TAG,
    example={"document": {"ante_max_cents": None, "lines": []}},
)
def schedule_edit(
    tx: RoomTransaction,
    *,
    schedule_id: Id,
    digest: Read,
    document: ScheduleDocument,
    title: Title = "",
    effective_from: PlannedDay = None,
    state_reference: PlannedReference = "",
) -> ScheduleAnswer:
    """The whole of it. A filed version is never changed: draft the next one."""
    draft = read_version(tx, FeeSchedule, schedule_id, digest)
    return _schedule(
        edited(
            tx,
            draft,
            document=document,
            title=title.strip() or draft.title,
            effective_from=effective_from,
            state_reference=state_reference,
        )
    )


@room_command(
    "DELETE schedules/versions/{schedule_id}",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=NO_FILING_CHECK,
    title="Discard the draft of a fee schedule",
    tag=FILINGS_TAG,
)
def schedule_discard(tx: RoomTransaction, *, schedule_id: Id, digest: Read) -> ScheduleGone:
    """The journal keeps what it said. A filed version is never deleted: withdraw it."""
    discarded(tx, read_version(tx, FeeSchedule, schedule_id, digest))
    return {"schedule": schedule_id}


@room_command(
    "POST schedules/versions/{schedule_id}/file",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=NO_FILING_CHECK,
    fresh=True,
    title="File the draft of a fee schedule",
    tag=FILINGS_TAG,
    example=FILE_EXAMPLE,
)
def schedule_file(
    tx: RoomTransaction,
    *,
    schedule_id: Id,
    digest: Read,
    effective_from: FirstDay,
    state_reference: Reference,
    approver: Approval,
) -> ScheduleAnswer:
    """In force from its first day on, in the place of the version before it, on the next gaming day at the earliest.

    An illegal one is refused with every problem. A second person who may file signs it.
    """
    draft = read_version(tx, FeeSchedule, schedule_id, digest)
    return _schedule(filed(tx, draft, approver, effective_from, state_reference=state_reference))


@room_command(
    "POST schedules/versions/{schedule_id}/withdraw",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=NO_FILING_CHECK,
    fresh=True,
    title="Withdraw a filed fee schedule",
    tag=FILINGS_TAG,
    example=WITHDRAW_EXAMPLE,
)
def schedule_withdraw(
    tx: RoomTransaction,
    *,
    schedule_id: Id,
    digest: Read,
    reason: Reason,
    approver: Approval,
    effective_to: LastDay = None,
) -> ScheduleAnswer:
    """Without another in its place. A second person who may file signs it."""
    return _schedule(
        withdrawn(tx, read_version(tx, FeeSchedule, schedule_id, digest), approver, reason, effective_to)
    )


def _schedule(version: FeeSchedule) -> ScheduleAnswer:
    return {"schedule": version.pk, "status": version.status, "digest": version.digest}
