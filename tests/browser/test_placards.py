"""Rules and placards in a real browser: accessible in light and dark, wide enough to touch, and chosen by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import faults
from tests.cast import PASSWORD, Cast, open_cast
from tests.pdf_text import pages_of

pytestmark = pytest.mark.outside

#: What a finger has to meet, and how high it stands; words within a sentence are no targets of their own.
TARGETS = """() => [...document.querySelectorAll('button, input, select, summary, a.button, .contents a')]
    .filter(each => each.offsetParent && each.getBoundingClientRect().height < 44)
    .map(each => each.outerHTML.slice(0, 80))"""


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return open_cast()


def open_page(page: Page, live_server: Any, address: str, who: str = "floor") -> None:
    """Sign in, and go there."""
    page.goto(f"{live_server.url}/accounts/login/?next={address}")
    page.get_by_label("User name").fill(who)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")
    page.wait_for_url(f"**{address}")


def test_the_pages_are_accessible_and_can_be_touched(cast: Cast, live_server: Any, page: Page) -> None:
    open_page(page, live_server, "/rules/")
    for address in (
        "/rules/",
        "/rules/california/",
        "/rules/massachusetts/?players=4",
        "/rules/designated_player/?house_rake=all",
        f"/tables/{cast.table.pk}/placard/",
    ):
        page.goto(f"{live_server.url}{address}")
        assert faults(page, every_rule=True) == [], address
        assert page.evaluate(TARGETS) == [], address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def test_choices_are_made_by_keyboard_and_go_onto_the_paper(cast: Cast, live_server: Any, page: Page) -> None:
    open_page(page, live_server, "/rules/south_dakota/", who="provider_lead")
    page.locator("summary").focus()
    page.keyboard.press("Enter")
    page.get_by_label("6 Card Bonus table").focus()
    page.keyboard.type("TCP-6B2")
    page.get_by_label("Ante from").fill("15")
    page.get_by_label("Ante from").press("Enter")
    expect(page.locator("#wager-six_card_bonus")).to_contain_text("TCP-6B2")
    expect(page.locator("#wager-ante")).to_contain_text("from $15")
    link = page.get_by_role("link", name="Placard (PDF)").get_attribute("href")
    document = page.context.request.get(f"{live_server.url}{link}").body()
    (words,) = pages_of(document)
    assert "TCP-6B2" in words and "from $15" in words
