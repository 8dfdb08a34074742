"""Precondition checks: the points of a round at which positions decide, recorded as they come."""

from __future__ import annotations

from games.phrases import Phrase

from ..errors import WhyNot
from ..reads.table_state import TableState, cached_per_state
from .rounds import why_not_settle


@cached_per_state
def why_not_decide(state: TableState) -> WhyNot | None:
    """Decisions are recorded after the deal and before the settlement, in a game whose positions decide at several points."""
    if len(state.game.points(state.terms)) < 2:  # with one point the settlement says it
        return WhyNot(
            "one_decision",
            Phrase("In {name} decisions come with the settlement.", name=state.rulebook.name),
        )
    return why_not_settle(state)
