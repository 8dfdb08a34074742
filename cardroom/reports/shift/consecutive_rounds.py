"""Counts rounds in a row by one bank, from the rounds themselves (ruling 40).

The turns' own counts are what the floor commands on; a report that used them too would repeat their mistakes.
Here a run is: settled rounds at one table, one after the other, banked by one player, or by players of one provider who
handed its rack over within a turn (ruling 62). It ends as another player banks a
settled round, or as that player begins a turn after every other seated player was offered the bank and none accepted
(answers hold for players, wherever they sit, and one that was withdrawn is none). Nothing else ends it: not leaving the
bank or the seat, not a closed table, a change of profile or of game within one approval, a shift or a gaming day. A
correction is no further round, and a void neither counts nor ends a run. Each round is checked against the profile that
was noted with it.
"""

from __future__ import annotations

import datetime
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple, TypedDict

from django.db.models import Q

from cardroom.config.replica import reading_connection
from cardroom.floor.models import Offer, Round, Seating, Shift
from cardroom.floor.reads.played_games import PlayedGames
from games.rotation.offers import starts_anew
from games.rotation.profile import profile_under
from games.rulebook import Rulebook

from ..stored.figure_types import RoundRef


class Run(TypedDict):
    """A run of rounds in a row over the limit, oldest round first."""

    table: int
    player: int
    limit: int
    rounds: list[RoundRef]


def rounds_in_a_row(rulebook: Rulebook, rotation: str = "") -> int | None:
    """How many settled rounds in a row one player may bank, by the profile of a round and the terms of its approval.

    None where the profile goes by the clock: its rounds are checked by the rotation's own review.
    """
    return profile_under(rulebook, rotation).offer_after_rounds


def runs_over_limit(shift_id: int) -> list[Run]:
    """Find the runs over the limit with a round over it in the shift. Six queries, however many rounds the shift has.

    The count begins `limit` settled rounds before the shift's first at each table. That is enough to tell that a run
    is too long: a round is over its limit when so many before it are of one run with it. A run that is too long and
    goes back further is read as far as it goes, twice as many rounds each time, three queries each.
    """
    # Of revision 0: see `_BOUNDS`.
    played = Round.objects.filter(
        shift=shift_id, state=Round.State.SETTLED, revision=0, bank_player__isnull=False
    )
    rules = played.order_by("rulebook").values_list("game", "rulebook", "rotation").distinct()
    games = PlayedGames(Shift.objects.filter(pk=shift_id).values_list("room", flat=True))
    found = [rounds_in_a_row(games.rulebook(game, book), rotation) for game, book, rotation in rules]
    limits = [limit for limit in found if limit is not None]
    if not limits:
        return []
    earlier = max(limits)
    while True:
        rounds, firsts = _settled(shift_id, earlier)
        over = [
            over_limit
            for run in _runs(rounds, min(limits), games)
            if (over_limit := _over_limit(run, shift_id, games)) is not None
        ]
        # The first round that was read of a table may not be the first of its run.
        if all(run["rounds"][0]["id"] not in firsts for run in over):
            return over
        earlier *= 2


def _runs(rounds: list[_Settled], limit: int, games: PlayedGames) -> list[list[_Settled]]:
    """The runs of more than `limit` rounds."""
    long = [stay for stay in _stays(rounds, games) if len(stay) > limit]
    asked = _Asked([pair for stay in long for pair in pairwise(stay) if _turn_began(*pair)])
    return [run for stay in long for run in asked.apart(stay) if len(run) > limit]


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
    game: int | None
    began_at: datetime.datetime | None
    held_by: int | None
    relieved: list[int] | None

    @property
    def bank(self) -> set[int | None]:
        """Who banked it, and who held its turn before or after by a hand-over."""
        return {self.player, self.held_by, *self.relieved} if self.relieved else {self.player}


def _settled(shift_id: int, earlier: int) -> tuple[list[_Settled], set[int]]:
    """The settled rounds of a shift and so many `earlier` ones at each of its tables, table by table, in their order.

    And the ids of those before which a table may have more.
    """
    with reading_connection().cursor() as cursor:
        cursor.execute(_BOUNDS, {"shift": shift_id, "skip": earlier - 1})
        bounds = cursor.fetchall()
    there = Q(pk__in=[])
    for table, first, last in bounds:
        there |= Q(table=table, pk__range=(first, last))
    columns = ("table", "pk", "shift", "turn", "bank_seat", "bank_player", "opened_at", "ended_at")
    more = (
        "gaming_day",
        "number",
        "rulebook",
        "rotation",
        "game",
        "turn__began_at",
        "turn__player",
        "turn__relieved",
    )
    rounds = Round.objects.filter(there, state=Round.State.SETTLED, revision=0).order_by()
    found = sorted(_Settled(*row) for row in rounds.values_list(*columns, *more))
    return found, {first for _, first, _ in bounds if first}


