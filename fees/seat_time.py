"""Time collection: what a seat owes by the clock, a flat amount for each half hour or hour that begins while it is taken.

Periods follow the wall clock, the same for all players at all tables: a half hour begins at :00 and at :30. A player
seated as one begins owes for it, regardless of play; a player who sits down during one owes nothing before the next. So
the amount is known before the rounds of the period, and does not depend on wagers.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from fees.document import HALF_HOUR, HOUR
from games.phrases import Phrase

_PERIODS = {HALF_HOUR: Phrase("half hour"), HOUR: Phrase("hour")}


@dataclass(frozen=True, slots=True)
class TimeRate:
    """What each seated player pays for each period of `minutes`, in cents; `per` is the document's word for it."""

    per: str
    minutes: int
    fee_cents: int
    clause: str

    @property
    def period(self) -> str:
        """The period in words: `half hour`."""
        return _PERIODS[self.per]


def periods_begun(
    rate: TimeRate, *, after: datetime.datetime, until: datetime.datetime
) -> list[datetime.datetime]:
    """Return when each period began that is after the instant `after`, and at `until` at the latest, in UTC.

    California's UTC offset is whole hours, summer and winter, so local half hours and hours begin at the same instants
    as those of UTC.
    """
    length = rate.minutes * 60
    first = int(after.timestamp()) // length + 1
    last = int(until.timestamp()) // length
    return [
        datetime.datetime.fromtimestamp(number * length, tz=datetime.UTC) for number in range(first, last + 1)
    ]
