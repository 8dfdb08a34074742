"""Which columns of a grid stand side by side on a page, so that a table fits a desk without scrolling.

A grid of more columns than `ROOM` gives them up in this order: columns that hold nothing in any row (no text, $0) and columns
of words that say the same in every row are told once, above the table; then the columns of words with the longest texts stand
in a second line of each row, by name. The first column, the one that the table is sorted by, and figures stay where they are.
Files have every column in its order.

Widths are estimated from the letters on show, a little too wide rather than too narrow; `Layout.needs` tells the page how
much room the table takes, and where it has less, the page stacks its rows (site.css).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from cardroom.documents.document import Column, Kind, Row

#: Kinds whose values are aligned right, figure under figure.
FIGURES: Final = (Kind.COUNT, Kind.MONEY, Kind.SPAN, Kind.FIGURE)
#: How wide a column of words is, by the letters of its longest text on show: the most letters, the class of its cells, and the
#: least pixels of those that wrap (document.css).
WIDTHS: Final = ((30, "in-one-line", 0), (60, "", 208), (10_000, "of-sentences", 300))
#: Pixels that a letter of a cell and of a heading takes in the mean, and what stands beside them in a column.
_LETTER: Final = 7.6
_LETTER_OF_HEADING: Final = 7.4
_PADDING: Final = 24
#: Pixels that a table has at a desk and on a tablet held across, less those of a panel around it.
ROOM: Final = 1100
#: Pixels of the narrowest to the widest table, each a class of its frame (site.css).
STEPS: Final = (320, 480, 600, 720, 928, 1104)
#: With fewer rows "the same in every row" says little.
_ROWS: Final = 3


@dataclasses.dataclass(frozen=True)
class Layout:
    """The columns of a table: `beside` one another, `beneath` in the second line of a row, and what is `same` in every row.

    `needs` are the pixels that the columns beside one another take, one of `STEPS`.
    """

    beside: list[Column]
    beneath: list[Column]
    same: list[Column]
    needs: int


def width_of(letters: int) -> tuple[str, int]:
    """Return the class of the cells of a column of words, and its least pixels, by the letters of its longest text."""
    return next((name, least) for most, name, least in WIDTHS if letters <= most or most == WIDTHS[-1][0])


def layout_of(
    columns: Sequence[Column],
    rows: Sequence[Row],
    letters: Mapping[str, int],
    *,
    kept: Collection[str] = (),
) -> Layout:
    """Choose which `columns` stand beside one another; `rows` are all rows of the table.

    `letters` are those of the longest text of each column on show, by its name. `kept` stay beside one another whatever room
    they take, and so does the first column.
    """
    wide = {column.name: _pixels(column, letters[column.name]) for column in columns}
    beside, beneath, same = list(columns), list[Column](), list[Column]()

    def leave(candidates: Sequence[Column], go: Callable[[Column], None]) -> None:
        for column in candidates:
            if sum(wide[each.name] for each in beside) <= ROOM:
                return
            if column.name not in kept and column is not columns[0]:
                beside.remove(column)
                go(column)

    if rows:
        leave([column for column in columns if _is_empty(column, rows)], same.append)
    if len(rows) >= _ROWS:
        leave([column for column in beside if _is_alike(column, rows)], same.append)
    words = [column for column in beside if column.kind not in FIGURES]
    leave(sorted(words, key=lambda column: -wide[column.name]), beneath.append)
    beneath.sort(key=columns.index)
    needed = sum(wide[each.name] for each in beside)
    return Layout(beside, beneath, same, next((step for step in STEPS if needed <= step), STEPS[-1]))


def _is_empty(column: Column, rows: Sequence[Row]) -> bool:
    """Whether a column has no word in any row, and no figure but 0."""
    return not any(row.values[column.name] for row in rows)


def _is_alike(column: Column, rows: Sequence[Row]) -> bool:
    """Whether a column of words says the same in every row."""
    first = rows[0].values[column.name]
    return column.kind not in FIGURES and all(row.values[column.name] == first for row in rows)


def _pixels(column: Column, letters: int) -> float:
    """The pixels that a column takes at least, with its padding."""
    heading = max(map(len, column.heading.split())) * _LETTER_OF_HEADING
    _, wraps_at = width_of(letters)
    if column.kind not in FIGURES and wraps_at:
        return max(heading + _PADDING, wraps_at)
    return max(heading, letters * _LETTER) + _PADDING
