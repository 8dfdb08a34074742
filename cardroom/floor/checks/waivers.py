"""Precondition checks: whether a fee may be waived, and whether its waiver holds for the wagers."""

from __future__ import annotations

from typing import Any

from games.phrases import Phrase

from ..errors import WhyNot
from ..models import Round, Waiver
from ..reads.table_state import TableState, cached_per_state
from ..settling.waiver_rules import why_rule_ends
from .procedures import why_void_due


@cached_per_state
def why_not_waive(state: TableState) -> WhyNot | None:
    """A fee of the round in play is waived by a rule that the schedule publishes, before the cards or after them (ruling 13)."""
    if state.schedule is None or not state.schedule.waivers:
        if state.schedule is None:
            text = Phrase("No fee is collected here; there is no rule by which a fee could be waived.")
        else:
            text = Phrase(
                "{title} publishes no rule by which a fee could be waived.", title=state.schedule.title
            )
        return WhyNot("no_waiver_rule", text)
    if state.live is None:
        return WhyNot("no_round", Phrase("No round is open. A waiver is of the fees of a round."))
    return why_void_due(state)


@cached_per_state
def why_not_withdraw_waiver(state: TableState) -> WhyNot | None:
    """A waiver is withdrawn until "no more bets" fixes the fees; one that was made after that, until the round ends."""
    if why := why_not_waive(state):
        return why
    if not state.waivers:
        return WhyNot("no_waiver", Phrase("No fee of this round is waived."))
    if not any(may_be_withdrawn(waiver, state) for waiver in state.waivers):
        return why_fees_fixed(state)
    return None


def may_be_withdrawn(waiver: Waiver, state: TableState) -> bool:
    """Whether a waiver of the round in play can be withdrawn: what was waived before "no more bets" stays so after it."""
    assert state.live is not None  # its waivers are those of the round in play
    return state.live.state == Round.State.BETTING or waiver.returned_cents > 0


def why_fees_fixed(state: TableState) -> WhyNot:
    """A fee that was waived before the cards is not collected after them."""
    assert state.live is not None
    return WhyNot(
        "fees_fixed",
        Phrase(
            'The fees of round {number} were fixed at "no more bets"; what was waived before stays waived.',
            number=state.live.number,
        ),
    )


def why_waiver_ends(state: TableState, bets: list[dict[str, Any]]) -> WhyNot | None:
    """Fees are not fixed by a waiver whose rule does not hold for these wagers."""
    for waiver in state.waivers:
        assert state.schedule is not None  # a waiver rests on one
        rule = state.schedule.waiver(waiver.rule)
        why = None if rule is None else why_rule_ends(rule, bets)
        if why is not None:
            return WhyNot("waiver_ends", Phrase("{why} Withdraw the waiver first.", why=why))
    return None
