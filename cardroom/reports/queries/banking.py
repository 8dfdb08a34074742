"""Queries on who banks: players in turn, or the house. What is said of the one makes no sense of the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardroom.floor.models import BuyIn, Round, Shift, TraySlip, Turn
from cardroom.rooms.models import Room
from games.rotation.profile import HOUSE_BANKS

from .query import ReportQuery


class Banking(NamedTuple):
    """Whether players bank, and whether the house does; where nothing happened, what the rules of the room allow."""

    players: bool
    house: bool


def banking_of_room(room: Room) -> Banking:
    """Return who may bank in a room by its jurisdiction."""
    return Banking(players=room.rules_of.players_bank, house=room.rules_of.house_banks)


def banking_in(room: Room, shifts: Sequence[Shift]) -> Banking:
    """Return who banked in some shifts of a room, or may bank there."""
    return Banking(players=players_banked(room, shifts), house=_house_banked(room, shifts))


def players_banked(room: Room, shifts: Sequence[Shift]) -> bool:
    """Whether players banked in some shifts of a room, or may bank there."""
    return (
        banking_of_room(room).players
        or Turn.objects.filter(shift__in=shifts).exists()
        or Round.objects.filter(shift__in=shifts).exclude(rotation=HOUSE_BANKS).exists()
    )


def _house_banked(room: Room, shifts: Sequence[Shift]) -> bool:
    return (
        banking_of_room(room).house
        or TraySlip.objects.filter(shift__in=shifts).exists()
        or BuyIn.objects.filter(shift__in=shifts).exists()
        or Round.objects.filter(shift__in=shifts, rotation=HOUSE_BANKS).exists()
    )


def tables_of_the_house(query: ReportQuery) -> set[int]:
    """Return the ids of the tables at which the house banked a round in the time asked about."""
    if not banking_of_room(query.room).house:
        return set()
    banked = Round.objects.filter(shift__in=query.shifts, rotation=HOUSE_BANKS).order_by()
    return set(banked.values_list("table", flat=True).distinct())
