"""The structure of a document: first the answers, then the tables, then notes on how the figures were computed.

The type of a value follows its column's kind: text (`str`), a count (`int`), money (`int`, cents), an instant
(`datetime`, aware, UTC), a day (`date`), a span (`int`, whole seconds) or a figure in words (`str`: "23.4%", "33.4"). None
is an unknown figure: it is shown as unknown, and so is a sum that includes it. It is never 0.
"""

from __future__ import annotations

import dataclasses
import datetime
import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

Value = str | int | datetime.datetime | datetime.date | None


class Kind(StrEnum):
    """The type of a column's values."""

    TEXT = "text"
    COUNT = "count"
    MONEY = "money"
    INSTANT = "instant"
    DAY = "day"
    SPAN = "span"
    FIGURE = "figure"


class Mark(StrEnum):
    """The severity of an answer or a row; a word or a shape is shown beside the colour."""

    NONE = ""
    DONE = "done"
    LOOK = "look"
    STOP = "stop"


class Shade(StrEnum):
    """How a value stands against what is usual of it: a shape, coloured on a page."""

    FAR_ABOVE = "▲"
    ABOVE = "△"
    BELOW = "▽"
    FAR_BELOW = "▼"


_ENDS = {Kind.MONEY: "_cents", Kind.INSTANT: "_at", Kind.SPAN: "_seconds"}


@dataclasses.dataclass(frozen=True)
class Column:
    """One column. `name` is its key in CSV and JSON; money ends in `_cents`, an instant in `_at`, a span in `_seconds`.

    `adds`: the column has a total in the footer. `absent` is what a reader is told where it has no value, as "never" of a
    sign-in; "": what its kind says then (`formatted`). Data has null.
    """

    name: str
    heading: str
    kind: Kind = Kind.TEXT
    adds: bool = False
    absent: str = ""

    def __post_init__(self) -> None:
        wanted = _ENDS.get(self.kind, "")
        if not self.name.endswith(wanted):
            raise ValueError(
                f"a column of kind {self.kind.value} is named {self.name!r}: it must end in {wanted}"
            )
        if self.adds and self.kind not in (Kind.COUNT, Kind.MONEY, Kind.SPAN):
            raise ValueError(f"column {self.name!r} cannot be added up: it holds {self.kind.value}")

    @property
    def is_difference(self) -> bool:
        """Whether it holds what figures differ by, so that anything but 0 stands out."""
        return self.name.removesuffix("_cents").endswith(("difference", "variance"))


