"""Commands on the tray of a table that the house banks: slips that two people sign, for counts and moves of chips; buy-ins."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.dates import time_text
from cardroom.core.json_types import Cents, Id, Label, Note, Pick, Reason, Seat
from cardroom.people.approval import Approval
from cardroom.people.models import Staff
from cardroom.people.rights import Right, may
from games.money import dollars
from games.phrases import Phrase

from ..boxes import DROP, box_ids
from ..checks.tray import (
    opener_of,
    why_not_buy_in,
    why_not_close_tray,
    why_not_move_in_tray,
    why_not_open_tray,
)
from ..chips import Chips, chips_read
from ..errors import BadInput, NotFound, NotNow
from ..execution.carry_out import table_command
from ..execution.locks import lock_row
from ..execution.transactions import TableTransaction
from ..models import BuyIn, Shift, SlipCounter, Transfer, TraySlip
from ..notify import alert_changed
from ..reads.slips import buy_ins_of, slips_of
from ..reads.table_state import TableState
from ..reads.tray import Tray, tray_since
from ..report_jobs import Cause, report_ask
from .round_steps import whole_cents
from .second_person import check_second_person, given_reason

_TAG = "The tray"
_KIND = TraySlip.Kind
#: So many slips and buy-ins at most are offered to be taken back.
MOST_OFFERED = 20


class SlipAnswer(TypedDict):
    """Which slip was written."""

    slip: int
    number: Annotated[int, "Counts the slips of the room, without gaps."]
    cents: Annotated[int, "What its chips are worth; below 0 of a slip that takes another back."]


class TrayCountAnswer(SlipAnswer):
    """Which slip was written, and what should have lain there."""

    expected_cents: Annotated[int | None, "Null of the first opener of a table."]


class BuyInAnswer(TypedDict):
    """Which buy-in was recorded."""

    buy_in: int
    cents: Annotated[int, "Below 0 of one that takes another back."]


def _slips(state: TableState) -> list[tuple[int, str]]:
    """The fills and credits since the opener that may be taken back."""
    opener = opener_of(state)
    if opener is None:
        return []
    moved = TraySlip.objects.filter(table=state.table, pk__gt=opener.pk, reverses__isnull=True)
    current = slips_of(moved).filter(reversal__isnull=True)[:MOST_OFFERED]
    return [
        (slip.pk, f"{slip.get_kind_display().capitalize()} {slip.number} · {dollars(slip.cents)}")
        for slip in current
    ]


def _buy_ins(state: TableState) -> list[tuple[int, str]]:
    """The buy-ins since the opener that may be taken back."""
    opener = opener_of(state)
    if opener is None:
        return []
    zone = state.table.room.zone
    current = buy_ins_of(state.table).filter(
        made_at__gt=opener.made_at, reverses__isnull=True, reversal__isnull=True
    )[:MOST_OFFERED]
    return [
        (
            each.pk,
            f"{time_text(each.made_at, zone)} · seat {each.seat} · {each.player} · {dollars(each.cents)}",
        )
        for each in current
    ]


def _seated(state: TableState) -> list[tuple[int, str]]:
    return [
        (seat, Phrase("Seat {seat} · {player}", seat=seat, player=sitting.player))
        for seat, sitting in state.seatings.items()
    ]


@table_command(
    "POST tray/open",
    Right.RUN_ROUNDS,
    check=why_not_open_tray,
    title="Open the tray",
    tag=_TAG,
    example={"chips": {"2500": 200, "500": 200}},
    done="The tray is open.",
)
def tray_open(tx: TableTransaction, *, chips: Chips, note: Note = "", approver: Approval) -> TrayCountAnswer:
    """Count the tray of a table and open it for the shift: an opener, signed by two people.

    One of the two keeps trays (floor, shift manager). It is expected to hold what the last closer of the table counted;
    a difference above the room's variance threshold needs a note.
    """
    state = tx.state()
    assert state.shift is not None  # why_not_open_tray has seen to it
    last = state.tray_count
    expected = None if last is None else last.cents
    return _counted(tx, _KIND.OPENER, state.shift, expected, chips=chips, note=note, approver=approver)


@table_command(
    "POST tray/close",
    Right.RUN_ROUNDS,
    check=why_not_close_tray,
    title="Close the tray",
    tag=_TAG,
    example={"chips": {"2500": 190, "500": 240}},
    done="The tray is closed.",
)
def tray_close(tx: TableTransaction, *, chips: Chips, note: Note = "", approver: Approval) -> TrayCountAnswer:
    """Count the tray of a table and close it: a closer, signed by two people.

    It belongs to the shift of its opener, whose report is restated where that shift is closed already. A difference from
    what should lie there above the room's variance threshold needs a note.
    """
    opener = opener_of(tx.state())
    assert opener is not None  # why_not_close_tray has seen to it
    expected = tray_since(opener).expected_cents
    answer = _counted(tx, _KIND.CLOSER, opener.shift, expected, chips=chips, note=note, approver=approver)
    if opener.shift.closed_at is not None:
        report_ask(opener.shift, Cause.TRAY_COUNTED, tx.now)
    return answer


@table_command(
    "POST tray/fills",
    Right.RUN_ROUNDS,
    bumps_version=False,
    check=why_not_move_in_tray,
    title="Fill the tray",
    tag=_TAG,
    example={"chips": {"2500": 40}},
    done="The fill is recorded.",
)
def tray_fill(tx: TableTransaction, *, chips: Chips, note: Note = "", approver: Approval) -> SlipAnswer:
    """Bring chips from the cage into the tray: a fill, signed by two people of whom one keeps trays."""
    return _moved(tx, _KIND.FILL, chips, note, approver)


@table_command(
    "POST tray/credits",
    Right.RUN_ROUNDS,
    bumps_version=False,
    check=why_not_move_in_tray,
    title="Credit from the tray",
    tag=_TAG,
    example={"chips": {"10000": 10}},
    done="The credit is recorded.",
)
def tray_credit(tx: TableTransaction, *, chips: Chips, note: Note = "", approver: Approval) -> SlipAnswer:
    """Take chips from the tray to the cage: a credit, signed by two people of whom one keeps trays.

    Refused is one of more than what should lie in the tray.
    """
    return _moved(tx, _KIND.CREDIT, chips, note, approver)


@table_command(
    "POST tray/slips/{slip_id}/take-back",
    Right.RUN_ROUNDS,
    bumps_version=False,
    check=why_not_move_in_tray,
    title="Reverse a fill or credit",
    tag=_TAG,
    example={"reason": "the wrong table"},
    done="The slip is reversed.",
)
def slip_take_back(
    tx: TableTransaction,
    *,
    slip_id: Annotated[Id, Label(Phrase("Slip")), Pick(_slips)],
    reason: Annotated[Reason, Label(Phrase("Why it is reversed"))],
    approver: Approval,
) -> SlipAnswer:
    """Reverse a fill or credit whole by a slip that reverses it, with a reason and a second person.

    One that a closer has counted since cannot be reversed: the variance shows it.
    """
    state = tx.state()
    old = TraySlip.objects.filter(pk=slip_id, table=tx.table).first()
    if old is None or old.reverses_id is not None or old.kind in TraySlip.COUNTS:
        raise NotFound("not_found", f"There is no fill or credit {slip_id} at {tx.table}.")
    opener = opener_of(state)
    assert opener is not None  # why_not_move_in_tray has seen to it
    if old.pk < opener.pk:
        raise NotNow("counted_since", f"The tray was counted since {old} was written: it stays as it is.")
    if TraySlip.objects.filter(reverses=old).exists():
        raise NotNow("taken_back_before", f"{old} was reversed already.")
    reason = given_reason(reason, "Taking a slip back")
    _check_signed(tx, approver, "reverses a slip")
    chips = {worth: -number for worth, number in old.chips.items()}
    slip = _slip(
        tx,
        opener.shift,
        kind=old.kind,
        chips=chips,
        cents=-old.cents,
        approved_by=approver,
        reverses=old,
        reason=reason,
    )
    tx.journal("slip_take_back", slip_journal(slip), reason=reason)
    alert_changed(tx.table)
    return _answer(slip)


@table_command(
    "POST buy-ins",
    Right.RUN_ROUNDS,
    bumps_version=False,
    check=why_not_buy_in,
    title=Phrase("Buy-in"),
    tag=_TAG,
    example={"seat": 4, "cents": 20000},
    page="buy-in",
    menu="more",
    done=Phrase("The buy-in is recorded."),
)
def buy_in(
    tx: TableTransaction,
    *,
    seat: Annotated[Seat, Pick(_seated)],
    cents: Annotated[Cents, Label(Phrase("Cash into the drop box"))],
) -> BuyInAnswer:
    """Record cash that a player gives for chips: it goes into the drop box, the chips come from the tray.

    Refused is one of more than what should lie in the tray, and one without a drop box at the table.
    """
    state = tx.state()
    whole_cents(cents, "cents")
    sitting = state.seatings.get(seat)
    if sitting is None:
        raise BadInput("bad_seat", Phrase("Nobody sits at seat {seat}.", seat=seat), path="seat")
    assert state.shift is not None  # why_not_buy_in has seen to it
    _check_lies_there(tx, state, cents, "cents")
    bought = BuyIn.objects.create(
        room=tx.room,
        table=tx.table,
        shift=state.shift,
        seat=seat,
        player=sitting.player,
        cents=cents,
        made_at=tx.now,
        recorded_by=tx.actor,
    )
    account = Transfer.Account
    _cash(bought, state, source=account.TRAY, target=account.DROP).save()
    tx.journal("buy_in", buy_in_journal(bought))
    alert_changed(tx.table)
    return {"buy_in": bought.pk, "cents": cents}


@table_command(
    "POST buy-ins/{buy_in_id}/take-back",
    Right.RUN_ROUNDS,
    bumps_version=False,
    check=why_not_move_in_tray,
    title="Reverse a buy-in",
    tag=_TAG,
    example={"reason": "the wrong seat"},
    done="The buy-in is reversed.",
)
def buy_in_take_back(
    tx: TableTransaction,
    *,
    buy_in_id: Annotated[Id, Label(Phrase("Buy-in")), Pick(_buy_ins)],
    reason: Annotated[Reason, Label(Phrase("Why it is reversed"))],
    approver: Approval,
) -> BuyInAnswer:
    """Reverse a buy-in whole, with a reason and a second person: the cash leaves the drop, the chips go to the tray.

    One that a closer has counted since cannot be reversed: the variance shows it.
    """
    state = tx.state()
    old = BuyIn.objects.filter(pk=buy_in_id, table=tx.table).select_related("player").first()
    if old is None or old.reverses_id is not None:
        raise NotFound("not_found", f"There is no buy-in {buy_in_id} at {tx.table}.")
    opener = opener_of(state)
    assert opener is not None  # why_not_move_in_tray has seen to it
    if old.made_at <= opener.made_at:
        raise NotNow(
            "counted_since", f"The tray was counted since buy-in {old.pk} was made: it stays as it is."
        )
    if BuyIn.objects.filter(reverses=old).exists():
        raise NotNow("taken_back_before", f"Buy-in {old.pk} was reversed already.")
    reason = given_reason(reason, "Taking a buy-in back")
    _check_signed(tx, approver, "reverses a buy-in")
    back = BuyIn.objects.create(
        room=tx.room,
        table=tx.table,
        shift=opener.shift,
        seat=old.seat,
        player=old.player,
        cents=-old.cents,
        made_at=tx.now,
        recorded_by=tx.actor,
        reverses=old,
        reason=reason,
        approved_by=approver,
    )
    moved = old.transfers.get()
    _cash(back, state, source=moved.target, target=moved.source, reverses=moved).save()
    tx.journal("buy_in_take_back", buy_in_journal(back), reason=reason)
    alert_changed(tx.table)
    return {"buy_in": back.pk, "cents": back.cents}


def slip_journal(slip: TraySlip) -> dict[str, Any]:
    """What the journal says of a slip; the entry's reason is its reason, or else its note."""
    return {
        "slip": slip.pk,
        "number": slip.number,
        "kind": str(slip.kind),
        "shift": slip.shift_id,
        "chips": slip.chips,
        "cents": slip.cents,
        "expected_cents": slip.expected_cents,
        "reverses": slip.reverses_id,
        "approved_by": slip.approved_by_id,
        "approved_by_name": str(slip.approved_by),
    }


