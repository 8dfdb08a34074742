"""The shape of a paper: first the answer, then the tables, then how the figures were made.

A value is of the kind of its column: text (`str`), a count (`int`), money (`int`, cents), an instant (`datetime`, aware,
UTC), a day (`date`) or a span (`int`, whole seconds). None is a figure that is not known: it is shown as that, and a
sum that it would have a part in is not known either. It is never 0.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from enum import StrEnum

Value = str | int | datetime.datetime | datetime.date | None


class Kind(StrEnum):
    """What the values of a column are."""

    TEXT = "text"
    COUNT = "count"
    MONEY = "money"
    INSTANT = "instant"
    DAY = "day"
    SPAN = "span"


class Mark(StrEnum):
    """How much an answer or a row wants to be looked at; a word or a shape stands beside the colour."""

    NONE = ""
    DONE = "done"
    LOOK = "look"
    STOP = "stop"


_ENDS = {Kind.MONEY: "_cents", Kind.INSTANT: "_at", Kind.SPAN: "_seconds"}


@dataclasses.dataclass(frozen=True)
class Column:
    """One column. `name` is what machines call it; money ends in `_cents`, an instant in `_at`, a span in `_seconds`.

    `adds` says that the column has a sum at its foot.
    """

    name: str
    heading: str
    kind: Kind = Kind.TEXT
    adds: bool = False

    def __post_init__(self) -> None:
        wanted = _ENDS.get(self.kind, "")
        if not self.name.endswith(wanted):
            raise ValueError(
                f"a column of kind {self.kind.value} is named {self.name!r}: it must end in {wanted}"
            )
        if self.adds and self.kind not in (Kind.COUNT, Kind.MONEY, Kind.SPAN):
            raise ValueError(f"column {self.name!r} cannot be added up: it holds {self.kind.value}")


@dataclasses.dataclass(frozen=True)
class Row:
    """One line: values by column name, every column present. `links` are addresses that open what made a value."""

    values: Mapping[str, Value]
    links: Mapping[str, str] = dataclasses.field(default_factory=dict)
    mark: Mark = Mark.NONE


@dataclasses.dataclass(frozen=True)
class Grid:
    """A table of figures. `name` is a slug; `says` stands below the title; `empty` stands where there is no row."""

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    says: str = ""
    empty: str = "None."

    def __post_init__(self) -> None:
        wanted = {column.name for column in self.columns}
        for row in self.rows:
            if set(row.values) != wanted:
                raise ValueError(
                    f"grid {self.name}: a row and the columns differ in {set(row.values) ^ wanted}"
                )

    @property
    def totals(self) -> dict[str, int | None] | None:
        """The sums of the columns that add up, by name; None where no column does. One unknown makes the sum unknown."""
        sums: dict[str, int | None] = {}
        for column in self.columns:
            if not column.adds:
                continue
            values = [row.values[column.name] for row in self.rows]
            known = [value for value in values if isinstance(value, int)]
            sums[column.name] = sum(known) if len(known) == len(values) else None
        return sums or None


@dataclasses.dataclass(frozen=True)
class Answer:
    """One of the figures that a reader looks for first."""

    name: str
    label: str
    value: Value
    kind: Kind = Kind.TEXT
    mark: Mark = Mark.NONE
    link: str = ""


@dataclasses.dataclass(frozen=True)
class Chart:
    """Bars over labels, one to a label; where `says_money`, the values are cents. For where a shape matters."""

    name: str
    title: str
    labels: Sequence[str]
    values: Sequence[int]
    says_money: bool = False

    @property
    def shown_labels(self) -> list[str]:
        """The labels as they are shown: every one where there is room, else one in so many, and none for the others."""
        step = max(1, -(-len(self.labels) // 16))
        return [label if at % step == 0 else "" for at, label in enumerate(self.labels)]


@dataclasses.dataclass(frozen=True)
class Paper:
    """Everything that is told. `period` says of when, `notes` how the figures were made; `zone` is the room's."""

    name: str
    title: str
    room: str
    zone: datetime.tzinfo
    period: str
    answers: Sequence[Answer]
    grids: Sequence[Grid]
    charts: Sequence[Chart] = ()
    notes: Sequence[str] = ()

    def grid(self, name: str) -> Grid | None:
        """Return the grid of that name."""
        return next((grid for grid in self.grids if grid.name == name), None)
