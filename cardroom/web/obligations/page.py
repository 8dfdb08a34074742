"""What the calendar shows: the filter of its address, its months with their lines, and what is overdue before them."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import itertools
import re
from collections.abc import Iterable
from typing import Any, Final

from django.http import QueryDict
from django.utils import timezone

from cardroom.obligations.models import Obligation
from cardroom.obligations.reads.calendar import (
    EVERY,
    OVERDUE,
    STATES_ASKED,
    CalendarFilter,
    calendar_of,
    overdue_before,
)
from cardroom.obligations.sources import DATE, Entry, kinds
from cardroom.people.models import Staff
from cardroom.people.names import named
from cardroom.people.permits import local_day
from cardroom.people.rights import RIGHTS, Right
from cardroom.rooms.gaming_day import FIRST_DAY, LAST_DAY
from cardroom.rooms.models import Room

from ..parts.access import Permissions

#: Months that may be shown at once, the first where the address names none.
SPANS: Final = (3, 1, 12)
_MONTH: Final = re.compile(r"([0-9]{4})-([0-9]{2})")
_STATE_WORDS: Final = {
    EVERY: "every state",
    OVERDUE: "overdue",
    **{str(state): str(state.label) for state in Obligation.State},
    DATE: "dates alone",
}
NOBODY: Final = "none"
State = Obligation.State


def months_after(month: datetime.date, count: int) -> datetime.date:
    """Return the first day of the month that is so many months after another; the calendar's ends bound it."""
    number = month.year * 12 + month.month - 1 + count
    year, place = divmod(number, 12)
    if year < FIRST_DAY.year:
        return FIRST_DAY
    return datetime.date(min(year, LAST_DAY.year), place + 1, 1)


@dataclasses.dataclass(frozen=True)
class Chosen:
    """What the address of the calendar says: the first month, how many, and the filter."""

    filter: CalendarFilter
    month: datetime.date | None
    months: int = SPANS[0]

    @classmethod
    def of(cls, query: QueryDict) -> Chosen:
        """Read it; what is no choice is left out."""
        state, kind = query.get("state", ""), query.get("kind", "")
        owner, months = query.get("owner", ""), query.get("months", "")
        chosen = CalendarFilter(
            kind=kind if kind in kinds() else "",
            owner=int(owner) if owner.isascii() and owner.isdigit() and len(owner) < 19 else None,
            unowned=owner == NOBODY,
            state=state if state in STATES_ASKED else EVERY,
        )
        spans = {str(each): each for each in SPANS}
        return cls(chosen, _month(query.get("month", "")), spans.get(months, SPANS[0]))

    def query(self, **changes: Any) -> str:
        """The query of an address with changes; what stands at its default is left out."""
        kept = self.filter
        values: dict[str, Any] = {
            "month": "" if self.month is None else f"{self.month:%Y-%m}",
            "months": "" if self.months == SPANS[0] else self.months,
            "kind": kept.kind,
            "owner": NOBODY if kept.unowned else kept.owner,
            "state": "" if kept.state == EVERY else kept.state,
        } | changes
        made = QueryDict(mutable=True)
        made.update({name: str(value) for name, value in values.items() if value not in ("", None)})
        return made.urlencode()


def _month(text: str) -> datetime.date | None:
    found = _MONTH.fullmatch(text)
    if found is None or not 1 <= int(found[2]) <= 12:
        return None
    year = int(found[1])
    return datetime.date(year, int(found[2]), 1) if FIRST_DAY.year <= year <= LAST_DAY.year else None


@dataclasses.dataclass(frozen=True)
class Line:
    """A line of the calendar as the page shows it: its mark, state and days left in words; `address` is empty for who may not open it."""

    entry: Entry
    kind: str
    mark: str
    shape: str
    state: str
    left: str
    address: str


@dataclasses.dataclass(frozen=True)
class Month:
    """A month with its lines."""

    first: datetime.date
    lines: list[Line]


