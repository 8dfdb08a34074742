"""The waiting list by game, must-move tables, and a player who comes from another table in one command."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cardroom.floor.commands.must_move import must_move_set
from cardroom.floor.commands.rounds import bets_place, round_open
from cardroom.floor.commands.seats import player_bring, player_leave, player_seat, waiting_seat
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.commands.waiting import waiting_add, waiting_call, waiting_no_show, waiting_remove
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Seating, Table, WaitingEntry
from cardroom.floor.reads.waiting_list import must_moves_to, waiting_of
from cardroom.people.models import Player
from tests.cast import Cast
from tests.filing import table_settings


@pytest.fixture
def two(running: Cast) -> Cast:
    """Tables 7 and 8 play game 1. At 7 seat 5 is free; at 8 Hal has sat since before Ida."""
    cast = running
    cast.send(player_leave, "floor", seat=5)
    second = cast.second_table
    cast.send(table_set, "floor", second, **table_settings(cast.room, schedule_id=cast.schedule(1).pk))
    cast.send(table_open, "floor", second)
    for seat, player in ((3, cast.waiting[0]), (1, cast.waiting[1])):
        cast.send(player_seat, "floor", second, seat=seat, player_id=player.pk)
    return cast


def game_of(cast: Cast) -> int:
    game = Table.objects.select_related("game").get(pk=cast.table.pk).game
    assert game is not None
    return game.number


def add(cast: Cast, **who: Any) -> int:
    return int(cast.send_room(waiting_add, "floor", game=game_of(cast), **who)["entry"])


def waiting(cast: Cast) -> list[str]:
    return [entry.called_name for entry in waiting_of(cast.room)]


def test_who_waits_is_called_seated_next_or_a_no_show(two: Cast) -> None:
    cast, eve = two, two.players[5]
    first, guest, third = add(cast, player_id=eve.pk), add(cast, name="Red cap"), add(cast, name="Blue coat")
    assert waiting(cast) == ["Eve", "Red cap", "Blue coat"]
    with pytest.raises(FloorError, match="is on the waiting list of this game already"):
        add(cast, player_id=eve.pk)
    with pytest.raises(FloorError, match="Red cap was not called yet"):
        cast.send_room(waiting_no_show, "floor", entry_id=guest)
    cast.send_room(waiting_call, "floor", entry_id=first)
    seated = cast.send(waiting_seat, "floor", seat=5, entry_id=first)
    assert (seated["player"], cast.state().seatings[5].player) == (eve.pk, eve)
    entry = WaitingEntry.objects.get(pk=first)
    assert (entry.ended_why, entry.table) == ("seated", cast.table)
    # A tablet that has not seen it yet: where they sit is said, and nothing is half done.
    with pytest.raises(FloorError, match="Eve was seated at Table 7") as why:
        cast.send(waiting_seat, "floor", cast.second_table, seat=5, entry_id=first)
    assert (why.value.code, why.value.status) == ("waits_no_more", 409)
    cast.send_room(waiting_call, "floor", entry_id=guest)
    cast.send_room(waiting_no_show, "floor", entry_id=guest)
    cast.send(player_leave, "floor", seat=5)
    # A guest is a player of the room once seated.
    number = cast.send(waiting_seat, "floor", seat=5, entry_id=third)["number"]
    assert Player.objects.get(room=cast.room, number=number).name == "Blue coat"
    last = add(cast, player_id=eve.pk)
    cast.send_room(waiting_remove, "floor", entry_id=last)
    assert waiting(cast) == []


def test_who_waits_at_another_table_leaves_it_for_the_seat(two: Cast) -> None:
    cast, second = two, two.second_table
    entry = add(cast, player_id=cast.waiting[1].pk)
    with pytest.raises(FloorError, match="sits at seat 4"):
        cast.send(waiting_seat, "floor", seat=4, entry_id=entry)
    assert (waiting(cast), 1 in cast.state(second).seatings) == (["Ida"], True)
    cast.send(waiting_seat, "floor", seat=5, entry_id=entry)
    assert (1 in cast.state(second).seatings, cast.state().seatings[5].player) == (False, cast.waiting[1])
    assert waiting(cast) == []


def test_nobody_waits_for_a_game_that_is_not_played_or_without_a_name(two: Cast) -> None:
    cast = two
    with pytest.raises(FloorError, match="Game 99 is played at no table of this room") as why:
        cast.send_room(waiting_add, "floor", game=99, name="Red cap")
    assert (why.value.code, why.value.path) == ("game_not_played", "game")
    with pytest.raises(FloorError, match="Say who waits"):
        cast.send_room(waiting_add, "floor", game=game_of(cast))
    cast.waiting[1].is_active = False
    cast.waiting[1].save()
    with pytest.raises(FloorError, match="ask a shift manager"):
        add(cast, player_id=cast.waiting[1].pk)
    assert not WaitingEntry.objects.exists()


def test_who_sat_longest_at_the_must_move_table_comes_first_in_one_command(two: Cast) -> None:
    cast, second = two, two.second_table
    assert must_moves_to(cast.table) == []
    with pytest.raises(FloorError, match="fills the seats of another table of the same game"):
        cast.send(must_move_set, "floor", second, to_table=second.pk)
    cast.send(must_move_set, "floor", second, to_table=cast.table.pk)
    page = Client()
    page.force_login(cast.people["floor"])
    shown = page.get(f"/tables/{second.pk}/").content.decode()
    assert f'<option value="{cast.table.pk}" selected>' in shown, "the form begins with what is set"
    with pytest.raises(FloorError, match="is the must-move of"):
        cast.send(must_move_set, "floor", to_table=second.pk)
    here = Table.objects.select_related("game").get(pk=cast.table.pk)
    [pair] = must_moves_to(here)
    assert pair.first is not None
    assert (pair.table, pair.first.player) == (second, cast.waiting[0])
    with pytest.raises(FloorError, match="sits at no other table of this room"):
        cast.send(player_bring, "floor", seat=5, player_id=cast.players[1].pk)
    # To a seat that is taken nobody comes, and nobody has left.
    with pytest.raises(FloorError, match="sits at seat 4"):
        cast.send(player_bring, "floor", seat=4, player_id=cast.waiting[0].pk)
    assert cast.state(second).seatings[3].player == cast.waiting[0]
    versions = [Table.objects.get(pk=table.pk).version for table in (cast.table, second)]
    assert cast.send(player_bring, "floor", seat=5, player_id=cast.waiting[0].pk) == {
        "seat": 5,
        "left": second.pk,
        "table": cast.table.pk,
        "version": versions[0] + 1,
    }
    assert Table.objects.get(pk=second.pk).version == versions[1] + 1
    assert (3 in cast.state(second).seatings, cast.state().seatings[5].player) == (False, cast.waiting[0])
    assert Seating.objects.filter(player=cast.waiting[0], left_at__isnull=True).count() == 1


def test_whoever_has_wagers_at_the_other_table_stays_there(two: Cast) -> None:
    cast = two
    cast.send(round_open, bank_wager_cents=20000)
    cast.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 1000}}])
    with pytest.raises(FloorError, match="Seat 4 has wagers in the round in play"):
        cast.send(player_bring, "floor", cast.second_table, seat=5, player_id=cast.players[4].pk)
    assert cast.state().seatings[4].player == cast.players[4]
    assert 5 not in cast.state(cast.second_table).seatings


def test_who_deals_calls_those_who_wait_and_the_floor_keeps_the_list(two: Cast) -> None:
    entry = add(two, name="Red cap")
    two.send_room(waiting_call, "dealer", entry_id=entry)
    two.send_room(waiting_no_show, "dealer", entry_id=entry)
    with pytest.raises(FloorError, match="keep the room's players"):
        two.send_room(waiting_remove, "dealer", entry_id=entry)
    with pytest.raises(FloorError, match="call who waits for a seat"):
        two.send_room(waiting_call, "compliance", entry_id=entry)
