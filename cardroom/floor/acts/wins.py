"""The progressive: its meter, and wins that are keyed in, confirmed or withdrawn (rulings 43 and 46)."""

from __future__ import annotations

from typing import Annotated, TypedDict

from cardroom.core.acts import Cents, Id, Label, Money, Note, Pick, Reason, Seat, Signature
from cardroom.people.approval import Approval
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from games import meter
from games.registry import load_rulebook

from ..alerts import alert_clear, alert_raise
from ..errors import BadInput, NotNow
from ..models import Alert, MeterMovement, ProgressiveWin, Round
from ..procedure_checks import why_not_answer_win, why_not_key_win, why_not_set_meter
from ..reads.meters import meter_of, meter_rule_of, progressive_wagers
from ..reads.table_procedures import TableProcedures, win_of
from ..reads.table_reading import TableReading
from ..settlement import MOST_CENTS
from .commands import AtTable, table_act
from .procedures import supervisor_of
from .second_person import check_second_person, given_reason

_Supervisor = Annotated[Staff, Signature(Right.CONFIRM_WINS)]


class WinAnswer(TypedDict):
    """Which entry it is."""

    win: int


def _played(reading: TableReading) -> list[tuple[int, str]]:
    """The seats of the last round, as a form offers them."""
    positions = [] if reading.last is None or reading.last.sheet is None else reading.last.sheet["positions"]
    return [(position["seat"], f"Seat {position['seat']}") for position in positions]


def _waiting(reading: TableReading) -> list[tuple[int, str]]:
    """The wins that wait for a supervisor."""
    return [(win.pk, f"Seat {win.seat}") for win in reading.procedures.pending]


@table_act(
    "POST wins",
    Right.RUN_ROUNDS,
    check=why_not_key_win,
    title="Key in a progressive win",
    tag="Procedures",
    example={"seat": 3},
    page="win",
    menu="procedures",
)
def win_key(at: AtTable, *, seat: Annotated[Seat, Pick(_played)]) -> WinAnswer:
    """Key a progressive win of the last round in at its seat; it waits for a supervisor."""
    reading = at.reading()
    assert reading.last is not None  # why_not_key_win has seen to it
    if any(win.seat == seat for win in reading.procedures.wins):
        raise NotNow("win_keyed", f"The win at seat {seat} has been keyed in already.")
    if not any(position["seat"] == seat for position in (reading.last.sheet or {}).get("positions", [])):
        raise BadInput(
            "bad_seat", f"Seat {seat} had no position in round {reading.last.number}.", path="seat"
        )
    win = ProgressiveWin.objects.create(
        room=at.room, table=at.table, round=reading.last, seat=seat, keyed_at=at.now, keyed_by=at.actor
    )
    at.journal("win_key", {"win": win.pk, "round": reading.last.pk, "seat": seat})
    alert_raise(
        at,
        Alert.Kind.METER_WIN_PENDING,
        _subject(win),
        f"A progressive win at seat {seat} in round {reading.last.number} waits for a supervisor.",
    )
    return {"win": win.pk}


