"""A name of eighty letters without a blank widens no page: at the bank, at a seat, on the board and in the rotation."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.table import open_table, sign_in, type_line, wait_for_phase
from tests.cast import Cast, running_cast

pytestmark = pytest.mark.outside


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (390, 844)])
def test_a_name_without_a_blank_leaves_every_page_as_wide_as_the_screen(
    transactional_db: None, live_server: Any, page: Page, width: int, height: int
) -> None:
    cast: Cast = running_cast()
    bank = cast.players[3]
    bank.name = "W" * 80
    bank.save()
    page.set_viewport_size({"width": width, "height": height})
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    type_line(page, "200")
    wait_for_phase(page, "betting")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for address in (f"/rooms/{cast.room.code}/floor/", f"/tables/{cast.table.pk}/rotation/"):
        sign_in(page, live_server, "floor", address)
        assert page.evaluate("document.documentElement.scrollWidth") == width
