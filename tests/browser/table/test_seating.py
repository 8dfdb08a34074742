"""A walk-in sits after three touches at most, on either side of the felt; offline the sheet says that seating waits."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.seats import player_leave
from tests.browser.axe import faults
from tests.browser.layout import too_small
from tests.browser.screen import Screen
from tests.cast import Cast, running_cast

pytestmark = pytest.mark.outside

#: Counts touches, and says what the sheet covers of the touched seat and of the bar below.
COUNTING = "addEventListener('click', () => { window.touches = (window.touches || 0) + 1; }, true)"
COVERED = """(seat) => {
    const at = (each) => each.getBoundingClientRect();
    const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const sheet = at(document.getElementById("sheet"));
    return [`.seat[data-seat="${seat}"]`, ".next"].filter((each) => over(sheet, at(document.querySelector(each))));
}"""


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    cast = running_cast()
    for seat in (1, 4, 7):
        cast.send(player_leave, "floor", seat=seat)
    return cast


def test_a_walk_in_sits_in_three_touches_at_most(cast: Cast, page: Page, screen: Screen) -> None:
    page.add_init_script(COUNTING)
    page.set_viewport_size({"width": 1180, "height": 820})
    screen.open(cast.table, who="floor")
    # Seat and guest: two touches.
    screen.touch_seat(7)
    page.locator("#sheet .guest").click()
    expect(page.locator(".seat[data-seat='7'] .seat-name")).to_contain_text("Guest")
    assert page.evaluate("window.touches") == 2
    # Seat, and who was here lately: two.
    page.evaluate("window.touches = 0")
    screen.touch_seat(1)
    expect(page.locator("#sheet .results li")).to_have_count(3)
    assert page.evaluate(COVERED, 1) == []
    assert (faults(page), too_small(page)) == ([], [])
    page.locator("#sheet .line", has_text="Ana").click()
    expect(page.locator(".seat[data-seat='1'] .seat-name")).to_have_text("Ana")
    assert page.evaluate("window.touches") == 2
    # In the middle of the arc it lies below the seat; searched by its own keys, no row moves while the name is typed.
    page.evaluate("window.touches = 0")
    screen.touch_seat(4)
    expect(page.locator("#sheet .results li")).to_have_count(2)
    assert page.evaluate(COVERED, 4) == []
    key = page.locator("#sheet [data-letter=h]")
    place = key.bounding_box()
    key.click()
    expect(page.locator("#sheet [data-part=count]")).to_contain_text(" of ")
    assert key.bounding_box() == place
    page.locator("#sheet .line", has_text="Hal").click()
    expect(page.locator(".seat[data-seat='4'] .seat-name")).to_have_text("Hal")
    assert page.evaluate("window.touches") == 3
    assert [cast.state().seatings[seat].player.name for seat in (1, 4)] == ["Ana", "Hal"]


def test_offline_the_sheet_says_that_seating_waits(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table, who="floor")
    screen.cut()
    screen.touch_seat(7)
    expect(page.locator("#sheet")).to_contain_text("Seating waits")
    expect(page.locator("#sheet .guest")).to_have_count(0)
