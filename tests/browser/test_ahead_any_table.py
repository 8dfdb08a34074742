"""Tables that the house banks, and tables with a back line, go ahead of the server and go on without it like the others."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.seats import back_line_join, player_leave
from cardroom.floor.commands.tables import table_set
from cardroom.floor.commands.tray import tray_open
from cardroom.floor.models import JournalEntry, Round
from tests.browser.table import (
    next_step,
    open_table,
    type_line,
    wait_for_phase,
    wait_for_settlement,
    wait_until_rested,
)
from tests.browser.test_ahead import HELD, ahead, answered, press_ahead
from tests.browser.test_offline import cut, expect_connection, mend
from tests.cast import Cast, open_cast, running_cast
from tests.filing import table_settings

pytestmark = pytest.mark.outside


def house_table(rulebook: str) -> Cast:
    """An open table with seven players and a tray, which the house banks."""
    cast = open_cast()
    settings = table_settings(cast.room, rulebook=rulebook)
    cast.send(table_set, "floor", **settings)
    cast.send(tray_open, "floor", chips={"10000": 500}, approver=cast.people["dealer"])
    return cast


@pytest.fixture
def baccarat(transactional_db: None) -> Cast:
    """Table 7 plays baccarat; seat 3 banks. Fay and Gus stand behind seat 1, Hal behind seat 4."""
    cast = running_cast()
    for seat in (6, 7):
        cast.send(player_leave, "floor", seat=seat)
    settings = table_settings(cast.room, rulebook="baccarat", recording="cards")
    cast.send(table_set, "floor", **settings)
    for seat, player in ((1, cast.players[6]), (1, cast.players[7]), (4, cast.waiting[0])):
        cast.send(back_line_join, "floor", seat=seat, player_id=player.pk)
    return cast


def test_a_round_of_the_house_shows_before_the_answers(
    transactional_db: None, live_server: Any, page: Page
) -> None:
    """Massachusetts: many spots, the meter beside, hands counterclockwise and the house's own last."""
    cast = house_table("massachusetts")
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.add_init_script(HELD)
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    shows = page.locator(".meter").inner_text()
    press_ahead(page, "Open betting")
    ahead(page, "betting")
    expect(page.locator(".bank-mark")).to_contain_text("THE HOUSE BANKS")
    expect(page.locator(".meter")).to_have_text(shows)
    assert not Round.objects.exists()
    type_line(page, "1 10 5 0 0 1")
    type_line(page, "4 20")
    expect(page.locator("[data-bet=wagers-1-ante]")).to_contain_text("$10")
    answered(page, "betting")
    expect(page.locator("[data-bet=wagers-4-ante]")).to_contain_text("$20")
    next_step(page, "No more bets").click()
    ahead(page, "dropped")
    answered(page, "dropped")
    press_ahead(page, "Deal")
    ahead(page, "cards")
    picker = page.locator("#picker")
    order = picker.get_attribute("data-order")
    assert order == "4,1,bank_hand"
    type_line(page, "kh 7d 4c")
    answered(page, "cards")
    assert picker.get_attribute("data-order") == order, "the server asks for the hands in the same order"
    for hand in ("9s 9c 4h", "b qd jc 3s"):
        type_line(page, hand)
    next_step(page, "Settle").click()
    page.evaluate("hold(false)")
    wait_for_settlement(page)
    page.evaluate("hold(true)")
    expect(page.locator(".settled")).to_contain_text("House −$64")
    wait_until_rested(page)
    press_ahead(page, "Open betting")
    ahead(page, "betting")
    expect(page.locator("[data-bet=wagers-4-ante]")).to_contain_text("$20")  # the last wagers lie there again
    answered(page, "betting")
    expect(page.locator("[data-bet=wagers-4-ante]")).to_contain_text("$20")
    assert wrong == []


