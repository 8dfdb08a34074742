"""A file of players, CSV or TOML: read line by line, and judged against the players of a room before anything is written.

CSV has a first line of column names, parted by commas or semicolons; TOML has a `[[player]]` for each. The columns are
`COLUMNS`; only `name` must be there. A line with a known number is that player's; without a number it is a new player, unless a
name looks like somebody's: then it waits for a decision. What is wrong with a line is said with the place and what to do.
"""

from __future__ import annotations

import csv
import dataclasses
import datetime
import io
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from django.core.exceptions import ValidationError

from cardroom.core.names import looks_like, plain_name
from cardroom.rooms.gaming_day import FIRST_DAY, LAST_DAY
from cardroom.rooms.models import Room

from .models import Player, Provider

COLUMNS: Final = ("number", "name", "other_name", "provider", "badge_number", "badge_expires", "active")
MOST_LINES: Final = 10_000
MOST_BYTES: Final = 2_000_000
MOST_NUMBER: Final = 999_999_999
_LENGTHS: Final = {"name": 80, "other_name": 80, "badge_number": 40}
_YES: Final = {"": True, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}

#: The decision that a line is nobody of those whose names look alike.
SOMEBODY_ELSE: Final = "new"


class FileRefused(ValueError):
    """The file cannot be read at all; the message says where and what to mend."""


