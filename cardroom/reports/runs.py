"""Rounds in a row by one bank, counted from the rounds themselves (ruling 40).

The turns' own counts are what the floor acts on; a report that used them too would repeat their mistakes.
Here a run is: settled rounds at one table, one after the other, banked by one player, with no complete cycle
of offers between. A cycle is complete when, at the moment the new turn began, every other occupied seat had
answered an offer since the round before; an answer that was withdrawn is none. A correction is no further round. A closed table ends a run, and a void neither counts nor ends one.
"""

from __future__ import annotations

import datetime
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Final, NamedTuple, TypedDict

from django.db import connection
from django.db.models import Q

from cardroom.floor.models import Offer, Round, Seating
from games.rotation import load_profile
from games.rulebook import load_rulebook

from .figures import RoundRef


class Run(TypedDict):
    """A run of rounds in a row over the limit, oldest round first."""

    table: int
    player: int
    limit: int
    rounds: list[RoundRef]


def rounds_in_a_row(rulebook: str, rotation: str = "") -> int | None:
    """How many settled rounds in a row one player may bank, by the profile of a round or else of its rulebook.

    None where the profile goes by the clock: its rounds are held against it by the rotation's own review.
    """
    profile = rotation or load_rulebook(rulebook).rotation
    assert profile is not None  # a rulebook whose rounds a player banks has one
    return load_profile(profile).offer_after_rounds


def runs_over_limit(shift_id: int) -> list[Run]:
    """Find the runs over the limit with a round in the shift. Five queries at most, however many rounds it has.

    The count begins `limit` settled rounds before the shift's first at each table: enough to tell that a run
    is too long, and no walk through the table's whole past.
    """
    # Of revision 0: see `_BOUNDS`.
    played = Round.objects.filter(
        shift=shift_id, state=Round.State.SETTLED, revision=0, bank_player__isnull=False
    )
    rules = played.order_by("rulebook", "rotation").values_list("rulebook", "rotation").distinct()
    limits = [limit for rule in rules if (limit := rounds_in_a_row(*rule)) is not None]
    if not limits:
        return []
    long = [stay for stay in _stays(_settled(shift_id, max(limits) - 1)) if len(stay) > min(limits)]
    asked = _Asked([pair for stay in long for pair in pairwise(stay) if pair[0].turn != pair[1].turn])
    runs = [run for stay in long for run in asked.apart(stay) if any(each.shift == shift_id for each in run)]
    return [found for run in runs if (found := _over_limit(run)) is not None]


class _Settled(NamedTuple):
    """A settled round. `began_at` is when its turn did."""

    table: int
    id: int
    shift: int
    turn: int | None
    seat: int | None
    player: int | None
    opened_at: datetime.datetime
    ended_at: datetime.datetime
    gaming_day: datetime.date
    number: int
    rulebook: str
    rotation: str
    began_at: datetime.datetime | None


def _settled(shift_id: int, earlier: int) -> list[_Settled]:
    """The settled rounds of a shift and so many `earlier` ones at each of its tables, table by table, in their order."""
    with connection.cursor() as cursor:
        cursor.execute(_BOUNDS, {"shift": shift_id, "skip": earlier})
        bounds = cursor.fetchall()
    there = Q(pk__in=[])
    for table, first, last in bounds:
        there |= Q(table=table, pk__range=(first, last))
    columns = ("table", "pk", "shift", "turn", "bank_seat", "bank_player", "opened_at", "ended_at")
    more = ("gaming_day", "number", "rulebook", "rotation", "turn__began_at")
    rounds = Round.objects.filter(there, state=Round.State.SETTLED, revision=0).order_by()
    return sorted(_Settled(*row) for row in rounds.values_list(*columns, *more))


def _stays(rounds: Iterable[_Settled]) -> Iterator[list[_Settled]]:
    """The rounds that one player banked at a table one after the other, whatever was offered between them."""
    for _, at_table in groupby(rounds, key=attrgetter("table")):
        stay: list[_Settled] = []
        for each in at_table:
            if stay and (stay[-1].player is None or each.player not in (None, stay[-1].player)):
                yield stay
                stay = []
            stay.append(each)
        yield stay


