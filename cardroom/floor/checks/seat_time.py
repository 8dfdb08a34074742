"""Whether time may be collected from the seats, and a collection taken back."""

from __future__ import annotations

from games.phrases import Phrase

from ..errors import WhyNot
from ..reads.table_reading import TableReading, once_a_reading
from ..seat_time import rate_of, time_due
from .boxes import why_no_box_for_time
from .filings import why_filing_expired
from .shifts import why_no_shift
from .tables import why_closed


@once_a_reading
def why_not_collect_time(reading: TableReading) -> WhyNot | None:
    """Time is collected at an open table whose schedule says so, under an open shift, once a period has begun."""
    rate = rate_of(reading)
    if rate is None:
        return WhyNot(
            "no_time",
            Phrase("No time is collected at {table}: players pay by the round here.", table=reading.table),
        )
    if why := why_closed(reading) or why_no_shift(reading) or why_filing_expired(reading):
        return why
    if not time_due(reading):
        return WhyNot(
            "no_time_due",
            Phrase("No seat owes time: everybody has paid for this {period}.", period=rate.period),
        )
    return why_no_box_for_time(reading)


@once_a_reading
def why_not_take_back_time(reading: TableReading) -> WhyNot | None:
    """A collection of time is taken back under an open shift, whose drop it lowers, while the table collects time."""
    if rate_of(reading) is None:
        return WhyNot(
            "no_time",
            Phrase("No time is collected at {table}: players pay by the round here.", table=reading.table),
        )
    return why_no_shift(reading)
