"""What was given without a line meets a table that has changed: it is sent again, changed, or set aside."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.rounds import bank_wager_set
from cardroom.floor.models import Alert, JournalEntry, Round
from tests.browser.axe import faults
from tests.browser.play import antes_of
from tests.browser.screen import Screen
from tests.cast import Cast

pytestmark = pytest.mark.outside


@pytest.fixture
def conflict(cast: Cast, page: Page, screen: Screen) -> Cast:
    """Without a line the dealer has closed bets and dealt, while another device changed the bank's wager to $300."""
    screen.open(cast.table)
    screen.type("200", "betting")
    screen.cut()
    screen.bet_and_close({1: "20", 2: "10"}, "$3")
    screen.take("Deal", "cards")
    cast.send(bank_wager_set, "floor", bank_wager_cents=30000)
    screen.mend()
    panel = page.locator("#conflict")
    expect(panel).to_be_visible()
    expect(page.locator("#connection")).to_have_attribute("data-connection", "conflict")
    expect(panel.get_by_role("heading", name="No more bets · drop $3")).to_be_visible()
    expect(panel).to_contain_text("Someone else updated")
    expect(panel).to_contain_text("$300")
    expect(panel.get_by_role("listitem")).to_have_text(["Deal"])
    return cast


def test_a_conflict_is_sent_again_on_the_present_state(conflict: Cast, page: Page, screen: Screen) -> None:
    page.get_by_role("button", name="Send it again on the present state").click()
    screen.expect_connection("live", "live")
    screen.wait_for("cards")
    round_ = Round.objects.get()
    assert (antes_of(round_), round_.bank_wager_cents) == ({1: 2000, 2: 1000}, 30000)
    assert round_.dealt_at is not None
    assert screen.waiting() == 0


def test_a_conflict_is_changed_before_it_is_sent(conflict: Cast, page: Page, screen: Screen) -> None:
    page.get_by_role("button", name="Change it…").click()
    screen.wait_for("betting")
    expect(page.locator("input[name=wagers-1-ante]")).to_have_value("20")
    screen.type("2 15")
    screen.take("No more bets · drop $3")
    screen.expect_connection("live", "live")
    screen.wait_for("cards")
    assert antes_of(Round.objects.get()) == {1: 2000, 2: 1500}
    assert screen.waiting() == 0


def test_a_conflict_stays_until_it_is_set_aside_with_a_reason(
    conflict: Cast, page: Page, screen: Screen
) -> None:
    page.get_by_role("button", name="Look at the table first").click()
    screen.wait_for("betting")
    page.reload()
    expect(page.locator("#conflict")).to_be_visible()
    assert screen.waiting() == 2
    page.get_by_label("Or set it aside").fill("Played by the floor's sheet")
    page.get_by_role("button", name="Set aside").click()
    screen.expect_connection("live", "live")
    expect(page.locator("#conflict")).to_be_hidden()
    assert screen.waiting() == 0
    entry = JournalEntry.objects.get(command="commands_set_aside")
    assert entry.reason == "Played by the floor's sheet"
    assert [command["title"] for command in entry.data["commands"]] == ["No more bets · drop $3", "Deal"]
    alert = Alert.objects.get(kind=Alert.Kind.SYNC_LOST)
    assert "2 entries" in alert.text
    assert alert.waits
    assert Round.objects.get().state == Round.State.BETTING
    screen.bet_and_close({4: "30"}, "$2")  # the table goes on


def test_the_felt_without_a_line_and_the_panel_have_no_fault_for_whoever_cannot_see_well(
    conflict: Cast, page: Page, screen: Screen
) -> None:
    assert faults(page) == [], "the panel"
    page.get_by_role("button", name="Look at the table first").click()
    page.locator("#connection").get_by_role("button").click()
    page.get_by_label("Or set it aside").fill("Played by the floor's sheet")
    page.get_by_role("button", name="Set aside").click()
    screen.expect_connection("live", "live")
    screen.cut()
    screen.type("1 20")
    assert faults(page) == [], "betting"
    screen.take("No more bets · drop $2", "dropped")
    assert faults(page) == [], "dropped"
    screen.take("Deal", "cards")
    assert faults(page) == [], "cards"
    screen.type_hands()
    screen.press("Settle", "ready")
    assert faults(page) == [], "ready"
