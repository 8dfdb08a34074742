"""Lays out a timeline of turns at the bank for its SVG: bars, marks and their places, in pixels.

One row a seat (or a table), time from left to right. The list of words beside it says the same.
"""

from __future__ import annotations

import dataclasses
import datetime
import statistics
from collections.abc import Iterable, Sequence

from cardroom.floor.models import Offer, Round, Turn
from cardroom.floor.reads.rotation import Run
from cardroom.rooms.models import Room

from ..parts.clock import clock_of
from .events import stop_text

ROW = 44
BAR = 26
AXIS = 28
#: The names of the rows and the picture are together as wide as a page at least, and a picture no wider than a user would
#: scroll through.
PAGE, MOST = 1204, 6000
#: Room for the names: of seats, which are numbers, or of tables.
SEATS, TABLES = 48, 88
#: So wide should a turn of the usual length be, to hold its rounds.
USUAL_TURN = 40
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 240)
_MINUTE = datetime.timedelta(minutes=1)
#: Half of a time of day and a little more: the first and the last of them are whole.
_EDGE = 36
#: An accepted offer stands before the bar that it leads to, and covers none of its rounds.
_BEFORE = 11


@dataclasses.dataclass(frozen=True)
class Dot:
    """A round within its bar."""

    x: float
    state: str
    wrong: bool
    title: str


@dataclasses.dataclass(frozen=True)
class Bar:
    """A turn. `label` fits into it, or is empty."""

    x: float
    y: float
    width: float
    label: str
    title: str
    live: bool
    wrong: bool
    dots: list[Dot]

    @property
    def radius(self) -> float:
        """The radius of its corners: none of a turn that is a stroke."""
        return min(4, round(self.width / 4, 1))

    @property
    def label_x(self) -> float:
        return self.x + 5

    @property
    def label_y(self) -> float:
        return self.y + 9

    @property
    def dots_y(self) -> float:
        """The middle of the bar, or below its label."""
        return self.y + BAR / 2 if not self.label else self.y + BAR - 7


@dataclasses.dataclass(frozen=True)
class Mark:
    """An offer's answer, a stop of the game, or (on a row of its own kind) what nothing else shows."""

    x: float
    y: float
    kind: str
    wrong: bool
    title: str


@dataclasses.dataclass(frozen=True)
class Timeline:
    """The picture. `rows` are the names of its rows with the middle of each; `ticks` times of day with their places."""

    width: int
    height: int
    names_width: int
    rows: list[tuple[str, int]]
    lines: list[int]
    ticks: list[tuple[float, str]]
    bars: list[Bar]
    marks: list[Mark]
    stops: list[Mark]
    text: str

    @property
    def has_live(self) -> bool:
        """Whether a turn of it goes on."""
        return any(bar.live for bar in self.bars)

    @property
    def names_x(self) -> int:
        """The middle of the names."""
        return self.names_width // 2

    @property
    def body(self) -> int:
        """The height of the rows, without the times of day below them."""
        return self.height - AXIS


@dataclasses.dataclass(frozen=True)
class Row:
    """What a row shows of `runs`: all of them, or (with a seat) what happened at that seat."""

    name: str
    runs: Sequence[Run]
    seat: int | None = None


