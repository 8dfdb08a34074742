"""A section of a stored report, drawn (`Section`), and the days over which a period report adds sections up (`Span`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cardroom.documents.document import Answer, Grid

#: What a month says below a table of sums whose lines its days list.
ONE_BY_ONE = "One by one they are in the reports of the days."


class Drawn(NamedTuple):
    """What is drawn from the figures of a section."""

    answers: Sequence[Answer]
    grids: Sequence[Grid]


class Section(NamedTuple):
    """A section of a report as page, PDF, XLSX and CSV show it."""

    name: str
    title: str
    answers: Sequence[Answer]
    grids: Sequence[Grid]


class Span(NamedTuple):
    """What a period report adds up: a day or a month, and the names of hours of the room in a day's order.

    What a month would list by the thousand is in the reports of its days.
    """

    is_month: bool
    hours: Sequence[str]


def added_up(
    rows: Iterable[Mapping[str, Any]], by: Sequence[str], sums: Sequence[str]
) -> list[dict[str, Any]]:
    """Return figures that agree in `by` as one: their `sums` added up, everything else as the last of them has it."""
    groups: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        key = tuple(row[name] for name in by)
        known = groups.get(key)
        groups[key] = {**row, **{name: row[name] + (known[name] if known else 0) for name in sums}}
    return list(groups.values())
