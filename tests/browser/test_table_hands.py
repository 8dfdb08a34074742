"""Hands that lie before no seat: on the felt with their points, beneath nothing, and what they came to in words."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open
from cardroom.floor.commands.tables import table_set
from tests.browser.axe import faults
from tests.browser.table import (
    next_step,
    open_table,
    type_line,
    wait_for_phase,
    wait_for_settlement,
    wait_until_rested,
)
from tests.browser.test_offline import cut
from tests.cast import Cast, running_cast
from tests.filing import table_settings

pytestmark = pytest.mark.outside

SIZES: list[ViewportSize] = [
    {"width": 1180, "height": 820},
    {"width": 1024, "height": 768},
    {"width": 820, "height": 1180},
    {"width": 390, "height": 844},
]
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
def baccarat(transactional_db: None) -> Cast:
    """Betting is open at a table of baccarat; seat 3 banks."""
    cast = running_cast()
    cast.send(table_set, "floor", **table_settings(cast.room, rulebook="baccarat", recording="cards"))
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    bets = [
        {"seat": 1, "wagers": {"player": 2000}},
        {"seat": 4, "wagers": {"player": 5000, "tie": 1000, "panda_8": 1000}},
    ]
    cast.send(bets_place, "dealer", positions=bets)
    return cast


def deal(cast: Cast) -> None:
    cast.send(bets_close, "dealer")
    cast.send(round_deal, "dealer")


def points(page: Page) -> list[str]:
    return page.locator(".table-hand .points").all_inner_texts()


def test_hands_lie_on_the_felt_with_points_and_result_and_nothing_covers_them(
    baccarat: Cast, live_server: Any, page: Page
) -> None:
    deal(baccarat)
    open_table(page, live_server, baccarat.table)
    wait_for_phase(page, "cards")
    assert points(page) == ["", ""]
    type_line(page, "2c 3h")
    assert points(page) == ["5", ""]
    type_line(page, "banker ts 6c")
    type_line(page, "player 2c 3h 3d")
    assert points(page) == ["8", "6"]
    expect(page.locator(".table-hand .card.further")).to_have_count(1)
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate(COVERED) == [], size
    page.set_viewport_size(SIZES[0])
    assert not faults(page)
    next_step(page, "Settle").click()
    wait_for_settlement(page)
    assert points(page) == ["8", "6"]
    expect(page.locator(".round-result")).to_have_text("Player 8, Banker 6: Player wins · Panda 8")
    expect(page.locator("[data-exhausted]")).to_be_visible()  # the bank does not cover it all
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate(COVERED) == [], size
    assert not faults(page)


def test_a_hand_that_was_refused_says_so_where_it_lies(baccarat: Cast, live_server: Any, page: Page) -> None:
    deal(baccarat)
    open_table(page, live_server, baccarat.table)
    wait_for_phase(page, "cards")
    page.get_by_label("The player's hand").fill("2c 3h")
    page.get_by_label("The banker's hand").fill("ts 6c")
    next_step(page, "Settle").click()
    expect(page.locator(".table-hand.wrong .field-error")).to_contain_text("takes a third card")
    assert points(page) == ["5", "6"]


def test_a_tablet_without_the_line_draws_the_same_hands_and_counts_them(
    baccarat: Cast, live_server: Any, page: Page
) -> None:
    open_table(page, live_server, baccarat.table)
    wait_for_phase(page, "betting")
    cut(page)
    wait_until_rested(page)
    next_step(page, "No more bets").click()
    wait_for_phase(page, "dropped")
    wait_until_rested(page)
    next_step(page, "Deal").click()
    wait_for_phase(page, "cards")
    type_line(page, "2c 4h")
    type_line(page, "ts 6c")
    assert points(page) == ["6", "6"]
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate(COVERED) == [], size
