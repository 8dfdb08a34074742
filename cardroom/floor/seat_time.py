"""What each seat owes by the clock where the table's schedule collects time. Nothing is written here."""

from __future__ import annotations

import dataclasses
import datetime

from fees.seat_time import TimeRate, periods_begun
from games.money import dollars

from .models import Seating, Table
from .selectors.views import TableView


@dataclasses.dataclass(frozen=True)
class TimeDue:
    """What one seat owes: `begun` are the starts of the periods that are not collected yet, in UTC, the first first."""

    sitting: Seating
    rate: TimeRate
    begun: list[datetime.datetime]

    @property
    def seat(self) -> int:
        return self.sitting.seat

    @property
    def cents(self) -> int:
        return self.rate.fee_cents * len(self.begun)


def paid_to(sitting: Seating) -> datetime.datetime:
    """Return the instant up to which a stay owes nothing."""
    return sitting.time_paid_to or sitting.seated_at


def rate_of(view: TableView) -> TimeRate | None:
    """Return what the table collects by time; None where it collects by the round, or time costs nothing."""
    if view.schedule is None or view.schedule.time is None or view.schedule.time.fee_cents == 0:
        return None
    return view.schedule.time


def time_due(view: TableView) -> list[TimeDue]:
    """Return what is owed at an open table as it stands, by seat; seats that owe nothing are left out."""
    rate = rate_of(view)
    if rate is None or view.table.state != Table.State.OPEN:
        return []
    found = [
        TimeDue(sitting, rate, periods_begun(rate, after=paid_to(sitting), until=view.now))
        for _, sitting in sorted(view.seatings.items())
    ]
    return [due for due in found if due.begun]


def due_in_words(dues: list[TimeDue]) -> str:
    """Say what is owed: "5 seats, $30 for the half hour", with what was missed before it."""
    cents, seats = sum(due.cents for due in dues), len(dues)
    missed = sum(len(due.begun) - 1 for due in dues)
    period = dues[0].rate.period
    carried = f", {missed} {period}{'s' if missed > 1 else ''} carried from before" if missed else ""
    return f"{seats} seat{'s' if seats > 1 else ''}, {dollars(cents)} for the {period}{carried}"
