"""Simulates days of play in a room, one transaction a day: shifts, tables, games, boxes and counts."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import gc
import heapq
import random
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

from django.db import transaction

from cardroom.core.notifications import notifications_muted
from cardroom.core.row_digests import rows_gathered
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.commands.decks import deck_inspect, deck_place
from cardroom.floor.commands.shifts import close_shift, shift_open
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.execution.locks import lock_row
from cardroom.floor.execution.offline import gap_record
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.journal import entries_written_together
from cardroom.floor.models import Deck, Round, Shift, Table
from cardroom.people.models import Staff
from cardroom.rooms.gaming_day import gaming_day, gaming_day_bounds
from cardroom.rooms.models import Room

from .charges import RAKED_LIMITS, RAKED_RULEBOOK, RULEBOOK, Charge, charges_of
from .closing_time import closed_for_the_night, last_day
from .drop import CountRoom
from .game import Crew, Game, Instant, Pace
from .mishaps import Mishap, Mishaps
from .people import SHIFTS, Guest, People, people_of
from .plan import TableDay, Week, day_planned, hours_drawn, hours_of_week, shift_bounds
from .table import HISTORY_DATE, PlayedTable
from .tips import TipBox

#: Tables of the simulation are numbered from here on, unless it is said otherwise.
FIRST_TABLE = 11
#: Of the hours of a gaming day a table is open so many tenths, at least and at most; and one that never closes.
USUAL_HOURS, ALL_HOURS = (3, 6), (10, 10)
#: What is done to the boxes as a shift begins, and when they have been counted.
_BOXES_CHANGED, _BOXES_COUNTED = datetime.timedelta(minutes=3), datetime.timedelta(hours=1)
#: When the offices of a room that opens in the afternoon or later are in.
_MORNING = datetime.timedelta(hours=3, minutes=30)
_ONE_DAY = datetime.timedelta(days=1)
#: The tablet that was out of touch, and for how long.
_SCREEN, _OUT_OF_TOUCH = "tablet-2", datetime.timedelta(minutes=17)
_COLOURS = ("red", "blue")
#: One table's day in so many has a bank that plays past its turn.
_BROKEN_LIMITS = 60


class SimulationRefused(Exception):
    """Nothing was simulated, and nothing changed; the message says why and what to do."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is to be simulated. Every table plays `rounds_per_hour` at most while it is open.

    A `plain` day has no tips handed in, no fees waived, and nothing collected for a jackpot, by time or by a rake. Tables
    are numbered from `first_table` on, and each is open for `open_tenths` of a gaming day, at least and at most; or as the
    `week` says, whose shifts are opened where a table is. At a table people play at `seats_taken` of its seats. With
    `one_crew` the same dealers work in every shift, first those whom the room employs, and who plays there already comes first;
    `propositions` are the names of providers' players, else some are made. What goes wrong comes by luck, or with
    `mishaps` as these say; one arrival in `guests` is somebody whom the room does not know by name. `morning` is what is done
    in the room before a day that is over.
    """

    days: int
    tables: int
    seed: int
    rounds_per_hour: int = 34
    open_tenths: tuple[int, int] = USUAL_HOURS
    plain: bool = False
    first_table: int = FIRST_TABLE
    seats_taken: int = 7
    week: Week = ()
    one_crew: bool = False
    propositions: Sequence[str] = ()
    mishaps: Mishaps | None = None
    guests: int = 0
    morning: Callable[[Room, People, Instant], None] = lambda room, people, now: None


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far it has come: `day` of `days` is under way, and `rounds` were played so far."""

    day: int
    days: int
    gaming_day: datetime.date
    rounds: int


