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
from cardroom.documents.formatting import tenths_text
from cardroom.floor.models import Shift
from cardroom.people.models import Staff
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..periods.weeks import monday_of
from ..queries.query import Scope
from .result import Result, added, results_of
from .so_far import result_until, same_minute_before

_DAY: Final = datetime.timedelta(days=1)
_WEEK: Final = datetime.timedelta(days=7)
#: First and last gaming day, both included.
Days = tuple[datetime.date, datetime.date]

#: Why a line is in part.
IN_PLAY, REPORT_DUE, COUNT_OPEN = "in play", "report being made", "count not over"


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

    `today_lines` are the shifts of today, of which one may be open. `drops` is what the days of the month of `day` have
    dropped, in cents; those of `not_over` are not over, or lack a report. `began` is the first gaming day on record.
    """

    room: Room
    now: datetime.datetime
    today: datetime.date
    began: datetime.date | None
    day: datetime.date | None
    shifts: Sequence[Line]
    in_all: Line | None
    week: Line | None
    month: Line | None
    today_lines: Sequence[Line]
    drops: Mapping[datetime.date, int]
    not_over: Collection[datetime.date]

    @property
    def month_of_days(self) -> list[datetime.date]:
        """The days of the month that `drops` is about."""
        first = (self.day or self.today).replace(day=1)
        return [first + _DAY * at for at in range(calendar.monthrange(first.year, first.month)[1])]


def overview_of(room: Room, staff: Staff, now: datetime.datetime) -> Overview:
    """Return how a room did up to `now`."""
    today = gaming_day(room, now)
    days = Shift.objects.filter(room=room).order_by("gaming_day").values_list("gaming_day", flat=True)
    day = days.filter(gaming_day__lt=today).last()
    shown = day or today
    played = _Played(room, staff, now, min(_month_before(shown), monday_of(shown) - _WEEK), today)
    shifts, today_lines = list(played.lines_of(shown)), list(played.lines_of(today))
    month = [
        each
        for each in played.shifts
        if (each.gaming_day.year, each.gaming_day.month) == (shown.year, shown.month)
    ]
    drops: Counter[datetime.date] = Counter()
    for shift in month:
        if (result := played.known(shift)) is not None:
            drops[shift.gaming_day] += result.drop_cents
    return Overview(
        room=room,
        now=now,
        today=today,
        began=played.began,
        day=day,
        shifts=shifts if day else [],
        in_all=played.in_all(day) if day else None,
        week=played.week(day) if day else None,
        month=played.month(day) if day else None,
        today_lines=today_lines,
        drops=drops,
        not_over={today, *(shift.gaming_day for shift in month if shift.pk not in played.reported)},
    )


def _month_before(day: datetime.date) -> datetime.date:
    """Return the first day of the month before that of `day`."""
    return (day.replace(day=1) - _DAY).replace(day=1)


class _Played:
    """The shifts of gaming days `first` to `last`, with what each came to."""

    def __init__(
        self, room: Room, staff: Staff, now: datetime.datetime, first: datetime.date, last: datetime.date
    ) -> None:
        self.room, self.staff, self.now = room, staff, now
        found = Shift.objects.filter(room=room, gaming_day__range=(first, last))
        self.shifts = list(found.select_related("room").order_by("opened_at"))
        self.reported = results_of(shift.pk for shift in self.shifts)
        self.counted: dict[int, Result] = {}
        first_ever = Shift.objects.filter(room=room).order_by("gaming_day")
        self.began = first_ever.values_list("gaming_day", flat=True).first()

    def of(self, first: datetime.date, last: datetime.date) -> list[Shift]:
        return [shift for shift in self.shifts if first <= shift.gaming_day <= last]

    def result(self, shift: Shift) -> Result:
        """What a shift came to: by its report, or else by its rows so far."""
        if (known := self.known(shift)) is not None:
            return known
        result = result_until(shift, self.staff, shift.closed_at or self.now)
        self.counted[shift.pk] = result
        return result

    def known(self, shift: Shift) -> Result | None:
        """The same, as far as it was read: the rows of many shifts are not counted while somebody waits."""
        return self.reported.get(shift.pk) or self.counted.get(shift.pk)

    def lines_of(self, day: datetime.date) -> Iterator[Line]:
        """A line a shift of a day, each beside the shift of the same name a week before."""
        before = {shift.name: shift for shift in self.of(day - _WEEK, day - _WEEK)}
        for shift in self.of(day, day):
            yield self._line(shift, before.get(shift.name))

    def _line(self, shift: Shift, before: Shift | None) -> Line:
        now, was, closed_at = self.result(shift), None, shift.closed_at
        on = day_text(shift.gaming_day - _WEEK)
        if closed_at is None:
            minute = same_minute_before(self.room, self.now)
            if before is not None and before.opened_at <= minute:
                was = result_until(before, self.staff, minute)
            against = f"until {time_text(self.now, self.room.zone)}"
            against += f", as was {on}" if was else f"; no {shift.name} then on {on}"
            times, part = f"since {time_text(shift.opened_at, self.room.zone)}", IN_PLAY
        else:
            was = None if before is None else self.reported.get(before.pk)
            against = (
                "" if was else f"no report of {shift.name}, {on}" if before else f"no {shift.name} on {on}"
            )
            times = " – ".join(time_text(at, self.room.zone) for at in (shift.opened_at, closed_at))
            part = REPORT_DUE if shift.pk not in self.reported else COUNT_OPEN if now.boxes_open else ""
        return Line(
            name=shift.name,
            about=f"{times} · {several(len(now.tables), 'table')}",
            scope=Scope(room=self.room, first=shift.gaming_day, last=shift.gaming_day, shift=shift),
            now=now,
            was=was,
            against=against,
            part=part,
        )

    def in_all(self, day: datetime.date) -> Line:
        """The shifts of a day added up, beside those of the day a week before."""
        now = self._sum(self.of(day, day))
        about = several(now.rounds, "round")
        if now.table_seconds:
            about += f" · {tenths_text((now.table_seconds + 180) // 360)} table hours"
        return self._period(f"{day:%A} in all", (day, day), (day - _WEEK, day - _WEEK), now=now, about=about)

    def week(self, day: datetime.date) -> Line:
        """The week of a day up to it, beside the same weekdays of the week before."""
        first = monday_of(day)
        days = f"{(day - first).days + 1} of 7 days"
        return self._period("Week to date", (first, day), (first - _WEEK, day - _WEEK), days=days)

    def month(self, day: datetime.date) -> Line:
        """The month of a day up to it, beside the same days of the month before: all of that where it has fewer."""
        before = _month_before(day)
        length, its = (calendar.monthrange(each.year, each.month)[1] for each in (day, before))
        then = before, before.replace(day=min(day.day, its))
        days = f"{day.day} of {length} days"
        return self._period("Month to date", (day.replace(day=1), day), then, days=days, by_weekday=False)

    def _period(
        self,
        name: str,
        days_now: Days,
        days_then: Days,
        *,
        now: Result | None = None,
        about: str = "",
        days: str = "",
        by_weekday: bool = True,
    ) -> Line:
        shifts = self.of(*days_now)
        why = self._why_not_compared(days_now, days_then, by_weekday)
        lacking = sum(shift.pk not in self.reported for shift in shifts)
        is_whole = all(shift.closed_at is not None and self.known(shift) is not None for shift in shifts)
        against = why or ("" if about else f"against {span_text(*days_then)}")
        fewer = (days_now[1] - days_now[0]) - (days_then[1] - days_then[0])
        if not why and fewer:
            against += f", {several(fewer.days, 'day')} fewer"
        return Line(
            name=name,
            about=about,
            scope=Scope(room=self.room, first=days_now[0], last=days_now[1]),
            now=now or self._sum(shifts),
            was=self._sum(self.of(*days_then)) if is_whole and not why else None,
            against=against,
            part=f"{len(shifts) - lacking} of {len(shifts)} shifts reported" if lacking else "",
            days=days,
        )

    def _sum(self, shifts: Sequence[Shift]) -> Result:
        """What those of some shifts came to that are known; one of them is."""
        found = added(result for shift in shifts if (result := self.known(shift)) is not None)
        assert found is not None
        return found

    def _why_not_compared(self, now: Days, then: Days, by_weekday: bool) -> str:
        """Why a time is not held against an earlier one, empty where it is: like is held with like, or nothing with nothing."""
        before = self.of(*then)
        assert self.began is not None  # one is asked about
        if self.began > then[0]:
            return f"nothing before {day_text(self.began)} to compare with"
        if not before:
            return f"no shift on {span_text(*then)} to compare with"
        if lacking := sum(shift.pk not in self.reported for shift in before):
            return f"{several(lacking, 'shift')} of {span_text(*then)} not reported yet"
        if by_weekday:
            slots = {(shift.gaming_day + _WEEK, shift.name) for shift in before}
            for shift in self.of(*now):
                if (shift.gaming_day, shift.name) not in slots:
                    return f"no {shift.name} on {day_text(shift.gaming_day - _WEEK)} to compare with"
        return ""


def span_text(first: datetime.date, last: datetime.date) -> str:
    """Return days in words: "Nov 16 – 17", "Oct 26 – Nov 1", "Nov 17"."""
    if first == last:
        return f"{first:%b} {first.day}"
    return f"{first:%b} {first.day} – {'' if first.month == last.month else f'{last:%b} '}{last.day}"


def several(count: int, word: str) -> str:
    """Return a count with its word: "1 round", "2,300 boxes"."""
    plural = "es" if word.endswith("x") else "s"
    return f"{count:,} {word}{'' if count == 1 else plural}"
