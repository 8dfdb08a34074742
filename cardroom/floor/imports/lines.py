"""Lines of a file, CSV or TOML, by their columns; and rows written as CSV that is read back alike.

CSV has a first line of column names, parted by commas or semicolons, with or without a byte order mark; TOML has a table for each
line. A line that cannot be read says why (`fault`); a file that cannot be read at all raises `FileRefused`.
"""

from __future__ import annotations

import csv
import dataclasses
import datetime
import io
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from cardroom.core.csv_cells import cell, cell_read

MOST_LINES: Final = 10_000
MOST_BYTES: Final = 2_000_000
#: Parts several words of one cell, such as roles.
BETWEEN: Final = " + "
#: The column of a file of what was left out; it is not read.
WHY: Final = "why"
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_TABLE: Final = re.compile(rb"^[ \t]*\[\[[^\]\r\n]+\]\]", re.MULTILINE)


class FileRefused(ValueError):
    """The file cannot be read at all; the message says where and what to mend."""


@dataclasses.dataclass(frozen=True)
class Columns:
    """What a kind of file has: its columns, one of which must be there (`must`), and how TOML calls a line (`[[player]]`)."""

    table: str
    names: tuple[str, ...]
    must: str

    def check(self, given: Sequence[str]) -> None:
        """Raise FileRefused for a name that is none of the columns, or there twice, or where `must` is missing."""
        if unknown := [name for name in given if name not in self.names]:
            raise FileRefused(f"Column {unknown[0]!r} is unknown. The columns are {', '.join(self.names)}.")
        if self.must not in given:
            raise FileRefused(f"The first line names the columns, and one of them is “{self.must}”.")
        if doubled := [name for name in self.names if list(given).count(name) > 1]:
            raise FileRefused(f"Column {doubled[0]!r} is there twice.")


@dataclasses.dataclass
class Line:
    """One line of the file: its number, its text as it stands, and what its columns hold; `fault` where it cannot be read."""

    number: int
    text: str
    given: dict[str, str]
    fault: str = ""


def read_lines(columns: Columns, data: bytes) -> list[Line]:
    """Return the lines of a file, CSV unless it has tables such as `[[player]]`. Raises FileRefused."""
    if len(data) > MOST_BYTES:
        raise FileRefused(f"The file is larger than {MOST_BYTES // 1_000_000} MB: part it.")
    data = data.removeprefix(_BYTE_ORDER_MARK)
    lines = _toml_lines(columns, data) if _TABLE.search(data) else list(_csv_lines(columns, data))
    if len(lines) > MOST_LINES:
        raise FileRefused(f"The file has {len(lines):,} lines, and {MOST_LINES:,} are read at once: part it.")
    if not lines:
        raise FileRefused(
            f"The file has no lines: a first line of column names, and a line for each {columns.table}."
        )
    return lines


def _csv_lines(columns: Columns, data: bytes) -> Iterator[Line]:
    rows = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    head = rows[0].decode(errors="replace")
    delimiter = ";" if head.count(";") > head.count(",") else ","
    names = [name.strip().lower() for name in next(csv.reader([head], delimiter=delimiter), [])]
    columns.check([name for name in names if name != WHY])
    for number, row in enumerate(rows[1:], start=2):
        if not row.strip():
            continue
        try:
            text = row.decode()
        except UnicodeDecodeError:
            fault = "A character is not UTF-8. Save the file as “CSV UTF-8”."
            yield Line(number, row.decode(errors="replace"), {}, fault)
            continue
        try:
            cells = next(csv.reader([text], delimiter=delimiter, strict=True))
        except csv.Error:
            yield Line(number, text, {}, "A quotation mark opens and does not close.")
            continue
        if len(cells) > len(names):
            yield Line(number, text, {}, f"The line has {len(cells)} cells, and the first line {len(names)}.")
            continue
        given = {name: cell_read(each.strip()) for name, each in zip(names, cells, strict=False)}
        given.pop(WHY, None)
        yield Line(number, text, given)


def _toml_lines(columns: Columns, data: bytes) -> list[Line]:
    try:
        read = tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise FileRefused(f"Byte {error.start} is not UTF-8. Save the file as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise FileRefused(f"The file is no TOML: {error}.") from None
    if unknown := read.keys() - {columns.table}:
        raise FileRefused(
            f"{min(unknown)} is unknown here: the file has a [[{columns.table}]] for each, and nothing else."
        )
    tables = read.get(columns.table)
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        raise FileRefused(f"Write [[{columns.table}]] above each.")
    lines = []
    for number, each in enumerate(tables, start=1):
        columns.check(list({columns.must: "", **each}))
        words = {key: _toml_word(value) for key, value in each.items()}
        text = "; ".join(f"{key} = {value}" for key, value in words.items())
        lines.append(Line(number, text, words))
    return lines


def _toml_word(value: Any) -> str:
    if isinstance(value, list):
        return BETWEEN.join(_toml_word(each) for each in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime.time):
        return value.isoformat("minutes")
    return value.isoformat() if isinstance(value, datetime.date) else str(value).strip()


def csv_text(names: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV: days as 2027-06-30, times as 10:00, yes and no, several words of a cell with + between."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([cell("" if each is None else _toml_word(each)) for each in row])
    return text.getvalue()
