"""The page of a tray in a browser: it adds chips up as they are typed, has no fault, and fits a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.tray import buy_in, tray_fill, tray_open
from cardroom.floor.models import TraySlip
from tests.browser.axe import faults
from tests.browser.layout import too_wide
from tests.browser.screen import sign, sign_in
from tests.cast import Cast, uncounted_cast

pytestmark = pytest.mark.outside


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return uncounted_cast()


def test_a_tray_is_counted_by_touch(cast: Cast, page: Page) -> None:
    sign_in(page, "dealer", f"/tables/{cast.table.pk}/")
    page.get_by_role("link", name="tray").click()
    form = page.locator("#open form")
    expect(form).to_be_visible()
    assert faults(page) + too_wide(page) == []
    for worth, number in (("500", "100"), ("2500", "100")):
        form.locator(f"[data-worth='{worth}']").fill(number)
    expect(form.locator(".counted-sum output")).to_have_text("$3,000")
    form.get_by_role("button", name="Open the tray").click()
    expect(page.locator("#signing .whole")).to_contain_text("$3,000")
    sign(page, "floor")
    expect(page.locator(".ledger .sum dd")).to_have_text("$3,000")
    assert TraySlip.objects.get().chips == {"2500": 100, "500": 100}


def test_the_page_of_an_open_tray_has_no_fault_and_fits_a_phone(cast: Cast, page: Page) -> None:
    floor = cast.people["floor"]
    cast.send(tray_open, "dealer", chips={"10000": 100, "2500": 300, "500": 400}, approver=floor)
    cast.send(buy_in, "dealer", seat=4, cents=20000)
    cast.send(tray_fill, "dealer", chips={"2500": 40}, note="greens were low", approver=floor)
    sign_in(page, "dealer", f"/tables/{cast.table.pk}/tray/")
    for summary in page.locator(".tray summary").all():
        summary.click()
    assert faults(page) + too_wide(page) == []
    form = page.locator("#close form")
    form.locator("[data-worth='500']").fill("1")
    form.get_by_role("button", name="Close the tray").click()
    sign(page, "floor")
    expect(form.locator(".field-error")).to_contain_text("needs a note")
    assert faults(page) + too_wide(page) == []
