"""The answer in a sentence, and its basis: what the last day took, and how that stands."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from cardroom.core.dates import day_text
from cardroom.documents.answering import off_by
from games.money import dollars

from ..summary.comparison import divided, percent_text
from .figures import DROP, DROP_WITH_CASH, WIN, Figure
from .overview import Line, Overview
from .played import span_text
from .result import Result

#: Boxes that are named; of the others it says how many there are.
_MOST_BOXES = 3
_DAY = datetime.timedelta(days=1)
_WEEK = datetime.timedelta(days=7)


def headline(overview: Overview, *, players_bank: bool) -> str:
    """Return the answer: "Yesterday the room took $49,254, 4.2% more than on a usual Tuesday".

    Usual is the mean of the same weekday in the four weeks before, where all of them are known; else it is against the one before.
    """
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
    if usual := _usual_cents(figure, overview):
        against = _against(now * len(overview.weekdays), usual, f"on a usual {day:%A}")
    else:
        against = _against(now, _was(figure, line), f"the {day:%A} before")
    return f"{when} the room {took} {dollars(now)}{against}"


def basis(overview: Overview, *, players_bank: bool) -> Iterator[str]:
    """Return what the answer rests on, in sentences: what is usual, against which day, what is counted, how the month stands."""
    line, day = overview.in_all, overview.day
    if line is None or day is None:
        yield "What stands here is told from the reports of shifts: the first is made when the first shift has closed."
        return
    figure, name = (DROP, "drop") if players_bank else (WIN, "house win")
    now, was = figure.read(line.now), _was(figure, line)
    if players_bank:
        name += f" ({(DROP_WITH_CASH if line.now.buy_ins_cents else DROP).about})"
    if line.was is None:
        why = line.against or f"{line.part}, so it is not compared yet"
        yield f"{why[:1].upper()}{why[1:]}."
    elif now is not None and was is not None and (usual := _usual_cents(figure, overview)):
        weeks = len(overview.weekdays)
        yield (
            f"A usual {day:%A} has a {name} of {dollars(divided(usual, weeks))}, the mean of the {weeks} from "
            f"{span_text(day - _WEEK * weeks, day - _WEEK)}; the last had {dollars(was)}."
        )
    elif now is not None and was is not None:
        yield f"The {name} was {dollars(now)}, and {dollars(was)} on {day_text(day - _WEEK)}."
    yield from _counted(line.now, _day_name(overview, day))
    if line.part:
        yield f"{line.part[:1].upper()}{line.part[1:]}; what has no report is counted from its rounds."
    month = overview.month
    if month is not None and (stands := figure.read(month.now)) is not None:
        before = f"{(day.replace(day=1) - datetime.timedelta(days=1)):%B} at the same day"
        against = _against(stands, _was(figure, month), before, more="above", less="below")
        part = f" with {month.part}" if month.part else ""
        yield f"The month stands at {dollars(stands)}{part}{against}{_a_day(stands, overview)}."


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


def _was(figure: Figure, line: Line) -> int | None:
    """A figure of the time before a line; None where there is none to compare with."""
    return None if line.was is None else figure.read(line.was)


def _usual_cents(figure: Figure, overview: Overview) -> int:
    """The same weekdays before in sum, cents; 0 where they are not enough to say what is usual, or came to nothing."""
    known = [cents for each in overview.weekdays if (cents := figure.read(each)) is not None]
    return max(0, sum(known)) if len(known) == len(overview.weekdays) else 0


def _a_day(stands: int, overview: Overview) -> str:
    """What a month to date is a day: "; $430 a day over 25 days"; nothing of one day, or while a shift of it lacks its report."""
    month = overview.month
    days = sum(1 for day in overview.drops if month is not None and day <= month.scope.last)
    if month is None or month.part or days < 2 or stands <= 0:
        return ""
    return f"; {dollars(divided(stands, days))} a day over {days} days"


def _against(
    now: int, was: int | None, before: str, *, more: str = "more than", less: str = "less than"
) -> str:
    """Say how cents stand against those before: ", 4.2% more than …"; nothing where these are not known, or nothing."""
    if was is None or was <= 0:
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