def buy_in_journal(bought: BuyIn) -> dict[str, Any]:
    """What the journal says of a buy-in; the entry's reason is its reason."""
    return {
        "buy_in": bought.pk,
        "shift": bought.shift_id,
        "seat": bought.seat,
        "player": bought.player_id,
        "cents": bought.cents,
        "reverses": bought.reverses_id,
        "approved_by": bought.approved_by_id,
    }


def _counted(
    tx: TableTransaction,
    kind: TraySlip.Kind,
    shift: Shift,
    expected: int | None,
    *,
    chips: dict[str, int],
    note: str,
    approver: Staff,
) -> TrayCountAnswer:
    """Write a slip that counts the tray."""
    read, cents = chips_read(chips)
    note = note.strip()
    threshold = tx.room.variance_threshold_cents
    difference = 0 if expected is None else cents - expected
    if abs(difference) > threshold and not note:
        over = "over" if difference > 0 else "short"
        what = f"A difference of more than {dollars(threshold)}" if threshold else "Any difference"
        raise BadInput(
            "note_required",
            f"The tray is {dollars(abs(difference))} {over}: {dollars(cents)} were counted, and "
            f"{dollars(cents - difference)} should lie there. {what} needs a note that explains it.",
            path="note",
        )
    _check_signed(tx, approver, "counts a tray")
    slip = _slip(
        tx,
        shift,
        kind=kind,
        chips=read,
        cents=cents,
        expected_cents=expected,
        note=note,
        approved_by=approver,
    )
    tx.journal(f"tray_{'open' if kind == _KIND.OPENER else 'close'}", slip_journal(slip), reason=note)
    return {**_answer(slip), "expected_cents": expected}


