"""Queries on the rotation at a table over many gaming days: its figures day by day, and the facts to review under any profile.

`rotation` reads what a page shows of one period, this reads a month: rows as plain values, some tables at a time.
"""

from __future__ import annotations

import dataclasses
import datetime
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from django.db.models import Q

from cardroom.core.dates import day_text
from cardroom.people.players import ref_of
from cardroom.rooms.gaming_day import gaming_day_bounds
from cardroom.rooms.models import Room
from games.rotation.profile import AFTER_PAUSE, HOUSE_BANKS, Profile, load_profile, profile_under
from games.rotation.record import Deviation, HandedOver, Held, Offered, Played, Record, Seated, Stopped
from games.rotation.review import deviations, deviations_under

from ..models import Offer, Pause, RackCount, Round, Seating, Shift, Table, Turn
from ..models.rounds import is_current
from .played_games import PlayedGames
from .racks import hand_overs_of
from .rotation import Figures, known_from, lead_of
from .table_state import LOOK_BACK, profile_of
from .wagering import seats_wagered

#: Gaming days of a table that are read at once: a day or a shift of a large room, a month of one table.
_AT_ONCE = 40


@dataclasses.dataclass(frozen=True)
class Stretch:
    """A gaming day, or the part of it that is looked at, in UTC; `until` is exclusive."""

    day: datetime.date
    since: datetime.datetime
    until: datetime.datetime


def day_stretches(room: Room, first: datetime.date, last: datetime.date) -> list[Stretch]:
    """Return the gaming days of a room from `first` to `last`, both included."""
    days = [first + datetime.timedelta(days=number) for number in range((last - first).days + 1)]
    return [Stretch(day, *gaming_day_bounds(room, day)) for day in days]


def shift_stretches(shift: Shift, now: datetime.datetime) -> list[Stretch]:
    """Return the one stretch of a shift, up to `now` while it is open."""
    return [Stretch(shift.gaming_day, shift.opened_at, shift.closed_at or now)]


@dataclasses.dataclass(frozen=True)
class DayAtTable:
    """What a table's rotation comes to in a stretch. `profiles` are those by which its rounds were played."""

    stretch: Stretch
    figures: Figures
    profiles: tuple[Profile, ...]
    exceptions: list[Deviation]


@dataclasses.dataclass(frozen=True)
class TableDays:
    """A table's rotation, a day after the other; `record` reaches back to what led into the first."""

    table: Table
    days: list[DayAtTable]
    record: Record

    def under(self, profile: str) -> list[Deviation]:
        """Return what would deviate in these days had all been played under the profile of that id."""
        since, until = self.days[0].stretch.since, self.days[-1].stretch.until
        found = deviations_under(self.record, profile=profile, rulebook=self.table.book)
        return [each for each in found if since <= each.at < until]

    @property
    def exceptions(self) -> list[Deviation]:
        return [each for day in self.days for each in day.exceptions]

    @property
    def figures(self) -> Figures:
        """The days added up. A player who banked on two of them counts once."""
        names = [field.name for field in dataclasses.fields(Figures)]
        sums = {name: sum(getattr(day.figures, name) for day in self.days) for name in names}
        since, until = self.days[0].stretch.since, self.days[-1].stretch.until
        banks = {each.player for each in self.record.rounds if each.settled and since <= each.at < until}
        return Figures(**{**sums, "banks": len(banks)})


