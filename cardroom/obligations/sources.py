"""Registry of what the product knows to be due: an app registers what finds its days, in `AppConfig.ready`.

Such a day is derived from its own record each time and kept nowhere else: a permit that is renewed has another one at once.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Iterable
from typing import Final

from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from .models import Obligation

#: The state of a day on which nothing is to be done: something begins or ends by itself.
DATE: Final = "date"


@dataclasses.dataclass(frozen=True)
class Span:
    """What is looked for: days of a room's calendar, both included; `today` is the day on which it is asked."""

    room: Room
    first: datetime.date
    last: datetime.date
    today: datetime.date


@dataclasses.dataclass(frozen=True, kw_only=True)
class Entry:
    """A line of the calendar: what is due on a day, with whom, how far it is, and the page of its record.

    `what` refers to players (`cardroom.people.names`), and `key`, which is the same each time, does not. `right` is what the page takes; None for whoever sees the calendar.
    `obligation` is the id of one that was typed; a derived line has none. `state` is one of an obligation, or `DATE`.
    """

    key: str
    due_on: datetime.date
    kind: str
    what: str
    address: str
    right: Right | None = None
    rests_on: str = ""
    owner: int | None = None
    owner_name: str = ""
    state: str = Obligation.State.OPEN
    recurs: str = ""
    remind_days: int = 0
    obligation: int | None = None

    @property
    def is_open(self) -> bool:
        return self.state == Obligation.State.OPEN

    def days_left(self, today: datetime.date) -> int:
        """Days from today to its day; below 0 once that is over."""
        return (self.due_on - today).days

    def is_overdue(self, today: datetime.date) -> bool:
        return self.is_open and self.due_on < today

    def is_soon(self, today: datetime.date) -> bool:
        """Whether it is open and within its days of reminding."""
        return self.is_open and 0 <= self.days_left(today) <= self.remind_days


@dataclasses.dataclass(frozen=True, kw_only=True)
class Source:
    """What finds the days of one sort of record: the code and name of their kind, and the lines in a span."""

    kind: str
    name: str
    find: Callable[[Span], Iterable[Entry]]


#: Every registered source, in the order in which they were registered.
SOURCES: list[Source] = []


def register_sources(*sources: Source) -> None:
    """Take sources in. Raises ValueError for one whose kind has another name than before."""
    named = kinds()
    for source in sources:
        if named.setdefault(source.kind, source.name) != source.name:
            raise ValueError(f"the kind {source.kind} is called {named[source.kind]} already")
        SOURCES.append(source)


def kinds() -> dict[str, str]:
    """Return the kinds of the calendar with their names: those that are typed, then those that are derived."""
    typed = {str(kind): str(kind.label) for kind in Obligation.Kind}
    return typed | {source.kind: source.name for source in SOURCES}
