"""Stray presses at the table screen record nothing: the next step rests, answers have no default, a step is taken back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.rounds import bets_place, round_record
from cardroom.floor.models import JournalEntry, Offer, Round, Transfer
from tests.browser.play import play_on
from tests.browser.screen import Screen
from tests.cast import Cast, open_cast, sheet

pytestmark = pytest.mark.outside


def test_three_enters_in_an_offer_record_nothing(page: Page, screen: Screen) -> None:
    cast = open_cast()
    screen.open(cast.table, "offer")
    screen.wait_until_rested()
    for _ in range(3):
        page.keyboard.press("Enter")
    expect(page.locator("#command-text")).to_contain_text("type y, n, absent or all n")
    assert Offer.objects.count() == 0
    screen.type("n")
    expect(page.get_by_text("Offer the bank to seat 2 · Bo")).to_be_visible()
    screen.wait_for("offer")
    assert Offer.objects.get().answer == Offer.Answer.DECLINED


def test_four_enters_at_betting_call_no_more_bets_for_nobody(cast: Cast, page: Page, screen: Screen) -> None:
    cast.bet({1: 2000, 4: 2500})
    screen.open(cast.table, "betting")
    screen.wait_until_rested()
    for _ in range(4):
        page.keyboard.press("Enter")
    expect(page.locator("#command-text")).to_contain_text("type nmb")
    assert Round.objects.get().state == Round.State.BETTING
    assert not Transfer.objects.exists()
    screen.type("nmb", "dropped")


def test_a_second_press_does_not_reach_the_step_that_came_under_the_finger(
    cast: Cast, page: Page, screen: Screen
) -> None:
    cast.bet({1: 2000})
    screen.open(cast.table)
    screen.next_step("No more bets")
    # A finger that drums on the next step from the instant at which another one stands there, for half a second.
    page.evaluate(
        """() => { window.drummed = 0;
            document.addEventListener("screen:shown", (event) => {
                if (event.detail?.confirms) return; // the server's answer: the step stands there already
                const began = performance.now();
                const drum = () => {
                    if (performance.now() - began > 550) return;
                    document.querySelector("[data-next]").click();
                    window.drummed += 1;
                    setTimeout(drum, 50);
                };
                drum();
            }); }"""
    )
    screen.take("No more bets", "dropped")
    screen.wait_until_rested()
    assert page.evaluate("window.drummed") >= 1
    assert Round.objects.get().dealt_at is None
    screen.take("Deal", "cards")


def test_enter_held_down_presses_once(cast: Cast, page: Page, screen: Screen) -> None:
    cast.bet({1: 2000})
    play_on(cast, "dropped")
    screen.open(cast.table)
    expect(screen.next_step("Deal")).to_be_focused()
    page.keyboard.down("Enter")  # Playwright marks each further one as a repetition
    screen.wait_for("cards")
    for _ in range(12):
        page.keyboard.down("Enter")
        page.wait_for_timeout(100)
    page.keyboard.up("Enter")
    assert Round.objects.get().state == Round.State.BETS_CLOSED
    expect(page.locator(".why-note")).to_be_hidden()


def test_no_more_bets_is_taken_back_by_one_touch(cast: Cast, page: Page, screen: Screen) -> None:
    cast.bet({1: 2000, 4: 2500})
    page.clock.install()  # goes on by itself, and is put forward below
    screen.open(cast.table)
    screen.take("No more bets · drop $3", "dropped")
    back = page.get_by_role("button", name="Reopen bets")
    page.clock.fast_forward(1000)
    expect(back.locator(".count")).to_have_text("8", timeout=9000)
    back.click()
    screen.wait_for("betting")
    round_ = Round.objects.get()
    assert (round_.state, round_.fees) == (Round.State.BETTING, [])
    assert Transfer.objects.filter(reverses__isnull=False).count() == 3
    assert JournalEntry.objects.get(command="undo").data["command"] == "bets_close"
    # And again: the ten seconds run out, and the button goes by itself.
    screen.take("No more bets · drop $3", "dropped")
    expect(back).to_be_visible()
    page.clock.fast_forward(5000)
    expect(back).to_be_visible()
    page.clock.fast_forward(5000)
    expect(back).to_have_count(0)
    assert Round.objects.get().state == Round.State.BETS_CLOSED
    screen.take("Deal", "cards")
    expect(back).to_have_count(0)


def test_no_more_bets_is_taken_back_without_a_line(cast: Cast, page: Page, screen: Screen) -> None:
    cast.bet({1: 2000})
    screen.open(cast.table, "betting")
    screen.cut()
    screen.take("No more bets", "dropped")
    screen.wait_until_rested()
    page.get_by_role("button", name="Reopen bets").click()
    screen.wait_for("betting")
    screen.type("1 25")
    screen.expect_connection("pending", "2 waiting")
    screen.mend()
    screen.expect_connection("live", "live")
    screen.wait_for("betting")
    assert screen.waiting() == 0
    assert Round.objects.get().state == Round.State.BETTING
    assert JournalEntry.objects.filter(command="undo").count() == 1


def test_tips_do_not_repeat_with_the_bets(cast: Cast, page: Page, screen: Screen) -> None:
    played = sheet({1: 2000, 4: 2500})
    played["positions"][0]["tips"] = {"ante": 500}
    cast.send(round_record, "dealer", sheet=played)
    screen.open(cast.table, "ready")
    screen.take("Bank wagers $200", "betting")
    expect(page.locator(".seat[data-seat='1'] [data-bet=wagers-1-ante]")).to_contain_text("$20")
    expect(page.locator(".seat[data-seat='1'] .coin")).to_be_hidden()
    round_ = Round.objects.latest("id")
    assert [(bet["seat"], bet["wagers"], bet["tips"]) for bet in round_.bets] == [
        (1, {"ante": 2000}, {}),
        (4, {"ante": 2500}, {}),
    ]
    # A tip that lies there already stays when the bets are repeated by the button.
    cast.send(bets_place, "dealer", positions=[{"seat": 1, "wagers": {"ante": 500}, "tips": {"ante": 100}}])
    expect(page.locator(".seat[data-seat='1'] .coin")).to_contain_text("$1")
    page.get_by_role("button", name="Repeat last bets").click()
    expect(page.locator(".seat[data-seat='1'] [data-bet=wagers-1-ante]")).to_contain_text("$20")
    assert Round.objects.latest("id").bets[0]["tips"] == {"ante": 100}


def test_a_refused_void_keeps_reason_and_name_but_no_pin(cast: Cast, page: Page, screen: Screen) -> None:
    cast.bet({1: 2000})
    screen.open(cast.table)
    page.locator("summary", has_text="More ▴").click()
    page.locator("#command-void > summary").click()
    form = page.locator("#command-void form")
    form.get_by_label("Reason").select_option(index=2)
    form.get_by_label("In your words").fill("Cards on the floor")
    form.get_by_role("button").click()
    expect(page.locator("#signing")).to_be_visible()
    page.keyboard.type("floor\n77117\n")
    expect(page.locator("#signing")).to_contain_text("belong to nobody here")
    expect(page.get_by_role("textbox", name="User name or badge")).to_have_value("floor")
    page.get_by_role("button", name="Cancel").click()
    expect(form.get_by_label("Reason")).not_to_have_value("")
    expect(form.get_by_label("In your words")).to_have_value("Cards on the floor")
    for each in page.locator("[type=password]").all():
        expect(each).to_have_value("")
    assert Round.objects.get().state == Round.State.BETTING
