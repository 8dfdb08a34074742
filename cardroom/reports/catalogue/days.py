"""Report on gaming days, a row each: how a week or a month went, beside the same days before."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from django.urls import reverse

from cardroom.documents.answering import Told, off_text
from cardroom.documents.document import Answer, Chart, Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.documents.formatting import several
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day

from ..queries.banking import banking_in
from ..queries.query import Report, ReportQuery, Scope
from ..results.figures import DROP, EXCEPTIONS, PACE, Figure, figures_of
from ..results.played import DAY, WEEK, Days, Held, Played, same_days_before, span_text
from ..sections.collection import drop_by_day

_NOTES: Final = (
    (
        "A day is the current reports of its shifts, added up; a shift that has no report yet is counted from its rows where it is "
        "the only day asked about or the present one, and else in nothing. A day that is not over is marked."
    ),
    (
        "Differences are of the figures as they are printed, and per cent is of the earlier one. Like is held against like: days "
        "against the same weekdays before, days from the first of a month on against those of the month before."
    ),
    "Over / (short) is of the counted boxes alone. The jackpot is in boxes of its own and in no other figure.",
    "Exceptions are the items of the inbox.",
)


def days(query: ReportQuery) -> ReportDocument:
    """Tell the gaming days asked about, each and in all, beside the days before."""
    now = query.first, query.last
    then = same_days_before(*now)
    played = Played(query.room, query.staff, query.now, min(then[0], query.first - WEEK), query.last)
    today = gaming_day(query.room, query.now)
    for shift in played.of(*now):
        if query.first == query.last or shift.gaming_day == today:
            played.result(shift)
    figures = figures_of(banking_in(query.room, query.shifts))
    told = [day for day in _days_of(now) if any(played.known(shift) for shift in played.of(day, day))]
    held = played.held_against(now, then) if told else None
    return query.document(
        "days",
        "Day by day",
        answers=list(_answers(held, figures)),
        charts=list(_charts(played, figures, told, now, then if held and held.was else None)),
        grids=[_by_day(played, figures, told, held), _in_all(held, figures, now, then)],
        notes=_NOTES,
    )


def _days_of(span: Days) -> list[datetime.date]:
    return [span[0] + DAY * at for at in range((span[1] - span[0]).days + 1)]


def _column(figure: Figure) -> Column:
    """The column of a figure."""
    if figure.is_pace:
        return Column(figure.name, figure.heading, Kind.FIGURE)
    if not figure.is_money:
        return Column(figure.name, figure.heading, Kind.COUNT, adds=True)
    return Column(f"{figure.name}_cents", figure.heading, Kind.MONEY, adds=True)


def _value(figure: Figure, value: int | None) -> Value:
    return (figure.text(value) if value is not None else "none") if figure.is_pace else value


def _by_day(
    played: Played, figures: Sequence[Figure], told: Sequence[datetime.date], held_in_all: Held | None
) -> Grid:
    """A row a day; of its first figure, how it stands beside the same weekday a week before."""
    first, *others = figures
    columns = [
        Column("gaming_day", "Gaming day", Kind.DAY),
        Column("shifts", "Shifts", Kind.COUNT, adds=True),
        _column(first),
        Column("change", "against a week before", Kind.FIGURE),
        *(_column(figure) for figure in others),
        Column("boxes_open", "Boxes not counted", Kind.COUNT, adds=True),
        Column("exceptions_open", "Exceptions not closed", Kind.COUNT, adds=True),
        Column("standing", "Over"),
    ]
    rows = []
    for day in told:
        held = played.held_against((day, day), (day - WEEK, day - WEEK))
        result = held.now
        scope = Scope(room=played.room, first=day, last=day)
        values: dict[str, Value] = {
            "gaming_day": day,
            "shifts": result.shifts,
            "change": "none"
            if held.was is None
            else first.change_text(first.read(result), first.read(held.was)) or "none",
            "boxes_open": result.boxes_open,
            "exceptions_open": result.exceptions_open,
            "standing": _standing(played, day, held),
        }
        links = {"gaming_day": reverse("web:period_report", args=[played.room.code, day.isoformat()])}
        for figure in figures:
            name = _column(figure).name
            values[name] = _value(figure, figure.read(result))
            links[name] = figure.address(scope)
        open_ = values["standing"] != "whole" or result.boxes_open
        rows.append(Row(values, links, Mark.LOOK if open_ else Mark.NONE))
    over_short = None if held_in_all is None else held_in_all.now.over_short_cents
    exact = {} if over_short is None else {"over_short_cents": over_short}  # of the boxes that hung
    in_all = (
        {}
        if held_in_all is None
        else {
            _column(figure).name: str(_value(figure, figure.read(held_in_all.now)))
            for figure in figures
            if figure.is_pace
        }
    )
    empty = "No shift of this time is reported."
    return Grid("days", "Day by day", columns, rows, empty=empty, exact=exact, in_all=in_all)


def _standing(played: Played, day: datetime.date, held: Held) -> str:
    """Whether a day is over, in words."""
    if any(shift.closed_at is None for shift in played.of(day, day)):
        return "in play"
    return f"in part: {held.part}" if held.part else "whole"


def _in_all(held: Held | None, figures: Sequence[Figure], now: Days, then: Days) -> Grid:
    """The days in all, beside those before."""
    columns = (
        Column("figure", "Figure"),
        Column("now", span_text(*now), Kind.FIGURE),
        Column("before", span_text(*then), Kind.FIGURE),
        Column("change", "Change", Kind.FIGURE),
    )
    rows = [
        Row(
            {
                "figure": figure.heading,
                "now": figure.text(figure.read(held.now)),
                "before": "none" if held.was is None else figure.text(figure.read(held.was)),
                "change": _change(held, figure),
            }
        )
        for figure in figures
        if held is not None
    ]
    text = (
        "" if held is None else f"{(held.against or held.part)[:1].upper()}{(held.against or held.part)[1:]}."
    )
    return Grid("in_all", "In all, and the days before", columns, rows, text=text)


def _change(held: Held, figure: Figure) -> str:
    if held.was is None:
        return "none"
    return figure.change_text(figure.read(held.now), figure.read(held.was)) or "none"


def _answers(held: Held | None, figures: Sequence[Figure]) -> Iterator[Answer]:
    if held is None:
        return
    for figure in figures:
        value, column = figure.read(held.now), _column(figure)
        text = "" if held.was is None else figure.change_text(value, figure.read(held.was))
        mark = Mark.NONE
        if figure.is_difference:
            text = f"{held.now.boxes_counted} of {held.now.boxes} boxes counted"
            mark = Mark.STOP if value else Mark.LOOK if held.now.boxes_open or value is None else Mark.DONE
        elif figure is EXCEPTIONS and held.now.exceptions_open:
            text, mark = f"{held.now.exceptions_open} not closed", Mark.LOOK
        yield Answer(column.name, figure.heading, _value(figure, value), column.kind, mark, text=text)


def _charts(
    played: Played, figures: Sequence[Figure], told: Sequence[datetime.date], now: Days, before: Days | None
) -> Iterator[Chart]:
    """The days as bars, with those before as a line where they are compared; fewer than two have no shape."""
    if len(told) < 2:
        return
    every = _days_of(now)
    in_part = [any(shift.pk not in played.reported for shift in played.of(day, day)) for day in every]

    links = [reverse("web:period_report", args=[played.room.code, day.isoformat()]) for day in every]

    def value(figure: Figure, day: datetime.date) -> int | None:
        shifts = played.of(day, day)
        return figure.read(played.sum(shifts)) if any(played.known(shift) for shift in shifts) else None

    def values(figure: Figure, days: Sequence[datetime.date]) -> list[int | None]:
        return [value(figure, day) for day in days]

    charts: list[tuple[Figure, Callable[[Mapping[datetime.date, int], Sequence[bool]], Chart]]]
    charts = [(DROP, drop_by_day)] if DROP in figures else []
    for figure, drawn in (*charts, (PACE, _paces)):
        bars = dict(zip(every, (each or 0 for each in values(figure, every)), strict=True))
        chart = dataclasses.replace(drawn(bars, in_part), links=links)
        if before is not None:
            then = values(figure, _days_of(before)[: len(every)])
            line = [*then, *[None] * (len(every) - len(then))]
            chart = dataclasses.replace(chart, before=line, before_name=span_text(*before))
        yield chart


def _paces(paces: Mapping[datetime.date, int], in_part: Sequence[bool]) -> Chart:
    labels = [f"{day:%b} {day.day}" for day in paces]
    title = "Rounds an hour, by gaming day"
    return Chart("paces", title, labels, list(paces.values()), tenths=True, in_part=in_part, unit="rounds")


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.rows("days"):
        return "No shift of this time is reported"
    name, took = ("drop_cents", "took") if "drop_cents" in figures else ("win_cents", "won")
    known = figures["over_short_cents"] is not None
    short = off_text(figures, "over_short_cents")
    boxes = f"the counted boxes are {short}" if known else "its boxes are not counted yet"
    days = several(len(figures.rows("days")), "gaming day")
    return f"{days} {took} {figures.text(name)} in {figures.several('days.shifts', 'shift')}; {boxes}"


DAYS = Report(
    name="days",
    title="Day by day",
    text="How did a week or a month go, day by day and beside the one before?",
    right=Right.SEE_REPORTS,
    make=days,
    answer=_answer,
    by_table=False,
)