def _moved(
    tx: TableTransaction, kind: TraySlip.Kind, chips: dict[str, int], note: str, approver: Staff
) -> SlipAnswer:
    """Write a slip that moves chips."""
    state = tx.state()
    assert state.shift is not None  # why_not_move_in_tray has seen to it
    read, cents = chips_read(chips)
    if not cents:
        raise BadInput("no_chips", "Give the number of at least one kind of chip.", path="chips")
    if kind == _KIND.CREDIT:
        _check_lies_there(tx, state, cents, "chips")
    _check_signed(tx, approver, f"signs a {kind.label}")
    slip = _slip(tx, state.shift, kind=kind, chips=read, cents=cents, note=note.strip(), approved_by=approver)
    tx.journal(f"tray_{kind}", slip_journal(slip), reason=slip.note)
    alert_changed(tx.table)
    return _answer(slip)


def _slip(tx: TableTransaction, shift: Shift, **columns: Any) -> TraySlip:
    """Write a slip under the next number of the room, whose counter no other slip takes meanwhile."""
    SlipCounter.objects.get_or_create(room=tx.room)
    counter = lock_row(SlipCounter, tx.room.pk)
    counter.last += 1
    counter.save(update_fields=["last"])
    return TraySlip.objects.create(
        room=tx.room,
        table=tx.table,
        shift=shift,
        number=counter.last,
        made_at=tx.now,
        made_by=tx.actor,
        **columns,
    )