def timeline_of(
    rows: Sequence[Row],
    since: datetime.datetime,
    until: datetime.datetime,
    room: Room,
    now: datetime.datetime,
    *,
    turns_alone: bool = False,
) -> Timeline:
    """Draw the rows between two instants. A turn that still goes on ends at `until`, or now if that is earlier.

    With `turns_alone` all of it is as wide as the page, and of the rounds only exceptions are drawn.
    """
    until = max(min(until, now), since + _MINUTE)
    runs = {id(run): run for row in rows for run in row.runs}.values()
    names_width = TABLES if any(row.seat is None for row in rows) else SEATS
    least = PAGE - names_width
    scale = _Scale(
        since, until, least if turns_alone else _width(since, until, runs, least), turns_alone=turns_alone
    )
    bars: list[Bar] = []
    marks: list[Mark] = []
    stops: dict[datetime.datetime, Mark] = {}
    for index, row in enumerate(rows):
        middle = index * ROW + ROW / 2
        for run in row.runs:
            bars += _bars(run, row, middle, scale, room)
            marks += _marks(run, row, middle, scale, room)
            if run.stop is not None and scale.shows(run.stop.began_at):
                title = f"{clock_of(room, run.stop.began_at)} {stop_text(run.stop)}"
                stops[run.stop.began_at] = Mark(scale.x(run.stop.began_at), middle, "stop", False, title)
    height = len(rows) * ROW
    return Timeline(
        width=scale.width,
        height=height + AXIS,
        names_width=names_width,
        rows=[(row.name, index * ROW + ROW // 2) for index, row in enumerate(rows)],
        lines=[index * ROW for index in range(len(rows) + 1)],
        ticks=scale.ticks(room),
        bars=bars,
        marks=marks,
        stops=list(stops.values()),
        text=f"{len(bars)} turns and {len(marks)} answers from {clock_of(room, since)} to {clock_of(room, until)}",
    )


@dataclasses.dataclass(frozen=True)
class _Scale:
    since: datetime.datetime
    until: datetime.datetime
    width: int
    turns_alone: bool = False

    def x(self, at: datetime.datetime) -> float:
        at = min(max(at, self.since), self.until)
        return round(_EDGE + (self.width - 2 * _EDGE) * ((at - self.since) / (self.until - self.since)), 1)

    def shows(self, at: datetime.datetime) -> bool:
        return self.since <= at <= self.until

    def ticks(self, room: Room) -> list[tuple[float, str]]:
        """Times of day at round minutes of the room's clock, no closer than can be read."""
        most = max(2, self.width // 90)
        span = (self.until - self.since) / _MINUTE
        step = next((minutes for minutes in _STEPS if span / minutes <= most), _STEPS[-1])
        local = self.since.astimezone(room.zone)
        past = datetime.timedelta(minutes=(local.hour * 60 + local.minute) % step, seconds=local.second)
        at = self.since - past - datetime.timedelta(microseconds=local.microsecond)
        ticks = []
        while (at := at + step * _MINUTE) <= self.until:
            ticks.append((self.x(at), clock_of(room, at)))
        return ticks


def _width(since: datetime.datetime, until: datetime.datetime, runs: Iterable[Run], least: int) -> int:
    lengths = [
        ((run.turn.ended_at or until) - run.turn.began_at) / _MINUTE for run in runs if run.turn is not None
    ]
    usual = max(0.2, statistics.median(lengths)) if lengths else 10
    return int(min(MOST, max(least, 2 * _EDGE + (until - since) / _MINUTE * USUAL_TURN / usual)))


def _bars(run: Run, row: Row, middle: float, scale: _Scale, room: Room) -> list[Bar]:
    turn = run.turn
    if turn is None or (row.seat is not None and turn.seat != row.seat):
        return []
    ended_at = turn.ended_at or scale.until
    if ended_at < scale.since or turn.began_at > scale.until:
        return []
    x, wrong = scale.x(turn.began_at), {each.round for each in run.deviations if each.round is not None}
    width = max(2.0 if scale.turns_alone else 4.0, round(scale.x(ended_at) - x, 1))
    end = "now" if turn.ended_at is None else clock_of(room, ended_at)
    title = f"{' then '.join(run.held_by)}, seat {turn.seat}, {clock_of(room, turn.began_at)} to {end}: {run.settled} round{'' if run.settled == 1 else 's'}"
    whole = [each.rule for each in run.deviations if each.turn == turn.pk and each.round is None]
    return [
        Bar(
            x=x,
            y=middle - BAR / 2,
            width=width,
            label=_label(turn, row, width),
            title=title + "".join(f"; exception: {rule}" for rule in whole),
            live=turn.ended_at is None,
            wrong=bool(whole),
            dots=[
                _dot(round_, scale, wrong, x, width)
                for round_ in run.rounds
                if scale.shows(round_.opened_at) and (round_.pk in wrong or not scale.turns_alone)
            ],
        )
    ]


def _label(turn: Turn, row: Row, width: float) -> str:
    if row.seat is not None or width < 18:
        return ""
    return str(turn.seat)


def _dot(round_: Round, scale: _Scale, wrong: set[int], x: float, width: float) -> Dot:
    exception = "; exception" if round_.pk in wrong else ""
    title = f"Round {round_.number}, {round_.get_state_display()}{exception}"
    # Within its bar, also where the first round follows the offer at once.
    place = min(max(scale.x(round_.opened_at), x + 6), max(x + width - 6, x))
    return Dot(place, round_.state, round_.pk in wrong, title)


def _marks(run: Run, row: Row, middle: float, scale: _Scale, room: Room) -> list[Mark]:
    if row.seat is None:
        return []
    wrong = {each.offer: each.rule for each in run.deviations if each.offer is not None}
    marks = []
    for offer in run.offers:
        if offer.seat != row.seat or not scale.shows(offer.answered_at):
            continue
        answer = Offer.Answer(offer.answer).label
        title = f"{clock_of(room, offer.answered_at)} seat {offer.seat}, {offer.player.known_as}: {answer}"
        if offer.pk in wrong:
            title += f"; exception: {wrong[offer.pk]}"
        aside = _BEFORE if offer.answer == Offer.Answer.ACCEPTED else 0
        x = scale.x(offer.answered_at) - aside
        marks.append(Mark(x, middle, offer.answer, offer.pk in wrong, title))
    return marks
