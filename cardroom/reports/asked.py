"""What is asked of a report, and what a report of the catalogue is."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Mapping, Sequence

from cardroom.floor.models import Table
from cardroom.papers.paper import Paper
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day_bounds
from cardroom.rooms.models import Room

#: Gaming days that one report may span: a year and a day.
MOST_DAYS = 366


@dataclasses.dataclass(frozen=True)
class Asked:
    """What is asked: gaming days `first` to `last`, both included, of one table or all, by whom, and when (UTC).

    `options` are the report's own choices by name, each of them one that it offers.
    """

    room: Room
    first: datetime.date
    last: datetime.date
    staff: Staff
    now: datetime.datetime
    table: Table | None = None
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @property
    def since(self) -> datetime.datetime:
        """When the first day began, UTC."""
        return gaming_day_bounds(self.room, self.first)[0]

    @property
    def until(self) -> datetime.datetime:
        """When the last day ends, UTC, excluded."""
        return gaming_day_bounds(self.room, self.last)[1]

    @property
    def period(self) -> str:
        """The time in words: "gaming day 2026-11-20", "gaming days 2026-11-01 to 2026-11-20, table 7"."""
        days = f"day {self.first}" if self.first == self.last else f"days {self.first} to {self.last}"
        return f"gaming {days}" + (f", {str(self.table).lower()}" if self.table else "")


@dataclasses.dataclass(frozen=True)
class Option:
    """A choice of a report's own. `choices` gives value and label by room, the default first."""

    name: str
    label: str
    choices: Callable[[Room], Sequence[tuple[str, str]]]


@dataclasses.dataclass(frozen=True)
class Report:
    """One report of the catalogue. `name` is its address; whoever holds `right` in the room may draw it.

    `make` answers with the paper, from the database and nothing else: the same rows give the same paper.
    """

    name: str
    title: str
    says: str
    right: Right
    make: Callable[[Asked], Paper]
    options: Sequence[Option] = ()
    by_table: bool = True
