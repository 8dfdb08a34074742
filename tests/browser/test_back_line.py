"""Games that are not dealt to seats, by touch: baccarat with bettors on the back line, and a filed game that is not carded."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.seats import back_line_join, player_leave
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Round
from tests.browser.axe import faults
from tests.browser.table import (
    next_step,
    open_table,
    touch_seat,
    type_line,
    wait_for_phase,
    wait_for_settlement,
    wait_until_rested,
)
from tests.cast import Cast, running_cast
from tests.filing import table_settings

pytestmark = pytest.mark.outside


@pytest.fixture
def baccarat(transactional_db: None) -> Cast:
    """Table 7 plays baccarat; seat 3 banks. Fay and Gus stand behind seat 1, Hal behind seat 4."""
    cast = running_cast()
    for seat in (6, 7):
        cast.send(player_leave, "floor", seat=seat)
    settings = table_settings(cast.room, rulebook="baccarat", recording="cards")
    cast.send(table_set, "floor", **settings)
    for seat, player in ((1, cast.players[6]), (1, cast.players[7]), (4, cast.waiting[0])):
        cast.send(back_line_join, "floor", seat=seat, player_id=player.pk)
    return cast


def test_a_round_of_baccarat_with_a_back_line_by_touch(baccarat: Cast, live_server: Any, page: Page) -> None:
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.set_viewport_size({"width": 1180, "height": 820})
    open_table(page, live_server, baccarat.table)
    wait_for_phase(page, "ready")
    expect(page.locator("#seats .seat")).to_have_count(9)  # the back line has no seats of its own
    for _ in range(5):
        page.locator(".bank-field [data-add='100']").click()
    next_step(page, "Bank wagers $500").click()
    wait_for_phase(page, "betting")

    touch_seat(page, 1)
    page.locator("#panel-1 [data-add='25']").click()  # on the player's hand, the first spot
    behind = page.get_by_role("button", name="1b Fay")
    behind.click()
    expect(behind).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#panel-1")).to_be_hidden()
    page.locator("#panel-1b").get_by_label("Banker", exact=True).click()
    page.locator("#panel-1b [data-add='25']").click()
    page.locator("#panel-1b [data-add='5']").click()
    expect(behind).to_contain_text("$30")
    page.get_by_role("button", name="4b Hal").click()
    for spot in ("Banker", "Dragon 7"):
        page.locator("#panel-4b").get_by_label(spot, exact=True).click()
        page.locator("#panel-4b [data-add='5']").click()
    page.locator("#panel-4b [data-close]").click()
    type_line(page, "1c 10")
    expect(page.get_by_role("button", name="1c Gus")).to_contain_text("$10")
    assert not faults(page)
    next_step(page, "No more bets").click()

    wait_for_phase(page, "dropped")
    wait_until_rested(page)
    # The first card records the deal. Two to the player's hand, two to the banker's, then a third to each.
    for card in ("Kh", "Qd", "2c", "Ts"):
        page.locator(f".deck [data-card='{card}']").click()
        wait_for_phase(page, "cards")
    expect(page.locator("#asked-hand")).to_contain_text("A further card of the player's hand, or settle")
    for card in ("6c", "5d"):
        page.locator(f".deck [data-card='{card}']").click()
    assert not faults(page)
    next_step(page, "Settle").click()
    wait_for_settlement(page)

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
    assert wrong == []


TILES = {
    "name": "Pai Gow Tiles",
    "seats": 8,
    "decks": 1,
    "back_line": 1,
    "spots": [{"id": "bet", "name": "Bet", "main": True, "tip": True}, {"id": "pairs", "name": "Pairs"}],
}


def test_a_round_that_is_not_carded_by_touch(transactional_db: None, live_server: Any, page: Page) -> None:
    """Five touches and those on the chips: no cards are asked for, and none are taken."""
    cast = running_cast()
    cast.send(player_leave, "floor", seat=7)
    settings = table_settings(cast.room, rulebook="by_eye", options=TILES, recording="fees")
    cast.send(table_set, "floor", **settings)
    cast.send(back_line_join, "floor", seat=4, player_id=cast.players[7].pk)
    page.set_viewport_size({"width": 1180, "height": 820})
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    page.locator(".bank-field [data-add='100']").click()
    next_step(page, "Bank wagers $100").click()
    wait_for_phase(page, "betting")
    page.locator("[data-spot='wagers-4-bet']").click()
    page.locator("#panel-4 [data-add='25']").click()
    page.get_by_role("button", name="4b Gus").click()
    page.locator("#panel-4b [data-add='5']").click()
    page.locator("[data-spot='wagers-5-pairs']").click()
    page.locator("#panel-5 [data-add='1']").click()
    page.locator("[data-spot='wagers-5-bet']").click()
    page.locator("#panel-5 [data-add='25']").click()
    assert not faults(page)
    next_step(page, "No more bets").click()
    wait_for_phase(page, "dropped")
    expect(page.locator("#picker")).to_have_count(0)
    next_step(page, "Deal").click()
    wait_for_phase(page, "by_eye")
    next_step(page, "Next hand").click()
    wait_for_phase(page, "ready")
    expect(next_step(page, "Bank wagers $100")).to_be_visible()
    round_ = Round.objects.get()
    assert (round_.state, round_.settlement) == ("settled", None)
    assert [(bet["seat"], bet.get("behind", 0), bet["wagers"]) for bet in round_.bets] == [
        (4, 0, {"bet": 2500}),
        (4, 1, {"bet": 500}),
        (5, 0, {"bet": 2500, "pairs": 100}),
    ]
