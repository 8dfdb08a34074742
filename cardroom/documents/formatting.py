"""Formats values for people, the same on pages and in documents, and for export."""

from __future__ import annotations

import datetime
import re
from typing import Final

from cardroom.core.dates import day_text, minute_text, utc_text
from games.money import dollars

from .document import Chart, Column, Kind, Row, Value

UNKNOWN = "pending"
#: A day that is not on record is none, and not one to come: a person without a licence, an exclusion without an end.
NO_DAY = "none"
#: A figure that is a number written out: "33.4", "−1,240", "$7.50", "23.4%".
NUMBER: Final = re.compile(
    r"(?P<minus>[-−+]?)(?P<dollar>\$?)(?P<whole>[0-9][0-9,]*)(?P<part>(?:\.[0-9]+)?)(?P<percent>%?)"
)


def cell_text(row: Row, column: Column, zone: datetime.tzinfo) -> str:
    """Format the value of a row in a column; where it has none, what the column says of that."""
    value = row.values[column.name]
    return column.absent if value is None and column.absent else formatted(value, column.kind, zone)


def formatted(value: Value, kind: Kind, zone: datetime.tzinfo) -> str:
    """Format `value` by its kind: "$1,240.50", "1,240", "Sat Nov 21, 2026, 9:14 PM PST", "1 h 5 min"; None as "pending", of a day as "none"."""
    if value is None:
        return NO_DAY if kind is Kind.DAY else UNKNOWN
    if isinstance(value, datetime.datetime):
        return minute_text(value, zone)
    if isinstance(value, datetime.date):
        return day_text(value)
    if isinstance(value, str):
        return value
    if kind is Kind.MONEY:
        return dollars(value)
    if kind is Kind.SPAN:
        return span(value)
    return f"{value:,}".replace("-", "−")


def several(count: int, word: str, many: str = "") -> str:
    """Return a count with its word: "1 round", "2,300 rounds", "3 boxes", "2 people"; `many` where that is irregular."""
    if count == 1:
        return f"1 {word}"
    ends = "es" if word.endswith(("x", "s", "ch")) else "s"
    return f"{count:,} {many or _MANY.get(word, word + ends)}"


#: Words whose plural has another form.
_MANY: Final = {"person": "people", "entry": "entries", "irregularity": "irregularities"}


def tenths_text(tenths: int) -> str:
    """Return tenths with their point: "33.4"."""
    return f"{'−' if tenths < 0 else ''}{abs(tenths) // 10:,}.{abs(tenths) % 10}"


def charted(chart: Chart, value: int) -> str:
    """Return a value of a chart in words, as its table has it: "$1,240", "33.4", "1,240"."""
    if chart.text_money:
        return dollars(value)
    return tenths_text(value) if chart.tenths else f"{value:,}"


def number_of(found: re.Match[str]) -> float:
    """Return the number that a match of `NUMBER` writes out; 23.4 of "23.4%"."""
    number = float(found["whole"].replace(",", "") + found["part"])
    return -number if found["minus"] in ("-", "−") else number


def plain_dollars(cents: int | None) -> str:
    """Return dollars with two places for a machine, exactly: "1240.50"; an unknown amount is empty and never 0."""
    if cents is None:
        return ""
    whole, part = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{part:02}"


def span(seconds: int) -> str:
    """Return a span in minutes and hours: "45 s", "12 min", "1 h 5 min"."""
    if abs(seconds) < 60:
        return f"{seconds} s"
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def plain(value: Value) -> str | int | None:
    """Serialize a value for JSON: instants and days as text, cents and counts as they are, null if unknown."""
    if isinstance(value, datetime.datetime):
        return utc_text(value)
    return value.isoformat() if isinstance(value, datetime.date) else value
