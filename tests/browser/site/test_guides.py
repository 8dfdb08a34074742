"""The guides as a browser shows them: no accessibility fault, no wider than a phone, and one sheet of paper each."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from cardroom.web.site.guides import GUIDES
from tests.browser.axe import faults
from tests.browser.layout import too_wide
from tests.browser.screen import sign_in
from tests.cast import Cast

pytestmark = pytest.mark.outside

#: A page of a PDF of Chromium's.
_SHEET = re.compile(rb"/Type /Page\b")


def test_guides_have_no_fault_fit_a_phone_and_print_on_one_sheet(cast: Cast, page: Page) -> None:
    sign_in(page, "dealer", "/guides/dealer/")
    found: dict[str, list[str]] = {}
    for guide in GUIDES:
        page.goto(f"/guides/{guide}/")
        wrong = faults(page) + too_wide(page)
        unloaded = page.evaluate(
            "[...document.images].filter((each) => !each.naturalWidth).map((each) => each.src)"
        )
        sheets = len(_SHEET.findall(page.pdf(prefer_css_page_size=True)))
        if sheets != 1:
            wrong.append(f"prints on {sheets} sheets")
        if wrong or unloaded:
            found[guide] = wrong + unloaded
    assert found == {}
