"""How a room did: the last gaming day by its shifts, its week and its month so far, and today, each beside the same time before.

The figures are those of the stored shift reports. Of an open shift, and of one whose report is still being made, they are
counted from the rows (`so_far`).
"""

from __future__ import annotations

import calendar
import dataclasses
import datetime
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from cardroom.core.dates import day_text, time_text
from cardroom.documents.formatting import several, tenths_text
from cardroom.floor.models import Shift
from cardroom.people.models import Staff
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..periods.weeks import monday_of
from ..queries.query import Scope
from .played import DAY, WEEK, Days, Played, month_before, span_text
from .result import Result
from .so_far import result_until, same_minute_before

#: Why a line is in part.
IN_PLAY, REPORT_DUE, COUNT_OPEN = "in play", "report being made", "count not over"
#: Weeks before a day of which the same weekday is what is usual. They are read with the month before the day's own.
USUAL_WEEKS: Final = 4


@dataclasses.dataclass(frozen=True)
class Line:
    """What a time came to, `now`, and the same time before, `was`: None where there is nothing to compare with.

    `about` says what it is, `against` what it is compared with, or why with nothing. `part` says why it is not over, empty
    where it is; `days` how much of a week or month is there.
    """

    name: str
    about: str
    scope: Scope
    now: Result
    was: Result | None = None
    against: str = ""
    part: str = ""
    days: str = ""


@dataclasses.dataclass(frozen=True)
class Overview:
    """The lines of a room. `day` is the last gaming day before `today` on which a shift was open; None: there was none.

    `weekdays` is what the same weekday came to in each of the four weeks before `day`, the latest first; empty unless each of
    those days had the shifts of `day`, and all of them are over and known.
    `today_lines` are the shifts of today, of which one may be open. `drops` is what the days of the month of `day` have
    dropped, in cents; those of `not_over` are not over, or lack a report. `began` is the first gaming day on record.
    `closed` shifts of the days that are looked at are over, and `reported` of them have their report. `week` and `month` are None
    while a shift of theirs is not known, and `drops` is empty.
    """

    room: Room
    now: datetime.datetime
    today: datetime.date
    began: datetime.date | None
    day: datetime.date | None
    shifts: Sequence[Line]
    in_all: Line | None
    weekdays: Sequence[Result]
    week: Line | None
    month: Line | None
    today_lines: Sequence[Line]
    drops: Mapping[datetime.date, int]
    not_over: Collection[datetime.date]
    closed: int
    reported: int

    @property
    def lacking(self) -> int:
        """Shifts whose report is still to come."""
        return self.closed - self.reported

    @property
    def month_of_days(self) -> list[datetime.date]:
        """The days of the month that `drops` is about."""
        first = (self.day or self.today).replace(day=1)
        return [first + DAY * at for at in range(calendar.monthrange(first.year, first.month)[1])]


def overview_of(room: Room, staff: Staff, now: datetime.datetime) -> Overview:
    """Return how a room did up to `now`."""
    today = gaming_day(room, now)
    days = Shift.objects.filter(room=room).order_by("gaming_day").values_list("gaming_day", flat=True)
    day = days.filter(gaming_day__lt=today).last()
    shown = day or today
    played = Played(room, staff, now, min(month_before(shown), monday_of(shown) - WEEK), today)
    lines = _Lines(played)
    shifts, today_lines = list(lines.lines_of(shown)), list(lines.lines_of(today))
    month = [
        each
        for each in played.shifts
        if (each.gaming_day.year, each.gaming_day.month) == (shown.year, shown.month)
    ]
    drops: Counter[datetime.date] = Counter()
    if played.all_known(month):
        for shift in month:
            drops[shift.gaming_day] += played.result(shift).drop_cents
    closed = [shift for shift in played.shifts if shift.closed_at is not None]
    return Overview(
        room=room,
        now=now,
        today=today,
        began=played.began,
        day=day,
        shifts=shifts if day else [],
        in_all=lines.in_all(day) if day else None,
        weekdays=lines.weekdays(day) if day else [],
        week=lines.week(day) if day else None,
        month=lines.month(day) if day else None,
        today_lines=today_lines,
        drops=drops,
        not_over={today, *(shift.gaming_day for shift in month if shift.pk not in played.reported)},
        closed=len(closed),
        reported=sum(shift.pk in played.reported for shift in closed),
    )


