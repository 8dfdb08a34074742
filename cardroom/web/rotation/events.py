"""Template context of the rotation: the period that a user asks for, and the list of events that page and PDF share."""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Mapping

from django.http import Http404, QueryDict

from cardroom.floor.models import Offer, Pause, RackCount, Round, Shift, Turn
from cardroom.floor.places import Place
from cardroom.floor.reads.rotation import (
    Figures,
    Period,
    Run,
    TableRotation,
    day_period,
    hours_period,
    shift_period,
    stands,
)
from cardroom.rooms.gaming_day import gaming_day, why_no_day
from cardroom.rooms.models import Room
from games.money import dollars
from games.rotation.record import Deviation

from ..parts.clock import clock_of

#: What the figures are called, in the order in which they are shown and printed.
FIGURES: dict[str, str] = {
    "exceptions": "Exceptions",
    "turns": "Turns begun",
    "renewed": "of them renewed",
    "banks": "Players who banked",
    "rounds": "Rounds settled",
    "voids": "Rounds void",
    "accepted": "Offers accepted",
    "declined": "Offers declined",
    "absent": "Absent when offered",
    "ineligible": "Ineligible",
    "withdrawn": "Answers withdrawn",
    "stops": "Stops of the game",
}
#: The shifts that the period picker names.
MOST_SHIFTS = 12
HOURS = (1, 2, 4, 8, 24)
_NUMBER = re.compile(r"[1-9][0-9]{0,17}")


@dataclasses.dataclass(frozen=True)
class Choice:
    """A period that may be picked: its query string, its name, and whether it is the one on show."""

    query: str
    name: str
    chosen: bool

    @property
    def value(self) -> str:
        """What a field of a form sends for it."""
        return self.query.partition("=")[2]


@dataclasses.dataclass(frozen=True)
class Picked:
    """The period on show, its query string, and the others that may be picked.

    `day` is the gaming day in the field of days: the one on show, or else the present one.
    """

    period: Period
    query: str
    hours: list[Choice]
    shifts: list[Choice]
    day: datetime.date

    @property
    def reported(self) -> str:
        """What asks the reports of the catalogue about the same shift or day."""
        return self.query if self.query.startswith("shift=") else f"from={self.day}&to={self.day}"


def period_picked(room: Room, asked: QueryDict, now: datetime.datetime) -> Picked:
    """Read the period from an address: `shift=12`, `hours=4` or `day=2026-11-20`; by default the open shift or this day.

    Raises Http404 for a shift or day there is not.
    """
    shifts = list(Shift.objects.filter(room=room).order_by("-id")[:MOST_SHIFTS])
    today = gaming_day(room, now)
    period, query, day = _asked(room, asked, now, shifts, today)
    return Picked(
        period=period,
        query=query,
        hours=[Choice(f"hours={h}", f"{h} h", query == f"hours={h}") for h in HOURS],
        shifts=[Choice(f"shift={shift.pk}", str(shift), query == f"shift={shift.pk}") for shift in shifts],
        day=day,
    )


def _asked(
    room: Room, asked: QueryDict, now: datetime.datetime, shifts: list[Shift], today: datetime.date
) -> tuple[Period, str, datetime.date]:
    if _NUMBER.fullmatch(hours := asked.get("hours", "")):
        period = hours_period(int(hours), now)
        return period, f"hours={round((period.until - period.since) / datetime.timedelta(hours=1))}", today
    if typed := asked.get("day", ""):
        try:
            day = datetime.date.fromisoformat(typed)
        except ValueError as error:
            raise Http404(f"{typed[:20]!r} is no day; write one such as {today}.") from error
        if why := why_no_day(day):
            raise Http404(why)
        return day_period(room, day), f"day={day}", day
    if _NUMBER.fullmatch(number := asked.get("shift", "")):
        shift = Shift.objects.filter(room=room, pk=int(number)).first()
        if shift is None:
            raise Http404(f"This room has no shift {number}.")
        return shift_period(shift, now), f"shift={shift.pk}", shift.gaming_day
    if shifts and shifts[0].closed_at is None:
        return shift_period(shifts[0], now), f"shift={shifts[0].pk}", shifts[0].gaming_day
    return day_period(room, today), f"day={today}", today


#: So many runs of offers at most are on one page.
PAGE = 40


