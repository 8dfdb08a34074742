"""Tables that the house banks, and tables with a back line, go ahead of the server and go on without it like the others."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.models import JournalEntry, Round
from tests.browser.layout import LOW
from tests.browser.screen import Screen
from tests.cast import Cast, house_cast

pytestmark = pytest.mark.outside


def test_a_round_of_the_house_shows_before_the_answers(
    transactional_db: None, page: Page, screen: Screen
) -> None:
    """Massachusetts: many spots, the meter beside, hands counterclockwise and the house's own last."""
    cast = house_cast()
    screen.open(cast.table, "ready", held=True)
    shows = page.locator(".meter").inner_text()
    screen.press_ahead("Open betting", "betting")
    expect(page.locator(".bank-mark")).to_contain_text("THE HOUSE BANKS")
    expect(page.locator(".meter")).to_have_text(shows)
    assert not Round.objects.exists()
    screen.type("1 10 5 0 0 1")
    screen.type("4 20")
    expect(page.locator("[data-bet=wagers-1-ante]")).to_contain_text("$10")
    screen.answered("betting")
    expect(page.locator("[data-bet=wagers-4-ante]")).to_contain_text("$20")
    screen.press_ahead("No more bets", "dropped")
    screen.answered("dropped")
    screen.press_ahead("Deal", "cards")
    picker = page.locator("#picker")
    order = picker.get_attribute("data-order")
    assert order == "4,1,bank_hand"
    screen.type("kh 7d 4c")
    screen.answered("cards")
    assert picker.get_attribute("data-order") == order, "the server asks for the hands in the same order"
    for hand in ("9s 9c 4h", "b qd jc 3s"):
        screen.type(hand)
    screen.take("Settle")
    screen.answered("settlement")
    expect(page.locator(".settled")).to_contain_text("House −$64")
    screen.wait_until_rested()
    screen.press_ahead("Open betting", "betting")
    expect(page.locator("[data-bet=wagers-4-ante]")).to_contain_text("$20")  # the last wagers lie there again
    screen.answered("betting")
    expect(page.locator("[data-bet=wagers-4-ante]")).to_contain_text("$20")


def test_a_table_of_the_house_plays_on_without_the_line_until_the_meter_may_have_been_won(
    transactional_db: None, page: Page, screen: Screen
) -> None:
    cast = house_cast("south_dakota")
    screen.open(cast.table, "ready")
    screen.cut()
    screen.wait_until_rested()
    for wagers, phase in (("4 20", "ready"), ("4 20 0 0 1", "waits")):
        screen.take("Open betting", "betting")
        screen.type(wagers)
        screen.take("No more bets", "dropped")
        screen.take("Deal", "cards")
        for hand in ("kh 7d 4c", "b qd jc 3s"):
            screen.type(hand)
        screen.take("Settle", phase)
    expect(page.get_by_text("Whether the meter was won")).to_be_visible()
    screen.mend()
    screen.expect_connection("live", "live")
    assert [round_.state for round_ in Round.objects.order_by("id")] == ["settled", "settled"]


def test_a_round_with_a_back_line_shows_before_the_answers(
    baccarat: Cast, page: Page, screen: Screen
) -> None:
    """Who stands behind a seat wagers on a panel of their own; the last wagers repeat by place."""
    page.set_viewport_size(LOW)
    screen.open(baccarat.table, held=True)
    screen.wait_until_rested()
    screen.type("500")
    screen.ahead("betting")
    screen.type("1 25")
    behind = page.get_by_role("button", name="1b Fay")
    behind.click()
    screen.touch_chips("1b", "25")
    expect(behind).to_contain_text("$25")
    screen.answered("betting")
    expect(page.locator("#panel-1b")).to_be_visible()
    page.locator("#panel-1b [data-close]").click()
    screen.press_ahead("No more bets", "dropped")
    expect(behind).to_contain_text("$25")
    screen.answered("dropped")
    screen.wait_until_rested()
    screen.touch_cards("Kh")  # the first card records the deal
    screen.ahead("cards")
    expect(page.locator(".table-hand [data-cards=player_hand]")).to_contain_text("K")
    screen.touch_cards("Qd 2c Ts")
    screen.answered("cards")
    screen.touch_cards("6c 5d")
    screen.take("Settle")
    screen.answered("settlement")
    expect(behind.locator(".seat-net")).to_be_visible()
    screen.wait_until_rested()
    screen.press_ahead("Bank wagers $500", "betting")
    expect(behind).to_contain_text("$25")
    screen.answered("betting")
    expect(behind).to_contain_text("$25")
    commands = JournalEntry.objects.filter(table=baccarat.table, command="bets_place").order_by("-seq")
    assert commands.count() == 1


def test_a_game_dealt_to_no_seats_plays_on_without_the_line(
    baccarat: Cast, page: Page, screen: Screen
) -> None:
    page.set_viewport_size(LOW)
    screen.open(baccarat.table, "ready")
    screen.cut()
    screen.wait_until_rested()
    for number in (1, 2):
        screen.type("500", "betting")
        screen.type("1b 10")
        screen.type("4 20")
        screen.take("No more bets", "dropped")
        screen.take("Deal", "cards")
        screen.type("player kh qd 6c")
        screen.type("banker 2c ts 5d")
        screen.take("Settle", "ready" if number == 1 else "offer")
    screen.mend()
    screen.expect_connection("live", "live")
    assert [
        (round_.state, [(bet["seat"], bet.get("behind", 0)) for bet in round_.bets])
        for round_ in Round.objects.order_by("id")
    ] == [("settled", [(1, 1), (4, 0)])] * 2
