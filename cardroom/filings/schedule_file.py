"""Reads and writes a version of a fee schedule as a TOML file, in the words of `fees.document`.

    number = 1
    rulebook = "california"
    title = "Schedule option 1"
    games = [1, 2]
    effective_from = 2026-01-01
    state_reference = "BGC 12-345"
    clause = "california:fees.s1"
    ante_min_cents = 500
    ante_max_cents = 10000

    [[line]]
    payer = "bank"
    per = "total_table_action"
    lower_cents = 10100
    upper_cents = "and up"
    fee_cents = 200

TOML knows no null: `ante_max_cents = "no limit"` and `upper_cents = "and up"` (or `upper_positions`) say it. `effective_from` and
`state_reference` may be left out. `games` are the numbers of the filed games that it is approved for; left out, it is for every
game of its rulebook. What is unknown, missing or of another type is refused with the file and the place.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, NamedTuple

from fees.document import read_document
from games.datafile import DataFileError, Entry, read_data
from games.registry import RULEBOOKS
from games.tomltext import toml_text

from .models import FeeSchedule

NO_LIMIT, AND_UP = "no limit", "and up"
_UPPER = ("upper_cents", "upper_positions")


class ScheduleFileRefused(ValueError):
    """The file, or the version, that cannot be read or written, and what to mend."""


class ScheduleInFile(NamedTuple):
    """What a file says of one version; the document is in proper form, though the law may not allow it."""

    number: int
    rulebook: str
    title: str
    document: dict[str, Any]
    effective_from: datetime.date | None
    state_reference: str
    games: list[int]


def written_schedule(version: FeeSchedule) -> str:
    """Return one version as the text of a file. Raises ScheduleFileRefused for a draft that is in no proper form yet."""
    return toml_text(schedule_table(version))


def schedule_table(version: FeeSchedule) -> dict[str, Any]:
    """Return one version as the table of a file. Raises ScheduleFileRefused as `written_schedule` does."""
    _, problems = read_document(version.document)
    if problems:
        raise ScheduleFileRefused(
            f"{version} cannot be written as a file before it can be read: {problems[0].message}"
        )
    document = version.document
    table: dict[str, Any] = {
        "number": version.number,
        "rulebook": version.rulebook,
        "title": version.title,
    }
    if version.games:
        table["games"] = version.games
    if version.effective_from is not None:
        table["effective_from"] = version.effective_from
    if version.state_reference:
        table["state_reference"] = version.state_reference
    table |= {name: document[name] for name in ("clause", "ante_min_cents")}
    table["ante_max_cents"] = _or_word(document["ante_max_cents"], NO_LIMIT)
    for key, name in (("line", "lines"), ("waiver", "waivers")):
        if document.get(name):
            table[key] = [_row(row) for row in document[name]]
    return table


def read_schedule_file(data: bytes, *, file: str) -> ScheduleInFile:
    """Read the bytes of a file called `file`. Raises ScheduleFileRefused with the file, the place and what to mend."""
    try:
        entry = read_data(data, file)
        schedule = schedule_of_entry(entry, file=file)
    except DataFileError as error:
        raise ScheduleFileRefused(str(error)) from error
    return schedule


def schedule_of_entry(entry: Entry, *, file: str) -> ScheduleInFile:
    """Read one version from its whole table. Raises DataFileError, and ScheduleFileRefused for its lines."""
    number = entry.number("number", least=1)
    rulebook = entry.one_of("rulebook", RULEBOOKS)
    title = entry.text("title")
    games = _games(entry)
    effective_from = entry.day("effective_from") if entry.has("effective_from") else None
    state_reference = entry.text("state_reference") if entry.has("state_reference") else ""
    document: dict[str, Any] = {
        name: _plain(entry, name)
        for name in ("clause", "ante_min_cents", "ante_max_cents")
        if entry.has(name)
    }
    if document.get("ante_max_cents") == NO_LIMIT:
        document["ante_max_cents"] = None
    for key, name in (("line", "lines"), ("waiver", "waivers")):
        rows = [_read_row(row) for row in entry.tables(key)]
        if rows or name == "lines":
            document[name] = rows
    entry.done()
    _, problems = read_document(document)
    if problems:
        raise ScheduleFileRefused(
            "\n".join(f"{file}: schedule {number}, {problem.message}" for problem in problems)
        )
    return ScheduleInFile(number, rulebook, title, document, effective_from, state_reference, games)


def _games(entry: Entry) -> list[int]:
    """The numbers of the games that it names; none where it says nothing of them."""
    if not entry.has("games"):
        return []
    given = entry.given("games")
    if not isinstance(given, list) or not all(type(each) is int and each > 0 for each in given):
        raise entry.error("games", f"must be a list of numbers of games, such as [1, 2], not {given!r}")
    return given


def _read_row(row: Entry) -> dict[str, Any]:
    read = {name: _plain(row, name) for name in row.names()}
    return {name: None if name in _UPPER and value == AND_UP else value for name, value in read.items()}


def _plain(entry: Entry, name: str) -> Any:
    """A value that JSON has too: a document holds no days and no tables."""
    value = entry.given(name)
    if not isinstance(value, str | int | float):
        raise entry.error(name, f"must be a text or a number, not {value!r}")
    return value


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _or_word(value, AND_UP) for name, value in row.items() if value is not None or name in _UPPER
    }


def _or_word(value: Any, null: str) -> Any:
    return null if value is None else value
