"""A meter that two tables play for, in a browser: what one table does to it stands on the pages of the other at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect

from cardroom.floor.commands.meters import meter_link, meter_set
from cardroom.floor.commands.rounds import round_open
from cardroom.floor.commands.seats import down_start, player_seat
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.commands.tray import tray_open
from cardroom.floor.models import Table
from tests.browser.axe import faults
from tests.browser.screen import give_session
from tests.cast import Cast, house_cast
from tests.filing import table_settings

pytestmark = pytest.mark.outside


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Tables 7 and 8 of Massachusetts with one meter; at table 8 a round takes bets."""
    cast = house_cast()
    first, second, manager = cast.table, cast.second_table, cast.people["shift_manager"]
    cast.send(table_set, "floor", second, **table_settings(cast.room, rulebook="massachusetts"))
    cast.send(table_open, "floor", second)
    cast.hang_box(80, table=second)
    cast.send(down_start, "floor", second, dealer_id=cast.people["dealer_2"].pk)
    cast.send(tray_open, "floor", second, chips={"10000": 500}, approver=cast.people["dealer_2"])
    cast.send(player_seat, "floor", second, seat=1, player_id=cast.waiting[0].pk)
    set_meter(cast, 123_400)
    meter = Table.objects.values_list("meter", flat=True).get(pk=first.pk)
    signed = {"reason": "one jackpot", "approver": manager}
    cast.send(meter_link, "floor", second, meter_id=meter, name="The Pit Progressive", **signed)
    cast.send(round_open, "dealer_2", second)
    return cast


def set_meter(cast: Cast, cents: int) -> None:
    """Set the meter at table 7."""
    manager = cast.people["shift_manager"]
    cast.send(meter_set, "floor", shown_cents=cents, reason="as the display says", approver=manager)


@pytest.fixture
def browser(browser: BrowserContext) -> BrowserContext:
    """The same, and the dealer of table 8 is signed in."""
    give_session(browser, "dealer_2", "127.0.0.1")
    return browser


def test_the_display_takes_over_a_part_that_came_since_it_was_opened(
    cast: Cast, browser: BrowserContext
) -> None:
    display = browser.new_page()
    display.goto(f"/tables/{cast.second_table.pk}/display/")
    meter = display.locator("[data-part=meter]")
    expect(meter).to_contain_text("$1,234")
    parts = display.locator("[data-part]")
    order = parts.evaluate_all("parts => parts.map((part) => part.dataset.part)")
    # As it is where the meter is opened later, and another part has gone.
    meter.evaluate("part => part.remove()")
    display.locator("#display").evaluate(
        "display => display.append(Object.assign(document.createElement('p'), { className: 'gone' }))"
    )
    display.locator(".gone").evaluate("part => { part.dataset.part = 'gone'; }")
    set_meter(cast, 250_050)
    expect(meter).to_contain_text("$2,500.50")
    expect(display.locator(".gone")).to_have_count(0)
    assert parts.evaluate_all("parts => parts.map((part) => part.dataset.part)") == order


def test_the_other_table_shows_a_movement_at_once_and_keeps_what_is_being_typed(
    cast: Cast, browser: BrowserContext
) -> None:
    table, display = browser.new_page(), browser.new_page()
    display.goto(f"/tables/{cast.second_table.pk}/meter/")
    expect(display.locator(".amount")).to_have_text("$1,234")
    expect(display.locator("h1")).to_have_text("The Pit Progressive")
    expect(display.locator(".what")).to_contain_text("Tables 7, 8")
    assert not faults(display)
    table.goto(f"/tables/{cast.second_table.pk}/")
    expect(table.locator(".meter")).to_have_text("Meter with Table 7 $1,234")
    expect(table.locator("#connection")).to_contain_text("live")
    version = table.locator("#screen").get_attribute("data-version")
    typed = table.get_by_label("Type", exact=True)
    typed.fill("1 25")
    set_meter(cast, 250_050)
    expect(table.locator(".meter b")).to_have_text("$2,500.50")
    expect(display.locator(".amount")).to_have_text("$2,500.50")
    expect(typed).to_have_value("1 25")
    expect(table.locator("#connection-news")).to_have_count(0)
    assert table.locator("#screen").get_attribute("data-version") == version
    assert not faults(table)
