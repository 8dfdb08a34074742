"""The sheet on which a second person signs: a face and a PIN pad, which stay where they are whatever is answered."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from cardroom.floor.models import JournalEntry, Round
from cardroom.people.models import Employment, Role
from tests.browser.axe import faults
from tests.browser.layout import PHONE, SIZES
from tests.browser.screen import Screen, sign
from tests.cast import PIN, Cast

pytestmark = pytest.mark.outside

#: Where everything is that is touched on the sheet.
PLACES = """() => [...document.querySelectorAll("#signing button, #signing-pin")].filter((each) => each.checkVisibility())
    .map((each) => { const at = each.getBoundingClientRect(); return [each.dataset.name || each.dataset.key || each.textContent.trim(), at.left, at.top, at.width, at.height].join(" "); })"""
#: What of the sheet lies outside the screen.
OUTSIDE = """() => [...document.querySelectorAll("#signing :is(.pad button, .pin, .kept, h2)")].map((each) => [each.textContent, each.getBoundingClientRect()])
    .filter(([, at]) => at.left < 0 || at.top < 0 || at.right > innerWidth || at.bottom > innerHeight).map(([text]) => text)"""

#: What has to be touched on it, and is less than 44 pixels high or wide.
SMALL = """() => [...document.querySelectorAll("#signing :is(button, input)")].filter((each) => each.checkVisibility())
    .map((each) => [each, each.getBoundingClientRect()]).filter(([, at]) => at.height < 44 || at.width < 44).map(([each]) => each.outerHTML.slice(0, 80))"""


def ask_for_a_void(cast: Cast, page: Page, screen: Screen) -> Locator:
    """Bet, and open the sheet of a void as the dealer."""
    cast.bet({1: 2000, 4: 2500})
    screen.open(cast.table, "betting")
    page.locator("summary", has_text="More ▴").click()
    page.locator("#command-void > summary").click()
    form = page.locator("#command-void form")
    form.get_by_role("button").click()
    expect(page.locator("#signing")).not_to_be_visible()  # no reason yet: nobody is asked for a PIN
    form.get_by_label("Reason").select_option(index=2)
    form.get_by_role("button").click()
    sheet = page.locator("#signing")
    expect(sheet).to_be_visible()
    return sheet


def test_a_void_is_signed_by_two_touches_and_a_pin(cast: Cast, page: Page, screen: Screen) -> None:
    sheet = ask_for_a_void(cast, page, screen)
    # What is signed, who, and how many sign stand there from the first moment.
    expect(sheet.get_by_role("heading", level=2)).to_have_text("Void round 1")
    expect(sheet.locator(".how-many")).to_contain_text("Two sign")
    for row in ("1 Ana $20", "4 Dee $25", "3 Cy $200", "Wagers $245"):
        expect(sheet.locator(".goes-back")).to_contain_text(row)
    expect(sheet.locator(".not")).to_contain_text("Dealer asks for it, and cannot sign their own")
    for size in SIZES:
        page.set_viewport_size(size)
        assert faults(page, every_rule=True) + page.evaluate(SMALL) == [], size
    page.set_viewport_size({"width": PHONE["width"], "height": 664})
    assert page.evaluate(OUTSIDE) == []
    page.set_viewport_size(SIZES[0])
    before = page.evaluate(PLACES)
    sign(page, "floor", "918273")
    expect(sheet.get_by_role("status")).to_contain_text("Not signed. Wrong PIN. After 4 more Floor rests")
    assert page.evaluate(PLACES) == before
    expect(sheet.get_by_role("textbox", name="PIN of Floor")).to_have_value("")
    assert faults(page) == []
    for left in (3, 2, 1):
        sign(page, "floor", "918273")
        expect(sheet.get_by_role("status")).to_contain_text(f"After {left} more")
    sign(page, "floor", "918273")
    expect(sheet.get_by_role("button", name="Floor rests until")).to_be_disabled()
    assert page.evaluate(PLACES) == before
    assert Round.objects.get().state == Round.State.BETTING
    sign(page, "shift_manager")
    screen.wait_for("ready")
    expect(sheet).not_to_be_visible()
    round_ = Round.objects.get()
    assert (round_.state, round_.void_approved_by) == (Round.State.VOID, cast.people["shift_manager"])
    # A PIN is in nothing that was written down.
    entries = list(JournalEntry.objects.values_list("data", "reason"))
    assert "918273" not in str(entries) and PIN not in str(entries)


def test_a_badge_is_read_and_a_pin_typed_without_a_touch(cast: Cast, page: Page, screen: Screen) -> None:
    floor = cast.people["floor_2"]
    floor.badge = "0047713"
    floor.save()
    for number in range(9):  # more than are shown at once
        cast.hire(f"floor_{number + 3}", Role.FLOOR)
    sheet = ask_for_a_void(cast, page, screen)
    assert Employment.objects.filter(role=Role.FLOOR, room=cast.room).count() == 11
    shown = sheet.locator("[data-name]:visible")
    expect(shown).to_have_count(8)  # all others by one touch
    before = page.evaluate("document.querySelector('#signing [data-key]').getBoundingClientRect().top")
    sheet.locator("[data-part=more]").click()
    expect(shown).to_have_count(12)
    assert (
        page.evaluate("document.querySelector('#signing [data-key]').getBoundingClientRect().top") == before
    )
    page.keyboard.type("0047713\n")  # a reader types, and Enter
    expect(sheet.get_by_label("User name or badge")).to_have_value("0047713")
    page.keyboard.type("918273\n")
    # Whatever is wrong with a name that is typed, it is told alike.
    expect(sheet.get_by_role("status")).to_contain_text("belong to nobody here")
    page.keyboard.type(f"{PIN}")
    page.keyboard.press("Escape")
    expect(sheet).not_to_be_visible()
    for each in page.locator("[type=password]").all():
        expect(each).to_have_value("")  # a dialog's close event comes a task after it is hidden
    page.locator("#command-void form").get_by_role("button").click()
    expect(sheet).to_be_visible()
    page.keyboard.type(f"0047713\n{PIN}\n")
    screen.wait_for("ready")
    assert Round.objects.get().void_approved_by == floor


def test_the_next_dealer_takes_the_tablet_over_by_a_face_and_a_pin(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table, "ready")
    page.goto(f"/tables/{cast.table.pk}/take-over/")
    sheet = page.locator("#signing")
    expect(sheet.locator(".how-many")).to_contain_text("One signs")
    assert faults(page) == []
    before = page.evaluate(PLACES)
    sign(page, "dealer_2", "918273")
    expect(sheet.get_by_role("status")).to_contain_text("Wrong PIN")
    assert page.evaluate(PLACES) == before
    page.keyboard.type(f"{PIN}\n")
    screen.wait_for("ready")
    expect(page.locator(".who-name")).to_contain_text("Dealer 2")
