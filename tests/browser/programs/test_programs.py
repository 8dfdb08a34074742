"""The page of programs in a browser: made by two on the signing sheet, the token shown once, and no fault at any width."""

from __future__ import annotations

import re

import pytest
from django.test import override_settings
from playwright.sync_api import Page, expect

from cardroom.people.models import Program
from cardroom.webhooks.commands.webhooks import webhook_make
from tests.api.programs import make_program
from tests.browser.axe import faults
from tests.browser.layout import too_wide
from tests.browser.screen import sign_in
from tests.cast import Cast

pytestmark = pytest.mark.outside
PAGE = "/rooms/cache-slough/programs/"


def test_the_page_has_no_fault_at_any_width(cast: Cast, page: Page) -> None:
    made = make_program(cast, "see_reports", "run_rounds", "see_floor")
    with override_settings(WEBHOOKS_INSIDE=True):
        cast.send_room(
            webhook_make,
            "room_manager",
            program_id=made["program"],
            url="https://books.example/cardroom/a-long-address-that-nobody-would-like-to-read/0123456789",
            kinds=["round_settle"],
            approver=cast.people["compliance"],
        )
    sign_in(page, "room_manager", PAGE)
    found = {}
    for width in (390, 820, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        for details in page.locator("main details").all():
            details.evaluate("each => each.open = true")
        if wrong := faults(page) + too_wide(page):
            found[width] = wrong
    assert found == {}


def test_a_program_is_made_with_a_token_that_is_shown_once(cast: Cast, page: Page) -> None:
    sign_in(page, "room_manager", PAGE)
    page.get_by_label("Name, as the journal has it").fill("Accounting")
    page.get_by_label("What it does, and who looks after it").fill("Reads reports, Dana")
    page.get_by_label("See reports and exports").check()
    page.get_by_role("button", name="Make the program").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    assert not Program.objects.exists()
    assert faults(page) == []


def test_the_token_stands_on_the_page_that_answers_and_on_no_other(cast: Cast, page: Page) -> None:
    make_program(cast, "see_reports")
    sign_in(page, "room_manager", PAGE)
    assert not re.search(r"crp_[\w-]{43}", page.content())