@dataclasses.dataclass(frozen=True)
class Row:
    """One row: values by column name, every column present. `links` are URLs of a value's source.

    `shades` say how a value stands against what is usual of it.
    """

    values: Mapping[str, Value]
    links: Mapping[str, str] = dataclasses.field(default_factory=dict)
    mark: Mark = Mark.NONE
    shades: Mapping[str, Shade] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Grid:
    """A table of figures. `name` is a slug; `says` is the text below the title, `empty` the one without rows.

    `part` is the part of the document to which it belongs: tables of one part follow each other and share a worksheet.
    `exact` are totals of columns whose values are rounded row by row: what they come to exactly, rounded once. `in_all` are
    figures in words of all rows together that no column adds up to: a pace, a share.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    text: str = ""
    empty: str = "None."
    part: str = ""
    exact: Mapping[str, int] = dataclasses.field(default_factory=dict)
    in_all: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        wanted = {column.name for column in self.columns}
        if wrong := self.in_all.keys() - wanted:
            raise ValueError(f"grid {self.name}: there is no column {wrong}")
        for row in self.rows:
            if set(row.values) != wanted:
                raise ValueError(
                    f"grid {self.name}: a row and the columns differ in {set(row.values) ^ wanted}"
                )

    @property
    def totals(self) -> dict[str, int | None] | None:
        """Totals of the columns with `adds`, by name; None without such a column. Unknown values make it unknown."""
        sums: dict[str, int | None] = {}
        for column in self.columns:
            if not column.adds:
                continue
            if column.name in self.exact:
                sums[column.name] = self.exact[column.name]
                continue
            values = [row.values[column.name] for row in self.rows]
            known = [value for value in values if isinstance(value, int)]
            sums[column.name] = sum(known) if len(known) == len(values) else None
        return sums or None

    @property
    def footer(self) -> dict[str, int | str | None] | None:
        """The line beneath the rows: totals, and what is told of all rows; None where there is neither."""
        return {**(self.totals or {}), **self.in_all} or None


@dataclasses.dataclass(frozen=True)
class Answer:
    """A key figure, shown before the tables; `says` is a line of text below it."""

    name: str
    label: str
    value: Value
    kind: Kind = Kind.TEXT
    mark: Mark = Mark.NONE
    link: str = ""
    text: str = ""


class Scale(NamedTuple):
    """The axis of a chart, in the units of its values: a grid line every `step` from `bottom` to `top`."""

    bottom: int
    top: int
    step: int

    @property
    def lines(self) -> range:
        """The values of the grid lines."""
        return range(self.bottom, self.top + self.step, self.step)


@dataclasses.dataclass(frozen=True)
class Chart:
    """A bar chart, one bar a label; with `text_money` the values are cents, with `tenths` tenths of what they count.

    `before` are the values of an earlier time under the same labels, drawn as a line and called `before_name`; None where
    there is none. `in_part` says of each bar whether its time is not over or not all there: it is hatched. `unit` is what a
    value counts, in words: "$", "rounds an hour". `links` are the addresses of what makes each bar. `strong` says of each bar whether
    it is one that is told of, as the same weekday, called `strong_name`: the others are pale, and have no label.
    """

    name: str
    title: str
    labels: Sequence[str]
    values: Sequence[int]
    text_money: bool = False
    before: Sequence[int | None] = ()
    before_name: str = ""
    tenths: bool = False
    in_part: Sequence[bool] = ()
    unit: str = dataclasses.field(kw_only=True)
    links: Sequence[str] = dataclasses.field(default=(), kw_only=True)
    strong: Sequence[bool] = dataclasses.field(default=(), kw_only=True)
    strong_name: str = dataclasses.field(default="", kw_only=True)

    @property
    def scale(self) -> Scale:
        """The axis: its highest grid line is above the tallest bar."""
        every = (*self.values, *(value for value in self.before if value is not None))
        top, bottom = max(0, *every), min(0, *every)
        step = _step(top - bottom)
        return Scale(bottom // step * step, (top // step + 1) * step, step)

    def figure_above(self, at: int, height: float) -> int:
        """The value above which the figure of a bar is drawn, `height` of the axis high.

        That is the bar's own, or the earlier time's where the figure would cross its line.
        """
        value, then = max(self.values[at], 0), self.before[at] if self.before else None
        return then if then is not None and value < then <= value + height else value

    def shown_labels(self, letters: float) -> list[str]:
        """The labels drawn on an axis of so many letters: all if they have room, else every n-th, the others empty.

        Of a chart with strong bars theirs alone.
        """
        if self.strong:
            return [label if strong else "" for label, strong in zip(self.labels, self.strong, strict=True)]
        # Two letters between one label and the next, or the sign of a bar in part.
        widest = max((len(label) for label in self.labels), default=0) + 2
        each = letters / max(1, len(self.labels))
        step = max(1, math.ceil(widest / each))
        return [
            label if at % step == 0 and (at + 0.5) * each + widest / 2 <= max(letters, widest) else ""
            for at, label in enumerate(self.labels)
        ]


def _step(span: int) -> int:
    """Return the round step (1, 2 or 5 times a power of ten) that makes two to six lines of `span`."""
    step = 1
    while True:
        for times in (1, 2, 5):
            if span <= step * times * 5:
                return step * times
        step *= 10


@dataclasses.dataclass(frozen=True)
class Sentence:
    """What answers the question of a document, and the names of the figures that it stands on (`documents.answering`)."""

    text: str
    figures: Sequence[str] = ()


@dataclasses.dataclass(frozen=True)
class ReportDocument:
    """A whole document. `period` is the time covered, `notes` say how figures were computed; `zone` is the room's.

    `sentence` heads it where it answers a question.

    With a summary, the answers, the charts and the tables without a `part` are on its first page, and the parts beneath it:
    folded on the screen, from the second sheet on paper.
    """

    name: str
    title: str
    room: str
    zone: datetime.tzinfo
    period: str
    answers: Sequence[Answer]
    grids: Sequence[Grid]
    charts: Sequence[Chart] = ()
    notes: Sequence[str] = ()
    has_summary: bool = False
    sentence: Sentence | None = None

    @property
    def first_grids(self) -> list[Grid]:
        """The tables that belong to no part."""
        return [grid for grid in self.grids if not grid.part]

    @property
    def parts(self) -> dict[str, list[Grid]]:
        """The tables of each part, by its name, in their order."""
        parts: dict[str, list[Grid]] = {}
        for grid in self.grids:
            if grid.part:
                parts.setdefault(grid.part, []).append(grid)
        return parts

    def grid(self, name: str) -> Grid | None:
        """Return the grid of that name."""
        return next((grid for grid in self.grids if grid.name == name), None)
