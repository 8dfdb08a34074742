"""The lock of a table's tablet in a real browser: after five minutes, by its button, and what was typed beneath it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.rounds import round_open
from tests.browser.axe import faults
from tests.browser.screen import Screen
from tests.cast import PIN, Cast

pytestmark = pytest.mark.outside


def test_after_five_minutes_a_layer_asks_for_the_pin_and_keeps_what_was_typed(
    cast: Cast, page: Page, screen: Screen
) -> None:
    page.clock.install()
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    screen.open(cast.table, "betting")
    expect(page.locator("#connection[data-connection=live]")).to_be_visible()
    screen.type("1 20")
    ante = page.locator("[name='wagers-1-ante']")
    typed = ante.input_value()
    assert typed
    page.clock.run_for(4 * 60_000)
    expect(page.locator("#lock")).not_to_be_visible()
    page.clock.run_for(62_000)
    expect(page.locator("#lock")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#lock")).to_be_visible()
    page.get_by_label("Your PIN or password").fill("999999")
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("#lock [role=alert]")).to_contain_text("neither your PIN")
    page.get_by_label("Your PIN or password").fill(PIN)
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("#lock")).not_to_be_visible()
    assert ante.input_value() == typed
    page.get_by_role("button", name="Lock").click()
    expect(page.locator("#lock")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Locked")).to_be_visible()
    assert faults(page, every_rule=True) == []
    page.get_by_label("Your PIN or password").fill(PIN)
    page.get_by_role("button", name="Unlock").click()
    screen.wait_for("betting")
    expect(page.locator("[name='wagers-1-ante']")).to_have_value(typed)