@table_act(
    "POST wins/{win_id}/confirm",
    Right.RUN_ROUNDS,
    check=why_not_answer_win,
    title="Confirm a progressive win",
    tag="Procedures",
    page="win-confirm",
    menu="procedures",
    done="The win is confirmed.",
)
def win_confirm(
    at: AtTable, *, win_id: Annotated[Id, Label("Win"), Pick(_waiting)], approver: _Supervisor | None = None
) -> WinAnswer:
    """Confirm a win that waits: a supervisor who did not key it in, on a round that bears it out.

    A win of the whole meter takes what it shows off it and starts it anew from seed and reserve.
    """
    reading = at.reading()
    win = _pending(reading.procedures, win_id)
    supervisor = supervisor_of(at, approver, Right.CONFIRM_WINS)
    lines = (win.round.settlement or {}).get("lines", [])
    if reason := meter.why_not_confirm(win_of(win), lines, supervisor.username):
        raise NotNow("win_not_confirmed", f"{reason[:1].upper()}{reason[1:]}.")
    rule, stands = meter_rule_of(at.table), _meter(at)
    try:
        _, _, movements = meter.win_confirmed(rule, stands, win_of(win), lines, supervisor.username)
    except ValueError as error:  # the round was settled on another meter than the one that stands now
        raise NotNow("meter_differs", f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
    _answer(at, win, ProgressiveWin.State.CONFIRMED, supervisor)
    for movement in movements:
        _move(at, movement, win.round)
    at.journal(
        "win_confirm",
        {"win": win.pk, "seat": win.seat, "confirmed_by": {"id": supervisor.pk, "name": str(supervisor)}},
    )
    return {"win": win.pk}


@table_act(
    "POST wins/{win_id}/withdraw",
    Right.RUN_ROUNDS,
    check=why_not_answer_win,
    title="Withdraw a progressive win",
    tag="Procedures",
    example={"reason": "wrong seat"},
    page="win-withdraw",
    menu="procedures",
    done="The entry is withdrawn.",
)
def win_withdraw(
    at: AtTable,
    *,
    win_id: Annotated[Id, Label("Win"), Pick(_waiting)],
    reason: Annotated[Note, Label("Why it is withdrawn")] = "",
) -> WinAnswer:
    """Take back a win that was keyed in by mistake, while it waits."""
    reading = at.reading()
    win = _pending(reading.procedures, win_id)
    win.reason = given_reason(reason, "Withdrawing a win")
    _answer(at, win, ProgressiveWin.State.WITHDRAWN, at.actor)
    at.journal("win_withdraw", {"win": win.pk, "seat": win.seat}, reason=win.reason)
    return {"win": win.pk}


class MeterAnswer(TypedDict):
    """What the meter shows, and its reserve, in cents."""

    shown_cents: int
    reserve_cents: int


@table_act(
    "PUT meter",
    Right.CONFIRM_WINS,
    check=why_not_set_meter,
    title="Set the progressive meter",
    tag="Procedures",
    example={"shown_cents": 250000, "reserve_cents": 0, "reason": "taken over from the old controller"},
    page="meter",
    menu="procedures",
    done="The meter is set.",
)
def meter_set(
    at: AtTable,
    *,
    shown_cents: Annotated[Cents, Label("The meter shows")],
    reserve_cents: Annotated[int, Money(0, MOST_CENTS), Label("In reserve")] = 0,
    reason: Reason,
    approver: Approval,
) -> MeterAnswer:
    """Set what the meter of a table shows between rounds, with a reason and a second person's approval (ruling 43)."""
    reason = given_reason(reason, "Setting the meter")
    check_second_person(at, approver, Right.CONFIRM_WINS, "sets a meter")
    _meter(at)
    after, movement = meter.set_to(shown_cents, reserve_cents, reason)
    _move(at, movement, None)
    return {"shown_cents": after.shown_cents, "reserve_cents": after.reserve_cents}


def meter_wagered(at: AtTable, round_: Round) -> None:
    """Add to the meter what the progressive wagers of a settled round bring; a void leaves it as it was (ruling 44)."""
    if load_rulebook(round_.rulebook).meter is None:
        return
    _, movement = meter.wagered(meter_rule_of(at.table), _meter(at), progressive_wagers(round_.bets))
    if movement is not None:
        _move(at, movement, round_)


def _meter(at: AtTable) -> meter.Meter:
    """The meter as it stands; a table's first one is opened with its seed, which is a movement too."""
    if (stands := meter_of(at.table)) is not None:
        return stands
    stands, movement = meter.opened(meter_rule_of(at.table))
    _move(at, movement, None)
    return stands


def _move(at: AtTable, movement: meter.Movement, round_: Round | None) -> None:
    MeterMovement.objects.create(
        room=at.room,
        table=at.table,
        round=round_,
        kind=movement.kind,
        cents=movement.cents,
        shown_cents=movement.shown_cents,
        reserve_cents=movement.reserve_cents,
        reason=movement.reason,
        made_at=at.now,
        made_by=at.actor,
    )
    at.journal("meter_move", {"round": None if round_ is None else round_.pk, **movement._asdict()})


def _answer(at: AtTable, win: ProgressiveWin, state: ProgressiveWin.State, by: Staff) -> None:
    win.state, win.answered_at, win.answered_by = state, at.now, by
    win.save(update_fields=["state", "answered_at", "answered_by", "reason"])
    alert_clear(at, Alert.Kind.METER_WIN_PENDING, _subject(win))


def _pending(procedures: TableProcedures, win_id: int) -> ProgressiveWin:
    win = next((win for win in procedures.pending if win.pk == win_id), None)
    if win is None:
        raise BadInput("unknown_win", f"No win {win_id} waits at {procedures.table}.", path="win_id")
    return win


def _subject(win: ProgressiveWin) -> str:
    return f"round {win.round_id} seat {win.seat}"
