"""Whether a shift is open, which whatever happens at a table belongs to."""

from __future__ import annotations

from games.phrases import Phrase

from ..errors import WhyNot
from ..reads.table_reading import TableReading


def why_no_shift(reading: TableReading) -> WhyNot | None:
    """What is recorded at a table belongs to the shift that is open in its room."""
    if reading.shift is None:
        return WhyNot("no_shift", Phrase("No shift is open in this room. A shift manager opens one first."))
    return None
