"""Hands that lie before no seat: on the felt with their points, beneath nothing, and what they came to in words."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.rounds import bets_place
from cardroom.floor.commands.tables import table_set
from tests.browser.axe import faults
from tests.browser.layout import SIZES
from tests.browser.play import play_on
from tests.browser.screen import Screen
from tests.cast import Cast
from tests.filing import table_settings

pytestmark = pytest.mark.outside

#: Cards and points that something else lies over, by what is seen at their middle; and those that leave the felt's middle.
COVERED = """() => [...document.querySelectorAll(".table-hand .card, .table-hand .points, .table-hand .hand-name, .round-result")]
    .filter((each) => each.textContent.trim())
    .filter((each) => { const at = each.getBoundingClientRect(); const x = (at.left + at.right) / 2, y = (at.top + at.bottom) / 2;
        const seen = document.elementsFromPoint(x, y).find((one) => getComputedStyle(one).visibility === "visible" && !one.matches("#seats, .middle, .centre"));
        const touched = [...document.querySelectorAll(".seat, .deck button, .picker-keys button, .next, .strip")].some((one) => { const box = one.getBoundingClientRect();
            return box.width && at.left < box.right - 1 && box.left < at.right - 1 && at.top < box.bottom - 1 && box.top < at.bottom - 1; });
        return touched || !seen || x < 0 || x > innerWidth || y < 0; })
    .map((each) => `${each.className} ${each.textContent.trim()}`)"""


@pytest.fixture
def baccarat(cast: Cast) -> Cast:
    """Betting is open at a table of baccarat; seat 3 banks."""
    cast.send(table_set, "floor", **table_settings(cast.room, rulebook="baccarat", recording="cards"))
    cast.begin()
    bets = [
        {"seat": 1, "wagers": {"player": 2000}},
        {"seat": 4, "wagers": {"player": 5000, "tie": 1000, "panda_8": 1000}},
    ]
    cast.send(bets_place, positions=bets)
    return cast


def covered(page: Page) -> list[str]:
    """What something lies over at any size, each with the width."""
    found = []
    for size in SIZES:
        page.set_viewport_size(size)
        found += [f"{size['width']}: {what}" for what in page.evaluate(COVERED)]
    return found


def points(page: Page) -> list[str]:
    return page.locator(".table-hand .points").all_inner_texts()


def test_hands_lie_on_the_felt_with_points_and_result_and_nothing_covers_them(
    baccarat: Cast, page: Page, screen: Screen
) -> None:
    play_on(baccarat, "cards")
    screen.open(baccarat.table, "cards")
    assert points(page) == ["", ""]
    screen.type("2c 3h")
    assert points(page) == ["5", ""]
    screen.type("banker ts 6c")
    screen.type("player 2c 3h 3d")
    assert points(page) == ["8", "6"]
    expect(page.locator(".table-hand .card.further")).to_have_count(1)
    assert covered(page) == []
    page.set_viewport_size(SIZES[0])
    assert not faults(page)
    screen.take("Settle", "settlement")
    assert points(page) == ["8", "6"]
    expect(page.locator(".round-result")).to_have_text("Player 8, Banker 6: Player wins · Panda 8")
    expect(page.locator("[data-exhausted]")).to_be_visible()  # the bank does not cover it all
    assert covered(page) == []
    assert not faults(page)


def test_a_hand_that_was_refused_says_so_where_it_lies(baccarat: Cast, page: Page, screen: Screen) -> None:
    play_on(baccarat, "cards")
    screen.open(baccarat.table, "cards")
    page.get_by_label("The player's hand").fill("2c 3h")
    page.get_by_label("The banker's hand").fill("ts 6c")
    screen.take("Settle")
    expect(page.locator(".table-hand.wrong .field-error")).to_contain_text("takes a third card")
    assert points(page) == ["5", "6"]


def test_a_tablet_without_the_line_draws_the_same_hands_and_counts_them(
    baccarat: Cast, page: Page, screen: Screen
) -> None:
    screen.open(baccarat.table, "betting")
    screen.cut()
    screen.take("No more bets", "dropped")
    screen.take("Deal", "cards")
    screen.type("2c 4h")
    screen.type("ts 6c")
    assert points(page) == ["6", "6"]
    assert covered(page) == []
