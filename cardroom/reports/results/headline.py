"""The answer in a sentence, and its basis: what the last day took, and how that stands."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from cardroom.core.dates import day_text
from cardroom.documents.formatting import several
from games.money import dollars

from ..summary.comparison import percent_text
from .figures import DROP, WIN, Figure, over_short_text
from .overview import Line, Overview
from .result import Result

#: Boxes that are named; of the others it says how many there are.
_MOST_BOXES = 3
_DAY = datetime.timedelta(days=1)
_WEEK = datetime.timedelta(days=7)


def headline(overview: Overview, *, players_bank: bool) -> str:
    """Return the answer: "Yesterday took $49,254, 4.2% more than the Tuesday before"."""
    line, day = overview.in_all, overview.day
    if line is None or day is None:
        return "Nothing has been played yet" if not overview.today_lines else "The first day is in play"
    name = f"{day:%A}" if overview.today - day < _WEEK else day_text(day)
    if overview.today - day == _DAY:
        name = "Yesterday"
    figure, took = (DROP, "took") if players_bank else (WIN, "won")
    now = figure.read(line.now)
    if now is None:
        return f"{name} took in {dollars(line.now.buy_ins_cents)} cash; its win is known once every tray is closed"
    if now < 0:
        return f"{name} lost {dollars(-now)}"
    return f"{name} {took} {dollars(now)}{_against(figure, line, f'the {day:%A} before')}"


def basis(overview: Overview, *, players_bank: bool) -> Iterator[str]:
    """Return what the answer rests on, in sentences: against which day, what is counted, how the month stands."""
    line, day = overview.in_all, overview.day
    if line is None or day is None:
        yield "What stands here is told from the reports of shifts: the first is made when the first shift has closed."
        return
    figure = DROP if players_bank else WIN
    then = day_text(day - _WEEK)
    if line.was is None:
        why = line.against or f"{line.part}, so it is not compared yet"
        yield f"{why[:1].upper()}{why[1:]}."
    elif change := figure.change_text(figure.read(line.now), figure.read(line.was)).partition(" · ")[0]:
        yield f"{change} compared with {then}."
    yield from _counted(line.now)
    if line.part:
        yield f"{line.part[:1].upper()}{line.part[1:]}; what has no report is counted from its rounds."
    month = overview.month
    if month is not None and (stands := figure.read(month.now)) is not None:
        before = f"{(day.replace(day=1) - datetime.timedelta(days=1)):%B} at the same day"
        against = _against(figure, month, before, more="above", less="below")
        part = f" with {month.part}" if month.part else ""
        yield f"The month stands at {dollars(stands)}{part}{against}."


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


def _counted(now: Result) -> Iterator[str]:
    """What the boxes say: how many are counted, and how far over or short they are, by name."""
    if not now.boxes:
        yield "No box was hung."
        return
    if now.boxes_open:
        counted = f"Counted so far: {now.boxes_counted} of {several(now.boxes, 'box')}"
    else:
        counted = f"All {now.boxes:,} boxes counted" if now.boxes > 1 else "The one box is counted"
    if (cents := now.over_short_cents) is None:
        yield f"{counted}."
    elif not now.off:
        even = (
            " and even" if now.boxes == 1 else ", every one even" if now.boxes_counted > 1 else ", and even"
        )
        yield f"{counted}{even}."
    else:
        boxes = [f"{off.box} of {off.shift}" for off in now.off[:_MOST_BOXES]]
        left = len(now.off) - len(boxes)
        names = ", ".join(boxes) + (f" and {left} more" if left else "")
        state = "even in all" if not cents else f"{over_short_text(cents)} {'over' if cents > 0 else 'short'}"
        yield f"{counted}, {state}: {names}."
