"""A baccarat round on the table page: wagers by its own spots, two hands of the table, no decisions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_settle
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Round, Table
from cardroom.people.names import named
from tests.cast import Cast
from tests.filing import table_settings

from ..conftest import Person


@pytest.fixture
def baccarat(running: Cast) -> Cast:
    """A running table of baccarat that records cards; seat 3 banks."""
    settings = table_settings(running.room, rulebook="baccarat", recording="cards")
    running.send(table_set, "floor", **settings)
    return running


def dealt(dealer: Person) -> None:
    dealer.at_table()
    dealer.command("bank", bank_wager_cents="500")
    dealer.command("bets", **{"wagers-1-player": "20", "wagers-2-banker": "40", "wagers-2-dragon_7": "10"})
    dealer.command("no-more-bets")
    dealer.command("deal")


def deal(cast: Cast) -> None:
    """The same past the pages, for a test of what comes after."""
    cast.send(round_open, "dealer", bank_wager_cents=50000)
    bets = [
        {"seat": 1, "wagers": {"player": 2000}},
        {"seat": 2, "wagers": {"banker": 4000, "dragon_7": 1000}},
    ]
    cast.send(bets_place, "dealer", positions=bets)
    cast.send(bets_close, "dealer")
    cast.send(round_deal, "dealer")


def test_a_round_is_played_by_its_spots_and_its_two_hands(
    baccarat: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    dealt(dealer)
    assert "Enter the hands as they are dealt" in dealer.text
    assert 'data-order="player_hand,banker_hand"' in dealer.text
    assert "Next hand" in dealer.text  # a hand may stand on two cards
    assert 'name="decision-1"' not in dealer.text
    assert 'name="hand-1"' not in dealer.text

    dealer.command("settle", player_hand="kh qd 6c", banker_hand="2c 10s 5d")
    round_ = Round.objects.get()
    assert round_.settlement is not None
    assert named(round_.settlement["net"]) == {"Ana": -2000, "Bo": 40_000}
    assert "player 6, banker 7 with three cards: the wager goes back" in dealer.text
    assert "pay <b>$400</b>" in dealer.text
    assert "The banker&#x27;s hand" in dealer.text
    assert "qualif" not in dealer.text  # no hand of the bank has to


def test_a_hand_drawn_against_the_rules_is_named_at_its_field_and_all_typing_kept(
    baccarat: Cast, person: Callable[[str], Person]
) -> None:
    deal(baccarat)
    dealer = person("dealer")
    dealer.at_table()
    dealer.command("settle", player_hand="kh qd", banker_hand="2c ts 5d")
    assert "the player&#x27;s hand counts 0 with two cards and takes a third card here" in dealer.text
    assert 'value="kh qd"' in dealer.text
    assert 'value="2c ts 5d"' in dealer.text
    assert Round.objects.get().settlement is None


def test_its_record_and_its_correction_have_both_hands(
    baccarat: Cast, person: Callable[[str], Person]
) -> None:
    deal(baccarat)
    hands = {"player_hand": "Kh Qd 6c", "banker_hand": "2c Ts 5d"}
    baccarat.send(round_settle, "dealer", hands=hands, positions=[{"seat": 1}, {"seat": 2}])
    round_ = Round.objects.get()
    floor = person("floor")
    floor.open(f"/rounds/{round_.pk}/")
    assert "The player&#x27;s hand" in floor.text
    assert "Dragon 7" in floor.text
    floor.open(f"/tables/{baccarat.table.pk}/rounds/{round_.pk}/correct/")
    assert 'name="player_hand"' in floor.text
    assert 'value="2c Ts 5d"' in floor.text
    assert 'name="hand-1"' not in floor.text


def test_the_placard_and_the_preview_know_its_wagers(baccarat: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    dealer.open(f"/tables/{baccarat.table.pk}/placard/")
    assert "Banker wins with a three-card seven" in dealer.text
    dealer.at_table()
    dealer.command("bank", bank_wager_cents="500")
    dealer.command("bets", **{"wagers-1-tie": "20"})
    assert "Tie needs a wager on Player or Banker" in dealer.text


def test_a_table_changes_games_with_the_fields_of_both_on_the_form(
    baccarat: Cast, person: Callable[[str], Person]
) -> None:
    settings = table_settings(baccarat.room, schedule_id=baccarat.schedule(1).pk)
    floor = person("floor")
    floor.at_table()
    assert 'name="least-pair_plus"' in floor.text  # of California's game, which is filed here too
    floor.command("settings", game_id=str(settings["game_id"]), schedule_id=str(settings["schedule_id"]))
    table = Table.objects.get(pk=baccarat.table.pk)
    assert (table.rulebook, sorted(table.wager_limits)) == (
        "california",
        ["pair_plus", "six_card_bonus", "tips"],
    )
