"""Queries on providers' racks: their counts, hand-overs within turns, and the sessions of play that they make up."""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import Q, QuerySet

from cardroom.people.firms import Firms
from cardroom.people.models import Player, Provider
from cardroom.rooms.models import Room

from ..models import RackCount, Seating, Table, Turn

_KIND = RackCount.Kind


def rack_counts() -> QuerySet[RackCount]:
    """Return the counts of racks that stand, in their order, with whom they name."""
    people = ("player__merged_into", "relieved__merged_into", "recorded_by", "witnessed_by")
    stand = RackCount.objects.filter(withdrawal__isnull=True)
    return stand.select_related("table", "provider", *people).order_by("id")


def rack_counted(sitting: Seating, *kinds: RackCount.Kind) -> bool:
    """Whether the rack of a stay was counted since it began: opened, or taken over; or as `kinds` say."""
    counts = rack_counts().filter(stay=sitting, kind__in=kinds or (_KIND.OPENING, _KIND.HAND_OVER))
    return counts.exists()


def players_to_take_over(sitting: Seating) -> list[Player]:
    """Return the other players of the provider whose player sits there who may play and sit nowhere, by name."""
    if sitting.player.provider_id is None:
        return []
    here = Seating.objects.filter(room=sitting.room_id, left_at__isnull=True).values("player")
    others = Player.objects.filter(room=sitting.room_id, provider=sitting.player.provider_id)
    others = others.filter(merged_into__isnull=True, is_active=True).exclude(pk__in=here)
    return list(others.order_by("name", "number"))


def hand_overs_in(turns: Iterable[Turn]) -> Mapping[int, Sequence[RackCount]]:
    """Return the hand-overs within turns, by turn, in their order; no query where none of them was handed over."""
    return hand_overs_of([turn.pk for turn in turns if turn.relieved])


def hand_overs_of(handed: Collection[int]) -> Mapping[int, Sequence[RackCount]]:
    """The same of turns that are known to have been handed over, by id."""
    found: dict[int, list[RackCount]] = defaultdict(list)
    if handed:
        for each in rack_counts().filter(turn__in=handed):
            assert each.turn_id is not None  # asked for
            found[each.turn_id].append(each)
    return found


@dataclasses.dataclass
class RackSession:
    """A provider's session of play at a table: from when the first of its players sits down until the last one leaves.

    A player who moves, or whose rack another one takes over, goes on with the session. `stays` and `counts` are in their order.
    """

    table: Table
    provider: Provider
    stays: list[Seating]
    counts: list[RackCount] = dataclasses.field(default_factory=list)

    @property
    def began_at(self) -> datetime.datetime:
        return self.stays[0].seated_at

    @property
    def ended_at(self) -> datetime.datetime | None:
        """When the last of its players left; None while one sits there."""
        ends = [stay.left_at for stay in self.stays]
        return None if None in ends else max(end for end in ends if end is not None)

    @property
    def players(self) -> list[str]:
        """Who played in it, each referred to once, in the order in which they came."""
        return list(dict.fromkeys(stay.player.ref for stay in self.stays))

    @property
    def hand_overs(self) -> list[RackCount]:
        return [count for count in self.counts if count.kind == _KIND.HAND_OVER]

    @property
    def opening(self) -> RackCount | None:
        """The last opening count; None where none was told."""
        return next((count for count in reversed(self.counts) if count.kind == _KIND.OPENING), None)

    @property
    def closing(self) -> RackCount | None:
        """The last closing count; None where none was told."""
        return next((count for count in reversed(self.counts) if count.kind == _KIND.CLOSING), None)

    @property
    def difference_cents(self) -> int | None:
        """Closed with less opened with, of a session of which both are told."""
        if self.opening is None or self.closing is None:
            return None
        return self.closing.cents - self.opening.cents


def rack_sessions(
    room: Room,
    since: datetime.datetime,
    until: datetime.datetime,
    *,
    table: Table | None = None,
    provider: Provider | None = None,
) -> list[RackSession]:
    """Return the sessions that went on at some time from `since` to `until`, which is excluded: by table, in their order.

    Five queries, and one for each stay by which a session goes back beyond `since`.
    """
    firms = Firms(room)
    providers = Provider.objects.filter(room=room).in_bulk()
    players = {pk for pk, firm in firms.of_any().items() if provider is None or provider.pk in firm}
    stays = Seating.objects.filter(room=room, player__in=players).select_related(
        "table", "player__merged_into"
    )
    if table is not None:
        stays = stays.filter(table=table)
    there = Q(left_at__isnull=True) | Q(left_at__gt=since)
    found = {stay.pk: stay for stay in stays.filter(there, seated_at__lt=until)}
    ahead = [stay for stay in found.values() if stay.seated_at <= since]
    while ahead:
        before = stays.filter(left_at__in=[stay.seated_at for stay in ahead]).exclude(pk__in=found)
        ahead = list(before)
        found |= {stay.pk: stay for stay in ahead}
    sessions: list[RackSession] = []
    open_: dict[tuple[int, int], RackSession] = {}
    for stay in sorted(found.values(), key=lambda stay: (stay.table.number, stay.seated_at, stay.pk)):
        firm = firms.firm_at(stay.player_id, stay.seated_at)
        if firm is None or (provider is not None and firm != provider.pk):
            continue
        session = open_.get((stay.table_id, firm))
        if session is None or ((ended := session.ended_at) is not None and ended < stay.seated_at):
            session = open_[stay.table_id, firm] = RackSession(stay.table, providers[firm], [])
            sessions.append(session)
        session.stays.append(stay)
    sessions = [each for each in sessions if (ended := each.ended_at) is None or ended > since]
    of_stay = {stay.pk: session for session in sessions for stay in session.stays}
    for count in rack_counts().filter(stay__in=of_stay):
        of_stay[count.stay_id].counts.append(count)
    return sessions
