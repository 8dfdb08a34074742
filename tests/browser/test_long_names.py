"""A name of eighty letters without a blank widens no page: at the bank, at a seat, on the board and in the rotation."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.screen import Screen, sign_in
from tests.cast import Cast

pytestmark = pytest.mark.outside


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (390, 844)])
def test_a_name_without_a_blank_leaves_every_page_as_wide_as_the_screen(
    cast: Cast, page: Page, width: int, height: int, screen: Screen
) -> None:
    bank = cast.players[3]
    bank.name = "W" * 80
    bank.save()
    page.set_viewport_size({"width": width, "height": height})
    screen.open(cast.table, "ready")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    screen.type("200", "betting")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for address in (f"/rooms/{cast.room.code}/floor/", f"/tables/{cast.table.pk}/rotation/"):
        sign_in(page, "floor", address)
        assert page.evaluate("document.documentElement.scrollWidth") == width