@dataclasses.dataclass(frozen=True)
class Page:
    """Some of the runs of a period, in order: page `number` of `count`; without a number in the address the last."""

    runs: list[Run]
    number: int
    count: int

    @property
    def earlier(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def later(self) -> int | None:
        return self.number + 1 if self.number < self.count else None


def page_of(runs: list[Run], typed: str) -> Page:
    """Return the page that is asked for, the last one unless it is an earlier one; only the first may be short."""
    count = max(1, -(-len(runs) // PAGE))
    number = min(count, int(typed)) if _NUMBER.fullmatch(typed) else count
    end = len(runs) - (count - number) * PAGE
    return Page(runs[max(0, end - PAGE) : end], number, count)


def figures_of(figures: Figures) -> list[tuple[str, str, int]]:
    """The figures with their names; exceptions first, and what seldom happens only when it did."""
    seldom = ("voids", "absent", "ineligible", "withdrawn", "stops")
    values: Mapping[str, int] = dataclasses.asdict(figures)
    return [
        (name, label, values[name]) for name, label in FIGURES.items() if values[name] or name not in seldom
    ]


@dataclasses.dataclass(frozen=True)
class Entry:
    """One line of the list: `kind` is `offer`, `stop`, `turn`, `hand_over` or `exception`; `mark` the answer or kind of deviation.

    `by` recorded it, empty where the floor did by itself; `stands` is false for what was withdrawn as a mistake.
    """

    kind: str
    mark: str
    at: datetime.datetime
    seat: int | Place | None
    who: str
    text: str
    by: str = ""
    stands: bool = True


def entries_of(run: Run, room: Room) -> list[Entry]:
    """A run in words, in the order in which it happened; a deviation comes after the entry that it shows in."""
    entries = []
    for offer in run.offers:
        text, by = _answer(offer, room), str(offer.recorded_by)
        entry = Entry(
            "offer",
            offer.answer,
            offer.answered_at,
            offer.seat,
            offer.player.known_as,
            text,
            by,
            stands(offer),
        )
        entries += [entry, *_shown_in(run, offer=offer.pk)]
    for stay in run.behind:
        text = "on the back line, so not asked: the bank is offered at seats (ruling 40)"
        at = max(run.offers[0].answered_at, stay.seated_at)
        entries.append(Entry("back_line", "not_asked", at, stay.place, stay.player.known_as, text))
    for turn in run.mistakes:
        text = f"takes the bank; {turn.get_ended_why_display()}"
        entries.append(
            Entry("turn", "turn", turn.began_at, turn.seat, turn.player.known_as, text, stands=False)
        )
    if (stop := run.stop) is not None:
        text = stop_text(stop)
        entries.append(Entry("stop", "stop", stop.began_at, None, "", text, str(stop.recorded_by)))
    if (own_turn := run.turn) is not None:
        text = _turn(own_turn, run.rounds, room)
        entries.append(Entry("turn", "turn", own_turn.began_at, own_turn.seat, run.held_by[0], text))
        entries += [_handed_over(each) for each in run.hand_overs]
        entries += _shown_in(run, turn=own_turn.pk)
    # Stable: what happened at one instant stays in the order in which it is listed here.
    return sorted(entries, key=lambda entry: entry.at)


def _handed_over(each: RackCount) -> Entry:
    """A provider's rack changed hands within a turn, which went on."""
    assert each.relieved is not None  # who handed over
    text = f"takes the rack over from {each.relieved.known_as} at {dollars(each.cents)}, and the turn goes on"
    return Entry(
        "hand_over",
        "hand_over",
        each.counted_at,
        each.seat,
        each.player.known_as,
        text,
        str(each.recorded_by),
    )


def stop_text(stop: Pause) -> str:
    """A stop of the game in words, or its end."""
    if stop.ends_game:
        return "everybody had declined: the game ended as the table closed"
    return f"the game stopped for {stop.minutes} minutes"


def _shown_in(run: Run, *, offer: int | None = None, turn: int | None = None) -> list[Entry]:
    """The deviations that show in an offer, or in a turn and its rounds."""
    shown = (
        each for each in run.deviations if (offer and each.offer == offer) or (turn and each.turn == turn)
    )
    return [exception_entry(each) for each in shown]


def exception_entry(each: Deviation) -> Entry:
    """A deviation with its rule and clause."""
    text = f"{each.text} The rule: {each.rule} ({each.clause})."
    return Entry("exception", each.kind, each.at, each.seat or None, each.player, text)


def strays_of(rotation: TableRotation) -> list[Deviation]:
    """Exceptions that show in no run: rounds that belong to no turn on record."""
    here = {each for run in rotation.runs for each in run.deviations}
    return [each for each in rotation.exceptions if each not in here]


def _answer(offer: Offer, room: Room) -> str:
    text = str(offer.get_answer_display())
    if offer.answer == Offer.Answer.INELIGIBLE and offer.reason:
        text += f": {offer.reason}"
    if (withdrawal := getattr(offer, "withdrawal", None)) is not None:
        at = clock_of(room, withdrawal.withdrawn_at)
        text += f" (withdrawn as a mistake at {at} by {withdrawal.withdrawn_by})"
    return text


def _turn(turn: Turn, rounds: list[Round], room: Room) -> str:
    took = "takes a new turn, as all others declined" if turn.renewed else "takes the bank"
    now = "the turn goes on" if turn.relieved else "banks now"
    until = now if turn.ended_at is None else f"until {clock_of(room, turn.ended_at)}"
    why = (
        f" ({turn.get_ended_why_display()})"
        if turn.ended_why not in ("", Turn.Ended.PASSED, Turn.Ended.RENEWED)
        else ""
    )
    return f"{took}, {until}{why}; {format_rounds(rounds)}"


def format_rounds(rounds: list[Round]) -> str:
    """The rounds of a turn by their numbers: "2 rounds settled (14, 15), void 16"."""
    settled = [str(each.number) for each in rounds if each.state == Round.State.SETTLED]
    void = [str(each.number) for each in rounds if each.state == Round.State.VOID]
    live = [str(each.number) for each in rounds if each.is_live]
    count = f"{len(settled)} round{'' if len(settled) == 1 else 's'} settled"
    parts = [f"{count} ({', '.join(settled)})" if settled else "no round settled"]
    parts += [f"void {', '.join(void)}"] if void else []
    parts += [f"{live[0]} in play"] if live else []
    return ", ".join(parts)
