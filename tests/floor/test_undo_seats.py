"""A wrong touch on a seat is undone in one touch: nobody stays who was seated by mistake, and guests leave no gap in the numbers."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.floor.commands.imports import players_files
from cardroom.floor.commands.rounds import bets_place
from cardroom.floor.commands.seats import (
    guest_seat,
    player_bring,
    player_leave,
    player_move,
    player_seat,
    seat_hold,
    seat_hold_end,
    waiting_seat,
)
from cardroom.floor.commands.undo import undo
from cardroom.floor.commands.waiting import waiting_call
from cardroom.floor.errors import NotNow
from cardroom.floor.models import JournalEntry, Seating, WaitingEntry
from cardroom.floor.reads.seating import people_found
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Player
from cardroom.people.players import players_found, players_meant
from tests.cast import Cast

from .test_waiting_list import add, two, waiting

__all__ = ["two"]


def text(cast: Cast) -> str | None:
    step = cast.state().step_back
    return None if step is None else str(step.text)


def refusal(cast: Cast) -> str:
    with pytest.raises(NotNow) as refused:
        cast.send(undo)
    assert refused.value.code == "cannot_undo"
    return refused.value.message


def names(cast: Cast) -> dict[int, str]:
    return {seat: str(stay.player) for seat, stay in cast.state().seatings.items()}


def test_who_was_seated_by_mistake_leaves_and_is_the_first_that_the_sheet_lists(two: Cast) -> None:
    eve, before = two.players[5], names(two)
    two.send(player_seat, "dealer", seat=5, player_id=eve.pk)
    assert text(two) == "the seating of Eve at seat 5"
    answer = two.send(undo, "dealer")
    assert (answer["command"], names(two)) == ("player_seat", before)
    entry = JournalEntry.objects.filter(command="undo").get()
    assert entry.data["undoes"] == JournalEntry.objects.filter(command="player_seat").latest("pk").seq
    assert (entry.data["seat"], entry.data["player"]) == (5, eve.pk)
    assert people_found(two.state(), 5, "").people[0].player == eve
    assert Seating.objects.filter(player=eve).latest("pk").left_at is not None
    assert [*rows_verify()] == []


def test_a_guest_who_never_sat_is_nobody_until_the_entry_is_used_for_the_next(two: Cast) -> None:
    known = people_found(two.state(), 5, "").known
    first = two.send(guest_seat, "dealer", seat=5)
    two.send(undo, "dealer")
    guest = Player.objects.get(pk=first["player"])
    assert (guest.is_unused, guest.is_guest) == (True, True)
    sheet = people_found(two.state(), 5, "")
    assert guest not in [each.player for each in sheet.people] and sheet.known == known
    assert list(players_found(two.room, str(first["number"]), barred=True)) == []
    assert players_meant(two.room, guest.name) == [] and guest.name not in players_files.kind.exported(
        two.room
    )
    assert Player.next_guest(two.room.pk) == first["number"]

    again = two.send(guest_seat, "floor", two.second_table, seat=5)
    assert (again["player"], again["number"]) == (guest.pk, first["number"])
    other = two.send(guest_seat, "dealer", seat=5, name="Lee Chan")
    assert other["number"] == first["number"] + 1
    assert players_meant(two.room, guest.name) == [guest]
    two.send(undo, "dealer")  # of a name: the entry is a guest again, and the name is free
    assert Player.objects.get(pk=other["player"]).name == f"Guest {other['number']}"
    assert [*rows_verify()] == []


def test_a_guest_who_has_been_named_meanwhile_stays_a_player(two: Cast) -> None:
    guest = two.send(guest_seat, "dealer", seat=5)
    player = Player.objects.get(pk=guest["player"])
    player.name = "Mina Ode"
    player.save()
    two.send(undo, "dealer")
    player.refresh_from_db()
    assert (player.is_unused, 5 in two.state().seatings) == (False, False)


def test_a_move_and_a_hold_go_back_to_what_was_before(two: Cast) -> None:
    two.send(player_move, "dealer", seat=4, to_seat=5)
    assert text(two) == "Dee's move to seat 5"
    two.send(undo, "dealer")
    assert (names(two)[4], 5 in names(two)) == ("Dee", False)
    two.send(seat_hold, "dealer", seat=4, minutes=5)
    held = two.state().seatings[4].held_until
    two.send(seat_hold, "dealer", seat=4, minutes=20)
    two.send(undo, "dealer")
    assert two.state().seatings[4].held_until == held
    two.send(seat_hold_end, "dealer", seat=4)
    assert text(two) == "the end of the hold of seat 4"
    two.send(undo, "dealer")
    assert two.state().seatings[4].held_until == held
    two.send(undo, "dealer")
    assert two.state().seatings[4].held_until is None
    assert [*rows_verify()] == []


def test_who_came_off_the_waiting_list_is_back_at_their_place(two: Cast) -> None:
    guest = add(two, name="Red cap")
    two.send_room(waiting_call, "floor", entry_id=guest)
    add(two, name="Blue coat")
    seated = two.send(waiting_seat, "floor", seat=5, entry_id=guest)
    assert waiting(two) == ["Blue coat"] and text(two) == "the seating of Red cap at seat 5"
    two.send(undo, "dealer")
    assert waiting(two) == ["Red cap", "Blue coat"] and 5 not in names(two)
    again = WaitingEntry.objects.latest("pk")
    assert again.called_at is not None and again.player is None
    assert Player.objects.get(pk=seated["player"]).is_unused
    eve = add(two, player_id=two.players[5].pk)
    two.send(waiting_seat, "floor", seat=5, entry_id=eve)
    add(two, player_id=two.players[5].pk)  # for the next seat already
    with pytest.raises(NotNow, match="is on the waiting list of this game already"):
        two.send(undo, "dealer")
    assert names(two)[5] == "Eve"


def test_what_is_not_undone_says_why_and_what_to_do(two: Cast) -> None:
    two.send(player_bring, "dealer", seat=5, player_id=two.waiting[0].pk)
    assert refusal(two) == (
        "The seating of Hal at seat 5 cannot be undone: Hal came from Table 8: touch a free seat there, and Hal in the list."
    )
    two.send(player_leave, "dealer", seat=5)
    assert "Hal has left: a touch on a free seat lists them first" in refusal(two)
    two.send(player_move, "dealer", seat=3, to_seat=5)  # who banks
    assert "The turn at the bank ended with the move." in refusal(two)


def test_a_touch_on_a_seat_goes_back_before_the_wagers_and_what_stays_is_said(two: Cast) -> None:
    def place(cents: int) -> dict[str, Any]:
        return two.send(bets_place, "dealer", positions=[{"seat": 4, "wagers": {"ante": cents}}])

    two.begin()
    place(1000)
    two.send(player_seat, "dealer", seat=5, player_id=two.players[5].pk)
    assert text(two) == "the seating of Eve at seat 5"
    two.send(undo, "dealer")
    assert text(two) == "seat 4's wagers"
    two.send(player_leave, "dealer", seat=6)
    step = two.state().step_back
    assert step is not None
    assert (step.text, step.stays[:13]) == ("seat 4's wagers", "Fay has left:")
    two.send(undo, "dealer")
    assert two.state().live is not None
