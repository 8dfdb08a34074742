"""The page of programs in a browser: made by two on the signing sheet, the token shown once, and no fault at any width."""

from __future__ import annotations

import re

import pytest
from django.test import override_settings
from playwright.sync_api import Page, expect

from cardroom.people.models import Program, ProgramToken
from cardroom.webhooks.commands.webhooks import webhook_make
from cardroom.webhooks.models import Webhook
from tests.api.programs import make_program
from tests.browser.axe import faults
from tests.browser.layout import too_wide
from tests.browser.screen import sign_in
from tests.cast import Cast

pytestmark = pytest.mark.outside
PAGE = "/rooms/cache-slough/programs/"


def make_webhook(cast: Cast, program: int, url: str) -> None:
    signed = {"approver": cast.people["compliance"]}
    with override_settings(WEBHOOKS_INSIDE=True):
        told = {"program_id": program, "url": url, "kinds": ["round_settle"]}
        cast.send_room(webhook_make, "room_manager", **told, **signed)


def test_the_page_has_no_fault_at_any_width(cast: Cast, page: Page) -> None:
    made = make_program(cast, "see_reports", "run_rounds", "see_floor")
    make_webhook(
        cast,
        made["program"],
        "https://books.example/cardroom/a-long-address-that-nobody-would-like-to-read/0123456789",
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


def test_nobody_signs_for_a_program_that_may_do_nothing(cast: Cast, page: Page) -> None:
    sign_in(page, "room_manager", PAGE)
    page.get_by_label("Name, as the journal has it").fill("Accounting")
    page.get_by_label("What it does, and who looks after it").fill("Reads reports, Dana")
    make = page.get_by_role("button", name="Make the program")
    make.click()
    rights = page.get_by_role("group", name="What it may do")
    expect(rights).to_contain_text("Tick what the program may do")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert faults(page) == []
    expect(page.get_by_label("Name, as the journal has it")).to_have_value("Accounting")
    page.get_by_label("See reports and exports").check()
    make.click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    expect(sheet).to_contain_text("What it may do")
    expect(sheet).to_contain_text("See reports and exports")


def test_a_token_and_a_webhook_end_at_a_second_press(cast: Cast, page: Page) -> None:
    made = make_program(cast, "see_reports")
    token = ProgramToken.objects.get()
    make_webhook(cast, made["program"], "http://books.example/")
    webhook = Webhook.objects.get()
    sign_in(page, "room_manager", PAGE)
    for asks, does, row, is_over in (
        (f"✕ Revoke… {token.prefix}", f"Revoke it now: {token.prefix}", token, "revoked_at"),
        (f"✕ End… {webhook.url}", f"End it now: {webhook.url}", webhook, "ended_at"),
    ):
        second = page.locator("main button", has_text=does)
        expect(second).to_be_hidden()
        page.locator("summary", has_text=asks).click()
        expect(second).to_be_visible()
        row.refresh_from_db()
        assert getattr(row, is_over) is None
        second.click()
        expect(second).to_have_count(0)
        row.refresh_from_db()
        assert getattr(row, is_over) is not None


def test_the_token_stands_on_the_page_that_answers_and_on_no_other(cast: Cast, page: Page) -> None:
    make_program(cast, "see_reports")
    sign_in(page, "room_manager", PAGE)
    assert not re.search(r"crp_[\w-]{43}", page.content())
