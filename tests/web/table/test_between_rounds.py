"""Between rounds: what the seats are paid, or given back, is shown until the next round is open."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from cardroom.floor.commands.bank import offers_decline
from cardroom.floor.commands.rounds import round_void
from cardroom.floor.commands.seats import player_leave
from cardroom.floor.models import Round
from cardroom.people.models import Player, Provider
from cardroom.rooms.models import Room
from tests.cast import Cast

from ..conftest import Person
from ..play import play_by_commands

People = Callable[[str], Person]


def seat_shows(page: str, seat: int) -> str:
    """What a seat of the felt shows, as text."""
    [card] = re.findall(rf'<section class="seat[^>]*data-seat="{seat}".*?</section>', page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", card).split())


def void(cast: Cast, approver: str) -> None:
    cast.send(round_void, "dealer", reason="device failure", approver=cast.people[approver])


def test_a_settlement_stays_through_the_offers_until_the_next_round_is_open(
    running: Cast, person: People
) -> None:
    dealer = person("dealer")
    for _ in range(2):
        play_by_commands(running, {4: "10", 5: "20"})
    dealer.at_table()
    paid = seat_shows(dealer.text, 5)
    assert "Take $" in paid or "Pay $" in paid
    dealer.command("all-declined")
    assert 'data-phase="ready"' in dealer.text
    assert "is settled" in dealer.text
    assert seat_shows(dealer.text, 5) == paid
    dealer.command("bank", bank_wager_cents="200")
    assert "data-settlement" not in dealer.text
    assert "is settled" not in dealer.text


def test_who_left_is_named_with_what_the_seat_was_paid(running: Cast, person: People) -> None:
    play_by_commands(running, {4: "10"})
    running.send(player_leave, "dealer", seat=4)
    dealer = person("dealer")
    dealer.at_table()
    assert "empty Dee" in seat_shows(dealer.text, 4)


@pytest.mark.parametrize(
    ("until", "approver", "fees"),
    [
        ("bets", "floor", None),
        ("no-more-bets", "floor", "back"),
        ("deal", "shift_manager", "back"),
        ("deal", "shift_manager", "kept"),
    ],
)
def test_a_void_shows_on_the_seats_who_gets_what_back(
    running: Cast, person: People, until: str, approver: str, fees: str | None
) -> None:
    if fees == "kept":
        Room.objects.update(fees_on_void=Room.FeesOnVoid.KEEP)
    play_by_commands(running, {4: "10", 5: "20"}, until=until)
    void(running, approver)
    round_ = Round.objects.get()
    dealer = person("dealer")
    dealer.at_table()
    assert f"ROUND {round_.number} IS VOID" in dealer.text
    own = {fee["seat"]: fee["cents"] // 100 for fee in round_.fees} if fees == "back" else {}
    for seat, stake in {4: 10, 5: 20, 3: 200}.items():
        shown = seat_shows(dealer.text, seat)
        assert f"Return ${stake}" in shown
        assert (f"Fee back ${own[seat]}" in shown) if seat in own else ("Fee back" not in shown)
    assert bool(own) == (fees == "back")
    assert ("The fees stay in the box." in dealer.text) == (fees == "kept")
    dealer.command("bank", bank_wager_cents="200")
    assert "IS VOID" not in dealer.text


def test_declining_is_the_large_answer_where_the_same_banker_goes_on_as_a_rule(
    running: Cast, person: People
) -> None:
    dealer = person("dealer")

    def large() -> str:
        dealer.at_table()
        [button] = re.findall(r"<button[^>]*data-next[^>]*>", dealer.text.split("<template")[0])
        return "declined" if 'id="all-declined"' in button else "accepted"

    for _ in range(2):
        play_by_commands(running, {4: "10"})
    assert large() == "accepted"
    running.send(offers_decline, "dealer")
    for _ in range(2):
        play_by_commands(running, {4: "10"})
    assert large() == "declined"
    dealer.command("answer", answer="accepted")  # asked once more on the page, and an answer as ever
    assert "next: round 1 of 2" in dealer.text


def test_declining_is_the_large_answer_for_a_providers_banker_from_the_first_turn(
    running: Cast, person: People
) -> None:
    firm = Provider.objects.create(room=running.room, name="Levee")
    Player.objects.filter(pk=running.players[3].pk).update(provider=firm)
    for _ in range(2):
        play_by_commands(running, {4: "10"})
    dealer = person("dealer")
    dealer.at_table()
    [button] = re.findall(r"<button[^>]*data-next[^>]*>", dealer.text.split("<template")[0])
    assert 'id="all-declined"' in button
