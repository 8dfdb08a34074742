"""The phase of a table's round, and the next command of each phase."""

from __future__ import annotations

import enum

from cardroom.floor.checks.bank import why_not_pause
from cardroom.floor.models import Round, Table
from cardroom.floor.reads.table_state import TableState
from games.phrases import Phrase


class Phase(enum.StrEnum):
    """The phase of a table's round. Each has one next step."""

    CLOSED = "closed"
    NO_SHIFT = "no_shift"
    NO_DEALER = "no_dealer"
    NOBODY = "nobody"
    OFFER = "offer"
    RENEW = "renew"
    STOP = "stop"
    STOPPED = "stopped"
    GAME_OVER = "game_over"
    ALL_DECLINED = "all_declined"
    READY = "ready"
    BETTING = "betting"
    DROPPED = "dropped"
    VOID = "void"
    CARDS = "cards"
    BY_EYE = "by_eye"
    SETTLED = "settled"


#: The next command of each phase; phases without one lead to another page.
NEXT: dict[Phase, str] = {
    Phase.CLOSED: "open",
    Phase.NO_DEALER: "dealer",
    Phase.NOBODY: "seat",
    Phase.OFFER: "answer",
    Phase.RENEW: "renew",
    Phase.STOP: "stop-game",
    Phase.STOPPED: "renew",
    Phase.GAME_OVER: "close",
    Phase.ALL_DECLINED: "ask-again",
    Phase.READY: "bank",
    Phase.BETTING: "no-more-bets",
    Phase.DROPPED: "deal",
    Phase.VOID: "void",
    Phase.CARDS: "settle",
    Phase.BY_EYE: "finish",
}

#: What a line of typing may say in each phase; elsewhere Enter alone takes the next step.
TYPED: dict[Phase, str] = {
    Phase.OFFER: "y  n  absent  all n",
    Phase.RENEW: "y",
    Phase.READY: Phrase("200  (the player-dealer wager)"),
    Phase.BETTING: Phrase("4 20 0 5  (seat, wagers)  nmb"),
}


def phase_of(state: TableState) -> Phase:
    """Return the phase of the table."""
    if state.table.state != Table.State.OPEN:
        return Phase.CLOSED
    if (live := state.live) is not None:
        if state.procedures.voiding is not None:
            return Phase.VOID
        if live.state == Round.State.BETTING:
            return Phase.BETTING
        if live.dealt_at is None:
            return Phase.DROPPED
        return Phase.BY_EYE if live.by_eye else Phase.CARDS
    if state.shift is None:
        return Phase.NO_SHIFT
    if state.down is None:
        return Phase.NO_DEALER
    if not state.seatings:
        return Phase.NOBODY
    if state.step.kind == "pause":
        return Phase.STOP if why_not_pause(state) is None else Phase.STOPPED
    return {
        "house": Phase.READY,
        "keep": Phase.READY,
        "offer": Phase.OFFER,
        "renew": Phase.RENEW,
        "end": Phase.GAME_OVER,
    }.get(state.step.kind, Phase.ALL_DECLINED)
