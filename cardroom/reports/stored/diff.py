"""Diff of two stored reports of one shift, day or month, figure by figure: what a restatement changes. Pure."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict

from cardroom.core.dates import day_text
from cardroom.documents.document import Grid
from cardroom.documents.formatting import plain

from ..sections.section import Section

#: Changes that one restatement names; of the others it says how many there are.
MOST_CHANGES = 200


class Change(TypedDict):
    """One value that is another now. `where` is the section and table, `what` the figure; None is not known, or not there.

    `kind` is that of `cardroom.documents.document.Kind`, and says how to read `was` and `now`.
    """

    where: str
    what: str
    kind: str
    was: str | int | None
    now: str | int | None


def changes_between(
    before: tuple[Mapping[str, Any], Sequence[Section]], now: tuple[Mapping[str, Any], Sequence[Section]]
) -> list[Change]:
    """Return what differs between two reports' figures and sections, at most `MOST_CHANGES` of it and a last that counts.

    An answer and the sum of a column are named by themselves; of rows, only those that came, went or differ.
    """
    found = [*_parts(before[0], now[0]), *_totals(before[0], now[0]), *_sections(before[1], now[1])]
    if len(found) > MOST_CHANGES:
        left = len(found) - MOST_CHANGES
        found = [*found[:MOST_CHANGES], _change("", "further changes", "count", None, left)]
    return found


def _parts(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    """The reports on which a period report rests, where they are others now."""
    earlier = {part["shift"]: part["revision"] for part in before.get("parts", [])}
    for part in now.get("parts", []):
        was = earlier.get(part["shift"])
        if was != part["revision"]:
            shift = f"{part['shift_name']}, {day_text(datetime.date.fromisoformat(part['gaming_day']))}"
            yield _change("Shift reports", shift, "text", _revision(was), _revision(part["revision"]))


def _revision(revision: int | None) -> str | None:
    if revision is None:
        return None
    return f"restatement {revision}" if revision else "as made first"


def _totals(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    for name, value in now["total"].items():
        was = before["total"].get(name)
        if isinstance(value, int) and was != value:
            kind = "money" if name.endswith("_cents") else "count"
            words = name.removesuffix("_cents").replace("_", " ")
            yield _change("Figures, total", words, kind, was, value)


def _sections(before: Sequence[Section], now: Sequence[Section]) -> Iterator[Change]:
    earlier = {section.name: section for section in before}
    for section in now:
        was = earlier.get(section.name)
        if was is None:
            yield _change(section.title, "section", "text", None, "added")
            continue
        answers = {answer.name: plain(answer.value) for answer in was.answers}
        for answer in section.answers:
            value = plain(answer.value)
            if answers.get(answer.name) != value:
                yield _change(section.title, answer.label, answer.kind, answers.get(answer.name), value)
        grids = {grid.name: grid for grid in was.grids}
        for grid in section.grids:
            yield from _rows(f"{section.title}: {grid.title}", grid, _plain(grids.get(grid.name)))


def _plain(grid: Grid | None) -> list[dict[str, Any]]:
    """The rows of a table as plain values; none without it."""
    rows = [] if grid is None else grid.rows
    return [{name: plain(value) for name, value in row.values.items()} for row in rows]


def _rows(where: str, grid: Grid, before: list[dict[str, Any]]) -> Iterator[Change]:
    """Rows are the same row when the columns that tell rows apart agree, and of rows that none tells apart, in order."""
    rows = _plain(grid)
    keys = _keys([column.name for column in grid.columns], before, rows)
    earlier = dict(_named(before, keys))
    for (name, place), values in _named(rows, keys):
        was = earlier.pop((name, place), None)
        if was is None:
            yield _change(where, name, "text", None, "added")
            continue
        for column in grid.columns:
            if was.get(column.name) != values[column.name]:
                what = f"{name}: {column.heading}"
                yield _change(where, what, column.kind, was.get(column.name), values[column.name])
    for name, _ in earlier:
        yield _change(where, name, "text", "was there", None)


def _keys(columns: Sequence[str], *tables: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    """The first two columns, and as many after them as it takes until no two rows of a table agree in all of them."""
    for count in range(2, len(columns)):
        keys = columns[:count]
        if all(len({_name(row, keys) for row in table}) == len(table) for table in tables):
            return keys
    return columns


def _named(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> Iterator[tuple[tuple[str, int], Any]]:
    """Each row by its name, and its place among those of the same name."""
    seen: Counter[str] = Counter()
    for values in rows:
        name = _name(values, keys)
        seen[name] += 1
        yield (name, seen[name]), values


def _name(values: Mapping[str, Any], keys: Sequence[str]) -> str:
    return " ".join(str(values[key]) for key in keys if values.get(key) is not None)


def _change(where: str, what: str, kind: str, was: str | int | None, now: str | int | None) -> Change:
    return {"where": where, "what": what, "kind": str(kind), "was": was, "now": now}
