"""Games that are not dealt to seats, by touch: baccarat with bettors on the back line, and a filed game that is not carded."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.seats import back_line_join, player_leave
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Round
from tests.browser.axe import faults
from tests.browser.layout import LOW
from tests.browser.screen import Screen
from tests.cast import Cast
from tests.filing import TILES, table_settings

pytestmark = pytest.mark.outside


def test_a_round_of_baccarat_with_a_back_line_by_touch(baccarat: Cast, page: Page, screen: Screen) -> None:
    page.set_viewport_size(LOW)
    screen.open(baccarat.table, "ready")
    expect(page.locator("#seats .seat")).to_have_count(9)  # the back line has no seats of its own
    screen.touch_bank(*["100"] * 5)
    screen.take("Bank wagers $500", "betting")

    screen.touch_seat(1)
    screen.touch_chips(1, "25")  # on the player's hand, the first spot
    behind = page.get_by_role("button", name="1b Fay")
    behind.click()
    expect(behind).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#panel-1")).to_be_hidden()
    page.locator("#panel-1b").get_by_label("Banker", exact=True).click()
    screen.touch_chips("1b", "25", "5")
    expect(behind).to_contain_text("$30")
    page.get_by_role("button", name="4b Hal").click()
    for spot in ("Banker", "Dragon 7"):
        page.locator("#panel-4b").get_by_label(spot, exact=True).click()
        screen.touch_chips("4b", "5")
    page.locator("#panel-4b [data-close]").click()
    screen.type("1c 10")
    expect(page.get_by_role("button", name="1c Gus")).to_contain_text("$10")
    assert not faults(page)
    screen.take("No more bets", "dropped")
    screen.wait_until_rested()
    # The first card records the deal. Two to the player's hand, two to the banker's, then a third to each.
    screen.touch_cards("Kh")
    screen.wait_for("cards")
    screen.touch_cards("Qd 2c Ts")
    expect(page.locator("#asked-hand")).to_contain_text("A further card of the player's hand, or settle")
    screen.touch_cards("6c 5d")
    assert not faults(page)
    screen.take("Settle", "settlement")

    round_ = Round.objects.get()
    assert [(bet["seat"], bet.get("behind", 0), bet["wagers"]) for bet in round_.bets] == [
        (1, 0, {"player": 2500}),
        (1, 1, {"banker": 3000}),
        (1, 2, {"player": 1000}),
        (4, 1, {"banker": 500, "dragon_7": 500}),
    ]
    # Banker 7 with three cards: the banker's wager is a push, and Dragon 7 pays 40 to 1.
    expect(behind.locator(".seat-net")).to_have_text("$0")
    expect(page.get_by_role("button", name="4b Hal").locator(".seat-net")).to_have_text("+$200")
    assert not faults(page)


def test_a_round_that_is_not_carded_by_touch(cast: Cast, page: Page, screen: Screen) -> None:
    """Five touches and those on the chips: no cards are asked for, and none are taken."""
    cast.send(player_leave, "floor", seat=7)
    settings = table_settings(cast.room, rulebook="by_eye", options=TILES, recording="fees")
    cast.send(table_set, "floor", **settings)
    cast.send(back_line_join, "floor", seat=4, player_id=cast.players[7].pk)
    page.set_viewport_size(LOW)
    screen.open(cast.table, "ready")
    screen.touch_bank("100")
    screen.take("Bank wagers $100", "betting")
    screen.touch_spot("4-bet", "25")
    page.get_by_role("button", name="4b Gus").click()
    screen.touch_chips("4b", "5")
    screen.touch_spot("5-pairs", "1")
    screen.touch_spot("5-bet", "25")
    assert not faults(page)
    screen.take("No more bets", "dropped")
    expect(page.locator("#picker")).to_have_count(0)
    screen.take("Deal", "by_eye")
    screen.take("Next hand", "ready")
    expect(screen.next_step("Bank wagers $100")).to_be_visible()
    round_ = Round.objects.get()
    assert (round_.state, round_.settlement) == ("settled", None)
    assert [(bet["seat"], bet.get("behind", 0), bet["wagers"]) for bet in round_.bets] == [
        (4, 0, {"bet": 2500}),
        (4, 1, {"bet": 500}),
        (5, 0, {"bet": 2500, "pairs": 100}),
    ]
