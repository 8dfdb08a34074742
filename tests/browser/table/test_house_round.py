"""A round that the house banks, typed in a browser: no offer, no bank's wager, the house's hand last."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.models import Round
from tests.browser.axe import faults
from tests.browser.screen import Screen
from tests.cast import Cast, house_cast

pytestmark = pytest.mark.outside


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """An open table of Massachusetts with seven players and a tray."""
    return house_cast()


def test_a_round_is_typed_from_the_wagers_to_the_settlement(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table, "ready")
    expect(page.locator(".bank-mark")).to_be_visible()
    screen.take("Open betting", "betting")
    screen.type("1 10 5 0 0 1")
    screen.type("4 20")
    screen.take("No more bets", "dropped")
    screen.take("Deal", "cards")
    # Counterclockwise from the last seat, the house's own hand at the end: b names it, as a bank's at a seat.
    for hand in ("kh 7d 4c", "9s 9c 4h", "b qd jc 3s"):
        screen.type(hand)
    expect(page.locator("#asked-hand")).to_have_text("All hands are in: settle")
    assert not faults(page)
    screen.take("Settle", "settlement")
    # Won by the house: the progressive $1. Paid: $20 to seat 1's ante and play, $5 on its pair, $40 to seat 4.
    expect(page.locator(".settled")).to_contain_text("House −$64")
    expect(page.locator('.seat[data-seat="1"] .seat-net b')).to_have_text("+$24")
    expect(page.locator('.seat[data-seat="4"] .seat-net b')).to_have_text("+$40")
    assert not faults(page)
    assert Round.objects.get().settlement is not None
