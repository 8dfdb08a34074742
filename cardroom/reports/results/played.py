"""The shifts of some gaming days with what each came to, and what of them is held against what."""

from __future__ import annotations

import calendar
import dataclasses
import datetime
from collections.abc import Sequence
from typing import Final, NamedTuple

from cardroom.core.dates import day_text
from cardroom.documents.formatting import several
from cardroom.floor.models import Shift
from cardroom.people.models import Staff
from cardroom.rooms.models import Room

from .exceptions import exceptions_of
from .result import Result, added, results_of
from .so_far import result_until

DAY: Final = datetime.timedelta(days=1)
WEEK: Final = datetime.timedelta(days=7)
#: First and last gaming day, both included.
Days = tuple[datetime.date, datetime.date]


class Held(NamedTuple):
    """What some days came to, and what others did; None where there is nothing to compare with.

    `against` says which, or why not; `part` how many shifts are reported where not all of them are.
    """

    now: Result
    was: Result | None
    against: str
    part: str


class Played:
    """The shifts of gaming days `first` to `last`, with what each came to."""

    def __init__(
        self, room: Room, staff: Staff, now: datetime.datetime, first: datetime.date, last: datetime.date
    ) -> None:
        self.room, self.staff, self.now = room, staff, now
        found = Shift.objects.filter(room=room, gaming_day__range=(first, last))
        self.shifts = list(found.select_related("room").order_by("opened_at"))
        self._exceptions = exceptions_of(room, self.shifts)
        reported = results_of(shift.pk for shift in self.shifts)
        self.reported = {pk: self._with_exceptions(pk, result) for pk, result in reported.items()}
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
        self.counted[shift.pk] = self._with_exceptions(shift.pk, result)
        return self.counted[shift.pk]

    def _with_exceptions(self, shift: int, result: Result) -> Result:
        """A result with the items of its shift, which no report says."""
        found = self._exceptions.get(shift)
        if found is None:
            return result
        return dataclasses.replace(result, exceptions=found.found, exceptions_open=found.not_closed)

    def known(self, shift: Shift) -> Result | None:
        """The same, as far as it was read: the rows of many shifts are not counted while somebody waits."""
        return self.reported.get(shift.pk) or self.counted.get(shift.pk)

    def all_known(self, shifts: Sequence[Shift]) -> bool:
        """Whether what each of some shifts came to was read."""
        return all(self.known(shift) is not None for shift in shifts)

    def sum(self, shifts: Sequence[Shift]) -> Result:
        """What those of some shifts came to that are known; one of them is."""
        found = added(result for shift in shifts if (result := self.known(shift)) is not None)
        assert found is not None
        return found

    def held_against(self, now: Days, then: Days) -> Held:
        """Hold what some days came to against what others did: like against like, or nothing against nothing."""
        shifts = self.of(*now)
        lacking = sum(shift.pk not in self.reported for shift in shifts)
        is_whole = self.all_known(shifts) and all(shift.closed_at is not None for shift in shifts)
        why = self._why_not(now, then)
        fewer = (now[1] - now[0]) - (then[1] - then[0])
        return Held(
            now=self.sum(shifts),
            was=self.sum(self.of(*then)) if is_whole and not why else None,
            against=why
            or f"against {span_text(*then)}" + (f", {several(fewer.days, 'day')} fewer" if fewer else ""),
            part=f"{len(shifts) - lacking} of {several(len(shifts), 'shift')} reported" if lacking else "",
        )

    def _why_not(self, now: Days, then: Days) -> str:
        """Why days are not held against earlier ones; empty where they are."""
        before, is_month = self.of(*then), now[0].day == then[0].day == 1
        assert self.began is not None  # one is asked about
        if self.began > then[0]:
            return f"nothing before {day_text(self.began)} to compare with"
        if not before:
            return f"no shift on {span_text(*then)} to compare with"
        if lacking := sum(self.known(shift) is None for shift in before):
            return f"{several(lacking, 'report')} of {span_text(*then)} still to come"
        if not is_month:
            weeks = now[0] - then[0]
            slots = {(shift.gaming_day, shift.name) for shift in before}
            for shift in self.of(*now):
                day = shift.gaming_day - weeks
                if (day, shift.name) not in slots:
                    return f"there was no {shift.name} shift on {day_text(day)} to compare with"
        return ""


def month_before(day: datetime.date) -> datetime.date:
    """Return the first day of the month before that of `day`."""
    return (day.replace(day=1) - DAY).replace(day=1)


def same_days_before(first: datetime.date, last: datetime.date) -> Days:
    """Return the days that some are held against: the same weekdays before, or the same days of the month before.

    The latter for days from the first of a month on, unless they are a week; a shorter month before is taken whole.
    """
    is_week = first.weekday() == 0 and last - first < WEEK
    if first.day == 1 and last.replace(day=1) == first and last > first and not is_week:
        before = month_before(first)
        its = calendar.monthrange(before.year, before.month)[1]
        return before, before.replace(day=min(last.day, its))
    weeks = ((last - first).days // 7 + 1) * WEEK
    return first - weeks, last - weeks


def span_text(first: datetime.date, last: datetime.date) -> str:
    """Return days in words: "Nov 16 – 17", "Oct 26 – Nov 1", "Nov 17"."""
    if first == last:
        return f"{first:%b} {first.day}"
    return f"{first:%b} {first.day} – {'' if first.month == last.month else f'{last:%b} '}{last.day}"