def room_days(
    room: Room, table: Table | None, stretches: Sequence[Stretch], *, under: str | None = None
) -> Iterator[TableDays]:
    """Give the rotation of each table of a room (or of `table` alone), by number.

    A shift of the whole room takes eight queries, and a month of it eight a table: no more than `_AT_ONCE` is held.
    `under` is the id of a profile to review its record under as well.
    """
    tables = Table.objects.filter(room=room) if table is None else Table.objects.filter(pk=table.pk)
    found = list(tables.select_related("room").order_by("number"))
    at_once = max(1, _AT_ONCE // len(stretches))
    for start in range(0, len(found), at_once):
        yield from tables_days(found[start : start + at_once], stretches, under=under)


def tables_days(
    tables: Sequence[Table], stretches: Sequence[Stretch], *, under: str | None = None
) -> Iterator[TableDays]:
    """Give the rotation at each of `tables` in `stretches`, which follow one another; seven queries, however much there was.

    Where a profile goes by the clock, what came before the first of them has a say, and more is read.
    """
    since, until = stretches[0].since, stretches[-1].until
    profiles = {under, *(profile_of(table).id for table in tables)}
    timed = any(load_profile(each).needs_play for each in profiles if each)
    # When a round ended gives how long the game stopped: of interest to a profile that asks for stops alone.
    ends = under is not None and load_profile(under).renewal == AFTER_PAUSE
    facts = _facts_read(tables, since - LOOK_BACK if timed else since, until, ends=ends)
    if not timed and any(load_profile(each).needs_play for of_table in facts for each in of_table.profiles):
        # A table was played by another rule then.
        facts = _facts_read(tables, since - LOOK_BACK, until, ends=ends)
    for table, of_table in zip(tables, facts, strict=True):
        profile = profile_of(table).id
        found = deviations(of_table.record, profile=profile, rulebook=table.book)
        yield TableDays(table, list(_by_day(of_table, found, stretches)), of_table.record)


@dataclasses.dataclass(frozen=True)
class _Facts:
    """What was recorded at a table, and what the review leaves out of it: answers withdrawn, and voids."""

    record: Record
    withdrawn: list[datetime.datetime]
    voids: list[datetime.datetime]

    @property
    def profiles(self) -> set[str]:
        """The ids of the profiles that were played by."""
        turns, rounds = self.record.turns, self.record.rounds
        return {turn.profile for turn in turns} | {round_.profile for round_ in rounds}


def _facts_read(
    tables: Sequence[Table], since: datetime.datetime, until: datetime.datetime, *, ends: bool
) -> list[_Facts]:
    """Read what was recorded at each of `tables` up to `until`, from where `lead_of` has what led into `since`.

    In no order: a review puts the facts in their own. When rounds ended is read where `ends` asks for it.
    """
    state = _Reading(tables, since, until)
    seated, stops = state.seated(), state.stops()
    turns, handed = state.turns()
    offers, withdrawn = state.offers()
    rounds, voids = state.rounds(ends=ends)
    return [
        _Facts(
            Record(
                *(seated[pk], offers[pk], turns[pk], rounds[pk], stops[pk]),
                known_from=known_from(
                    state.since[pk], sum(each.at < since for each in rounds[pk] if each.settled)
                ),
                hand_overs=handed[pk],
            ),
            withdrawn[pk],
            voids[pk],
        )
        for pk in (table.pk for table in tables)
    ]


class _Reading:
    """Reads each kind of fact of some tables at once, and gives them by the id of the table."""

    def __init__(self, tables: Sequence[Table], since: datetime.datetime, until: datetime.datetime) -> None:
        self.own = {table.pk: table.book.rotation or "" for table in tables}
        leads = Table.objects.filter(pk__in=self.own).annotate(lead=lead_of(since))
        self.since = {pk: lead or since for pk, lead in leads.order_by().values_list("pk", "lead")}
        self.until = until
        self.games = PlayedGames({table.room_id for table in tables})

    def happened(self, name: str) -> Q:
        """The condition that the instant `name` lies in the time that is read of its table."""
        in_time = Q(pk__in=[])
        for pk, since in self.since.items():
            in_time |= Q(table=pk, **{f"{name}__gte": since, f"{name}__lt": self.until})
        return in_time

    def seated(self) -> dict[int, list[Seated]]:
        there = Q(pk__in=[])
        for pk, since in self.since.items():
            there |= Q(table=pk, left_at__gte=since) | Q(table=pk, left_at__isnull=True)
        columns = ("seat", ref_of("player__"), "seated_at", "left_at", "player__provider", "behind")
        found: dict[int, list[Seated]] = defaultdict(list)
        stays = Seating.objects.filter(there, seated_at__lt=self.until).order_by()
        for table, *stay in stays.values_list("table", *columns):
            found[table].append(Seated(*stay))
        return found

    def offers(self) -> tuple[dict[int, list[Offered]], dict[int, list[datetime.datetime]]]:
        """The offers whose answers stand, and when the others were answered."""
        columns = ("pk", "cycle", "seat", ref_of("player__"), "answer", "answered_at")
        found: dict[int, list[Offered]] = defaultdict(list)
        withdrawn: dict[int, list[datetime.datetime]] = defaultdict(list)
        made = Offer.objects.filter(self.happened("answered_at")).order_by()
        for table, withdrawal, game, passed_over, staff, *row in made.values_list(
            "table", "withdrawal", "game", "passed_over", "player__staff", *columns
        ):
            offer = Offered(*row)._replace(
                by_hand=not passed_over, house=staff is not None, game=self.games.game(game)
            )
            if withdrawal is None:
                found[table].append(offer)
            else:
                withdrawn[table].append(offer.at)
        return found, withdrawn

    def turns(self) -> tuple[dict[int, list[Held]], dict[int, list[HandedOver]]]:
        """The turns, each of who began it, and the hand-overs within them; one query, another where there are some."""
        columns = (
            "pk",
            "cycle",
            "seat",
            ref_of("player__"),
            "player__provider",
            "player__staff",
            "renewed",
        )
        found: dict[int, list[Held]] = defaultdict(list)
        relieved: set[int] = set()
        begun = (
            Turn.objects.filter(self.happened("began_at")).exclude(ended_why=Turn.Ended.MISTAKE).order_by()
        )
        for (
            table,
            game,
            rotation,
            pk,
            cycle,
            seat,
            player,
            firm,
            staff,
            renewed,
            began_at,
            ended_at,
            why,
            handed,
        ) in begun.values_list(
            "table", "game", "rotation", *columns, "began_at", "ended_at", "ended_why", "relieved"
        ):
            if handed:
                relieved.add(pk)
            filed = self.games.game(game)
            held = Held(
                id=pk,
                cycle=cycle,
                seat=seat,
                player=player,
                provider=firm is not None,
                house=staff is not None,
                renewed=renewed,
                began_at=began_at,
                ended_at=ended_at,
                left=why in Turn.WITHOUT_SUCCESSOR,
                closed=why == Turn.Ended.CLOSED,
                profile=self.games.profile(game, rotation, self.own[table]),
                rulebook=None if filed is None else filed.rulebook,
                approval=self.games.approval(game),
            )
            found[table].append(held)
        return self._begun(found, hand_overs_of(relieved))

    @staticmethod
    def _begun(
        turns: dict[int, list[Held]], handed: Mapping[int, Sequence[RackCount]]
    ) -> tuple[dict[int, list[Held]], dict[int, list[HandedOver]]]:
        """Turns as they began, before their racks were handed over, and the hand-overs, by table."""
        found: dict[int, list[HandedOver]] = defaultdict(list)
        for turn, counts in handed.items():
            for each in counts:
                found[each.table_id].append(HandedOver(each.pk, turn, each.player.ref, each.counted_at))
            first = counts[0]
            assert first.relieved is not None  # who handed over
            turns[first.table_id] = [
                held._replace(player=first.relieved.ref) if held.id == turn else held
                for held in turns[first.table_id]
            ]
        return turns, found

    def rounds(self, *, ends: bool) -> tuple[dict[int, list[Played]], dict[int, list[datetime.datetime]]]:
        """The rounds, and when those of them that are void were opened."""
        columns = ("pk", "gaming_day", "number", "turn", "bank_seat", ref_of("bank_player__"), "opened_at")
        # Whether it was dealt, not when: an instant takes longer to read than all the rest of a round.
        more = (
            "was_dealt",
            "state",
            "rotation",
            "rulebook",
            "wagers",
            "wagers_closed_at",
            *(("ended_at",) if ends else ()),
        )
        found: dict[int, list[Played]] = defaultdict(list)
        voids: dict[int, list[datetime.datetime]] = defaultdict(list)
        # A correction stands for the round that it corrects: the same number, the same instants.
        # Where the house banks no turn is offered, and its rounds are none of the rotation.
        opened = Round.objects.filter(is_current(), self.happened("opened_at")).exclude(rotation=HOUSE_BANKS)
        opened = opened.order_by().annotate(was_dealt=Q(dealt_at__isnull=False), **self.games.wagered)
        for (
            table,
            game,
            pk,
            day,
            number,
            turn,
            seat,
            player,
            at,
            was_dealt,
            state,
            rotation,
            rulebook,
            bets,
            closed_at,
            *ended,
        ) in opened.values_list("table", "game", *columns, *more):
            settled, book = state == Round.State.SETTLED, self.games.rulebook(game, rulebook)
            if state == Round.State.VOID:
                voids[table].append(at)
            played = Played(
                id=pk,
                name=f"{day_text(day)} · {number}",
                turn=turn,
                seat=seat or 0,
                player=player or "nobody",
                at=at,
                dealt=was_dealt or settled,
                settled=settled,
                profile=rotation or book.rotation or self.own[table],
                ended_at=ended[0] if ends else None,
                rulebook=book,
                approval=self.games.approval(game),
                wagered=seats_wagered(bets or (), seat) if bets is not None else frozenset(),
                closed_at=closed_at,
            )
            found[table].append(played)
        return found, voids

    def stops(self) -> dict[int, list[Stopped]]:
        found: dict[int, list[Stopped]] = defaultdict(list)
        made = Pause.objects.filter(self.happened("began_at")).order_by()
        columns = ("table", "pk", "cycle", "after_turn", "began_at", "minutes")
        for table, pk, cycle, turn, at, minutes in made.values_list(*columns):
            found[table].append(Stopped(pk, cycle, turn, at, ended=minutes == 0))
        return found


def _by_day(facts: _Facts, found: list[Deviation], stretches: Sequence[Stretch]) -> Iterator[DayAtTable]:
    begins = [stretch.since for stretch in stretches]

    def day_of(at: datetime.datetime) -> int:
        """Which of the stretches it is, -1 for what led into the first."""
        return bisect_right(begins, at) - 1

    counts: dict[int, Counter[str]] = defaultdict(Counter)
    banks: dict[int, set[str]] = defaultdict(set)
    profiles: dict[int, set[Profile]] = defaultdict(set)
    exceptions: dict[int, list[Deviation]] = defaultdict(list)
    for turn in facts.record.turns:
        counts[day_of(turn.began_at)].update(("turns", "renewed") if turn.renewed else ("turns",))
    for offer in facts.record.offers:
        counts[day_of(offer.at)][offer.answer] += 1
    for round_ in facts.record.rounds:
        day = day_of(round_.at)
        assert round_.rulebook is not None  # every round names one
        profiles[day].add(profile_under(round_.rulebook, round_.profile))
        if round_.settled:
            counts[day]["rounds"] += 1
            banks[day].add(round_.player)
    for name, instants in (
        ("withdrawn", facts.withdrawn),
        ("voids", facts.voids),
        ("stops", [stop.at for stop in facts.record.stops]),
    ):
        for at in instants:
            counts[day_of(at)][name] += 1
    for each in found:
        exceptions[day_of(each.at)].append(each)
    for number, stretch in enumerate(stretches):
        sums = counts[number] | Counter(banks=len(banks[number]), exceptions=len(exceptions[number]))
        figures = Figures(**sums)
        played = sorted(profiles[number], key=attrgetter("name", "clause"))
        yield DayAtTable(stretch, figures, tuple(played), exceptions[number])