@dataclasses.dataclass
class CalendarPage:
    """What the page shows of a room to somebody."""

    room: Room
    permissions: Permissions
    chosen: Chosen
    now: datetime.datetime = dataclasses.field(default_factory=timezone.now)

    @functools.cached_property
    def today(self) -> datetime.date:
        return local_day(self.room, self.now)

    @property
    def first(self) -> datetime.date:
        """The first day that is shown."""
        return self.chosen.month or self.today.replace(day=1)

    @property
    def last(self) -> datetime.date:
        """The last day that is shown."""
        after = months_after(self.first, self.chosen.months)
        return after - datetime.timedelta(days=1) if after > self.first else LAST_DAY

    @functools.cached_property
    def overdue(self) -> list[Line]:
        """What is overdue and was due before the first day that is shown."""
        return self._lines(overdue_before(self.room, self.first, self.today, self.chosen.filter))

    @functools.cached_property
    def lines(self) -> list[Line]:
        """The lines of the days that are shown."""
        return self._lines(calendar_of(self.room, self.first, self.last, self.today, self.chosen.filter))

    @property
    def months(self) -> list[Month]:
        """The months that are shown and have lines, each with its own."""
        months = itertools.groupby(self.lines, lambda line: line.entry.due_on.replace(day=1))
        return [Month(first, list(lines)) for first, lines in months]

    @property
    def is_narrowed(self) -> bool:
        """Whether the filter leaves anything out."""
        return self.chosen.filter != CalendarFilter()

    @property
    def says(self) -> str:
        """The line below the heading: what is overdue, and what is due soon, of what is shown."""
        lines = [*self.overdue, *self.lines]
        late = sum(each.entry.is_overdue(self.today) for each in lines)
        soon = sum(each.entry.is_soon(self.today) for each in lines)
        return f"{late or 'None'} overdue, {soon or 'none'} due soon"

    @property
    def earlier(self) -> str:
        return self.chosen.query(month=f"{months_after(self.first, -self.chosen.months):%Y-%m}")

    @property
    def later(self) -> str:
        return self.chosen.query(month=f"{months_after(self.first, self.chosen.months):%Y-%m}")

    @property
    def start(self) -> str:
        """The first month that is shown, as the address has it."""
        return f"{self.first:%Y-%m}"

    @property
    def starts(self) -> list[tuple[str, str]]:
        """The months that may be shown first: a year back and two ahead, and the one that is shown."""
        now = self.today.replace(day=1)
        months = {months_after(now, number) for number in range(-12, 25)} | {self.first}
        return [(f"{month:%Y-%m}", f"{month:%b %Y}") for month in sorted(months)]

    @property
    def kinds(self) -> list[tuple[str, str]]:
        return list(kinds().items())

    @property
    def states(self) -> list[tuple[str, str]]:
        return list(_STATE_WORDS.items())

    @property
    def spans(self) -> list[tuple[int, str]]:
        return [(each, "1 month" if each == 1 else f"{each} months") for each in sorted(SPANS)]

    @functools.cached_property
    def owners(self) -> list[Staff]:
        """Who may own an obligation, and is shown as the filter's choice."""
        return owners_of(self.room)

    @property
    def may_keep(self) -> bool:
        return self.permissions.may(Right.KEEP_OBLIGATIONS)

    @property
    def report(self) -> str:
        """The query of the report of the days that are shown."""
        return f"from={self.first.isoformat()}&to={self.last.isoformat()}"

    def _lines(self, entries: Iterable[Entry]) -> list[Line]:
        names = kinds()
        return named([self._line(entry, names[entry.kind]) for entry in entries])

    def _line(self, entry: Entry, kind: str) -> Line:
        mark, shape = mark_of(entry, self.today)
        may = entry.right is None or self.permissions.may(entry.right)
        return Line(
            entry,
            kind,
            mark,
            shape,
            state_of(entry, self.today),
            left_of(entry, self.today),
            entry.address if may else "",
        )


def owners_of(room: Room) -> list[Staff]:
    """Return who may own an obligation: whoever keeps the calendar here."""
    people = Staff.objects.filter(
        is_active=True, employments__room=room, employments__role__in=RIGHTS[Right.KEEP_OBLIGATIONS]
    )
    return list(people.distinct().order_by("display_name", "username"))


def mark_of(entry: Entry, today: datetime.date) -> tuple[str, str]:
    """Return the tone and the shape of a line."""
    if entry.is_overdue(today):
        return "stop", "■"
    if entry.is_soon(today):
        return "look", "▲"
    if entry.state == State.DONE:
        return "done", "✓"
    return "none", "–" if entry.state == State.NOT_APPLICABLE else "○"


def state_of(entry: Entry, today: datetime.date) -> str:
    """Return how far a line is, in a word or two."""
    if entry.is_overdue(today):
        return "overdue"
    if entry.is_soon(today):
        return "due soon"
    return _STATE_WORDS[str(entry.state)] if entry.state != DATE else "date"


def left_of(entry: Entry, today: datetime.date) -> str:
    """Return how many days are left, or how many it is late; empty where nothing is to be done any more."""
    left = entry.days_left(today)
    days = "1 day" if abs(left) == 1 else f"{abs(left)} days"
    if not entry.is_open:
        return (
            f"in {days}"
            if entry.state == DATE and left > 0
            else "today"
            if entry.state == DATE and not left
            else ""
        )
    if left < 0:
        return f"{days} late"
    return "today" if left == 0 else f"{days} left"