def test_a_table_of_the_house_plays_on_without_the_line_until_the_meter_may_have_been_won(
    transactional_db: None, live_server: Any, page: Page
) -> None:
    cast = house_table("south_dakota")
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    cut(page)
    wait_until_rested(page)
    for wagers, phase in (("4 20", "ready"), ("4 20 0 0 1", "waits")):
        next_step(page, "Open betting").click()
        wait_for_phase(page, "betting")
        type_line(page, wagers)
        next_step(page, "No more bets").click()
        wait_for_phase(page, "dropped")
        next_step(page, "Deal").click()
        wait_for_phase(page, "cards")
        for hand in ("kh 7d 4c", "b qd jc 3s"):
            type_line(page, hand)
        next_step(page, "Settle").click()
        wait_for_phase(page, phase)
    expect(page.get_by_text("Whether the meter was won")).to_be_visible()
    mend(page)
    expect_connection(page, "live", "live")
    assert [round_.state for round_ in Round.objects.order_by("id")] == ["settled", "settled"]


def test_a_round_with_a_back_line_shows_before_the_answers(
    baccarat: Cast, live_server: Any, page: Page
) -> None:
    """Who stands behind a seat wagers on a panel of their own; the last wagers repeat by place."""
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.add_init_script(HELD)
    page.set_viewport_size({"width": 1180, "height": 820})
    open_table(page, live_server, baccarat.table)
    wait_until_rested(page)
    type_line(page, "500")
    ahead(page, "betting")
    type_line(page, "1 25")
    behind = page.get_by_role("button", name="1b Fay")
    behind.click()
    page.locator("#panel-1b [data-add='25']").click()
    expect(behind).to_contain_text("$25")
    answered(page, "betting")
    expect(page.locator("#panel-1b")).to_be_visible()
    page.locator("#panel-1b [data-close]").click()
    next_step(page, "No more bets").click()
    ahead(page, "dropped")
    expect(behind).to_contain_text("$25")
    answered(page, "dropped")
    wait_until_rested(page)
    page.locator(".deck [data-card='Kh']").click()  # the first card records the deal
    ahead(page, "cards")
    expect(page.locator(".table-hand [data-cards=player_hand]")).to_contain_text("K")
    for card in ("Qd", "2c", "Ts"):
        page.locator(f".deck [data-card='{card}']").click()
    answered(page, "cards")
    for card in ("6c", "5d"):
        page.locator(f".deck [data-card='{card}']").click()
    next_step(page, "Settle").click()
    page.evaluate("hold(false)")
    wait_for_settlement(page)
    page.evaluate("hold(true)")
    expect(behind.locator(".seat-net")).to_be_visible()
    wait_until_rested(page)
    press_ahead(page, "Bank wagers $500")
    ahead(page, "betting")
    expect(behind).to_contain_text("$25")
    answered(page, "betting")
    expect(behind).to_contain_text("$25")
    commands = JournalEntry.objects.filter(table=baccarat.table, command="bets_place").order_by("-seq")
    assert commands.count() == 1
    assert wrong == []


def test_a_game_dealt_to_no_seats_plays_on_without_the_line(
    baccarat: Cast, live_server: Any, page: Page
) -> None:
    page.set_viewport_size({"width": 1180, "height": 820})
    open_table(page, live_server, baccarat.table)
    wait_for_phase(page, "ready")
    cut(page)
    wait_until_rested(page)
    for number in (1, 2):
        type_line(page, "500")
        wait_for_phase(page, "betting")
        type_line(page, "1b 10")
        type_line(page, "4 20")
        next_step(page, "No more bets").click()
        wait_for_phase(page, "dropped")
        next_step(page, "Deal").click()
        wait_for_phase(page, "cards")
        type_line(page, "player kh qd 6c")
        type_line(page, "banker 2c ts 5d")
        next_step(page, "Settle").click()
        wait_for_phase(page, "ready" if number == 1 else "offer")
    mend(page)
    expect_connection(page, "live", "live")
    assert [
        (round_.state, [(bet["seat"], bet.get("behind", 0)) for bet in round_.bets])
        for round_ in Round.objects.order_by("id")
    ] == [("settled", [(1, 1), (4, 0)])] * 2
