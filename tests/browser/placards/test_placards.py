"""Rules and placards in a real browser: accessible in light and dark, wide enough to touch, and chosen by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import faults
from tests.browser.layout import too_small
from tests.browser.screen import sign_in
from tests.cast import Cast, open_cast
from tests.pdf_text import pages_of

pytestmark = pytest.mark.outside


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return open_cast()


def test_the_pages_are_accessible_and_can_be_touched(cast: Cast, page: Page) -> None:
    sign_in(page, "floor", "/rules/")
    for address in (
        "/rules/",
        "/rules/california/",
        "/rules/massachusetts/?players=4",
        "/rules/designated_player/?house_rake=all",
        f"/tables/{cast.table.pk}/placard/",
    ):
        page.goto(address)
        assert faults(page, every_rule=True) == [], address
        assert too_small(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def test_choices_are_made_by_keyboard_and_go_onto_the_paper(cast: Cast, page: Page) -> None:
    sign_in(page, "provider_lead", "/rules/south_dakota/")
    page.locator("summary").focus()
    page.keyboard.press("Enter")
    page.get_by_label("6 Card Bonus table").focus()
    page.keyboard.type("TCP-6B2")
    page.get_by_label("Ante from").fill("15")
    page.get_by_label("Ante from").press("Enter")
    expect(page.locator("#wager-six_card_bonus")).to_contain_text("TCP-6B2")
    expect(page.locator("#wager-ante")).to_contain_text("from $15")
    link = page.get_by_role("link", name="Placard (PDF)").get_attribute("href")
    document = page.context.request.get(link or "").body()
    (words,) = pages_of(document)
    assert "TCP-6B2" in words and "from $15" in words
