"""The line-up of a room: who deals where and since when, who is on break, whose rest or meal is due, and who comes next.

Everything is read from downs, meals and the plan. A dealer's day begins with the first down after four hours away from the tables.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import Q, Subquery

from cardroom.people.models import Staff
from cardroom.people.permits import REMIND_DAYS, Expiry, local_day, permit_expiries
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..models import Down, ExpiryOverride, LineUpPlan, Meal, Push, Relief, Table
from ..models.line_up import WAITS
from .records import dealers_of

#: Somebody who was away from the tables for so long has gone home in between.
AWAY = datetime.timedelta(hours=4)
#: Whoever is expected within so long starts soon.
STARTS_SOON = datetime.timedelta(hours=1)
#: No dealer's day is longer; what lies before it is not read.
LOOK_BACK = datetime.timedelta(hours=16)
#: Where a dealer goes who is relieved, beside a table.
BREAK, MEAL = "break", "meal"


@dataclasses.dataclass(frozen=True, eq=False)
class Dealer:
    """A person who may deal in the room, at an instant.

    `down` is their open one here, `elsewhere` whether they deal in another room. `away_since` is when their last down of the
    day ended. `meal` is the one that they are at. `rest_due` is told of who deals, `meal_due` of whoever has dealt today, `starts_at` of
    whoever is expected today and has not dealt yet.
    """

    person: Staff
    down: Down | None = None
    elsewhere: bool = False
    away_since: datetime.datetime | None = None
    meal: Meal | None = None
    meal_until: datetime.datetime | None = None
    rest_due: datetime.datetime | None = None
    meal_due: datetime.datetime | None = None
    expired: Expiry | None = None
    starts_at: datetime.datetime | None = None

    @property
    def pk(self) -> int:
        return self.person.pk

    def __str__(self) -> str:
        return str(self.person)


@dataclasses.dataclass(frozen=True, eq=False)
class TablesInOrder:
    """A string of the plan: its open tables and its dealers, each in their order."""

    name: str
    tables: list[Table]
    dealers: list[Dealer]


@dataclasses.dataclass(frozen=True, eq=False)
class ReliefSeen:
    """One table of a push: done, canceled, on the way, or after the table (`after`) where who comes in still deals."""

    relief: Relief
    after: Table | None = None

    @property
    def down(self) -> Down | None:
        return self.relief.down

    @property
    def is_done(self) -> bool:
        return self.relief.down_id is not None

    @property
    def waits(self) -> bool:
        return not self.is_done and self.relief.ended_at is None

    @property
    def is_free(self) -> bool:
        """Whether who comes in may begin now."""
        return self.waits and self.after is None


@dataclasses.dataclass(frozen=True, eq=False)
class PushSeen:
    """A push with its tables, in their order."""

    push: Push
    reliefs: list[ReliefSeen]

    @property
    def waiting(self) -> list[ReliefSeen]:
        return [each for each in self.reliefs if each.waits]

    @property
    def done(self) -> list[ReliefSeen]:
        return [each for each in self.reliefs if each.is_done]

    @property
    def is_open(self) -> bool:
        return bool(self.waiting)

    @property
    def may_be_reversed(self) -> bool:
        """Whether every down that it began is still open, so that everybody can be put back."""
        return (
            self.push.reversed_at is None
            and bool(self.done)
            and all(each.down is not None and each.down.ended_at is None for each in self.done)
        )


@dataclasses.dataclass(frozen=True, eq=False)
class LineUp:
    """The line-up of a room at an instant. `plan` is a new one with no id where none was set.

    `pushes` are those of which a table waits, and the latest one, in their order.
    """

    room: Room
    now: datetime.datetime
    plan: LineUpPlan
    strings: list[TablesInOrder]
    dealers: dict[int, Dealer]
    pushes: list[PushSeen]

    @functools.cached_property
    def open_reliefs(self) -> dict[int, ReliefSeen]:
        """The tables of pushes that are open, with what has become of each."""
        return {each.relief.table_id: each for push in self.pushes if push.is_open for each in push.reliefs}

    @property
    def waiting(self) -> list[ReliefSeen]:
        """The reliefs that have not come yet."""
        return [each for each in self.open_reliefs.values() if each.waits]

    @property
    def dealing(self) -> list[Dealer]:
        return [dealer for dealer in self.dealers.values() if dealer.down is not None]

    @functools.cached_property
    def in_plan(self) -> list[Dealer]:
        """The dealers of the strings, in their order."""
        return [dealer for string in self.strings for dealer in string.dealers]

    @functools.cached_property
    def on_break(self) -> list[Dealer]:
        """Dealers of the plan who might deal and do not now, in the order in which they come in."""
        away = (
            dealer
            for dealer in self.in_plan
            if dealer.down is None
            and not dealer.elsewhere
            and dealer.expired is None
            and dealer.starts_at is None
        )
        return in_turn(away, self.plan, self.now)

    @functools.cached_property
    def starting(self) -> list[Dealer]:
        """Dealers of the plan who are expected within the hour, or were and have not dealt yet, by their times."""
        soon = self.now + STARTS_SOON
        found = [
            (dealer.starts_at, dealer)
            for dealer in self.in_plan
            if dealer.starts_at is not None
            and dealer.starts_at <= soon
            and dealer.expired is None
            and not dealer.elsewhere
        ]
        return [dealer for _, dealer in sorted(found, key=lambda each: each[0])]

    @functools.cached_property
    def due(self) -> list[tuple[Dealer, str, datetime.datetime]]:
        """Rests and meals that are due within the next down, or are overdue, by their times; of each dealer the first."""
        until = self.now + datetime.timedelta(minutes=self.plan.down_minutes)
        found = [
            (dealer, *due)
            for dealer in self.dealers.values()
            if (due := due_first(dealer)) and due[1] <= until
        ]
        return sorted(found, key=lambda each: each[2])

    @functools.cached_property
    def overdue(self) -> list[tuple[Dealer, str, datetime.datetime]]:
        return [each for each in self.due if each[2] <= self.now]

    @functools.cached_property
    def cannot_deal(self) -> list[Dealer]:
        """Dealers of the plan whose permit has expired."""
        return [dealer for dealer in self.in_plan if dealer.expired is not None]

    @functools.cached_property
    def over(self) -> list[Down]:
        """Open downs that have lasted longer than the plan gives them, the longest first."""
        downs = [dealer.down for dealer in self.dealing if dealer.down is not None]
        late = [down for down in downs if minutes_of(down, self.now) > self.plan.down_minutes]
        return sorted(late, key=lambda down: down.started_at)

    @property
    def tables(self) -> list[Table]:
        return [table for string in self.strings for table in string.tables]


def line_up_of(room: Room, now: datetime.datetime) -> LineUp:
    """Read the line-up of a room; in as many queries for forty tables as for one."""
    plan = LineUpPlan.objects.filter(room=room).order_by("-id").first() or LineUpPlan(room=room, strings=[])
    every = list(Table.objects.filter(room=room).select_related("schedule", "game").order_by("number"))
    tables = {table.pk: table for table in every if table.state == Table.State.OPEN}
    dealers = _dealers(room, [table.pk for table in every], plan, now)
    strings = _strings(plan, tables, dealers)
    return LineUp(room, now, plan, strings, dealers, _pushes(room, dealers))


def minutes_of(down: Down | None, now: datetime.datetime) -> int:
    """Whole minutes since a down began."""
    return 0 if down is None else max(0, int((now - down.started_at).total_seconds()) // 60)


def in_turn(dealers: Iterable[Dealer], plan: LineUpPlan, now: datetime.datetime) -> list[Dealer]:
    """Dealers who do not deal, in the order in which they come in.

    First who has been away longest and has had a rest, then who has not dealt today, in the order of the plan, then the others.
    """

    def rank(dealer: Dealer) -> tuple[int, float]:
        if dealer.away_since is None:
            return 1, 0.0
        rested = now - dealer.away_since >= datetime.timedelta(minutes=plan.rest_minutes)
        return (0 if rested else 2), dealer.away_since.timestamp()

    return sorted(dealers, key=rank)


def due_first(dealer: Dealer) -> tuple[str, datetime.datetime] | None:
    """Which of rest and meal a dealer is to have first, and by when; None where neither is told."""
    if dealer.meal is not None:
        return None
    dues = [(what, at) for what, at in ((MEAL, dealer.meal_due), (BREAK, dealer.rest_due)) if at is not None]
    return min(dues, key=lambda each: each[1], default=None)


def current_meal(dealer: Staff) -> Meal | None:
    """Return the meal that a dealer is at: it was not ended, and no down of theirs has begun since."""
    meal = Meal.objects.filter(dealer=dealer).select_related("dealer").order_by("-started_at", "-id").first()
    if meal is None or meal.ended_at is not None:
        return None
    dealt = Down.objects.filter(dealer=dealer, started_at__gte=meal.started_at).exists()
    return None if dealt else meal


def _strings(
    plan: LineUpPlan, tables: Mapping[int, Table], dealers: Mapping[int, Dealer]
) -> list[TablesInOrder]:
    """The strings of the plan as far as their tables are open; open tables of no string are the last, with whom nobody planned."""
    found, placed, planned = [], set(), set()
    for string in plan.strings:
        there = [tables[pk] for pk in string["tables"] if pk in tables]
        people = [dealers[pk] for pk in string["dealers"] if pk in dealers]
        placed |= {table.pk for table in there}
        planned |= {dealer.pk for dealer in people}
        found.append(TablesInOrder(string["name"], there, people))
    others = [table for pk, table in tables.items() if pk not in placed]
    if others:
        seen = [
            dealer
            for dealer in dealers.values()
            if dealer.pk not in planned and (dealer.down is not None or dealer.away_since is not None)
        ]
        found.append(TablesInOrder("" if plan.strings else "All", others, seen))
    return [string for string in found if string.tables or string.dealers]


def _dealers(
    room: Room, tables: Collection[int], plan: LineUpPlan, now: datetime.datetime
) -> dict[int, Dealer]:
    """Everybody who may deal in the room, by name: five queries, and one more where a permit has expired.

    Downs are asked for by table: the index of those that ended lately is the tables' own.
    """
    people = list(dealers_of(room))
    downs: defaultdict[int, list[Down]] = defaultdict(list)
    lately = Down.objects.filter(table__in=tables).filter(
        Q(ended_at__isnull=True) | Q(ended_at__gt=now - LOOK_BACK)
    )
    for down in lately.select_related("dealer", "table").order_by("started_at", "pk"):
        downs[down.dealer_id].append(down)
    meals: defaultdict[int, list[Meal]] = defaultdict(list)
    for meal in Meal.objects.filter(room=room, started_at__gt=now - LOOK_BACK).order_by("started_at", "pk"):
        meals[meal.dealer_id].append(meal)
    elsewhere = set(
        Down.objects.filter(dealer__in=people, ended_at__isnull=True)
        .exclude(room=room)
        .values_list("dealer", flat=True)
    )
    day = local_day(room, now)
    expired = {
        int(each.subject.partition(":")[2]): each
        for each in permit_expiries(room, people)
        if each.expires < day
    }
    overrides = ExpiryOverride.objects.filter(room=room, gaming_day=gaming_day(room, now), staff__in=expired)
    starts = _starts(room, plan, now)
    overridden = set(overrides.values_list("staff", flat=True)) if expired else set()
    found = {
        person.pk: _dealer(
            person,
            downs.get(person.pk, []),
            meals.get(person.pk, []),
            plan,
            now,
            elsewhere=person.pk in elsewhere,
            expired=None if person.pk in overridden else expired.get(person.pk),
            starts_at=starts.get(person.pk),
        )
        for person in people
    }
    for pk, of_one in downs.items():  # a role may have been taken away in mid-down
        if pk not in found and of_one[-1].ended_at is None:
            found[pk] = _dealer(of_one[-1].dealer, of_one, [], plan, now, elsewhere=False, expired=None)
    return found


def _dealer(
    person: Staff,
    downs: Sequence[Down],
    meals: Sequence[Meal],
    plan: LineUpPlan,
    now: datetime.datetime,
    *,
    elsewhere: bool,
    expired: Expiry | None,
    starts_at: datetime.datetime | None = None,
) -> Dealer:
    today = _day_of(downs)
    last = today[-1] if today else None
    if last is not None and last.ended_at is not None and now - last.ended_at >= AWAY:
        today, last = [], None
    spans = [_meal_span(meal, today, now) for meal in meals]
    meal = None
    if meals and (last is None or last.ended_at is not None) and meals[-1].ended_at is None:
        after = [down for down in today if down.started_at >= meals[-1].started_at]
        meal = None if after else meals[-1]
    length = datetime.timedelta(minutes=plan.meal_minutes)
    counted = [end for start, end in spans if end - start >= length]
    meal_due = None
    if today:
        base = max([today[0].started_at, *counted])
        meal_due = base + datetime.timedelta(minutes=plan.meal_after_minutes)
    rest_due = None
    if last is not None and last.ended_at is None:
        rest_due = _stretch(today, plan) + datetime.timedelta(minutes=plan.rest_after_minutes)
    return Dealer(
        person=person,
        down=last if last is not None and last.ended_at is None else None,
        elsewhere=elsewhere,
        away_since=None if last is None else last.ended_at,
        meal=meal,
        meal_until=None if meal is None else meal.started_at + length,
        rest_due=rest_due,
        meal_due=meal_due,
        expired=expired,
        starts_at=starts_at if last is None else None,
    )


def _starts(room: Room, plan: LineUpPlan, now: datetime.datetime) -> dict[int, datetime.datetime]:
    """When dealers are expected in the gaming day of now; what a plan said of another day is over."""
    found = {each["dealer"]: datetime.datetime.fromisoformat(each["at"]) for each in plan.starts}
    today = gaming_day(room, now)
    return {pk: at for pk, at in found.items() if gaming_day(room, at) == today}


def _day_of(downs: Sequence[Down]) -> list[Down]:
    """The downs of a dealer since they were away long enough to have gone home."""
    first = 0
    for place in range(1, len(downs)):
        before = downs[place - 1].ended_at
        if before is not None and downs[place].started_at - before >= AWAY:
            first = place
    return list(downs[first:])


def _stretch(downs: Sequence[Down], plan: LineUpPlan) -> datetime.datetime:
    """Since when the dealer of these downs has been at the tables without a rest."""
    since = downs[-1].started_at
    rest = datetime.timedelta(minutes=plan.rest_minutes)
    for place in range(len(downs) - 1, 0, -1):
        before = downs[place - 1].ended_at
        if before is None or downs[place].started_at - before >= rest:
            break
        since = downs[place - 1].started_at
    return since


def _meal_span(
    meal: Meal, downs: Sequence[Down], now: datetime.datetime
) -> tuple[datetime.datetime, datetime.datetime]:
    """When a meal began and ended: by a word, by the first down after it, or not yet."""
    after = [down.started_at for down in downs if down.started_at >= meal.started_at]
    ends = [each for each in (meal.ended_at, *after[:1]) if each is not None]
    return meal.started_at, min(ends, default=now)


def _pushes(room: Room, dealers: Mapping[int, Dealer]) -> list[PushSeen]:
    """The pushes of the room of which a table waits, and the latest one: two queries."""
    last = Push.objects.filter(room=room).order_by("-id").values("pk")[:1]
    open_ones = Relief.objects.filter(WAITS, room=room).values("push")
    reliefs = Relief.objects.filter(Q(push__in=open_ones) | Q(push=Subquery(last))).select_related(
        "push__started_by", "table", "incoming", "outgoing", "down__dealer"
    )
    found: dict[int, PushSeen] = {}
    for relief in reliefs.order_by("push", "position"):
        coming = dealers.get(relief.incoming_id)
        after = None if coming is None or coming.down is None else coming.down.table
        seen = ReliefSeen(relief)
        found.setdefault(relief.push_id, PushSeen(relief.push, [])).reliefs.append(
            ReliefSeen(relief, after) if seen.waits else seen
        )
    return list(found.values())


def permits_ending(line_up: LineUp) -> list[Expiry]:
    """Permits of the plan's dealers that end within the days of which the room is reminded, less those that have expired."""
    day = local_day(line_up.room, line_up.now)
    last = day + datetime.timedelta(days=REMIND_DAYS)
    people = [dealer.person for dealer in line_up.in_plan]
    found = [each for each in permit_expiries(line_up.room, people) if day <= each.expires <= last]
    return sorted(found, key=lambda each: (each.expires, each.subject))
