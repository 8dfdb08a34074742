"""One round in a real browser, from the offer to the next hand, most of it by the keyboard."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.models import Round
from tests.cast import PASSWORD, Cast


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Table 7 open with seven players; nobody banks yet. Committed, for the server has its own connection."""
    cast = Cast()
    cast.open_table()
    return cast


def test_a_round_by_keyboard_and_touch(cast: Cast, live_server: Any, page: Page) -> None:
    complaints: list[str] = []
    hosts: set[str] = set()
    page.on(
        "console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))

    page.goto(f"{live_server.url}/")
    sign_in(page)
    page.get_by_role("link", name="Table 7").click()
    take_the_bank(page)
    place_and_close(page)
    deal_and_settle(page)

    round_ = Round.objects.get()
    assert round_.state == Round.State.SETTLED
    assert round_.sheet is not None
    assert round_.settlement is not None
    assert {bet["seat"]: bet["wagers"]["ante"] for bet in round_.bets} == {1: 2000, 3: 2000, 4: 6100}
    assert [position["decision"] for position in round_.sheet["positions"]] == ["play", "fold", "play"]

    walk_through(page, lines=len(round_.settlement["lines"]))
    page.get_by_role("link", name="Next hand").click()
    expect(page.get_by_text("next: round 2 of 2 in this turn")).to_be_visible()
    assert complaints == []
    assert hosts == {urlsplit(live_server.url).netloc}


def sign_in(page: Page) -> None:
    """By the keyboard: the user name has the focus."""
    expect(page.get_by_label("User name")).to_be_focused()
    page.keyboard.type("dealer")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")


def press_next_step(page: Page, says: str) -> None:
    """Press Enter on the next step, which has the focus of itself."""
    button = page.locator(".next .primary", has_text=says)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")


def take_the_bank(page: Page) -> None:
    """Seat 1 declines, seat 2 accepts and puts up $60."""
    expect(page.get_by_text("Offer the bank to seat 1 · Ana")).to_be_visible()
    page.get_by_role("button", name="Declined").click()
    expect(page.get_by_text("Offer the bank to seat 2 · Bo")).to_be_visible()
    press_next_step(page, "Accepted: seat 2 banks")
    wager = page.get_by_label("Bank's wager")
    wager.fill("60")
    expect(page.get_by_role("button", name="Bank wagers $60")).to_be_visible()
    wager.press("Enter")


def place_and_close(page: Page) -> None:
    """Wagers at seats 1, 3 and 4; the button names the drop while they are typed."""
    page.locator("input[name=wagers-1-ante]").fill("20")
    page.keyboard.press("Tab")
    page.keyboard.type("5")
    page.locator("input[name=wagers-3-ante]").fill("20")
    page.locator("input[name=wagers-4-ante]").fill("61")
    # Three players, and $2 from the bank: $101 of total table action.
    expect(page.locator("#close-bets")).to_contain_text("drop $5")
    expect(page.locator("#place-bets")).to_have_class("place dirty")
    expect(page.locator("input[name=wagers-4-ante]")).to_be_focused()  # the preview has not taken it away
    page.keyboard.press("Enter")  # in a field: places what is typed
    expect(page.locator("#place-bets")).to_have_class("place")
    press_next_step(page, "No more bets · drop $5")


def deal_and_settle(page: Page) -> None:
    """A line of typing a hand, Enter leads on; seat 3 folds by a touch. The last Enter settles."""
    press_next_step(page, "Deal")
    expect(page.locator("input[name=hand-1]")).to_be_focused()
    page.locator("input[name=decision-3][value=fold]").check()
    page.locator("input[name=hand-1]").focus()
    for hand in ("ahqd2c", "kh 7d 4c", "qs 8s 3h", "js jh 5c"):  # seat 1, the bank at 2, seats 3 and 4
        page.keyboard.type(hand)
        page.keyboard.press("Enter")
    page.wait_for_url("**/rounds/*/")


def walk_through(page: Page, lines: int) -> None:
    """Settling goes clockwise from the bank at seat 2, seat 3 first; its $60 does not reach round the table."""
    bar, left, shown = page.locator("progress"), page.locator(".bank-left"), page.locator(".line:visible")
    expect(page.get_by_text("The bank is exhausted here.")).to_be_visible()
    expect(shown).to_have_count(lines)
    page.get_by_role("button", name="Step through").click()
    expect(shown).to_have_count(1)
    expect(left).to_have_text("$40")
    expect(bar).to_have_js_property("value", 4000)
    page.keyboard.press("Enter")  # the focus is on "Next line"
    expect(shown).to_have_count(2)
    expect(left).to_have_text("$0")
    page.get_by_role("button", name="All").click()
    expect(shown).to_have_count(lines)


@pytest.mark.parametrize("width", [390, 1024, 1280])
def test_the_table_fits_the_screen_and_every_target_is_large_enough(
    width: int, cast: Cast, live_server: Any, page: Page
) -> None:
    page.set_viewport_size({"width": width, "height": 768})
    page.goto(f"{live_server.url}/accounts/login/?next=/tables/{cast.table.pk}/")
    page.get_by_label("User name").fill("dealer")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")
    page.wait_for_url("**/tables/**")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, summary, select, input:not([type=hidden]), a.button")]
            .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 44)
            .map((target) => target.outerHTML.slice(0, 80))"""
    )
    assert small == []
