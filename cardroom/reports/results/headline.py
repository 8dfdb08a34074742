"""The answer in a sentence, and its basis: what the last day took, and how that stands."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from cardroom.core.dates import day_text
from cardroom.documents.answering import off_by
from games.money import dollars

from ..summary.comparison import percent_text
from .figures import DROP, WIN, Figure
from .overview import Line, Overview
from .result import Result

#: Boxes that are named; of the others it says how many there are.
_MOST_BOXES = 3
_DAY = datetime.timedelta(days=1)
_WEEK = datetime.timedelta(days=7)


def headline(overview: Overview, *, players_bank: bool) -> str:
    """Return the answer: "Yesterday the room took $49,254, 4.2% more than the Tuesday before"."""
    line, day = overview.in_all, overview.day
    if line is None or day is None:
        return "Nothing has been played yet" if not overview.today_lines else "The first day is in play"
    name = _day_name(overview, day)
    when = name if name == "Yesterday" else f"On {name}"
    figure, took = (DROP, "took") if players_bank else (WIN, "won")
    now = figure.read(line.now)
    if now is None:
        cash = dollars(line.now.buy_ins_cents)
        return f"{when} the room took in {cash} cash; its win is known once every tray is closed"
    if now < 0:
        return f"{when} the room lost {dollars(-now)}"
    return f"{when} the room {took} {dollars(now)}{_against(figure, line, f'the {day:%A} before')}"


def basis(overview: Overview, *, players_bank: bool) -> Iterator[str]:
    """Return what the answer rests on, in sentences: against which day, what is counted, how the month stands."""
    line, day = overview.in_all, overview.day
    if line is None or day is None:
        yield "What stands here is told from the reports of shifts: the first is made when the first shift has closed."
        return
    figure, name = (DROP, "drop") if players_bank else (WIN, "house win")
    now = figure.read(line.now)
    if line.was is None:
        why = line.against or f"{line.part}, so it is not compared yet"
        yield f"{why[:1].upper()}{why[1:]}."
    elif now is not None and (was := figure.read(line.was)) is not None:
        yield f"The {name} was {dollars(now)}, and {dollars(was)} on {day_text(day - _WEEK)}."
    yield from _counted(line.now, _day_name(overview, day))
    if line.part:
        yield f"{line.part[:1].upper()}{line.part[1:]}; what has no report is counted from its rounds."
    month = overview.month
    if month is not None and (stands := figure.read(month.now)) is not None:
        before = f"{(day.replace(day=1) - datetime.timedelta(days=1)):%B} at the same day"
        against = _against(figure, month, before, more="above", less="below")
        part = f" with {month.part}" if month.part else ""
        yield f"The month stands at {dollars(stands)}{part}{against}."


def reports_to_come(overview: Overview) -> str:
    """Return how far the reports of earlier shifts have come, and what waits for them; empty once all are there."""
    if not overview.lacking:
        return ""
    text = (
        f"Reports of earlier shifts are being made, the newest first: "
        f"{overview.reported:,} of {overview.closed:,} are there."
    )
    return text if overview.week and overview.month else f"{text} The week and the month follow."


def _day_name(overview: Overview, day: datetime.date) -> str:
    """The last day as one calls it: "Yesterday", "Tuesday", "Sat Nov 21, 2026"."""
    if overview.today - day == _DAY:
        return "Yesterday"
    return f"{day:%A}" if overview.today - day < _WEEK else day_text(day)


def _against(
    figure: Figure, line: Line, before: str, *, more: str = "more than", less: str = "less than"
) -> str:
    """Say how a figure stands against the time before: ", 4.2% more than …"; nothing where that is not known."""
    now, was = figure.read(line.now), None if line.was is None else figure.read(line.was)
    if now is None or was is None or was <= 0:
        return ""
    change = percent_text(now, was)
    if now == was:
        return f", as much as {before}"
    if change.startswith("±"):
        return f", about as much as {before}"
    return f", {change[1:]} {more if now > was else less} {before}"


def _counted(now: Result, day: str) -> Iterator[str]:
    """What the boxes of a day say: how many are counted, and how far over or short they are, by name."""
    if not now.boxes:
        yield f"{day}'s tables had no box."
        return
    boxes = f"{now.boxes:,} boxes are" if now.boxes > 1 else "box is"
    counted = f"{day}'s {boxes} counted"
    if now.boxes_open:
        counted = f"{day}'s boxes: {now.boxes_counted:,} of {now.boxes:,} counted so far"
    if (cents := now.over_short_cents) is None:
        yield f"{counted}."
    elif not now.off:
        yield f"{counted}, nothing over or short."
    else:
        named = [f"{off.box} of {off.shift}" for off in now.off[:_MOST_BOXES]]
        left = len(now.off) - len(named)
        names = ", ".join(named) + (f" and {left} more" if left else "")
        yield f"{counted}, {off_by(cents) if cents else 'even in all'}: {names}."
