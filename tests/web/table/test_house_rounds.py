"""A round that the house banks, on the pages: no offer, no wager of a bank, its hand apart from the seats, the meter."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.utils import timezone

from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_settle
from cardroom.floor.commands.seats import player_leave, player_seat
from cardroom.floor.commands.tables import table_set
from cardroom.floor.commands.tray import tray_open
from cardroom.floor.commands.watch import room_watch
from cardroom.floor.models import Alert, Round, Transfer
from tests.cast import Cast, open_cast
from tests.filing import table_settings
from tests.kept import kept

from ..conftest import Person


@pytest.fixture
def cast(db: None, request: pytest.FixtureRequest) -> Cast:
    """An open table of Massachusetts with six players, of whom Ana holds seats 1 and 2 side by side."""
    return kept(_played if "played" in request.fixturenames else _massachusetts)


def _massachusetts() -> Cast:
    cast = open_cast()
    cast.send(table_set, "floor", **table_settings(cast.room, rulebook="massachusetts"))
    cast.send(tray_open, "floor", chips={"10000": 500}, approver=cast.people["dealer"])
    cast.send(player_leave, "floor", seat=2)
    cast.send(player_seat, "floor", seat=2, player_id=cast.players[1].pk)
    return cast


def _played() -> Cast:
    cast = _massachusetts()
    cast.send(round_open, "dealer")
    bets = [
        {"seat": 1, "wagers": {"ante": 1000, "pair_plus": 500}},
        {"seat": 2, "wagers": {"ante": 2000}},
        {"seat": 4, "wagers": {"ante": 1500, "progressive": 100}},
    ]
    cast.send(bets_place, "dealer", positions=bets)
    cast.send(bets_close, "dealer")
    cast.send(round_deal, "dealer")
    hands = [
        {"seat": seat, "hand": HANDS[f"hand-{seat}"], "decision": HANDS.get(f"decision-{seat}", "play")}
        for seat in (1, 2, 4)
    ]
    cast.send(round_settle, "dealer", bank_hand=HANDS["bank_hand"], positions=hands)
    return cast


@pytest.fixture
def played(cast: Cast) -> Round:
    """The round of `WAGERS` and `HANDS`, settled."""
    return Round.objects.get()


WAGERS = {
    "wagers-1-ante": "10",
    "wagers-1-pair_plus": "5",
    "wagers-2-ante": "20",
    "wagers-4-ante": "15",
    "wagers-4-progressive": "1",
}
#: Seat 1 has a pair of nines, seat 2 seven high, seat 4 surrenders; the house a queen high.
HANDS = {
    "hand-1": "9s 9c 4h",
    "hand-2": "7s 6d 2h",
    "hand-4": "Kd 8c 5h",
    "decision-4": "surrender",
    "bank_hand": "Qd Jc 3s",
}


def dealt(dealer: Person) -> None:
    dealer.at_table()
    dealer.command("bank")
    dealer.command("bets", **WAGERS)
    dealer.command("no-more-bets")
    dealer.command("deal")


def test_betting_opens_without_an_offer_and_without_a_wager_of_the_bank(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    dealer.at_table()
    assert "THE HOUSE BANKS" in dealer.text
    assert "Open betting" in dealer.text
    for other in ("Offer the bank round again", "Change the bank", "bank_wager_cents", "nobody banks"):
        assert other not in dealer.text
    dealer.command("bank")
    round_ = Round.objects.get()
    assert (round_.turn, round_.bank_seat, round_.bank_wager_cents) == (None, None, None)
    assert round_.house_banks
    assert all(f'name="wagers-{seat}-ante"' in dealer.text for seat in range(1, 8))


def test_a_round_is_settled_out_of_the_tray(cast: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    dealt(dealer)
    assert "s left" in dealer.text
    # Hands are shown from the dealer's right, counterclockwise, the house's own last (10(c)).
    assert 'data-order="4,2,1,bank_hand"' in dealer.text
    dealer.command("settle", **HANDS)
    assert "pay <b>$10</b>" in dealer.text
    assert "House" in html.unescape(dealer.text)
    # Won: seat 2's ante and play, seat 4's ante and progressive; paid: seat 1's ante, play and pair plus.
    moved = Transfer.objects.filter(round=Round.objects.get())
    into = sum(moved.filter(target="tray").values_list("cents", flat=True))
    out = sum(moved.filter(source="tray").values_list("cents", flat=True))
    assert (into, out) == (4000 + 1600, 2500)
    assert not moved.filter(source="bank").exists()
    # Each position has its own result: Ana's two do not show one sum.
    assert "+$25" in dealer.text
    assert "−$40" in dealer.text


def test_its_record_and_correction_know_the_house(
    cast: Cast, played: Round, person: Callable[[str], Person]
) -> None:
    manager = person("shift_manager")
    manager.open(f"/rounds/{played.pk}/")
    assert "The house" in manager.text
    assert "Player fees" not in manager.text
    assert "House tray" in manager.text
    manager.open(f"/tables/{cast.table.pk}/rounds/{played.pk}/correct/")
    assert "s hand" in manager.text
    assert 'name="bank_wager_cents"' not in manager.text


def test_last_bets_stand_ready_for_positions_that_are_still_held(
    played: Round, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    dealer.at_table()
    dealer.command("bank", repeat_bets="on")
    bets = Round.objects.latest("pk").bets
    assert [bet["seat"] for bet in bets] == [1, 2, 4]


def test_board_and_watch_miss_no_bank(cast: Cast, played: Round, person: Callable[[str], Person]) -> None:
    room_watch(cast.room.pk, timezone.now())
    assert not Alert.objects.filter(kind=Alert.Kind.ROTATION_BROKEN).exists()
    floor = person("floor")
    floor.open(f"/rooms/{cast.room.code}/")
    assert "The house" in floor.text
    assert "6 of 7" in floor.text  # six people hold seven positions


def test_the_placard_posts_the_one_amount_of_a_progressive_wager(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    dealer.open(f"/tables/{cast.table.pk}/placard/")
    assert "$1, no other amount" in dealer.text


def test_settings_propose_no_fee_schedule_where_the_house_banks(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    floor = person("floor")
    floor.at_table()
    chosen = re.search(r'<select name="schedule_id".*?</select>', floor.text, re.DOTALL)
    assert chosen is not None
    assert '<option value="" selected>' in chosen[0]


def test_the_meter_is_shown_to_the_players(cast: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    dealer.open(f"/tables/{cast.table.pk}/meter/")
    assert "$1,000" in dealer.text
    assert "100% of the meter" in dealer.text
    assert "Dealer</small>" not in dealer.text.split("<main")[1]  # nothing of who is signed in
    cast.send(table_set, "floor", **table_settings(cast.room, rulebook="shuffle_master"))
    assert dealer.client.get(f"/tables/{cast.table.pk}/meter/").status_code == 404
