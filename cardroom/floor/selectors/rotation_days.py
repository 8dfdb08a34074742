"""The rotation at a table over many gaming days: its figures day by day, and the facts to hold against any profile.

`rotation` reads what a page shows of one period, this reads a month: rows as plain values, one table after the other.
"""

from __future__ import annotations

import dataclasses
import datetime
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from django.db.models import Q

from cardroom.rooms.gaming_day import gaming_day_bounds
from cardroom.rooms.models import Room
from games.rotation import load_profile
from games.rotation.record import Deviation, Held, Offered, Played, Record, Seated, Stopped
from games.rotation.review import deviations, deviations_under
from games.rulebook import load_rulebook

from ..models import Offer, Pause, Round, Seating, Shift, Table, Turn
from ..models.rounds import standing
from .rotation import Figures
from .views import LOOK_BACK, profile_of


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
    """What a table's rotation comes to in a stretch. `profiles` are the ids of those by which its rounds were played."""

    stretch: Stretch
    figures: Figures
    profiles: tuple[str, ...]
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
        return [each for each in deviations_under(self.record, profile=profile) if since <= each.at < until]

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
    """Give the rotation of each table of a room (or of `table` alone), by number; six queries a table.

    `under` is the id of a profile that its record is to be held against too.
    """
    tables = Table.objects.filter(room=room) if table is None else Table.objects.filter(pk=table.pk)
    for each in tables.select_related("room").order_by("number"):
        yield table_days(each, stretches, under=under)


def table_days(table: Table, stretches: Sequence[Stretch], *, under: str | None = None) -> TableDays:
    """Return the rotation at a table in `stretches`, which follow one another; six queries, however much there was.

    Where a profile goes by the clock, what came before the first of them has a say, and more is read.
    """
    since, until = stretches[0].since, stretches[-1].until
    timed = any(load_profile(each).needs_play for each in (profile_of(table).id, under) if each)
    facts = _Facts(table, since - LOOK_BACK if timed else since, until)
    if not timed and any(load_profile(each).needs_play for each in facts.profiles):
        facts = _Facts(table, since - LOOK_BACK, until)  # a table that was played by another rule then
    found = deviations(facts.record, profile=profile_of(table).id)
    return TableDays(table, list(_by_day(facts, found, stretches)), facts.record)


class _Facts:
    """What was recorded at a table from the turn on that led into `since`, and what the review leaves out of it."""

    def __init__(self, table: Table, since: datetime.datetime, until: datetime.datetime) -> None:
        self.table = table
        self.own = load_rulebook(table.rulebook).rotation or ""
        before = Turn.objects.filter(table=table, began_at__lt=since).order_by("-began_at")
        self.since = before.values_list("began_at", flat=True).first() or since
        self.until = until
        self.withdrawn: list[datetime.datetime] = []
        self.voids: list[datetime.datetime] = []
        self.record = Record(
            seated=list(self._seated()),
            offers=list(self._offers()),
            turns=list(self._turns()),
            rounds=list(self._rounds()),
            stops=[Stopped(*stop) for stop in self._stops()],
        )

    @property
    def profiles(self) -> set[str]:
        """The ids of the profiles that were played by."""
        turns, rounds = self.record.turns, self.record.rounds
        return {turn.profile for turn in turns} | {round_.profile for round_ in rounds}

    def _seated(self) -> Iterator[Seated]:
        there = Seating.objects.filter(table=self.table, seated_at__lt=self.until)
        there = there.filter(Q(left_at__gte=self.since) | Q(left_at__isnull=True))
        columns = ("seat", "player__name", "seated_at", "left_at", "player__provider")
        return (Seated(*row) for row in there.order_by().values_list(*columns).iterator())

    def _offers(self) -> Iterator[Offered]:
        made = Offer.objects.filter(table=self.table, answered_at__gte=self.since, answered_at__lt=self.until)
        columns = ("pk", "cycle", "seat", "player__name", "answer", "answered_at", "withdrawal")
        for *row, withdrawal in made.order_by("pk").values_list(*columns).iterator():
            offer = Offered(*row)
            if withdrawal is None:
                yield offer
            else:
                self.withdrawn.append(offer.at)

    def _turns(self) -> Iterator[Held]:
        begun = Turn.objects.filter(table=self.table, began_at__gte=self.since, began_at__lt=self.until)
        begun = begun.exclude(ended_why=Turn.Ended.MISTAKE).order_by("began_at", "pk")
        columns = ("pk", "cycle", "seat", "player__name", "player__provider", "player__staff", "renewed")
        for (
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
            rotation,
        ) in begun.values_list(*columns, "began_at", "ended_at", "ended_why", "rotation").iterator():
            yield Held(
                id=pk,
                cycle=cycle,
                seat=seat,
                player=player,
                provider=firm is not None,
                house=staff is not None,
                renewed=renewed,
                began_at=began_at,
                ended_at=ended_at,
                left=why in (Turn.Ended.LEFT, Turn.Ended.CLOSED),
                closed=why == Turn.Ended.CLOSED,
                profile=rotation or self.own,
            )

    def _rounds(self) -> Iterator[Played]:
        # A correction stands for the round that it corrects: the same number, the same instants.
        opened = Round.objects.filter(
            standing(), table=self.table, opened_at__gte=self.since, opened_at__lt=self.until
        )
        columns = ("pk", "gaming_day", "number", "turn", "bank_seat", "bank_player__name", "opened_at")
        # Whether it was dealt, not when: an instant takes longer to read than all the rest of a round.
        more = ("was_dealt", "ended_at", "state", "rotation", "rulebook")
        for pk, day, number, turn, seat, player, at, dealt, ended_at, state, rotation, rulebook in (
            opened.annotate(was_dealt=Q(dealt_at__isnull=False))
            .order_by("pk")
            .values_list(*columns, *more)
            .iterator()
        ):
            settled = state == Round.State.SETTLED
            if state == Round.State.VOID:
                self.voids.append(at)
            yield Played(
                id=pk,
                name=f"{day}/{number}",
                turn=turn,
                seat=seat or 0,
                player=player or "nobody",
                at=at,
                dealt=dealt or settled,
                settled=settled,
                profile=rotation or load_rulebook(rulebook).rotation or self.own,
                ended_at=ended_at,
            )

    def _stops(self) -> Iterator[tuple[int, int, int, datetime.datetime]]:
        made = Pause.objects.filter(table=self.table, began_at__gte=self.since, began_at__lt=self.until)
        return made.order_by("pk").values_list("pk", "cycle", "after_turn", "began_at").iterator()


def _by_day(facts: _Facts, found: list[Deviation], stretches: Sequence[Stretch]) -> Iterator[DayAtTable]:
    begins = [stretch.since for stretch in stretches]

    def day_of(at: datetime.datetime) -> int:
        """Which of the stretches it is, -1 for what led into the first."""
        return bisect_right(begins, at) - 1

    counts: dict[int, Counter[str]] = defaultdict(Counter)
    banks: dict[int, set[str]] = defaultdict(set)
    profiles: dict[int, set[str]] = defaultdict(set)
    exceptions: dict[int, list[Deviation]] = defaultdict(list)
    for turn in facts.record.turns:
        counts[day_of(turn.began_at)].update(("turns", "renewed") if turn.renewed else ("turns",))
    for offer in facts.record.offers:
        counts[day_of(offer.at)][offer.answer] += 1
    for round_ in facts.record.rounds:
        day = day_of(round_.at)
        profiles[day].add(round_.profile)
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
        yield DayAtTable(stretch, figures, tuple(sorted(profiles[number])), exceptions[number])