class _Asked:
    """Who sat at the tables and who answered an offer between two rounds of a bank, for some pairs of such rounds."""

    def __init__(self, pairs: list[tuple[_Settled, _Settled]]) -> None:
        self.seatings: dict[int, list[tuple[int, datetime.datetime, datetime.datetime | None]]] = defaultdict(
            list
        )
        self.answers: dict[tuple[int, int], list[datetime.datetime]] = defaultdict(list)
        times: dict[int, tuple[datetime.datetime, datetime.datetime]] = {}
        for before, now in pairs:
            since, until = times.get(now.table, (before.ended_at, now.opened_at))
            times[now.table] = min(since, before.ended_at), max(until, now.opened_at)
        if not times:
            return
        there, answered = Q(pk__in=[]), Q(pk__in=[])
        for table, (since, until) in times.items():
            stayed = Q(left_at__isnull=True) | Q(left_at__gt=since)
            there |= Q(stayed, table=table, seated_at__lte=until)
            answered |= Q(table=table, answered_at__range=(since, until))
        seatings = Seating.objects.filter(there).order_by()
        for table, seat, since, left in seatings.values_list("table", "seat", "seated_at", "left_at"):
            self.seatings[table].append((seat, since, left))
        offers = Offer.objects.filter(answered, withdrawal__isnull=True).order_by()
        for table, seat, at in offers.values_list("table", "seat", "answered_at"):
            self.answers[table, seat].append(at)
        for instants in self.answers.values():
            instants.sort()

    def apart(self, stay: list[_Settled]) -> Iterator[list[_Settled]]:
        """The runs that a stay is made of: one ends where the table closed, or a cycle of offers was complete."""
        run = stay[:1]
        for before, now in pairwise(stay):
            if (before.turn is None or before.turn != now.turn) and self.begins(before, now):
                yield run
                run = []
            run.append(now)
        yield run

    def begins(self, before: _Settled, now: _Settled) -> bool:
        """Whether a run begins with `now`, a round of the same player's next turn."""
        if now.began_at is None:
            return True
        seatings = self.seatings[now.table]
        stayed = any(
            since <= before.ended_at and (until is None or until > now.opened_at)
            for _, since, until in seatings
        )
        # Nobody stayed since the round before: the table was closed, or broke up.
        return not stayed or all(
            self.answered(now.table, seat, before.ended_at, now.began_at)
            for seat, since, until in seatings
            if seat != now.seat and since <= now.began_at and (until is None or until > now.began_at)
        )

    def answered(self, table: int, seat: int, since: datetime.datetime, until: datetime.datetime) -> bool:
        """Whether `seat` answered an offer from `since` to `until`, both included."""
        instants = self.answers[table, seat]
        place = bisect_left(instants, since)
        return place < len(instants) and instants[place] <= until


def _over_limit(run: list[_Settled]) -> Run | None:
    """The run as a report tells it, if it is over its limit. A table may have changed its game in mid-run."""
    limits = [(each, rounds_in_a_row(each.rulebook, each.rotation)) for each in run]
    counted = [(each, limit) for each, limit in limits if limit is not None]
    least = min((limit for _, limit in counted), default=len(run))
    if len(counted) <= least or run[0].player is None:
        return None
    return Run(
        table=run[0].table,
        player=run[0].player,
        limit=least,
        rounds=[
            {"id": each.id, "gaming_day": each.gaming_day.isoformat(), "number": each.number}
            for each, _ in counted
        ],
    )


#: Of each table of a shift: the first of the settled rounds before its own that are counted, and the last of its own. A
#: round that corrects none is of revision 0. Asked for as one without `corrects`, SQLite would take that column's index
#: and walk through all rounds there are.
_BOUNDS: Final = """
WITH bounds AS (
    SELECT table_id, MIN(id) AS first_id, MAX(id) AS last_id FROM floor_round
    WHERE shift_id = %(shift)s AND state = 'settled' AND corrects_id IS NULL GROUP BY table_id
)
SELECT table_id, COALESCE((
    SELECT earlier.id FROM floor_round AS earlier
    WHERE earlier.table_id = bounds.table_id AND earlier.state = 'settled'
        AND earlier.revision = 0 AND earlier.id < bounds.first_id
    ORDER BY earlier.id DESC LIMIT 1 OFFSET %(skip)s
), 0), last_id FROM bounds
"""
