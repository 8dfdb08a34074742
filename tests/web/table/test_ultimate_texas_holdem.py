"""A round of Ultimate Texas Hold'em on the table page: a board on the felt, two cards a seat, decisions as their points come."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Round
from cardroom.people.names import named
from tests.cast import Cast
from tests.filing import table_settings

from ..conftest import Person


@pytest.fixture
def holdem(running: Cast) -> Cast:
    """A running table of Ultimate Texas Hold'em that records cards; seat 3 banks."""
    settings = table_settings(running.room, rulebook="ultimate_texas_holdem", recording="cards")
    running.send(table_set, "floor", **settings)
    return running


def dealt(dealer: Person) -> None:
    dealer.at_table()
    dealer.command("bank", bank_wager_cents="2000")
    dealer.command("bets", **{"wagers-1-ante": "20", "wagers-1-trips": "5", "wagers-2-ante": "10"})
    dealer.command("no-more-bets")
    dealer.command("deal")


def test_a_round_is_played_by_its_board_two_cards_and_decisions(
    holdem: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    dealt(dealer)
    assert 'data-order="board,' in dealer.text
    board = re.search(r'<input[^>]*name="board"[^>]*>', dealer.text)
    hand = re.search(r'<input[^>]*name="hand-1"[^>]*>', dealer.text)
    assert board is not None
    assert hand is not None
    assert 'data-least="5" data-most="5"' in board[0]
    assert 'data-least="2" data-most="2"' in hand[0]
    # The decisions of seat 1 in the order of time; the usual one is set.
    values = re.findall(r'name="decision-1" value="([^"]*)"', dealer.text)
    assert values == ["4x", "3x", "check 2x", "check check 1x", "check check fold"]
    assert re.search(r'value="check check 1x"[^>]*checked', dealer.text)
    # The blind lies beside the ante, and nobody enters it.
    assert 'name="wagers-1-blind"' not in dealer.text
    assert 'data-bet="wagers-1-blind"' in dealer.text

    dealer.command(
        "settle",
        **{
            "board": "9h 9c 4d 2c 7d", "bank_hand": "qs js", "hand-1": "9d ks", "decision-1": "4x",
            "hand-2": "", "decision-2": "check check fold",
        },
    )  # fmt: skip
    round_ = Round.objects.get()
    assert round_.settlement is not None
    assert named(round_.settlement["net"]) == {"Ana": 2000 + 8000 + 1500, "Bo": -2000}
    assert "The bank: pair of nines" in dealer.text
    assert "three nines beats pair of nines" in dealer.text
    assert "not exposed" in dealer.text


def test_a_decision_of_another_point_is_refused_and_a_blind_is_not_entered(
    holdem: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    dealt(dealer)
    dealer.command(
        "settle",
        **{
            "board": "9h 9c 4d 2c 7d", "bank_hand": "qs js", "hand-1": "9d ks", "decision-1": "check 4x",
            "hand-2": "ah kh", "decision-2": "check check 1x",
        },
    )  # fmt: skip
    assert Round.objects.get().settlement is None


def test_its_record_correction_and_placard(holdem: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    dealt(dealer)
    dealer.command(
        "settle",
        **{
            "board": "9h 9c 4d 2c 7d", "bank_hand": "qs js", "hand-1": "9d ks", "decision-1": "4x",
            "hand-2": "ah kh", "decision-2": "check check 1x",
        },
    )  # fmt: skip
    round_ = Round.objects.get()
    floor = person("floor")
    floor.open(f"/rounds/{round_.pk}/")
    assert "The board" in floor.text
    floor.open(f"/tables/{holdem.table.pk}/rounds/{round_.pk}/correct/")
    assert 'name="board"' in floor.text
    assert 'name="wagers-1-blind"' not in floor.text
    floor.open(f"/tables/{holdem.table.pk}/placard/")
    assert "500 to 1" in floor.text
    assert "not worked out" in floor.text
