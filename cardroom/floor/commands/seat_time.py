"""Commands that collect seat time: what the seats owe by the clock goes into the drop box, for all seats or for some."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Annotated, Any, TypedDict

from cardroom.core.dates import time_text
from cardroom.core.json_types import Id, Label, Pick, Reason, Seat, Signature, Size
from cardroom.core.row_digests import rows_create, rows_note, rows_update
from cardroom.filings.models import FeeSchedule
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from games.money import dollars
from games.phrases import Phrase, plural

from ..alerts import alert_clear
from ..boxes import DROP, box_ids
from ..checks.seat_time import why_not_collect_time, why_not_take_back_time
from ..errors import BadInput, NotFound, NotNow
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Alert, Seating, TimeCollection, Transfer
from ..places import Place
from ..reads.charges import collections_at
from ..reads.table_state import TableState
from ..seat_time import TimeDue, collection_of, fee_of, movements_of, time_due
from .second_person import check_second_person, given_reason

_Approval = Annotated[Staff, Signature(right=Right.APPROVE_CORRECTION)]


class CollectedAnswer(TypedDict):
    """What was collected, and of whom."""

    collection: int
    cents: Annotated[int, "What went into the drop box."]
    seats: list[int]


class TakenBackAnswer(TypedDict):
    """What was taken back."""

    collection: int
    reverses: int
    cents: Annotated[int, "Below 0: what came out of the drop box."]


#: So many collections at most are offered to be taken back.
MOST_COLLECTIONS = 6


def _dues(state: TableState) -> list[tuple[int, str]]:
    """The seats that owe time, as a form offers them."""
    found: dict[int, list[TimeDue]] = {}
    for due in time_due(state):
        found.setdefault(due.seat, []).append(due)
    offered: list[tuple[int, str]] = []
    for seat, dues in found.items():
        players = ", ".join(str(due.sitting.player) for due in dues)
        offered.append(
            (
                seat,
                Phrase(
                    "Seat {seat} · {players} · {cents}",
                    seat=seat,
                    players=players,
                    cents=dollars(sum(due.cents for due in dues)),
                ),
            )
        )
    return offered


def _collections(state: TableState) -> list[tuple[int, str]]:
    """The latest collections that may be taken back."""
    zone = state.table.room.zone
    current = collections_at(state.table).filter(reverses__isnull=True, reversal__isnull=True)
    return [
        (
            each.pk,
            plural(
                "{at} · {n} seat · {cents}",
                "{at} · {n} seats · {cents}",
                len(each.fees),
                at=time_text(each.made_at, zone),
                cents=dollars(each.cents),
            ),
        )
        for each in current[:MOST_COLLECTIONS]
    ]


@table_command(
    "POST time-collections",
    Right.RUN_ROUNDS,
    check=why_not_collect_time,
    title="Collect time",
    tag="Fees",
    example={"seats": [1, 4, 5]},
    page="time",
    done=Phrase("The time is collected."),
)
def time_collect(
    tx: TableTransaction,
    *,
    seats: Annotated[
        list[Seat],
        Size(1, 20),
        Label(Phrase("Seats that pay now")),
        Pick(_dues),
        "The seats that pay; left out, all that owe.",
    ]
    | None = None,
) -> CollectedAnswer:
    """Collect the time that is due: of all seats that owe any, or of `seats` alone. What is missed is carried.

    A seat pays for every period that has begun since it paid last, so no player pays in part. Bettors on its back line
    pay with it, each the fee of a seat.
    """
    state = tx.state()
    shift, schedule = state.shift, tx.table.schedule
    assert shift is not None  # why_not_collect_time has seen to all three
    assert schedule is not None
    dues = time_due(state)
    owing = {due.seat for due in dues}
    paying = sorted(owing) if seats is None else sorted(set(seats))
    for index, seat in enumerate(paying):
        if seat not in owing:
            raise BadInput(
                "no_time_due", Phrase("Seat {seat} owes no time now.", seat=seat), path=f"seats[{index}]"
            )
    if not paying:
        raise BadInput(
            "no_seats", Phrase("Name at least one seat that pays, or leave seats out for all."), path="seats"
        )
    paid = [due for due in dues if due.seat in paying]
    collected = collection_of(
        paid,
        table=tx.table,
        shift=shift,
        schedule=schedule,
        actor=tx.actor,
        now=tx.now,
    )
    collected.save(force_insert=True)
    rows_create([Transfer(**columns) for columns in movements_of(collected, box_ids(state.boxes).get(DROP))])
    for due in paid:
        due.sitting.time_paid_to = due.begun[-1]
    Seating.objects.bulk_update([due.sitting for due in paid], ["time_paid_to"])
    rows_note(Seating, [due.sitting.pk for due in paid])
    carried = sorted(owing.difference(paying))
    tx.journal("time_collect", _time_collected_data(collected, carried))
    if not carried:
        alert_clear(tx, Alert.Kind.TIME_DUE)
    return {"collection": collected.pk, "cents": collected.cents, "seats": paying}


@table_command(
    "POST time-collections/{collection_id}/take-back",
    Right.RUN_ROUNDS,
    check=why_not_take_back_time,
    title=Phrase("Reverse a time collection"),
    tag="Fees",
    example={"reason": "the wrong table"},
    page="time-back",
    menu="more",
    done=Phrase("The time collection is reversed."),
)
def time_take_back(
    tx: TableTransaction,
    *,
    collection_id: Annotated[Id, Label(Phrase("Collection")), Pick(_collections)],
    reason: Annotated[Reason, Label(Phrase("Why it is reversed"))],
    approver: _Approval,
) -> TakenBackAnswer:
    """Reverse a time collection whole, with a reason and a second person: the cents go from the drop to the seats.

    Seats that are still taken by who paid owe again what they had owed; what should have been collected is then
    collected anew. It counts in the shift that is open now.
    """
    state = tx.state()
    old = TimeCollection.objects.filter(pk=collection_id, table=tx.table).select_related("schedule").first()
    if old is None or old.reverses_id is not None:
        raise NotFound(
            "not_found",
            Phrase(
                "There is no collection of time {collection_id} at {table}.",
                collection_id=collection_id,
                table=tx.table,
            ),
        )
    if TimeCollection.objects.filter(reverses=old).exists():
        raise NotNow("taken_back_before", Phrase("Collection {pk} was reversed already.", pk=old.pk))
    reason = given_reason(reason, Phrase("Taking time back"))
    check_second_person(tx, approver, Right.APPROVE_CORRECTION, Phrase("reverses a time collection"))
    assert state.shift is not None  # why_not_take_back_time has seen to it
    fees = [{**fee, "periods": -fee["periods"], "cents": -fee["cents"]} for fee in old.fees]
    back = TimeCollection.objects.create(
        room=tx.room,
        table=tx.table,
        shift=state.shift,
        schedule=old.schedule,
        schedule_version=old.schedule_version,
        period=old.period,
        fee_cents=old.fee_cents,
        fees=fees,
        periods=-old.periods,
        cents=-old.cents,
        made_at=tx.now,
        recorded_by=tx.actor,
        reverses=old,
        reason=reason,
        approved_by=approver,
    )
    box = box_ids(state.boxes).get(DROP)
    rows_create([_movement_back(tx, back, transfer, box) for transfer in old.transfers.order_by("id")])
    for fee in old.fees:
        paid = datetime.datetime.fromisoformat(fee["paid_to"])
        stay = Seating.objects.filter(pk=fee["seating"], left_at__isnull=True, time_paid_to=paid)
        rows_update(stay, time_paid_to=datetime.datetime.fromisoformat(fee["before"]))
    tx.journal(
        "time_take_back",
        {
            "collection": back.pk,
            "reverses": old.pk,
            "shift": state.shift.pk,
            "fees": fees,
            "cents": back.cents,
            "approved_by": {"id": approver.pk, "name": str(approver)},
        },
        reason=reason,
    )
    return {"collection": back.pk, "reverses": old.pk, "cents": back.cents}


def time_let_go(tx: TableTransaction, places: Iterable[Place] | None, why: str) -> None:
    """Note in the journal what is owed that will not be collected any more: players leave, or the fees change.

    Without `places`, all of the table. Where no time is owed, nothing is written.
    """
    if tx.table.schedule is None or tx.table.schedule.schedule.time is None:
        return
    state = tx.state()
    gone = [due for due in time_due(state) if places is None or due.place in places]
    if gone:
        tx.journal("time_let_go", _time_gone_data([fee_of(due) for due in gone], why))


def time_begins_anew(tx: TableTransaction, schedule: FeeSchedule | None) -> None:
    """Note that the fees of the table change to `schedule`: no seat owes time from before by it, or by the one before."""
    if schedule is not None and schedule.pk == tx.table.schedule_id:
        return
    time_let_go(tx, None, "the fees change")
    if schedule is not None and schedule.schedule.time is not None:
        rows_update(tx.table.seatings.filter(left_at__isnull=True), time_paid_to=tx.now)


def _movement_back(tx: TableTransaction, back: TimeCollection, moved: Transfer, box: int | None) -> Transfer:
    return Transfer(
        room=tx.room,
        table=tx.table,
        shift_id=back.shift_id,
        time_collection=back,
        box_id=box,
        kind=Transfer.Kind.TIME,
        source=moved.target,
        target=moved.source,
        seat=moved.seat,
        player_id=moved.player_id,
        cents=moved.cents,
        reverses=moved,
        made_at=tx.now,
    )


def _time_collected_data(collected: TimeCollection, carried: list[int]) -> dict[str, Any]:
    """Time was collected; the seats in `carried` owe on."""
    return {
        "collection": collected.pk,
        "shift": collected.shift_id,
        "schedule": collected.schedule_id,
        "schedule_version": collected.schedule_version,
        "period": collected.period,
        "fees": collected.fees,
        "cents": collected.cents,
        "carried": carried,
    }


def _time_gone_data(fees: list[dict[str, Any]], why: str) -> dict[str, Any]:
    """Time that was owed is collected no more; `fees` are as in a collection of time."""
    return {"why": why, "fees": fees, "cents": sum(fee["cents"] for fee in fees)}
