"""The sentence that answers a document's question, written from its own figures: each it names is noted."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Final

from games.money import dollars

from .document import Kind, ReportDocument, Row, Sentence, Value
from .formatting import formatted, several


class Told:
    """The figures of a document as a sentence names them: `name` of an answer, or `table.column` of a table's total.

    Every figure that is put in words, or asked for, is noted: the sentence stands on these.
    """

    def __init__(self, document: ReportDocument) -> None:
        self._document = document
        self._answers = {answer.name: answer for answer in document.answers}
        self._named: dict[str, None] = {}

    @property
    def named(self) -> tuple[str, ...]:
        """The names of the figures that were asked for, in their order."""
        return tuple(self._named)

    def __contains__(self, name: str) -> bool:
        """Whether the document has the figure: some have theirs where players bank, or the house, alone."""
        table, _, column = name.partition(".")
        if not column:
            return name in self._answers
        grid = self._document.grid(table)
        return grid is not None and column in (grid.totals or {})

    def __getitem__(self, name: str) -> Value:
        """The value of a figure; None where it is not known."""
        self._named[name] = None
        table, _, column = name.partition(".")
        if not column:
            return self._answers[name].value
        grid = self._document.grid(table)
        assert grid is not None, f"no table {table!r}"
        return (grid.totals or {})[column]

    def number(self, name: str) -> int:
        """The value of a figure that is a number; 0 where it is not known or not there."""
        if name not in self:
            return 0
        value = self[name]
        return value if isinstance(value, int) else 0

    def text(self, name: str) -> str:
        """A figure as it is printed: "$1,240.50", "1,240", "pending"."""
        return formatted(self[name], self._kind(name), self._document.zone)

    def several(self, name: str, word: str, many: str = "") -> str:
        """A count with its word: "1 round", "2,300 rounds", "no round"."""
        count = self.number(name)
        return several(count, word, many) if count else f"no {word}"

    def rows(self, table: str) -> Sequence[Row]:
        """The rows of a table; none where the document has no such table."""
        self._named[table] = None
        grid = self._document.grid(table)
        return () if grid is None else grid.rows

    def cell(self, table: str, row: Row, column: str) -> str:
        """A cell of a table as it is printed."""
        grid = self._document.grid(table)
        assert grid is not None, f"no table {table!r}"
        kind = next(each.kind for each in grid.columns if each.name == column)
        return formatted(row.values[column], kind, self._document.zone)

    @property
    def zone(self) -> datetime.tzinfo:
        """The clock of the document."""
        return self._document.zone

    def _kind(self, name: str) -> Kind:
        table, _, column = name.partition(".")
        if not column:
            return self._answers[name].kind
        grid = self._document.grid(table)
        assert grid is not None, f"no table {table!r}"
        return next(each.kind for each in grid.columns if each.name == column)


#: What answers the question of a report, written from the figures of its document. No full stop: it heads a page.
Answering = Callable[[Told], str]

#: The longest sentence: two lines of a page's heading.
LONGEST: Final = 170


def sentence_of(document: ReportDocument, answering: Answering) -> Sentence:
    """Return what answers the document's question, with the figures that it stands on."""
    figures = Told(document)
    text = answering(figures)
    return Sentence(text, figures.named)


def largest(figures: Told, table: str, column: str) -> Row | None:
    """Return the row of a table with the largest amount in a column; None of no row above 0."""
    rows = [row for row in figures.rows(table) if isinstance(row.values[column], int) and row.values[column]]
    return max(rows, key=lambda row: row.values[column], default=None)  # type: ignore[arg-type, return-value]


def off_text(figures: Told, name: str) -> str:
    """Return how far a figure is off, in words, as `off_by` does."""
    cents = figures[name]
    return off_by(cents if isinstance(cents, int) else None)


def off_by(cents: int | None) -> str:
    """Return how far something is off, in words: "$3 short", "$2 over", "even"; "not known yet" of what is not known."""
    if cents is None:
        return "not known yet"
    if not cents:
        return "even"
    return f"{dollars(abs(cents))} {'over' if cents > 0 else 'short'}"
