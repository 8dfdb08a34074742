"""Months as people write them, 2026-11, and the days that they have."""

from __future__ import annotations

import calendar
import datetime
import re
from typing import Final

_MONTH: Final = re.compile(r"(20[0-9]{2})-(0[1-9]|1[0-2])", re.ASCII)
#: Months that are added up at once.
MOST_MONTHS: Final = 24


def months_read(first: str, last: str | None = None) -> tuple[datetime.date, datetime.date]:
    """Return the first day of month `first` and the last one of month `last`. Raises ValueError, saying what to write."""
    begins, ends = _month(first), _month(last or first)
    if ends < begins:
        raise ValueError(f"{last} is before {first}. Give the first month, then the last.")
    if (ends.year - begins.year) * 12 + ends.month - begins.month >= MOST_MONTHS:
        raise ValueError(f"Give at most {MOST_MONTHS} months.")
    return begins, ends.replace(day=calendar.monthrange(ends.year, ends.month)[1])


def _month(text: str) -> datetime.date:
    found = _MONTH.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no month: write it as 2026-11.")
    return datetime.date(int(found[1]), int(found[2]), 1)
