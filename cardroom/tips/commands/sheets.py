"""Command that closes the pool's sheet of a shift."""

from __future__ import annotations

from typing import Annotated, TypedDict

from django.db import IntegrityError, transaction

from cardroom.core.json_types import Cents, Id
from cardroom.floor.errors import NotNow
from cardroom.floor.execution.carry_out import room_command
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.report_jobs import Cause, report_ask
from cardroom.people.rights import Right

from ..models import PoolSheet
from ..reads.pools import pool_data, pool_made, pool_sheet_of, shift_of, why_not_closed


class PoolAnswer(TypedDict):
    """The tips of a shift were shared out."""

    sheet: int
    shift: int


@room_command(
    "POST shifts/{shift_id}/tokes/close",
    Right.CLOSE_TIPS,
    bumps_version=False,
    no_check="it depends on the shift: why_not_close",
    title="Close the pool's sheet of a shift",
    tag="Tips",
    example={"total_cents": 48250},
)
def pool_close(
    tx: RoomTransaction,
    *,
    shift_id: Id,
    total_cents: Annotated[
        Cents, "The sum that you have seen: the sheet is closed only while it is the same."
    ],
) -> PoolAnswer:
    """Close the sheet of a closed shift: from now on it stands as it is, and is what is paid out and signed.

    `total_cents` is the sum that the user who closes it has seen; raises NotNow where it is another one by now, where
    rounds of the shift are in play, and where some cents have no owner.
    """
    shift = shift_of(tx.room, shift_id)
    pool = pool_made(shift, tx.now)
    if why := why_not_closed(shift, pool, pool_sheet_of(shift)):
        raise NotNow.because(why)
    if total_cents != pool.total_cents:
        raise NotNow(
            "moved_on",
            f"The tips of {shift} have changed since you looked. Look at the sheet again, and then close it.",
            path="total_cents",
        )
    body = pool_data(pool)
    try:
        with transaction.atomic():
            sheet = PoolSheet.objects.create(
                room=tx.room,
                shift=shift,
                rule_id=pool.rule,
                total_cents=pool.total_cents,
                body=body,
                made_at=tx.now,
                made_by=tx.actor,
            )
    except IntegrityError as error:  # the database's own word, should the check ever have read too early
        raise NotNow("sheet_closed", f"The tips of {shift} were shared out meanwhile.") from error
    tx.journal(
        "pool_close",
        {"sheet": sheet.pk, "shift": shift.pk, "total_cents": pool.total_cents},
    )
    report_ask(shift, Cause.TIPS_CLOSED, tx.now)  # which says that the sheet is open
    return {"sheet": sheet.pk, "shift": shift.pk}
