"""What every kind of file of a room's people has: its columns, what becomes of a line, faults in words, the plan, what was left out.

A kind is declared once (`FileKind`): its columns, a `Judge`, how judged lines are written, and the rows of its export. Commands, API
and pages are made from that. What is wrong with a line is said with the place and what to do.
"""

from __future__ import annotations

import abc
import dataclasses
import datetime
import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Final, TypeVar

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from cardroom.core.canonical import canonical_bytes
from cardroom.core.names import plain_name, why_no_text
from cardroom.core.row_digests import row_note, rows_create
from cardroom.people.models import Staff
from cardroom.rooms.gaming_day import FIRST_DAY, LAST_DAY
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..execution.locks import Undone
from ..execution.transactions import RoomTransaction
from .lines import WHY, Columns, Line, csv_text

_YES: Final = {"": True, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_BETWEEN: Final = re.compile(r"[+,;/|]")

M = TypeVar("M", bound=models.Model)

#: The decision that a line is nobody of those whose names look alike.
SOMEBODY_ELSE: Final = "new"


class Outcome(StrEnum):
    """What becomes of a line."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    ALIKE = "alike"
    REFUSED = "refused"


LEFT_OUT: Final = frozenset({Outcome.REFUSED, Outcome.ALIKE})
WRITTEN: Final = frozenset({Outcome.NEW, Outcome.CHANGED})


@dataclasses.dataclass(frozen=True)
class Known:
    """Somebody, or a thing, that the room has: how a decision names it, how people read it, and its row."""

    key: str
    label: str
    row: Any = dataclasses.field(compare=False)


@dataclasses.dataclass
class Judged:
    """A line with what becomes of it.

    `known` is what it changes, or would; `alike` are those whose names look like its name; `columns` are what is written, `changes`
    each of them that differs, before and after in words; `why` says what is wrong, or what is to be decided, and `column` where.
    `about` is the person whom two people change, and who does not sign for it.
    """

    line: Line
    outcome: Outcome
    why: str = ""
    column: str = ""
    known: Known | None = None
    alike: list[Known] = dataclasses.field(default_factory=list)
    columns: dict[str, Any] = dataclasses.field(default_factory=dict)
    changes: dict[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    about: Staff | None = None

    @property
    def name(self) -> str:
        """What the line is about, in words."""
        return self.known.label if self.known is not None else str(self.columns.get("name", self.line.text))


class Fault(Exception):
    """Why a line is left out, and in which column: it is refused, or (`ALIKE`) may mean somebody whom the room knows."""

    def __init__(self, column: str, why: str, outcome: Outcome = Outcome.REFUSED) -> None:
        super().__init__(why)
        self.column, self.why, self.outcome = column, why, outcome


class Judge(abc.ABC):
    """What the lines of a file are judged against: the room as it is now, who imports, and what the lines so far have taken.

    `decisions` are by the number of a line whose name looks like somebody's: the key of who it is, or `SOMEBODY_ELSE`.
    """

    def __init__(self, room: Room, by: Staff, decisions: Mapping[str, str]) -> None:
        self.room, self.by, self.decisions = room, by, decisions
        self.line_of: dict[tuple[str, Any], int] = {}

    @abc.abstractmethod
    def accepted(self, line: Line) -> Judged:
        """Judge a line that could be read. Raises Fault."""

    def alike(self, line: Line) -> list[Known]:
        """Whom the name of a line may mean."""
        return []

    def judged(self, line: Line) -> Judged:
        """Say what becomes of a line."""
        if line.fault:
            return Judged(line, Outcome.REFUSED, line.fault)
        try:
            judged = self.accepted(line)
        except Fault as fault:
            judged = Judged(line, fault.outcome, fault.why, fault.column)
            if fault.outcome is Outcome.REFUSED:
                return judged
        if judged.outcome is Outcome.ALIKE or str(line.number) in self.decisions:
            judged.alike = self.alike(line)
        return judged

    def decided(self, line: Line, twice: int | None = None, column: str = "name") -> Known | None:
        """Return what the name of a line means that the room does not know; None for a new one. Raises Fault.

        `twice` is the line above whose name looks alike.
        """
        alike, decided = self.alike(line), self.decisions.get(str(line.number), "")
        if decided == SOMEBODY_ELSE:
            return None
        if decided:
            if (known := next((each for each in alike if each.key == decided), None)) is None:
                raise Fault(
                    column, f"The decision {decided!r} is none of those whose names look like this one."
                )
            return known
        if alike or twice is not None:
            who = ", ".join(each.label for each in alike) or f"line {twice}"
            raise Fault(column, f"Is it {who}?", Outcome.ALIKE)
        return None

    def take(self, line: Line, column: str, value: Any, says: str) -> None:
        """Note that a line has a value which no other may have; raises Fault where one has. `says` ends the sentence."""
        if (other := self.line_of.setdefault((column, value), line.number)) != line.number:
            raise Fault(column, f"Line {other} has {says} already.")


class FileKind(abc.ABC):
    """A kind of file, declared once."""

    #: In names of commands and files, and in addresses: `players`.
    name: ClassVar[str]
    #: One of them, and several, in words.
    one: ClassVar[str]
    many: ClassVar[str]
    columns: ClassVar[Columns]
    #: What is said of the columns above the form of a file.
    about: ClassVar[str]
    #: What is to be done about those who are new, said once they are imported.
    then: ClassVar[str] = ""
    #: Whether the import takes a fresh sign-in, as its commands by hand do.
    fresh: ClassVar[bool] = False
    #: A file, for the API's document.
    example: ClassVar[str]

    @abc.abstractmethod
    def judge(self, room: Room, by: Staff, decisions: Mapping[str, str], lines: Sequence[Line]) -> Judge:
        """Read what the lines are judged against; a handful of queries."""

    @abc.abstractmethod
    def write(self, tx: RoomTransaction, judged: Sequence[Judged], signed: dict[str, Any]) -> dict[str, Any]:
        """Write the lines that are new or change something, and return what the entry of the import says of them."""

    @abc.abstractmethod
    def rows(self, room: Room) -> Iterable[Iterable[Any]]:
        """Return what the room has in the order of the columns: an import reads it back without a change."""

    def judged(
        self, room: Room, by: Staff, decisions: Mapping[str, str], lines: Sequence[Line]
    ) -> list[Judged]:
        """Say what becomes of each line in the room as it is now."""
        judge = self.judge(room, by, decisions, lines)
        return [judge.judged(line) for line in lines]

    def exported(self, room: Room) -> str:
        """Return what the room has as a CSV file."""
        return csv_text(self.columns.names, self.rows(room))

    def left_out(self, judged: Iterable[Judged]) -> str:
        """Return the lines that were left out as a CSV file to mend: their columns as they were, and why."""
        names, must = self.columns.names, self.columns.must
        rows = []
        for each in judged:
            if each.outcome in LEFT_OUT:
                # What could not be read comes back whole, where the one column is that must be there.
                given = each.line.given or {must: each.line.text}
                rows.append(
                    [*(given.get(name, "") for name in names), f"line {each.line.number}: {each.why}"]
                )
        return csv_text([*names, WHY], rows)


def rows_inserted(rows: Sequence[M]) -> list[M]:
    """Insert rows of one model at once, with their history. Raises Undone where one has a number or name that was free when it was judged.

    The whole command is run once more then, and judges the file again: who has no number gets the next, and what is otherwise than
    what was signed is told as such.
    """
    if not rows:
        return []
    history: Any = type(rows[0])
    try:
        with transaction.atomic():
            made = rows_create(rows)
            for row in history.history.bulk_history_create(rows) or ():
                row_note(row, whole=True)
    except IntegrityError:
        raise Undone(
            "busy", Phrase("Others are being added at this moment. Nothing was changed; try again.")
        ) from None
    return made


def plan_of(judged: Iterable[Judged]) -> str:
    """Return the digest of what is written; it changes as the room does."""
    return hashlib.sha256(canonical_bytes([_planned(each) for each in judged])).hexdigest()


def _planned(each: Judged) -> Any:
    return [
        each.line.number,
        each.outcome.value,
        None if each.known is None else each.known.key,
        {name: _plain(value) for name, value in each.columns.items()},
        {name: list(change) for name, change in each.changes.items()},
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return str(value)


def word(value: Any) -> str:
    """A value of a column in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime.time):
        return value.isoformat("minutes")
    return "none" if value in (None, "") else str(value)


