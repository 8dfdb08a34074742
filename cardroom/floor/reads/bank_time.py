"""Queries on time at the bank: who held it for how long, for which provider, and for how long each table was in play."""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from cardroom.people.firms import Firms
from cardroom.people.models import Player, Provider
from cardroom.rooms.models import Room

from ..models import Down, RackCount, Round, Table, Turn
from ..models.rounds import is_current
from .racks import hand_overs_in
from .table_state import last_rounds

Span = tuple[datetime.datetime, datetime.datetime]


@dataclasses.dataclass
class Share:
    """What a player did at the bank of a table, for a provider (None: for none).

    `held` lies within the time asked about, to the microsecond; `turns` began in it; `rounds` are settled rounds that
    opened in it.
    """

    table: Table
    player: Player
    provider: Provider | None
    turns: int = 0
    rounds: int = 0
    held: datetime.timedelta = datetime.timedelta()


@dataclasses.dataclass(frozen=True)
class BankTime:
    """The shares in the bank of some tables, and by table (its id) how long it was in play.

    A table is in play while a dealer has a down there or a player holds the bank; no share lies outside. Times are exact:
    `whole_seconds` rounds a sum of them, once.
    """

    tables: Sequence[Table]
    shares: list[Share]
    in_play: dict[int, datetime.timedelta]


def bank_time(
    room: Room,
    since: datetime.datetime,
    until: datetime.datetime,
    table: Table | None = None,
) -> BankTime:
    """Return who banked at the tables of a room (or at `table` alone) from `since` to `until`, which is excluded.

    A turn or a down that goes on is counted up to the last round of its table, so that the same rows always come to the
    same. A turn in which a provider's rack was handed over counts for who began it, and its time for who held it when. Eight
    queries, however much was played, and another where a rack was handed over.
    """
    earlier = Turn.objects.filter(table=OuterRef("pk"), began_at__lt=since).order_by("-began_at", "-pk")
    found = Table.objects.filter(room=room) if table is None else Table.objects.filter(pk=table.pk)
    last = last_rounds().filter(table=OuterRef("pk"))
    last_at = Subquery(last.values(at=Coalesce("ended_at", "opened_at"))[:1])
    tables = list(
        found.annotate(led_in=Subquery(earlier.values("pk")[:1]), last_at=last_at).order_by("number")
    )
    reached = {each.pk: each.last_at or since for each in tables}
    led_in = [each.led_in for each in tables]
    turns = Turn.objects.filter(
        Q(began_at__gte=since, began_at__lt=until) | Q(pk__in=led_in), table__in=tables
    )
    turns = turns.exclude(ended_why=Turn.Ended.MISTAKE)
    rows = list(turns.order_by("table", "began_at", "pk").only(*_TURN))
    handed = hand_overs_in(rows)
    firms = Firms(room)
    shares = _Shares(tables, room)
    began: dict[int, datetime.datetime] = {}
    spans: dict[int, list[Span]] = defaultdict(list)
    for turn in rows:
        table_id, began_at = turn.table_id, turn.began_at
        began[turn.pk] = began_at
        firm = firms.firm_at(turn.begun_by, began_at)
        shares.of(table_id, turn.begun_by, firm).turns += began_at >= since
        from_ = began_at
        for player, to in _held_by(turn, handed.get(turn.pk, ()), turn.ended_at or reached[table_id]):
            begins, ends = max(since, from_), min(until, to)
            if begins < ends:
                shares.of(table_id, player, firms.firm_at(player, from_)).held += ends - begins
                spans[table_id].append((begins, ends))
            from_ = to
    rounds = Round.objects.filter(
        is_current(),
        table__in=tables,
        state=Round.State.SETTLED,
        opened_at__gte=since,
        opened_at__lt=until,
        bank_player__isnull=False,
    ).order_by()
    for table_id, player, turn_id, count in rounds.values_list("table", "bank_player", "turn").annotate(
        count=Count("pk")
    ):
        shares.of(table_id, player, firms.firm_at(player, began.get(turn_id, since))).rounds += count
    for table_id, started_at, ended_at in _downs(tables, since, until):
        begins, ends = max(since, started_at), min(until, ended_at or reached[table_id])
        if begins < ends:
            spans[table_id].append((begins, ends))
    in_play = {each.pk: _covered(spans[each.pk]) for each in tables}
    return BankTime(tables, shares.made(), in_play)


_TURN = ("table", "player", "relieved", "began_at", "ended_at")


def _held_by(
    turn: Turn, handed: Iterable[RackCount], ends: datetime.datetime
) -> Iterator[tuple[int, datetime.datetime]]:
    """Who held a turn up to when, one after the other, by id."""
    for each in handed:
        assert each.relieved_id is not None  # who handed over
        yield each.relieved_id, each.counted_at
    yield turn.player_id, ends


class _Shares:
    """The shares so far, by table, player and provider."""

    def __init__(self, tables: Sequence[Table], room: Room) -> None:
        self._tables = {table.pk: table for table in tables}
        self._players = Player.objects.filter(room=room).in_bulk()
        self._providers = Provider.objects.filter(room=room).in_bulk()
        self._made: dict[tuple[int, int, int | None], Share] = {}

    def of(self, table: int, player: int, firm: int | None) -> Share:
        if (share := self._made.get((table, player, firm))) is None:
            provider = None if firm is None else self._providers[firm]
            share = Share(self._tables[table], self._players[player], provider)
            self._made[table, player, firm] = share
        return share

    def made(self) -> list[Share]:
        """Those that come to something, by table and the longest first."""
        shares = [share for share in self._made.values() if share.turns or share.rounds or share.held]
        return sorted(shares, key=lambda share: (share.table.number, -share.held, share.player.known_as))


def _downs(
    tables: Iterable[Table], since: datetime.datetime, until: datetime.datetime
) -> list[tuple[int, datetime.datetime, datetime.datetime | None]]:
    downs = Down.objects.filter(table__in=tables, started_at__lt=until)
    downs = downs.filter(Q(ended_at__gt=since) | Q(ended_at__isnull=True))
    return list(downs.values_list("table", "started_at", "ended_at"))


def whole_seconds(times: Iterable[datetime.timedelta]) -> int:
    """Return the sum of times in whole seconds, rounded once, half a second up."""
    second = datetime.timedelta(seconds=1)
    return (2 * sum(times, datetime.timedelta()) + second) // (2 * second)


def _covered(spans: Iterable[Span]) -> datetime.timedelta:
    """How long any of `spans` lasts, what several cover counted once."""
    covered, reached = datetime.timedelta(), None
    for begins, ends in sorted(spans):
        begins_anew = begins if reached is None else max(begins, reached)
        if ends > begins_anew:
            covered += ends - begins_anew
            reached = ends
    return covered