def right_to_sign_slip(keeps: bool) -> Right:
    """The right that the second person of a slip must hold: a dealer has the floor sign, who `keeps` trays a dealer or another."""
    return Right.RUN_ROUNDS if keeps else Right.KEEP_TRAY


def _check_signed(tx: TableTransaction, approver: Staff, does: str) -> None:
    """Of the two people of a slip one keeps trays."""
    keeps = may(tx.actor, Right.KEEP_TRAY, tx.room)
    check_second_person(tx, approver, right_to_sign_slip(keeps), does)


def _check_lies_there(tx: TableTransaction, state: TableState, cents: int, path: str) -> None:
    opener = opener_of(state)
    assert opener is not None  # the commands' checks have seen to it
    tray: Tray = tray_since(opener)
    if cents > tray.expected_cents:
        raise NotNow(
            "tray_short",
            f"{dollars(tray.expected_cents)} should lie in the tray of {tx.table}, less than {dollars(cents)}. "
            "Fill it first.",
            path=path,
        )


def _cash(
    bought: BuyIn,
    state: TableState,
    *,
    source: str,
    target: str,
    reverses: Transfer | None = None,
) -> Transfer:
    return Transfer(
        room_id=bought.room_id,
        table_id=bought.table_id,
        shift_id=bought.shift_id,
        buy_in=bought,
        box_id=box_ids(state.boxes).get(DROP),
        kind=Transfer.Kind.BUY_IN,
        source=source,
        target=target,
        seat=bought.seat,
        player_id=bought.player_id,
        cents=abs(bought.cents),
        reverses=reverses,
        made_at=bought.made_at,
    )


def _answer(slip: TraySlip) -> SlipAnswer:
    return {"slip": slip.pk, "number": slip.number, "cents": slip.cents}