def name_in(line: Line, column: str, most: int) -> str:
    """Return a name, written the one way that names are kept. Raises Fault."""
    try:
        text = plain_name(line.given.get(column, ""))
    except ValidationError as error:
        raise Fault(column, str(error.messages[0])) from None
    return _short(column, text, most)


def text_in(line: Line, column: str, most: int) -> str:
    """Return the text of a column. Raises Fault."""
    text = line.given.get(column, "")
    if why := why_no_text(text):
        raise Fault(column, why)
    return _short(column, text, most)


def _short(column: str, text: str, most: int) -> str:
    if len(text) > most:
        raise Fault(column, f"It has {len(text)} characters, and {most} are kept.")
    return text


def number_in(line: Line, column: str, most: int, what: str) -> int | None:
    """Return the number of a column, None for none; `#41` is 41. Raises Fault."""
    if not (text := line.given.get(column, "")):
        return None
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 12 or not 1 <= int(digits) <= most:
        raise Fault(column, f"{text!r} is no number of {what}: write a whole number from 1, or nothing.")
    return int(digits)


def day_in(line: Line, column: str) -> datetime.date | None:
    """Return the day of a column, None for none. Raises Fault."""
    if not (text := line.given.get(column, "")):
        return None
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise Fault(column, f"There is no day {text!r}. Write days as 2027-06-30.") from None
    if not FIRST_DAY <= day <= LAST_DAY:
        raise Fault(column, f"{text} lies outside of {FIRST_DAY} to {LAST_DAY}.")
    return day


def yes_in(line: Line, column: str) -> bool:
    """Return whether a column says yes; nothing is yes. Raises Fault."""
    text = line.given.get(column, "").lower()
    if text not in _YES:
        raise Fault(column, f"{text!r} is neither yes nor no.")
    return _YES[text]


def several_in(line: Line, column: str) -> list[str]:
    """Return the words of a column that has several, parted by +, / or commas."""
    return [each for part in _BETWEEN.split(line.given.get(column, "")) if (each := part.strip())]


def one_of(named: str, known: Collection[str], column: str, what: str) -> None:
    """Raise Fault where `named` is none of `known`."""
    if named not in known:
        listed = ", ".join(sorted(known)[:20]) or "none"
        raise Fault(column, f"The room has no {what} {named!r}. There are: {listed}.")
