"""A hand that folds without a bonus bet is mucked unseen: no cards are asked for."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.rounds import bets_place
from cardroom.floor.models import Round
from cardroom.rooms.models import Room
from games.engine import read_recorded_sheet, settle
from tests.browser.play import play_on
from tests.browser.screen import Screen
from tests.cast import BANK_HAND, HANDS, Cast

pytestmark = pytest.mark.outside


def folded(page: Page, seat: int) -> None:
    page.locator(f".seat[data-seat='{seat}'] .decision label", has_text="Fold").click()


def test_a_fold_without_a_bonus_bet_asks_for_no_cards(cast: Cast, page: Page, screen: Screen) -> None:
    Room.objects.update(records_shown_card=False)
    cast.bet({1: 2000, 4: 1000, 5: 1000})
    beside = {4: "pair_plus", 5: "six_card_bonus"}
    positions = [{"seat": seat, "wagers": {"ante": 1000, spot: 500}} for seat, spot in beside.items()]
    cast.send(bets_place, positions=positions)
    play_on(cast, "cards")
    screen.open(cast.table, "cards")
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "4")
    folded(page, 4)  # ante and pair plus are given up: its cards are mucked unseen
    expect(page.locator(".seat[data-seat='4']")).to_contain_text("not exposed")
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "5")
    folded(page, 5)  # its 6 Card Bonus is settled by its cards
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "5")
    for hand in (HANDS[5], HANDS[1], BANK_HAND):
        screen.touch_cards(hand)
    # It plays after all, and its cards are asked for; it folds again.
    page.locator(".seat[data-seat='4'] .decision label", has_text="Play").click()
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "4")
    expect(page.locator("#settle")).to_have_attribute("aria-disabled", "true")
    folded(page, 4)
    screen.take("Settle", "settlement")
    expect(page.locator(".seat[data-seat='4']")).to_contain_text("not exposed")
    round_ = Round.objects.get()
    assert round_.sheet is not None
    assert {each["seat"]: (each["hand"], each["decision"]) for each in round_.sheet["positions"]} == {
        1: (HANDS[1], "play"),
        4: (None, "fold"),
        5: (HANDS[5], "fold"),
    }
    assert round_.settlement == settle(read_recorded_sheet(round_.sheet)).to_json() | {
        "fees": round_.fees,
        "drop": round_.drop_cents,
    }
    page.goto(f"/rounds/{round_.pk}/")
    expect(page.locator("tr", has_text="Dee").first).to_contain_text("not exposed")


def test_a_fold_asks_for_no_cards_without_a_line(cast: Cast, page: Page, screen: Screen) -> None:
    cast.bet({1: 2000, 4: 1000})
    screen.open(cast.table, "betting")
    screen.cut()
    screen.take("No more bets", "dropped")
    screen.take("Deal", "cards")
    screen.type("4 fold")
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "1")
    for hand in (HANDS[1], BANK_HAND):
        screen.type(hand.lower())
    screen.take("Settle")
    screen.expect_connection("pending", "3 waiting")
    screen.mend()
    screen.expect_connection("live", "live")
    round_ = Round.objects.get()
    assert round_.state == Round.State.SETTLED
    assert round_.sheet is not None
    assert [each["hand"] for each in round_.sheet["positions"]] == [HANDS[1], None]
