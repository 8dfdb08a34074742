"""Precondition checks: whether time may be collected from the seats, and a collection taken back."""

from __future__ import annotations

from games.phrases import Phrase

from ..errors import WhyNot
from ..reads.table_state import TableState, cached_per_state
from ..seat_time import rate_of, time_due
from .boxes import why_no_box_for_time
from .filings import why_filing_expired
from .shifts import why_no_shift
from .tables import why_closed


@cached_per_state
def why_not_collect_time(state: TableState) -> WhyNot | None:
    """Time is collected at an open table whose schedule says so, under an open shift, once a period has begun."""
    rate = rate_of(state)
    if rate is None:
        return WhyNot(
            "no_time",
            Phrase("No time is collected at {table}: players pay by the round here.", table=state.table),
        )
    if why := why_closed(state) or why_no_shift(state) or why_filing_expired(state):
        return why
    if not time_due(state):
        return WhyNot(
            "no_time_due",
            Phrase("No seat owes time: everybody has paid for this {period}.", period=rate.period),
        )
    return why_no_box_for_time(state)


@cached_per_state
def why_not_take_back_time(state: TableState) -> WhyNot | None:
    """A collection of time is taken back under an open shift, whose drop it lowers, while the table collects time."""
    if rate_of(state) is None:
        return WhyNot(
            "no_time",
            Phrase("No time is collected at {table}: players pay by the round here.", table=state.table),
        )
    return why_no_shift(state)
