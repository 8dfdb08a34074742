"""Precondition checks: whether the last step may be undone, and bets reopened."""

from __future__ import annotations

import datetime

from games.phrases import Phrase, capital

from ..errors import WhyNot
from ..reads.table_state import TableState, cached_per_state
from ..reads.undoing import IRREGULARITY
from .procedures import why_void_due

#: How long "no more bets" can be taken back without a signature.
TAKE_BACK = datetime.timedelta(seconds=10)


@cached_per_state
def why_not_undo(state: TableState) -> WhyNot | None:
    """The last step within a round or a run of offers can be taken back; what has ended is corrected instead."""
    step = state.step_back
    if (step is None or step.command != IRREGULARITY) and (why := why_void_due(state)):
        return why
    if step is None:
        return WhyNot(
            "nothing_to_undo",
            Phrase(
                "There is no step to undo. A round that has ended is corrected, one in play can be voided."
            ),
        )
    if step.problem:
        return WhyNot(
            "cannot_undo",
            Phrase("{text} cannot be undone: {problem}", text=capital(step.text), problem=step.problem),
        )
    return None


@cached_per_state
def why_not_reopen_bets(state: TableState) -> WhyNot | None:
    """For ten seconds, and while no card is out, "no more bets" is taken back by a user who may call it, unsigned."""
    live = state.live
    if live is None or live.bets_closed_at is None:
        return WhyNot("bets_open", Phrase("Bets are open already."))
    if why := why_void_due(state):
        return why
    step = state.step_back
    if live.dealt_at is not None or step is None or step.command != "bets_close":
        return WhyNot("cards_out", Phrase("Bets stay closed: a card is out, or was recorded as dealt."))
    if state.now - live.bets_closed_at > TAKE_BACK:
        return WhyNot(
            "too_late",
            Phrase(
                "Bets can be reopened within {seconds} seconds. Undo it with a reason and a second person's signature.",
                seconds=TAKE_BACK.seconds,
            ),
        )
    return None