def _turn_began(before: _Settled, now: _Settled) -> bool:
    """Whether another turn began between two rounds of one player, one after the other; without turns it may have."""
    return before.turn is None or before.turn != now.turn


def _stays(rounds: Iterable[_Settled], games: PlayedGames) -> Iterator[list[_Settled]]:
    """The rounds that one player banked at a table one after the other in games of one approval, regardless of offers."""
    for _, at_table in groupby(rounds, key=attrgetter("table")):
        stay: list[_Settled] = []
        for each in at_table:
            if stay and (
                stay[-1].player is None
                or (each.player is not None and each.bank.isdisjoint(stay[-1].bank))
                or games.are_apart(stay[-1].game, each.game)
            ):
                yield stay
                stay = []
            stay.append(each)
        yield stay


class _Asked:
    """Who sat at the tables and who answered an offer between two rounds of a bank, for some pairs of such rounds.

    Both by player: one who moves has been asked, and one who takes the seat of a player who was has not.
    """

    def __init__(self, pairs: list[tuple[_Settled, _Settled]]) -> None:
        self.seatings: dict[int, list[tuple[int, datetime.datetime, datetime.datetime | None]]] = defaultdict(
            list
        )
        self.answers: dict[int, list[tuple[datetime.datetime, int, int, str]]] = defaultdict(list)
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
        seatings = Seating.objects.filter(there, behind=0).order_by()  # a back line is not offered the bank
        for table, player, since, left in seatings.values_list("table", "player", "seated_at", "left_at"):
            self.seatings[table].append((player, since, left))
        offers = Offer.objects.filter(answered, withdrawal__isnull=True).order_by()
        columns = ("table", "answered_at", "id", "player", "answer")
        for table, at, pk, player, answer in offers.values_list(*columns):
            self.answers[table].append((at, pk, player, answer))
        for answers in self.answers.values():
            answers.sort()

    def apart(self, stay: list[_Settled]) -> Iterator[list[_Settled]]:
        """The runs that a stay is made of: one ends where every other player was offered the bank and declined."""
        run = stay[:1]
        for before, now in pairwise(stay):
            if _turn_began(before, now) and self.begins(before, now):
                yield run
                run = []
            run.append(now)
        yield run

    def begins(self, before: _Settled, now: _Settled) -> bool:
        """Whether a run begins with `now`, a round of the same player's next turn."""
        if now.player is None:
            return False
        at = now.began_at or now.opened_at
        seated = [
            player
            for player, since, until in self.seatings[now.table]
            if since <= at and (until is None or until > at)
        ]
        return starts_anew(now.player, seated, self.answers_between(now.table, before.ended_at, at))

    def answers_between(
        self, table: int, since: datetime.datetime, until: datetime.datetime
    ) -> dict[int, str]:
        """The last answer of each player at `table` from `since` to `until`, both included."""
        answers = self.answers[table]
        first = bisect_left(answers, since, key=itemgetter(0))
        last = bisect_right(answers, until, key=itemgetter(0))
        return {player: answer for _, _, player, answer in answers[first:last]}


def _over_limit(run: list[_Settled], shift_id: int, games: PlayedGames) -> Run | None:
    """The run as a row of the report, if a round of the shift is over the limit of its own profile.

    A table may have changed its game or its profile in mid-run: the rounds before it count all the same.
    """
    limits = [rounds_in_a_row(games.rulebook(each.game, each.rulebook), each.rotation) for each in run]
    over = [
        limit
        for place, (each, limit) in enumerate(zip(run, limits, strict=True), start=1)
        if limit is not None and place > limit and each.shift == shift_id
    ]
    if not over or run[0].player is None:
        return None
    return Run(
        table=run[0].table,
        player=run[0].player,
        limit=over[0],
        rounds=[
            {"id": each.id, "gaming_day": each.gaming_day.isoformat(), "number": each.number} for each in run
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
