"""A tablet comes back online to other people than its commands were given for: each command is decided by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.seats import player_leave, player_seat
from cardroom.floor.models import JournalEntry, Round, Transfer
from tests.browser.screen import Screen
from tests.cast import Cast

pytestmark = pytest.mark.outside


def test_nobody_plays_the_rounds_that_another_sat_through(cast: Cast, page: Page, screen: Screen) -> None:
    ann, hal = cast.players[1], cast.waiting[0]
    screen.open(cast.table, "ready")
    screen.cut()
    screen.type("200")
    screen.bet_and_close({1: "20"}, "$2")
    screen.deal_and_settle()
    screen.wait_for("ready")
    screen.take("Bank wagers $200")
    screen.bet_and_close({1: "20"}, "$2")
    screen.deal_and_settle()
    screen.expect_connection("pending", "8 waiting")
    cast.send(player_leave, "floor", seat=1)
    cast.send(player_seat, "floor", seat=1, player_id=hal.pk)
    screen.mend()

    panel = page.locator("#conflict")
    expect(panel).to_be_visible(timeout=60_000)
    # The round's opening names the bank and the dealer, who are the same; it is recorded alone.
    expect(panel).to_contain_text(f"seat 1 {hal}")
    expect(panel).to_contain_text(f"{ann} when it was given, {hal} now")
    page.get_by_role("button", name="Send this entry alone").click()
    expect(panel.locator("[data-part=title]")).to_contain_text("No more bets")
    expect(panel.locator("[data-part=who]")).to_contain_text(f"{ann} when it was given, {hal} now")
    expect(panel.locator("[data-part=does]")).to_contain_text(f"seat 1 {hal}")
    assert Round.objects.get().bets == []
    assert screen.waiting() == 7

    # What the floor decides: the wagers of somebody who has left are of no round here.
    page.get_by_label("Or set it aside").fill("Ann's rounds are on the floor's sheet")
    page.get_by_role("button", name="Set aside", exact=True).click()
    expect(panel).to_be_hidden()
    screen.expect_all_sent()
    assert Round.objects.get().bets == []
    assert not Transfer.objects.filter(player=hal).exists()
    assert len(JournalEntry.objects.get(command="commands_set_aside").data["commands"]) == 7


def test_those_behind_wait_for_a_decision_of_their_own(cast: Cast, page: Page, screen: Screen) -> None:
    hal = cast.waiting[0]
    screen.open(cast.table, "ready")
    screen.cut()
    screen.type("200")
    screen.bet_and_close({1: "20"}, "$2")
    screen.take("Deal")
    screen.expect_connection("pending", "3 waiting")
    cast.send(player_leave, "floor", seat=1)
    cast.send(player_seat, "floor", seat=1, player_id=hal.pk)
    screen.mend()
    panel = page.locator("#conflict")
    for title in ("Bank", "No more bets", "Deal"):
        expect(panel.locator("[data-part=title]")).to_contain_text(title, timeout=60_000)
        page.get_by_role("button", name="Send").first.click()
    screen.expect_connection("live", "live")
    screen.wait_for("cards")
    assert [bet["player"] for bet in Round.objects.get().bets] == [hal.ref]


def test_who_is_gone_cannot_be_sent_for(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table, "ready")
    screen.cut()
    screen.type("200")
    screen.bet_and_close({1: "20"}, "$2")
    cast.send(player_leave, "floor", seat=1)
    screen.mend()
    panel = page.locator("#conflict")
    expect(panel).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Send this entry alone").click()
    expect(panel.locator("[data-part=title]")).to_contain_text("No more bets")
    expect(panel).to_contain_text("nobody is at seat 1 now")
    expect(panel.locator("[data-part=again]")).to_be_hidden()
