"""Commands on progressive wins: keyed in, confirmed or withdrawn (ruling 46)."""

from __future__ import annotations

import datetime
from typing import Annotated, TypedDict

from cardroom.core.json_types import Id, Label, Note, Pick, Seat, Signature
from cardroom.people.models import Player, Staff
from cardroom.people.rights import Right, why_not_may
from games import meter
from games.phrases import Phrase, capital

from ..alerts import alert_clear, alert_raise
from ..checks.procedures import why_not_answer_win, why_not_key_win
from ..checks.seats import why_not_play_on
from ..errors import BadInput, NotNow, WhyNot
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Alert, ProgressiveWin, Transfer
from ..reads.meters import added_since, meter_rule_of, meter_stands
from ..reads.table_procedures import TableProcedures, win_of
from ..reads.table_state import TableState
from .meters import meter_lock, meter_move
from .procedures import supervisor_of
from .second_person import given_reason

_Supervisor = Annotated[Staff, Signature(Right.CONFIRM_WINS)]


class WinAnswer(TypedDict):
    """Which entry it is."""

    win: int


def _played(state: TableState) -> list[tuple[int, str]]:
    """The seats of the last round, as a form offers them."""
    positions = [] if state.last is None or state.last.sheet is None else state.last.sheet["positions"]
    return [(position["seat"], Phrase("Seat {seat}", seat=position["seat"])) for position in positions]


def _waiting(state: TableState) -> list[tuple[int, str]]:
    """The wins that wait for a supervisor."""
    return [(win.pk, Phrase("Seat {seat}", seat=win.seat)) for win in state.procedures.pending]


@table_command(
    "POST wins",
    Right.RUN_ROUNDS,
    check=why_not_key_win,
    title=Phrase("Key in a progressive win"),
    tag="Procedures",
    example={"seat": 3},
    page="win",
    menu="procedures",
)
def win_key(tx: TableTransaction, *, seat: Annotated[Seat, Pick(_played)]) -> WinAnswer:
    """Key a progressive win of the last round in at its seat; it waits for a supervisor."""
    state = tx.state()
    assert state.last is not None  # why_not_key_win has seen to it
    if any(win.seat == seat for win in state.procedures.wins):
        raise NotNow("win_keyed", Phrase("The win at seat {seat} has been keyed in already.", seat=seat))
    if not any(position["seat"] == seat for position in (state.last.sheet or {}).get("positions", [])):
        raise BadInput(
            "bad_seat",
            Phrase("Seat {seat} had no position in round {number}.", seat=seat, number=state.last.number),
            path="seat",
        )
    win = ProgressiveWin.objects.create(
        room=tx.room, table=tx.table, round=state.last, seat=seat, keyed_at=tx.now, keyed_by=tx.actor
    )
    tx.journal("win_key", {"win": win.pk, "round": state.last.pk, "seat": seat})
    alert_raise(
        tx,
        Alert.Kind.METER_WIN_PENDING,
        _subject(win),
        f"A progressive win at seat {seat} in round {state.last.number} waits for a supervisor.",
    )
    return {"win": win.pk}


@table_command(
    "POST wins/{win_id}/confirm",
    Right.RUN_ROUNDS,
    check=why_not_answer_win,
    title=Phrase("Confirm a progressive win"),
    tag="Procedures",
    page="win-confirm",
    menu="procedures",
    done=Phrase("The win is confirmed."),
)
def win_confirm(
    tx: TableTransaction,
    *,
    win_id: Annotated[Id, Label(Phrase("Win")), Pick(_waiting)],
    approver: _Supervisor | None = None,
) -> WinAnswer:
    """Confirm a win that waits: a supervisor who did not key it in, on a round that bears it out.

    The win of somebody who may no longer play here is for a shift manager to confirm, who knows why (ruling 64).

    A win of the whole meter takes off it what it showed as the round was settled, and starts it anew from seed and
    reserve, with what linked tables have added since.
    """
    state = tx.state()
    win = _pending(state.procedures, win_id)
    supervisor = supervisor_of(tx, approver, Right.CONFIRM_WINS)
    lines = (win.round.settlement or {}).get("lines", [])
    if reason := meter.why_not_confirm(win_of(win), lines, supervisor.username):
        raise NotNow("win_not_confirmed", Phrase("{reason}.", reason=capital(reason)))
    winner = _winner(win)
    barred = _why_barred(winner, tx.now)
    if barred is not None and why_not_may(supervisor, Right.SEE_EXCLUSIONS, tx.room):
        raise NotNow.because(barred)
    held = meter_lock(tx)
    added = added_since(held, win.round.meter_cents)
    try:
        _, _, movements = meter.win_confirmed(
            meter_rule_of(tx.table),
            meter_stands(held.pk),
            win_of(win),
            lines,
            supervisor.username,
            added_since=added,
        )
    except ValueError as error:  # the round was settled on another meter than the one that stands now
        raise NotNow("meter_differs", Phrase("{error}.", error=capital(str(error)))) from error
    _answer(tx, win, ProgressiveWin.State.CONFIRMED, supervisor)
    for movement in movements:
        meter_move(tx, held, movement, win.round)
    tx.journal(
        "win_confirm",
        {
            "win": win.pk,
            "seat": win.seat,
            "confirmed_by": {"id": supervisor.pk, "name": str(supervisor)},
            **({} if barred is None or winner is None else {"player": winner.pk, "may_not_play": True}),
        },
    )
    return {"win": win.pk}


