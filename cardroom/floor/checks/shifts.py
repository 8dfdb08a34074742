"""Precondition check: whether a shift is open, which whatever happens at a table belongs to."""

from __future__ import annotations

from games.phrases import Phrase

from ..errors import WhyNot
from ..reads.table_state import TableState


def why_no_shift(state: TableState) -> WhyNot | None:
    """What is recorded at a table belongs to the shift that is open in its room."""
    if state.shift is None:
        return WhyNot("no_shift", Phrase("No shift is open in this room. A shift manager opens one first."))
    return None