def simulate(
    room: Room,
    wanted: Wanted,
    now: datetime.datetime,
    charges: Sequence[Charge] = (),
    *,
    until: datetime.datetime | None = None,
) -> Iterator[Progress]:
    """Play the `days` gaming days before the one of `now` in `room`; report the progress after every table's shift.

    Each day is one transaction: it is there whole, or not at all. The tables play one of `charges` after the other, by
    default what the room has filed. With `until`, an instant of the gaming day of `now`, that day is played as well, up to
    then: its last shift stays open, and the tables are closed again. What the room had left open before is closed first. Raises
    SimulationRefused, before anything is written, where something is on record of those days or later.
    """
    days = days_before(room, wanted.days, now)
    if until is not None:
        days.append(gaming_day(room, now))
    _check(room, days)
    filed = _schedules(room)
    with transaction.atomic():
        people = people_playing(room, wanted)
    with transaction.atomic(), rows_gathered(), notifications_muted():
        chance = random.Random(f"{wanted.seed} {days[0]} closing")  # noqa: S311  # a game's, no secret
        room = lock_row(Room, room.pk)
        closed_for_the_night(room, people, CountRoom(room, people, chance, wanted.mishaps))
    rounds = 0
    for number, day in enumerate(days, start=1):
        with transaction.atomic(), rows_gathered(), notifications_muted(), collected_seldom():
            ends_early = until if until is not None and day == days[-1] else None
            if wanted.mishaps is not None:
                wanted.mishaps.day((gaming_day(room, now) - day).days)
            if ends_early is None:
                wanted.morning(room, people, gaming_day_bounds(room, day)[0] + _MORNING)
            playing = _Day(
                lock_row(Room, room.pk), people, wanted, day, charges or _charges(room, day, filed)
            )
            for more in playing.play(ends_early):
                rounds += more
                yield Progress(number, len(days), day, rounds)
    if until is None:
        with transaction.atomic(), rows_gathered(), notifications_muted():
            _last_boxes(lock_row(Room, room.pk), people, wanted, days[-1], now)


