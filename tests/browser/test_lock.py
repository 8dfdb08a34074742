"""The lock of a table's tablet in a real browser: after five minutes, by its button, and what was typed beneath it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.rounds import round_open
from tests.browser.axe import faults
from tests.cast import PIN, Cast, running_cast

from .table import open_table, type_line, wait_for_phase

pytestmark = pytest.mark.outside


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return running_cast()


def test_after_five_minutes_a_layer_asks_for_the_pin_and_keeps_what_was_typed(
    cast: Cast, live_server: Any, page: Page
) -> None:
    page.clock.install()
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "betting")
    expect(page.locator("#connection[data-connection=live]")).to_be_visible()
    type_line(page, "1 20")
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
    wait_for_phase(page, "betting")
    expect(page.locator("[name='wagers-1-ante']")).to_have_value(typed)
