"""A game of several points of decision: the board on the felt, decisions as they are touched, those of other points closed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from cardroom.floor.commands.rounds import bets_place
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Round
from tests.browser.axe import faults
from tests.browser.layout import LOW, PHONE, TABLETS
from tests.browser.play import play_on
from tests.browser.screen import Screen
from tests.cast import Cast
from tests.filing import table_settings

pytestmark = pytest.mark.outside


@pytest.fixture
def holdem(cast: Cast) -> Cast:
    """Betting is open at a table of Ultimate Texas Hold'em; seat 3 banks."""
    cast.send(
        table_set, "floor", **table_settings(cast.room, rulebook="ultimate_texas_holdem", recording="cards")
    )
    cast.begin()
    bets = [{"seat": 1, "wagers": {"ante": 1000, "trips": 500}}, {"seat": 4, "wagers": {"ante": 1000}}]
    cast.send(bets_place, positions=bets)
    return cast


def choice(page: Page, seat: int, label: str) -> Locator:
    return page.locator(f'.seat[data-seat="{seat}"] .decision label').filter(has_text=label)


def expect_recorded(page: Page, seat: int, label: str) -> None:
    """Wait for the server's own screen: it has the decision as the one that was made."""
    expect(choice(page, seat, label).locator("input[checked]")).to_have_count(1)


def test_decisions_are_touched_as_their_points_come(holdem: Cast, page: Page, screen: Screen) -> None:
    play_on(holdem, "cards")
    screen.open(holdem.table, "cards")
    now = page.locator(".points-of-round [aria-current]")
    expect(now).to_have_text("Before the flop")
    expect(choice(page, 4, "2x").locator("input")).to_be_disabled()
    choice(page, 1, "4x").click()
    expect_recorded(page, 1, "4x")
    assert not faults(page)
    screen.type("board 9h 9c 4d")
    expect(now).to_have_text("After the flop")
    expect_recorded(page, 1, "4x")
    expect(choice(page, 4, "4x")).to_have_count(0)  # seat 4 has let it pass
    assert Round.objects.get().decided == {"1": "4x", "4": "check"}
    screen.type("board 9h 9c 4d 2c 7d")
    expect(now).to_have_text("On the whole board")
    choice(page, 4, "Fold").click()
    expect_recorded(page, 4, "Fold")
    screen.type("1 9d ks")
    screen.type("b qs js")
    screen.take("Settle", "settlement")
    round_ = Round.objects.get()
    assert round_.decided == {"1": "4x", "4": "check check fold"}
    assert round_.settlement is not None
    ana, dee = (holdem.players[seat].ref for seat in (1, 4))
    assert round_.settlement["net"] == {ana: 1000 + 4000 + 1500, dee: -2000}


def test_the_field_of_a_hand_lies_over_no_card_of_the_board(holdem: Cast, page: Page, screen: Screen) -> None:
    play_on(holdem, "cards")
    screen.open(holdem.table, "cards")
    screen.type("board 9h 9c 4d 2c 7d")
    expect(page.locator(".points-of-round [aria-current]")).to_have_text("On the whole board")
    field, board = page.locator(".seat-panel.shown"), page.locator(".middle > .table-hands .card")
    expect(board).to_have_count(5)
    for size in (TABLETS[2], LOW, PHONE):
        page.set_viewport_size(size)
        over = field.bounding_box()
        assert over is not None
        for card in board.all():
            at = card.bounding_box()
            assert at is not None
            beside = at["x"] + at["width"] <= over["x"] or over["x"] + over["width"] <= at["x"]
            assert beside or at["y"] + at["height"] <= over["y"] or over["y"] + over["height"] <= at["y"], (
                size
            )


def test_a_decision_that_is_touched_again_is_taken_back(holdem: Cast, page: Page, screen: Screen) -> None:
    play_on(holdem, "cards")
    screen.open(holdem.table, "cards")
    choice(page, 4, "3x").click()
    expect_recorded(page, 4, "3x")
    choice(page, 4, "3x").click()
    expect(choice(page, 4, "3x").locator("input[checked]")).to_have_count(0)
    screen.type("board 9h 9c 4d")
    expect(choice(page, 4, "3x")).to_have_count(0)
    assert Round.objects.get().decided == {"1": "check", "4": "check"}
