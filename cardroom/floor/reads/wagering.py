"""Queries on what the players at a table have wagered, as far as an approval asks for it before the bank is offered."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet, Subquery

from cardroom.filings.models import GameFiling
from games.rotation.eligibility import Wagering
from games.rotation.profile import Profile

from ..models import Round, Seating, Table
from ..models.rounds import is_current

#: Settled rounds that are read first: more than most players need to have shown that they wager.
FIRST_READ = 12


class Wagered(NamedTuple):
    """The seats that wagered in a settled round, the bank's among them, and when its bets closed."""

    closed_at: datetime.datetime
    seats: frozenset[int]


class Stay(NamedTuple):
    """A stay at a seat, `until` exclusive (None: still)."""

    seat: int
    since: datetime.datetime
    until: datetime.datetime | None


def seats_wagered(bets: Sequence[Mapping[str, Any]], bank_seat: int | None) -> frozenset[int]:
    """The seats that wagered in a round, the bank's among them; bettors on back lines hold no seat."""
    seats = {bet["seat"] for bet in bets if bet["wagers"] and not bet.get("behind")}
    return frozenset(seats if bank_seat is None else {*seats, bank_seat})


def wagering_at(
    table: Table, seatings: Mapping[int, Seating], profile: Profile
) -> dict[int, Wagering] | None:
    """Return by seat what its player has wagered; None before a round was settled since the first of those there sat down.

    One query, another where somebody has wagered in too few rounds, and a third where `FIRST_READ` of them do not tell.
    Who placed a bet is whose stay at the seat it fell into: players are renamed.
    """
    if table.opened_at is None or not seatings:
        return None
    rounds = _rounds(table, table.opened_at, FIRST_READ)
    if not rounds or rounds[0].closed_at < min(stay.seated_at for stay in seatings.values()):
        return None
    stays = {seat: [Stay(seat, stay.seated_at, None)] for seat, stay in seatings.items()}
    found = _counted(rounds, stays)
    short = [seat for seat, wagering in found.items() if wagering.rounds < profile.wagered_rounds]
    if not short:
        return found
    _add_stays_before(table, seatings, {seat: stays[seat] for seat in short})
    earliest = min(stays[seat][-1].since for seat in short)
    if len(rounds) == FIRST_READ and earliest < rounds[-1].closed_at:
        rounds = _rounds(table, earliest)
    return _counted(rounds, stays)


def _rounds(table: Table, since: datetime.datetime, most: int | None = None) -> list[Wagered]:
    """The settled rounds whose bets closed since then in games of the table's approval, the last first."""
    settled: QuerySet[Round] = Round.objects.filter(
        is_current(), table=table, state=Round.State.SETTLED, opened_at__gte=table.opened_at
    ).order_by("-opened_at", "-id")
    if table.game_id is not None:
        of_table = GameFiling.objects.filter(pk=table.game_id).values("state_reference")
        settled = settled.filter(game__state_reference=Subquery(of_table))
    columns = settled.filter(bets_closed_at__gte=since).values_list("bets_closed_at", "bets", "bank_seat")
    return [
        Wagered(closed_at, seats_wagered(bets, bank))
        for closed_at, bets, bank in columns[:most]
        if closed_at is not None  # a settled round has closed its bets
    ]


def _add_stays_before(table: Table, seatings: Mapping[int, Seating], stays: Mapping[int, list[Stay]]) -> None:
    """Add, the last first, the stays from which the players at these seats moved: who moves has not left the table."""
    players = {seatings[seat].player_id for seat in stays}
    before = Seating.objects.filter(
        table=table, behind=0, player__in=players, left_at__gte=table.opened_at
    ).values_list("player", "left_at", "seat", "seated_at")
    ended = {(player, left): Stay(seat, since, left) for player, left, seat, since in before}
    for at, there in stays.items():
        player = seatings[at].player_id
        while (earlier := ended.pop((player, there[-1].since), None)) is not None:
            there.append(earlier)


def _counted(rounds: Sequence[Wagered], stays: Mapping[int, Sequence[Stay]]) -> dict[int, Wagering]:
    return {
        seat: Wagering(
            sum(any(_wagered(stay, each) for stay in there) for each in rounds), _wagered(there[0], rounds[0])
        )
        for seat, there in stays.items()
    }


def _wagered(stay: Stay, round_: Wagered) -> bool:
    return (
        stay.seat in round_.seats
        and stay.since <= round_.closed_at
        and (stay.until is None or round_.closed_at < stay.until)
    )