class Outcome(StrEnum):
    """What becomes of a line."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    ALIKE = "alike"
    REFUSED = "refused"


@dataclasses.dataclass
class Line:
    """One line of the file: its number, its text as it stands, and what its columns hold; `fault` where it cannot be read."""

    number: int
    text: str
    given: dict[str, str]
    fault: str = ""


@dataclasses.dataclass
class Judged:
    """A line with what becomes of it.

    `player` is whom it changes, or would; `alike` are those whose names look like its name; `columns` are what is written,
    `changes` each of them that differs, before and after in words; `why` says what is wrong, or what is to be decided, and
    `column` where.
    """

    line: Line
    outcome: Outcome
    why: str = ""
    column: str = ""
    player: Player | None = None
    alike: list[Player] = dataclasses.field(default_factory=list)
    columns: dict[str, Any] = dataclasses.field(default_factory=dict)
    changes: dict[str, tuple[str, str]] = dataclasses.field(default_factory=dict)


def read_lines(data: bytes) -> list[Line]:
    """Return the lines of a file, CSV unless it has a `[[player]]`. Raises FileRefused."""
    if len(data) > MOST_BYTES:
        raise FileRefused(f"The file is larger than {MOST_BYTES // 1_000_000} MB: part it.")
    data = data.removeprefix(b"\xef\xbb\xbf")
    lines = _toml_lines(data) if b"[[player]]" in data else list(_csv_lines(data))
    if len(lines) > MOST_LINES:
        raise FileRefused(f"The file has {len(lines):,} lines, and {MOST_LINES:,} are read at once: part it.")
    if not lines:
        raise FileRefused(
            "The file has no players: a first line of column names, and a line for each player."
        )
    return lines


def _csv_lines(data: bytes) -> Iterator[Line]:
    rows = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    head = rows[0].decode(errors="replace")
    delimiter = ";" if head.count(";") > head.count(",") else ","
    names = [name.strip().lower() for name in next(csv.reader([head], delimiter=delimiter), [])]
    _check_columns(names)
    for number, row in enumerate(rows[1:], start=2):
        if not row.strip():
            continue
        try:
            text = row.decode()
        except UnicodeDecodeError:
            yield Line(
                number,
                row.decode(errors="replace"),
                {},
                "A character is not UTF-8. Save the file as “CSV UTF-8”.",
            )
            continue
        try:
            cells = next(csv.reader([text], delimiter=delimiter, strict=True))
        except csv.Error:
            yield Line(number, text, {}, "A quotation mark opens and does not close.")
            continue
        if len(cells) > len(names):
            yield Line(number, text, {}, f"The line has {len(cells)} cells, and the first line {len(names)}.")
            continue
        yield Line(number, text, {name: cell.strip() for name, cell in zip(names, cells, strict=False)})


def _toml_lines(data: bytes) -> list[Line]:
    try:
        read = tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise FileRefused(f"Byte {error.start} is not UTF-8. Save the file as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise FileRefused(f"The file is no TOML: {error}.") from None
    if unknown := read.keys() - {"player"}:
        raise FileRefused(
            f"{min(unknown)} is unknown here: the file has a [[player]] for each, and nothing else."
        )
    players = read.get("player")
    if not isinstance(players, list) or not all(isinstance(each, dict) for each in players):
        raise FileRefused("Players are written as [[player]], one for each.")
    lines = []
    for number, each in enumerate(players, start=1):
        _check_columns(["name", *each])
        words = {key: _toml_word(value) for key, value in each.items()}
        text = "; ".join(f"{key} = {value}" for key, value in words.items())
        lines.append(Line(number, text, words))
    return lines


def _toml_word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, datetime.date) else str(value).strip()


def _check_columns(names: list[str]) -> None:
    if unknown := [name for name in names if name not in COLUMNS]:
        raise FileRefused(f"Column {unknown[0]!r} is unknown. The columns are {', '.join(COLUMNS)}.")
    if "name" not in names:
        raise FileRefused("The first line names the columns, and one of them is “name”.")
    if doubled := [name for name in COLUMNS if names.count(name) > 1 and name != "name"]:
        raise FileRefused(f"Column {doubled[0]!r} is there twice.")


class _Fault(Exception):
    """Something is wrong in a column of a line."""

    def __init__(self, column: str, why: str) -> None:
        super().__init__(why)
        self.column, self.why = column, why


def judge(room: Room, lines: list[Line], decisions: Mapping[str, str]) -> list[Judged]:
    """Say what becomes of each line in a room as it is now; two queries.

    `decisions` are by the number of a line whose name looks like somebody's: the number of who it is, or `SOMEBODY_ELSE`.
    """
    return _Judge(room, decisions).judged(lines)


class _Judge:
    """The players and providers of a room, and what the lines so far have taken."""

    def __init__(self, room: Room, decisions: Mapping[str, str]) -> None:
        self.decisions = decisions
        players = Player.objects.filter(room=room).select_related("provider", "merged_into")
        self.by_number: dict[int, Player] = {}
        self.by_key: dict[str, list[Player]] = defaultdict(list)
        for player in players:
            self.by_number[player.number] = player
            if player.merged_into is None and not player.is_unused:
                for key in {player.name_key, player.other_name_key} - {""}:
                    self.by_key[key].append(player)
        self.providers = {each.name: each for each in Provider.objects.filter(room=room)}
        self.line_of_number: dict[int, int] = {}
        self.line_of_key: dict[str, int] = {}

    def judged(self, lines: list[Line]) -> list[Judged]:
        return [self._judged(line) for line in lines]

    def _judged(self, line: Line) -> Judged:
        if line.fault:
            return Judged(line, Outcome.REFUSED, line.fault)
        try:
            return self._accepted(line)
        except _Fault as fault:
            return Judged(line, Outcome.REFUSED, fault.why, fault.column)

    def _accepted(self, line: Line) -> Judged:
        number = self._number(line.given.get("number", ""))
        columns = self._columns(line)
        key = looks_like(columns["name"])
        player = None if number is None else self.by_number.get(number)
        if number is None:
            alike = self.by_key.get(key, [])
            twice = self.line_of_key.get(key)
            decided = self.decisions.get(str(line.number), "")
            if decided and decided != SOMEBODY_ELSE:
                player = next((each for each in alike if str(each.number) == decided), None)
                if player is None:
                    raise _Fault("name", f"It is nobody of number {decided} whose name looks like this one.")
            elif not decided and (alike or twice is not None):
                who = ", ".join(each.label for each in alike) or f"line {twice}"
                return Judged(line, Outcome.ALIKE, f"Is it {who}?", "name", alike=alike, columns=columns)
        if player is not None:
            self._check_is(player, key)
        taken = number if player is None else player.number
        if taken is not None:
            if (other := self.line_of_number.get(taken)) is not None:
                raise _Fault("number", f"Line {other} has number {taken} already.")
            self.line_of_number[taken] = line.number
        self.line_of_key.setdefault(key, line.number)
        if player is None:
            return Judged(line, Outcome.NEW, columns={"number": number, **columns})
        return self._changed(line, player, columns)

    def _changed(self, line: Line, player: Player, columns: dict[str, Any]) -> Judged:
        # What the file has no column for stays as it is.
        written = {
            name: value
            for name, value in columns.items()
            if _COLUMN_OF.get(name, name) in line.given and getattr(player, name) != value
        }
        if player.staff_id is not None and written.get("provider") is not None:
            raise _Fault("provider", f"{player.label} works for the room, and plays for no provider.")
        changes = {name: (_word(getattr(player, name)), _word(value)) for name, value in written.items()}
        outcome = Outcome.CHANGED if written else Outcome.SAME
        return Judged(line, outcome, player=player, columns=written, changes=changes)

    def _check_is(self, player: Player, key: str) -> None:
        if player.merged_into is not None:
            raise _Fault(
                "number",
                f"Number {player.number} is merged into {player.merged_into.label}: give that one's number.",
            )
        words = set(player.name_key.split()) | set(player.other_name_key.split())
        if not player.is_guest and not words & set(key.split()):
            raise _Fault(
                "number",
                f"Number {player.number} is {player.name}'s. Give another number, or leave it empty for the next free one.",
            )

    def _number(self, text: str) -> int | None:
        if not text:
            return None
        digits = text.removeprefix("#")
        if not (digits.isascii() and digits.isdigit()) or not 1 <= int(digits) <= MOST_NUMBER:
            raise _Fault(
                "number", f"{text!r} is no number of a player: write a whole number from 1, or nothing."
            )
        return int(digits)

    def _columns(self, line: Line) -> dict[str, Any]:
        texts = {name: self._text(line, name) for name in _LENGTHS}
        if not texts["name"]:
            raise _Fault("name", "No name. It is the one thing that a player must have.")
        provider = None
        named = line.given.get("provider", "")
        if named and (provider := self.providers.get(named)) is None:
            known = ", ".join(sorted(self.providers)) or "none"
            raise _Fault("provider", f"The room has no provider {named!r}. There are: {known}.")
        expires = self._day(line.given.get("badge_expires", ""))
        if provider is None and (texts["badge_number"] or expires is not None):
            raise _Fault("provider", "A badge is a provider's: name the provider, or leave the badge empty.")
        active = line.given.get("active", "").lower()
        if active not in _YES:
            raise _Fault("active", f"{active!r} is neither yes nor no.")
        return {**texts, "provider": provider, "badge_expires": expires, "is_active": _YES[active]}

    def _text(self, line: Line, name: str) -> str:
        try:
            text = plain_name(line.given.get(name, ""))
        except ValidationError as error:
            raise _Fault(name, str(error.messages[0])) from None
        if len(text) > (most := _LENGTHS[name]):
            raise _Fault(name, f"It has {len(text)} characters, and {most} are kept.")
        return text

    def _day(self, text: str) -> datetime.date | None:
        if not text:
            return None
        try:
            day = datetime.date.fromisoformat(text)
        except ValueError:
            raise _Fault("badge_expires", f"There is no day {text!r}. Write days as 2027-06-30.") from None
        if not FIRST_DAY <= day <= LAST_DAY:
            raise _Fault("badge_expires", f"{text} lies outside of {FIRST_DAY} to {LAST_DAY}.")
        return day


#: The column of the file that a column of the row comes from, where it is called otherwise.
_COLUMN_OF: Final = {"is_active": "active"}


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value in (None, "") else str(value)


def refused_csv(judged: list[Judged]) -> str:
    """Return the lines that were left out as a CSV file to mend: their columns as they were, and why."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([*COLUMNS, "why"])
    for each in judged:
        if each.outcome in (Outcome.REFUSED, Outcome.ALIKE):
            # What could not be read comes back whole, where the name would be.
            given = each.line.given or {"name": each.line.text}
            writer.writerow(
                [*(given.get(name, "") for name in COLUMNS), f"line {each.line.number}: {each.why}"]
            )
    return text.getvalue()


def players_csv(room: Room) -> str:
    """Return the players of a room as a file that is read back without a change."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    players = Player.objects.filter(room=room, merged_into__isnull=True, is_unused=False).select_related(
        "provider"
    )
    for player in players.order_by("number"):
        expires = "" if player.badge_expires is None else player.badge_expires.isoformat()
        provider = "" if player.provider is None else player.provider.name
        cells = (player.number, player.name, player.other_name, provider, player.badge_number, expires)
        writer.writerow([*cells, "yes" if player.is_active else "no"])
    return text.getvalue()