class _Lines:
    """The lines of an overview, from the shifts of its days."""

    def __init__(self, played: Played) -> None:
        self._played, self._room = played, played.room
        self._staff, self._now = played.staff, played.now

    def lines_of(self, day: datetime.date) -> Iterator[Line]:
        """A line a shift of a day, each beside the shift of the same name a week before."""
        before = {shift.name: shift for shift in self._played.of(day - WEEK, day - WEEK)}
        for shift in self._played.of(day, day):
            yield self._line(shift, before.get(shift.name))

    def _line(self, shift: Shift, before: Shift | None) -> Line:
        now, was, closed_at = self._played.result(shift), None, shift.closed_at
        on = day_text(shift.gaming_day - WEEK)
        none = f"there was no {shift.name} shift on {on} to compare with"
        if closed_at is None:
            minute = same_minute_before(self._room, self._now)
            if before is not None and before.opened_at <= minute:
                was = result_until(before, self._staff, minute)
            against = f"until {time_text(self._now, self._room.zone)}"
            if was is not None:
                against += f", as was {span_text(shift.gaming_day - WEEK, shift.gaming_day - WEEK)}"
            elif before is not None:
                against += (
                    f"; the {shift.name} shift of {on} opened later, so there is nothing to compare with"
                )
            else:
                against += f"; {none}"
            times, part = f"since {time_text(shift.opened_at, self._room.zone)}", IN_PLAY
        else:
            was = None if before is None or before.closed_at is None else self._played.result(before)
            against = "" if was else none
            times = " – ".join(time_text(at, self._room.zone) for at in (shift.opened_at, closed_at))
            part = (
                REPORT_DUE if shift.pk not in self._played.reported else COUNT_OPEN if now.boxes_open else ""
            )
        return Line(
            name=shift.name,
            about=f"{times} · {several(len(now.tables), 'table')}",
            scope=Scope(room=self._room, first=shift.gaming_day, last=shift.gaming_day, shift=shift),
            now=now,
            was=was,
            against=against,
            part=part,
        )

    def in_all(self, day: datetime.date) -> Line:
        """The shifts of a day added up, beside those of the day a week before."""
        line = self._period(f"{day:%A} in all", (day, day), (day - WEEK, day - WEEK))
        about = several(line.now.rounds, "round")
        if seconds := line.now.table_seconds:
            about += f" · {tenths_text((seconds + 180) // 360)} table hours"
        return dataclasses.replace(line, about=about, against="" if line.was else line.against)

    def weekdays(self, day: datetime.date) -> list[Result]:
        """What the same weekday came to in each of the weeks before, the latest first; empty where one is unlike `day`."""
        days = (day - WEEK * back for back in range(1, USUAL_WEEKS + 1))
        before = [self._played.held_against((day, day), (each, each)).was for each in days]
        found = [each for each in before if each is not None]
        return found if len(found) == USUAL_WEEKS else []

    def week(self, day: datetime.date) -> Line | None:
        """The week of a day up to it, beside the same weekdays of the week before; None while a shift of it is not known."""
        first = monday_of(day)
        then = first - WEEK, day - WEEK
        if not self._played.all_known(self._played.of(first, day)):
            return None
        return self._period("Week to date", (first, day), then, f"{(day - first).days + 1} of 7 days")

    def month(self, day: datetime.date) -> Line | None:
        """The month of a day up to it, beside the same days of the month before (all of that where it has fewer days).

        None while a shift of it is not known.
        """
        before = month_before(day)
        length, its = (calendar.monthrange(each.year, each.month)[1] for each in (day, before))
        then = before, before.replace(day=min(day.day, its))
        first = day.replace(day=1)
        if not self._played.all_known(self._played.of(first, day)):
            return None
        return self._period("Month to date", (first, day), then, f"{day.day} of {length} days")

    def _period(self, name: str, now: Days, then: Days, days: str = "") -> Line:
        held = self._played.held_against(now, then)
        return Line(
            name=name,
            about="",
            scope=Scope(room=self._room, first=now[0], last=now[1]),
            now=held.now,
            was=held.was,
            against=held.against,
            part=held.part,
            days=days,
        )
