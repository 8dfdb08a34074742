"""A round that the house banks, typed in a browser: no offer, no bank's wager, the house's hand last."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.tables import table_set
from cardroom.floor.commands.tray import tray_open
from cardroom.floor.models import Round
from tests.browser.axe import faults
from tests.browser.table import next_step, open_table, type_line, wait_for_phase, wait_for_settlement
from tests.cast import Cast, open_cast
from tests.filing import table_settings

pytestmark = pytest.mark.outside


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """An open table of Massachusetts with seven players and a tray."""
    cast = open_cast()
    cast.send(table_set, "floor", **table_settings(cast.room, rulebook="massachusetts"))
    cast.send(tray_open, "floor", chips={"10000": 500}, approver=cast.people["dealer"])
    return cast


def test_a_round_is_typed_from_the_wagers_to_the_settlement(cast: Cast, live_server: Any, page: Page) -> None:
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    expect(page.locator(".bank-mark")).to_be_visible()
    next_step(page, "Open betting").click()
    wait_for_phase(page, "betting")
    type_line(page, "1 10 5 0 0 1")
    type_line(page, "4 20")
    next_step(page, "No more bets").click()
    wait_for_phase(page, "dropped")
    next_step(page, "Deal").click()
    wait_for_phase(page, "cards")
    # Counterclockwise from the last seat, the house's own hand at the end: b names it, as a bank's at a seat.
    for hand in ("kh 7d 4c", "9s 9c 4h", "b qd jc 3s"):
        type_line(page, hand)
    expect(page.locator("#asked-hand")).to_have_text("All hands are in: settle")
    assert not faults(page)
    next_step(page, "Settle").click()
    wait_for_settlement(page)
    # Won by the house: the progressive $1. Paid: $20 to seat 1's ante and play, $5 on its pair, $40 to seat 4.
    expect(page.locator(".settled")).to_contain_text("House −$64")
    expect(page.locator('.seat[data-seat="1"] .seat-net b')).to_have_text("+$24")
    expect(page.locator('.seat[data-seat="4"] .seat-net b')).to_have_text("+$40")
    assert not faults(page)
    assert wrong == []
    assert Round.objects.get().settlement is not None