@table_command(
    "POST wins/{win_id}/withdraw",
    Right.RUN_ROUNDS,
    check=why_not_answer_win,
    title=Phrase("Withdraw a progressive win"),
    tag="Procedures",
    example={"reason": "wrong seat"},
    page="win-withdraw",
    menu="procedures",
    done=Phrase("The entry is withdrawn."),
)
def win_withdraw(
    tx: TableTransaction,
    *,
    win_id: Annotated[Id, Label(Phrase("Win")), Pick(_waiting)],
    reason: Annotated[Note, Label(Phrase("Why it is withdrawn"))] = "",
) -> WinAnswer:
    """Take back a win that was keyed in by mistake, while it waits."""
    state = tx.state()
    win = _pending(state.procedures, win_id)
    win.reason = given_reason(reason, Phrase("Withdrawing a win"))
    _answer(tx, win, ProgressiveWin.State.WITHDRAWN, tx.actor)
    tx.journal("win_withdraw", {"win": win.pk, "seat": win.seat}, reason=win.reason)
    return {"win": win.pk}


def _answer(tx: TableTransaction, win: ProgressiveWin, state: ProgressiveWin.State, by: Staff) -> None:
    win.state, win.answered_at, win.answered_by = state, tx.now, by
    win.save(update_fields=["state", "answered_at", "answered_by", "reason"])
    alert_clear(tx, Alert.Kind.METER_WIN_PENDING, _subject(win))


def another_confirms(state: TableState, supervisor: Staff) -> bool:
    """Whether a win that waits is not for this supervisor: they keyed it in, or may not know why its winner plays no more."""
    may_know = why_not_may(supervisor, Right.SEE_EXCLUSIONS, state.table.room) is None
    return any(
        win.keyed_by_id == supervisor.pk
        or (not may_know and _why_barred(_winner(win), state.now) is not None)
        for win in state.procedures.pending
    )


def win_signers(state: TableState) -> tuple[Right | None, tuple[int, ...]]:
    """Return which right more than `CONFIRM_WINS` it takes to sign for the wins that wait, and who may not: they keyed them in.

    Of several wins, what holds for each of them: whoever may confirm one of them is not left out.
    """
    pending = state.procedures.pending
    barred = [_why_barred(_winner(win), state.now) is not None for win in pending]
    keyed = {win.keyed_by_id for win in pending}
    also = Right.SEE_EXCLUSIONS if barred and all(barred) else None
    return also, tuple(keyed) if len(keyed) == 1 else ()


def _why_barred(winner: Player | None, now: datetime.datetime) -> WhyNot | None:
    return None if winner is None else why_not_play_on(winner, now)


def _winner(win: ProgressiveWin) -> Player | None:
    """Who wagered at the seat of a win: whose stakes its round took there."""
    staked = Transfer.objects.filter(round=win.round_id, seat=win.seat, player__isnull=False)
    first = staked.select_related("player").order_by("id").first()
    return None if first is None else first.player


def _pending(procedures: TableProcedures, win_id: int) -> ProgressiveWin:
    win = next((win for win in procedures.pending if win.pk == win_id), None)
    if win is None:
        raise BadInput(
            "unknown_win",
            Phrase("No win {win_id} waits at {table}.", win_id=win_id, table=procedures.table),
            path="win_id",
        )
    return win


def _subject(win: ProgressiveWin) -> str:
    return f"round {win.round_id} seat {win.seat}"
