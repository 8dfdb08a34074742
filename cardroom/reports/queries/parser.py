"""Parses what a user asks for, on a page or at the API, into a query that a report can answer."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from cardroom.core.dates import day_text
from cardroom.floor.errors import BadInput
from cardroom.floor.models import Shift, Table
from cardroom.people.models import Staff
from cardroom.rooms.gaming_day import FIRST_DAY, LAST_DAY, gaming_day, why_no_day
from cardroom.rooms.models import Room

from .query import MOST_DAYS, Report, ReportQuery


def report_query_of(
    report: Report,
    room: Room,
    staff: Staff,
    now: datetime.datetime,
    *,
    first: datetime.date | None = None,
    last: datetime.date | None = None,
    table: int | None = None,
    shift: int | None = None,
    options: Mapping[str, str] | None = None,
) -> ReportQuery:
    """Return the question; `table` is the number painted on it, `shift` an id.

    Without days it is about the gaming day of the last shift, or the weeks of the report up to it, with one of the two
    about that day. A shift brings its own day. What `options` leaves out takes its default.

    Raises BadInput (400) with the place in `path`: `from`, `to`, `table`, `shift`, or the option's name.
    """
    of_shift = None if shift is None else _shift(report, room, shift)
    if of_shift is not None:
        first = last = of_shift.gaming_day
    first, last = _days(report, room, now, first, last)
    return ReportQuery(
        room=room,
        first=first,
        last=last,
        staff=staff,
        now=now,
        table=None if table is None else _table(report, room, table),
        shift=of_shift,
        options=_options(report, room, options or {}),
    )


def last_day(room: Room, now: datetime.datetime) -> datetime.date:
    """Return the gaming day of the last shift of `room`; the present one where there was none."""
    last = Shift.objects.filter(room=room).order_by("-opened_at").values_list("gaming_day", flat=True).first()
    return last or gaming_day(room, now)


def presets(room: Room, now: datetime.datetime) -> list[tuple[str, datetime.date, datetime.date]]:
    """Return the periods that are asked for most: name, first and last gaming day. A week begins on Monday."""
    today = gaming_day(room, now)
    day = datetime.timedelta(days=1)
    month, monday = today.replace(day=1), today - day * today.weekday()
    return [
        ("today", today, today),
        ("yesterday", today - day, today - day),
        ("this week", monday, today),
        ("last week", monday - 7 * day, monday - day),
        ("this month", month, today),
        ("last month", (month - day).replace(day=1), month - day),
    ]


def usual_days(report: Report, room: Room, now: datetime.datetime) -> tuple[datetime.date, datetime.date]:
    """Return the gaming days that a report is about without any: that of the last shift, or whole weeks up to that of it."""
    last = last_day(room, now)
    if not report.weeks:
        return last, last
    sunday = last + datetime.timedelta(days=6 - last.weekday())
    return sunday - datetime.timedelta(weeks=report.weeks, days=-1), sunday


def _days(
    report: Report,
    room: Room,
    now: datetime.datetime,
    first: datetime.date | None,
    last: datetime.date | None,
) -> tuple[datetime.date, datetime.date]:
    if first is None and last is None:
        first, last = usual_days(report, room, now)
    first, last = first or last, last or first
    assert first is not None
    assert last is not None
    if last < first:
        raise _bad(
            "days_reversed",
            f"The period ends on {day_text(last)}, before it begins on {day_text(first)}.",
            "to",
        )
    if why_no_day(first) or why_no_day(last):
        raise _bad("out_of_range", f"Give days between {FIRST_DAY} and {LAST_DAY}.", "from")
    if (days := (last - first).days + 1) > MOST_DAYS:
        raise _bad("too_many_days", f"A report spans at most {MOST_DAYS} gaming days, not {days}.", "to")
    return first, last


def _table(report: Report, room: Room, number: int) -> Table:
    if not report.by_table:
        raise _bad(
            "not_by_table", f"“{report.title}” is about the room as a whole, not about a table.", "table"
        )
    found = Table.objects.filter(room=room, number=number).first()
    if found is None:
        raise _bad("unknown_table", f"There is no table {number} in {room}.", "table")
    return found


def _shift(report: Report, room: Room, number: int) -> Shift:
    if not report.by_shift:
        raise _bad("not_by_shift", f"“{report.title}” is about gaming days, not about a shift.", "shift")
    found = Shift.objects.filter(room=room, pk=number).first()
    if found is None:
        raise _bad("unknown_shift", f"{room} has no shift {number}.", "shift")
    return found


def _options(report: Report, room: Room, given: Mapping[str, str]) -> dict[str, str]:
    known = {option.name: [value for value, _ in option.choices(room)] for option in report.options}
    for name, value in given.items():
        if name not in known:
            offered = ", ".join(known) or "none"
            raise _bad(
                "unknown_key", f"“{report.title}” has no choice {name!r}. Its own are: {offered}.", name
            )
        if value not in known[name]:
            offered = ", ".join(repr(choice) for choice in known[name][:20]) or "none"
            raise _bad("unknown_choice", f"{value[:40]!r} is none of the choices: {offered}.", name)
    return {name: given.get(name, next(iter(values), "")) for name, values in known.items()}


def _bad(code: str, message: str, path: str) -> BadInput:
    return BadInput(code, message, path=path, status=400)
