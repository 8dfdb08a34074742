"""A tablet comes back online to other people than its commands were given for: each command is decided by itself."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.seats import player_leave, player_seat
from cardroom.floor.models import JournalEntry, Round, Transfer
from tests.browser.table import next_step, open_table, wait_for_phase
from tests.browser.test_offline import (
    bet_and_close,
    cut,
    deal_and_settle,
    expect_connection,
    mend,
    type_line,
    waiting,
)
from tests.cast import Cast, running_cast

pytestmark = pytest.mark.outside


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Table 7 with seven players; seat 3 has taken the bank and has not wagered yet."""
    return running_cast()


def test_nobody_plays_the_rounds_that_another_sat_through(cast: Cast, live_server: Any, page: Page) -> None:
    ann, hal = cast.players[1], cast.waiting[0]
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    cut(page)
    type_line(page, "200")
    bet_and_close(page, {1: "20"}, "$2")
    deal_and_settle(page)
    wait_for_phase(page, "ready")
    next_step(page, "Bank wagers $200").click()
    bet_and_close(page, {1: "20"}, "$2")
    deal_and_settle(page)
    expect_connection(page, "pending", "8 waiting")
    cast.send(player_leave, "floor", seat=1)
    cast.send(player_seat, "floor", seat=1, player_id=hal.pk)
    mend(page)

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
    assert waiting(page) == 7

    # What the floor decides: the wagers of somebody who has left are of no round here.
    page.get_by_label("Or set it aside").fill("Ann's rounds are on the floor's sheet")
    page.get_by_role("button", name="Set aside", exact=True).click()
    expect(panel).to_be_hidden()
    expect_connection(page, "live", "live")
    assert waiting(page) == 0
    assert Round.objects.get().bets == []
    assert not Transfer.objects.filter(player=hal).exists()
    assert len(JournalEntry.objects.get(command="commands_set_aside").data["commands"]) == 7


def test_those_behind_wait_for_a_decision_of_their_own(cast: Cast, live_server: Any, page: Page) -> None:
    hal = cast.waiting[0]
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    cut(page)
    type_line(page, "200")
    bet_and_close(page, {1: "20"}, "$2")
    next_step(page, "Deal").click()
    expect_connection(page, "pending", "3 waiting")
    cast.send(player_leave, "floor", seat=1)
    cast.send(player_seat, "floor", seat=1, player_id=hal.pk)
    mend(page)
    panel = page.locator("#conflict")
    for title in ("Bank", "No more bets", "Deal"):
        expect(panel.locator("[data-part=title]")).to_contain_text(title, timeout=60_000)
        page.get_by_role("button", name="Send").first.click()
    expect_connection(page, "live", "live")
    wait_for_phase(page, "cards")
    assert [bet["player"] for bet in Round.objects.get().bets] == [str(hal)]


def test_who_is_gone_cannot_be_sent_for(cast: Cast, live_server: Any, page: Page) -> None:
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    cut(page)
    type_line(page, "200")
    bet_and_close(page, {1: "20"}, "$2")
    cast.send(player_leave, "floor", seat=1)
    mend(page)
    panel = page.locator("#conflict")
    expect(panel).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Send this entry alone").click()
    expect(panel.locator("[data-part=title]")).to_contain_text("No more bets")
    expect(panel).to_contain_text("nobody is at seat 1 now")
    expect(panel.locator("[data-part=again]")).to_be_hidden()
