"""Time collection: what a seat owes by the clock, a flat amount for each half hour or hour that begins while it is taken.

Periods are those of the clock on the wall, the same for everybody at every table: a half hour begins at :00 and at
:30. Who sits as one begins owes for it, whatever is played in it; who sits down in the middle of one owes nothing
before the next. So the amount is known before any round that it stands for, and hangs on nothing that is wagered.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass


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
        return self.per.replace("_", " ")


def periods_begun(
    rate: TimeRate, *, after: datetime.datetime, until: datetime.datetime
) -> list[datetime.datetime]:
    """Return when each period began that is after the instant `after`, and at `until` at the latest, in UTC.

    The clocks of a gambling establishment in California stand whole hours from UTC, summer and winter, so half hours
    and hours begin at the same instants by both.
    """
    length = rate.minutes * 60
    first = int(after.timestamp()) // length + 1
    last = int(until.timestamp()) // length
    return [
        datetime.datetime.fromtimestamp(number * length, tz=datetime.UTC) for number in range(first, last + 1)
    ]
