"""Somebody at the table screen in a real browser: its session, and the presses of each phase."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from cardroom.floor.models import Table
from cardroom.people.models import Staff
from tests.cast import BANK_HAND, HANDS


def open_table(page: Page, live_server: Any, table: Table, who: str = "dealer") -> None:
    """Open the table's page as somebody."""
    sign_in(page, live_server, who, f"/tables/{table.pk}/")
    expect(page.locator("#screen")).to_be_visible()


def sign_in(page: Page, live_server: Any, who: str, address: str) -> None:
    """Give the browser a session of `who`, whoever was signed in before, and open `address`.

    The form of the sign-in page is filled in by the tests that are about it.
    """
    client = Client()
    client.force_login(Staff.objects.get(username=who))
    session = client.cookies[settings.SESSION_COOKIE_NAME]
    page.context.clear_cookies()
    page.context.add_cookies([{"name": session.key, "value": session.value, "url": live_server.url}])
    page.goto(f"{live_server.url}{address}")


def wait_for_phase(page: Page, phase: str) -> None:
    """Wait until the screen shows the table in `phase`, as the server has it: not ahead of its answer."""
    expect(page.locator(f"#screen[data-phase={phase}]:not([data-ahead])")).to_be_visible()


def wait_for_settlement(page: Page) -> None:
    """Wait until the lines of the round that was just settled are on show."""
    expect(page.locator("#screen[data-settlement]")).to_be_visible()


def wait_until_rested(page: Page) -> None:
    """Wait until the next step may be pressed: it rests for a moment after each change of the screen."""
    expect(page.locator("#screen:not([data-resting]):not([data-ahead])")).to_be_visible()


def next_step(page: Page, text: str = "") -> Locator:
    """The one large button (or link) at the bottom right, once it may be pressed."""
    button = page.locator("[data-next]", has_text=text)
    expect(button).to_have_count(1)
    wait_until_rested(page)
    return button


def press(page: Page, text: str) -> None:
    """Press Enter on the next step, which has the focus of itself."""
    expect(next_step(page, text)).to_be_focused()
    page.keyboard.press("Enter")


def type_line(page: Page, line: str) -> None:
    """Type a line wherever the focus is (it goes to the command line of itself), and Enter."""
    page.keyboard.type(line)
    page.keyboard.press("Enter")


def hands_in_order(page: Page) -> list[tuple[str, str]]:
    """Seats in the order in which the screen asks for their cards, each with a hand of the cast; the bank last."""
    picker = page.locator("#picker")
    seats = (picker.get_attribute("data-order") or "").split(",")
    bank = picker.get_attribute("data-bank")
    assert seats[-1] == bank
    return [(seat, BANK_HAND if seat == bank else HANDS[int(seat)]) for seat in seats]


def touch_seat(page: Page, seat: int) -> None:
    """Touch a seat at its name: its spots are touched for themselves."""
    page.locator(f"[data-touch='{seat}']").click(position={"x": 90, "y": 14})


def touch_cards(page: Page, hand: str) -> None:
    """Touch the three cards of a hand on the picker."""
    for card in hand.split():
        page.locator(f".deck [data-card='{card}']").click()
