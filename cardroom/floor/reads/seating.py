"""Queries on who may sit down at a seat: found by number or part of a name, lately here, or at this table already."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from django.db.models import OuterRef, Q, QuerySet, Subquery

from cardroom.people.models import Player
from cardroom.people.players import players_found

from ..checks.seats import why_not_leave, why_not_seat
from ..contracts import why_outside_contract
from ..errors import WhyNot
from ..expiry import why_badge_expired
from ..models import Seating
from .table_state import TableState

#: So many are listed at most: who looks for another types more of the name.
MOST_LISTED = 24
#: So many of the room's last stays are looked through for who was here lately.
_LAST_STAYS = 200


@dataclasses.dataclass(frozen=True)
class Seatable:
    """Somebody who was looked for: the stay that they have now, or else their last one, and why they may not sit down.

    `moves`: they are at this table, or another one, and would move to the seat.
    """

    player: Player
    stay: Seating | None
    last: Seating | None
    moves: bool
    why_not: WhyNot | None


@dataclasses.dataclass(frozen=True)
class Seatables:
    """Those who were found, and of how many players of the room."""

    people: list[Seatable]
    found: int
    known: int


def people_found(state: TableState, seat: int, search: str) -> Seatables:
    """Return whom `search` finds for a free seat; without one, who was in the room last and has no seat now.

    Players who may no longer play here are found too, and may not be seated.
    """
    room = state.table.room
    known = Player.objects.filter(room=room, merged_into__isnull=True, is_unused=False)
    if not search.strip():
        lately = _lately_here(state)
        return Seatables(_seatables(state, seat, lately), len(lately), known.count())
    found = players_found(room, search, barred=True)
    return Seatables(_seatables(state, seat, list(found[:MOST_LISTED])), found.count(), known.count())


def people_here(state: TableState, seat: int) -> Seatables:
    """Return those at the table already, who may move to a free seat, in the order of their places."""
    stays = list(state.places.values())
    players = [stay.player.merged_into or stay.player for stay in stays]
    once = list(dict.fromkeys(players))
    return Seatables(_seatables(state, seat, once), len(once), len(once))


def _lately_here(state: TableState) -> list[Player]:
    """Who sat in the room last and left, the last first: they come back more than anybody."""
    # By the key, which grows with the time: nothing needs to be sorted.
    stays = Seating.objects.filter(room=state.table.room).order_by("-pk")
    last = stays.select_related("player__merged_into__provider", "player__provider")[:_LAST_STAYS]
    people: dict[int, Player] = {}
    here: set[int] = set()
    for stay in last:
        player = stay.player.merged_into or stay.player
        if stay.left_at is None:
            here.add(player.pk)
        elif player.may_play(state.now) and not player.is_unused:
            people.setdefault(player.pk, player)
    return [player for pk, player in people.items() if pk not in here][:MOST_LISTED]


def _seatables(state: TableState, seat: int, players: Sequence[Player]) -> list[Seatable]:
    """Those players with where they are and whether they may sit down: three queries, however many they are."""
    now, before = stays_now(players), _last_stays(players)
    return [_seatable(state, seat, player, now.get(player.pk), before.get(player.pk)) for player in players]


def _seatable(
    state: TableState, seat: int, player: Player, stay: Seating | None, last: Seating | None
) -> Seatable:
    why = (
        why_not_seat(state, seat, player)
        or why_badge_expired(state, player)
        or why_outside_contract(state, player)
    )
    if stay is not None and stay.table_id != state.table.pk:
        return Seatable(player, stay, last, True, why)
    if stay is not None and why is not None and why.code == "player_elsewhere" and player.may_play(state.now):
        return Seatable(player, stay, last, True, why_not_leave(state, stay.place))
    return Seatable(player, stay, last, False, why)


def stays_now(players: Sequence[Player]) -> dict[int, Seating]:
    """Return by the id of each player the open stay of theirs, or of an entry that was merged into them."""
    open_stays = _stays_of(players).filter(left_at__isnull=True).order_by("-pk")
    return {stay.player.person_id: stay for stay in open_stays.select_related("table", "player")}


def _last_stays(players: Sequence[Player]) -> dict[int, Seating]:
    """By the id of each player the last stay of theirs that is over."""
    over = Seating.objects.filter(player=OuterRef("pk"), left_at__isnull=False).order_by("-pk")
    people = [player.pk for player in players]
    entries = Player.objects.filter(Q(pk__in=people) | Q(merged_into__in=people))
    last = entries.annotate(last=Subquery(over.values("pk")[:1])).values_list("last", flat=True)
    stays = Seating.objects.filter(pk__in=[pk for pk in last if pk is not None])
    return {stay.player.person_id: stay for stay in stays.order_by("pk").select_related("table", "player")}


def _stays_of(players: Sequence[Player]) -> QuerySet[Seating]:
    people = [player.pk for player in players]
    return Seating.objects.filter(Q(player__in=people) | Q(player__merged_into__in=people))