@contextlib.contextmanager
def collected_seldom() -> Iterator[None]:
    """Let Python look for cycles of objects after 10,000 new ones, instead of 700, while play is simulated.

    The rows of a day are kept until they are written together, so that what it looks through grows; it took a tenth of
    the time.
    """
    before = gc.get_threshold()
    gc.set_threshold(10_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def people_playing(room: Room, wanted: Wanted) -> People:
    """Return who works and plays in `room` in what is wanted; who is missing is made."""
    filed = _schedules(room)
    limits: tuple[int, int | None] = RAKED_LIMITS
    if filed:
        limits = (filed[0].schedule.ante_min_cents, filed[0].schedule.ante_max_cents)
    return people_of(
        room,
        tables=wanted.tables,
        seed=wanted.seed,
        limits=limits,
        one_crew=wanted.one_crew,
        paid=wanted.propositions,
    )


def days_before(room: Room, days: int, now: datetime.datetime) -> list[datetime.date]:
    """Return so many gaming days of `room` that are over at `now`, the first first."""
    today = gaming_day(room, now)
    return [today - n * _ONE_DAY for n in range(days, 0, -1)]


def _check(room: Room, days: list[datetime.date]) -> None:
    begins, _ = gaming_day_bounds(room, days[0])
    last = last_day(room)
    if last is None or last < days[0]:
        return
    rounds = Round.objects.filter(room=room, opened_at__gte=begins).count()
    left = (days[-1] - last).days
    more = (
        f"To go on after that day, say --days {left}."
        if left > 0
        else "A journal does not run backwards: use another database (CARDROOM_STATE_DIR), or --room with a new code."
    )
    raise SimulationRefused(
        f"{room} has entries up to gaming day {last} already, and {rounds:,} rounds since {days[0]}. {more}"
    )


def _schedules(room: Room) -> list[FeeSchedule]:
    filed = FeeSchedule.objects.filter(room=room, rulebook=RULEBOOK, status=FeeSchedule.Status.FILED)
    found = list(filed.order_by("-number", "-version"))
    # By the round first: their limits are what players are used to.
    found.sort(key=lambda each: each.schedule.time is not None)
    if (not found and _games(room, raked=False)) or (found and found[0].schedule.time is not None):
        raise SimulationRefused(
            f"{room} has no filed fee schedule for {RULEBOOK} by the round. File one first."
        )
    return found


def _games(room: Room, *, raked: bool | None = None) -> list[GameFiling]:
    """The filed games that are simulated, by number; those with a house rake, or those without, if asked."""
    filed = GameFiling.objects.filter(room=room, status=GameFiling.Status.FILED).order_by(
        "number", "-version"
    )
    return [
        game
        for game in filed
        if game.rulebook in (RULEBOOK, RAKED_RULEBOOK) and raked in (None, game.rake is not None)
    ]


def _charges(room: Room, day: datetime.date, filed: list[FeeSchedule]) -> list[Charge]:
    """What the tables of a day charge by what is filed and in force, one after the other."""
    charges = charges_of(
        [game for game in _games(room) if game.in_force(day)],
        [schedule for schedule in filed if schedule.in_force(day)],
    )
    if not charges:
        raise SimulationRefused(f"{room} has filed no game that could be played on {day}. File one first.")
    return charges


class _Day:
    """One gaming day of a room, whose row is locked."""

    def __init__(
        self, room: Room, people: People, wanted: Wanted, day: datetime.date, charges: Sequence[Charge]
    ) -> None:
        self.room = room
        self.people = people
        self.wanted = wanted
        self.day = day
        # Where everything is raked there is no plain charge, and a plain day has the rake.
        self.charges = [charge for charge in charges if charge.plain or not wanted.plain] or charges
        self.chance = random.Random(f"{wanted.seed} {day}")  # noqa: S311  # a game's, no secret
        self.pace = Pace(wanted.rounds_per_hour)
        self.count_room = CountRoom(room, people, self.chance, wanted.mishaps)
        self.tip_box = TipBox(room, people, random.Random(f"{wanted.seed} {day} tips"))  # noqa: S311
        #: Providers' players whom nobody expects at a table.
        self.reliefs: list[Guest] = []
        self.tables = [self._table(wanted.first_table + n) for n in range(wanted.tables)]

    def play(self, until: Instant | None = None) -> Iterator[int]:
        """Play the day, shift by shift, or up to `until`, where its shift stays open.

        Yields how many rounds each table's part of a shift came to.
        """
        bounds = shift_bounds(*gaming_day_bounds(self.room, self.day), len(SHIFTS))
        plans = day_planned(
            self.chance,
            self.people,
            seats=[self._charged(table).game.book.seats for table in self.tables],
            shifts=bounds,
            hours=self._hours(bounds[0][0], bounds[-1][1], until),
            seats_taken=self.wanted.seats_taken,
            walk=4 * datetime.timedelta(seconds=self.pace.seconds),
        )
        over = bounds[-1][1] if until is None else until
        expected = {stay.guest.player.pk for plan in plans for stay in plan.stays}
        self.reliefs = [guest for guest in self.people.propositions if guest.player.pk not in expected]
        dealing: set[int] = set()
        for name, floor, (begins, ends) in zip(SHIFTS, self.people.floors, bounds, strict=True):
            if begins >= over:
                break
            at_work = [
                (table, plan)
                for table, plan in zip(self.tables, plans, strict=True)
                if plan.opens < ends and plan.closes > begins
            ]
            if self.wanted.week and not at_work and ends <= over:
                continue
            shift = self._shift_opened(name, begins)
            if not self.wanted.plain:
                self.tip_box.agree(self.day, begins)
            if begins + _BOXES_CHANGED < over:
                self.count_room.drop(begins + datetime.timedelta(minutes=2))
                boxes = {table: self._charged(table).collects_jackpot for table, _ in at_work}
                self.count_room.place(shift, boxes, begins + _BOXES_CHANGED, floor)
            with entries_written_together():
                yield from in_order(
                    self._table_shift(table, plan, shift, (begins, ends), dealing) for table, plan in at_work
                )
            if begins + _BOXES_COUNTED < over:
                self.count_room.count(begins + datetime.timedelta(minutes=25))
            if ends > over:
                break
            self._shift_closed(shift, floor, ends)
            # Nobody comes in after it; a day that is under way goes on.
            if self.wanted.week and until is None and all(plan.closes <= ends for plan in plans):
                self.count_room.drop(ends + datetime.timedelta(minutes=2))
                self.count_room.count(ends + datetime.timedelta(minutes=25))

    def _shift_closed(self, shift: Shift, floor: Staff, ends: Instant) -> None:
        """Close the shift, and share its tips out."""
        if not self.wanted.plain:
            self.tip_box.hand_in(shift, ends, floor)
        tx = RoomTransaction.at_instant(self.room, self.people.manager, ends)
        with tx.moving_on():
            close_shift(tx, shift.pk)
        if not self.wanted.plain:
            self.tip_box.share_out(shift, ends)

    def _hours(self, begins: Instant, ends: Instant, until: Instant | None) -> list[tuple[Instant, Instant]]:
        """When each table opens and closes."""
        if self.wanted.week:
            return hours_of_week(
                self.chance,
                self.day,
                self.wanted.week,
                tables=len(self.tables),
                bounds=(begins, ends),
                until=until,
            )
        return [hours_drawn(self.chance, begins, ends, self.wanted.open_tenths, until) for _ in self.tables]

    def _shift_opened(self, name: str, begins: datetime.datetime) -> Shift:
        made = shift_open.carry_out(
            RoomTransaction.at_instant(self.room, self.people.manager, begins), name=name
        )
        return Shift.objects.get(pk=made["shift"])

    def _table_shift(
        self,
        table: Table,
        plan: TableDay,
        shift: Shift,
        bounds: tuple[Instant, Instant],
        dealing: set[int],
    ) -> Generator[Instant, None, int]:
        """Play a table's part of the shift; give the instant of what comes next, and return how many rounds there were."""
        chance = random.Random(f"{self.wanted.seed} {self.day} {table.number} {shift.name}")  # noqa: S311
        begins, ends = bounds
        floor = self.people.floors[SHIFTS.index(shift.name)]
        since, until = max(begins, plan.opens), min(ends, plan.closes)
        yield since
        played = PlayedTable(table)
        if plan.opens >= begins:
            self._table_opened(played, plan, floor)
        crew = Crew(floor, self.people.manager)
        game = Game(
            played,
            plan,
            crew,
            chance,
            self.pace,
            dealing=dealing,
            breaks_limit=chance.randrange(_BROKEN_LIMITS) == 0,
            mishaps=self.wanted.mishaps,
            guests=self.wanted.guests,
            reliefs=self.reliefs,
        )
        yield from game.play(since, until)
        if plan.closes <= ends:
            played.give(table_close, floor, plan.closes)
        return game.rounds

    def _table(self, number: int) -> Table:
        found = (
            Table.objects.select_related("room", "schedule", "game")
            .filter(room=self.room, number=number)
            .first()
        )
        if found is not None:
            found.room = self.room
            return found
        table = Table(room=self.room, number=number)
        setattr(table, HISTORY_DATE, gaming_day_bounds(self.room, self.day)[0])
        table.save()
        return table

    def _charged(self, table: Table) -> Charge:
        """What a table plays and charges all day."""
        return self.charges[(table.number - self.wanted.first_table) % len(self.charges)]

    def _table_opened(self, played: PlayedTable, plan: TableDay, floor: Staff) -> None:
        """Set what is played and charged, open the table, and look its decks over; new decks where it has none."""
        table, before = played.table, plan.opens - datetime.timedelta(minutes=5)
        charge = self._charged(table)
        if not charge.is_set(table):
            setattr(table, HISTORY_DATE, before)
            played.give(table_set, floor, before, **charge.settings)
        played.give(table_open, floor, plan.opens)
        if self.wanted.mishaps is not None and self.wanted.mishaps.happens(Mishap.TABLET_GAP):
            tx = played.by(floor, plan.opens)
            gap_record(tx, _SCREEN, plan.opens - _OUT_OF_TOUCH, plan.opens)
        if not Deck.objects.filter(table=table, retired_at__isnull=True).exists():
            for colour in _COLOURS:
                played.give(deck_place, floor, plan.opens, colour=colour)
        inspectors = played.state(plan.opens).procedure_rules.inspection.by
        for deck in Deck.objects.filter(table=table, retired_at__isnull=True):
            for by in inspectors:
                played.give(deck_inspect, floor, plan.opens, deck_id=deck.pk, by=by)


def in_order(games: Iterable[Generator[Instant, None, int]]) -> Iterator[int]:
    """Let the games of a shift go on in the order of their instants; yield what each has come to at its end."""
    waiting = [(next(game), number, game) for number, game in enumerate(games)]
    heapq.heapify(waiting)
    while waiting:
        _, number, game = waiting[0]
        try:
            heapq.heapreplace(waiting, (next(game), number, game))
        except StopIteration as over:
            heapq.heappop(waiting)
            yield over.value


def _last_boxes(
    room: Room, people: People, wanted: Wanted, day: datetime.date, now: datetime.datetime
) -> None:
    """Take the last shift's boxes off, and count them where that would be done by `now`."""
    _, ended = gaming_day_bounds(room, day)
    count_room = CountRoom(room, people, random.Random(f"{wanted.seed} {day} boxes"))  # noqa: S311
    if ended + datetime.timedelta(minutes=2) < now:
        count_room.drop(ended + datetime.timedelta(minutes=2))
    if ended + datetime.timedelta(hours=2) < now:
        count_room.count(ended + datetime.timedelta(minutes=25))
