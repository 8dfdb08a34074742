"""On which day an obligation is due next: so many months after the day on which it was due, whenever it was done."""

from __future__ import annotations

import calendar
import datetime
from typing import Final

from cardroom.rooms.gaming_day import LAST_DAY

from .models import Obligation

Every = Obligation.Every

#: Months from one due day to the next.
MONTHS: Final = {
    Every.MONTH: 1,
    Every.QUARTER: 3,
    Every.HALF_YEAR: 6,
    Every.YEAR: 12,
    Every.TWO_YEARS: 24,
}


def is_last_of_month(day: datetime.date) -> bool:
    """Tell whether a day is the last of its month."""
    return day.day == calendar.monthrange(day.year, day.month)[1]


def next_due(obligation: Obligation) -> datetime.date | None:
    """Return the day on which the next one is due; None for one that does not recur, and past the end of the calendar.

    It falls on the day of the month on which the series began, or on the last day of a month that is shorter; one of the last day
    of a month always falls on that.
    """
    if obligation.every == Every.ONCE:
        return None
    months = obligation.due_on.month - 1 + MONTHS[Every(obligation.every)]
    year, month = obligation.due_on.year + months // 12, months % 12 + 1
    if year > LAST_DAY.year:
        return None
    last = calendar.monthrange(year, month)[1]
    return datetime.date(year, month, last if obligation.last_day else min(obligation.day_of_month, last))


def recurrence_text(obligation: Obligation) -> str:
    """Return how it recurs in words: "every quarter, on the last day of the month"."""
    said = obligation.get_every_display()
    return f"{said}, on the last day of the month" if obligation.last_day else said
