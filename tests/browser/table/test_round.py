"""Rounds at the table screen in a real browser: one by keyboard, one by touch, and what is refused on the way."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.models import Round
from cardroom.rooms.models import Room
from tests.browser.screen import Screen
from tests.cast import PASSWORD, Cast, open_cast

pytestmark = pytest.mark.outside


def test_a_round_by_keyboard(live_server: Any, page: Page, screen: Screen) -> None:
    cast = open_cast()
    complaints, hosts = list[str](), set[str]()
    page.on(
        "console", lambda line: complaints.append(line.text) if line.type in ("error", "warning") else None
    )
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page.goto("/")
    sign_in_by_keyboard(page)
    page.goto(f"/tables/{cast.table.pk}/")
    expect(page.get_by_text("Offer the bank to seat 1 · Ana")).to_be_visible()
    screen.type("n")
    expect(page.get_by_text("Offer the bank to seat 2 · Bo")).to_be_visible()
    expect(screen.next_step("Accepted: seat 2 banks")).not_to_be_focused()  # a player's answer has no default
    screen.type("y", "ready")
    expect(page.get_by_label("Player-dealer wager")).to_be_focused()  # nothing to offer again yet
    page.keyboard.type("60")
    expect(screen.next_step("Bank wagers $60")).to_be_visible()
    page.keyboard.press("Enter")
    screen.wait_for("betting")
    place_by_lines(screen)
    deal_and_settle(screen)

    round_ = Round.objects.get()
    assert round_.state == Round.State.SETTLED
    assert round_.sheet is not None
    assert round_.settlement is not None
    assert {bet["seat"]: bet["wagers"] for bet in round_.bets} == {
        1: {"ante": 2000, "six_card_bonus": 500},
        3: {"ante": 2000},
        4: {"ante": 6100},
    }
    assert {bet["seat"]: bet["tips"] for bet in round_.bets if bet["tips"]} == {3: {"ante": 100}}
    assert {position["seat"]: position["decision"] for position in round_.sheet["positions"]} == {
        1: "play",
        3: "fold",
        4: "play",
    }
    walk_through(screen, lines=len(round_.settlement["lines"]))
    expect(screen.next_step("Bank wagers $60")).to_be_visible()
    expect(page.get_by_text("next: round 2 of 2 in this turn")).to_be_visible()
    assert complaints == []
    assert hosts == {urlsplit(live_server.url).netloc}


def sign_in_by_keyboard(page: Page) -> None:
    """The user name has the focus."""
    expect(page.get_by_label("User name")).to_be_focused()
    page.keyboard.type("dealer")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/**")


def place_by_lines(screen: Screen) -> None:
    """Wagers at seats 1, 3 and 4; the button names the drop, the felt what the bank covers."""
    page = screen.page
    screen.type("1 20 0 5")
    screen.type("3 20+1")
    text = page.locator("#command-text")
    screen.type("2 20")
    expect(text).to_have_text("Seat 2 has no place to wager.")  # it is the bank's
    page.locator("#command").fill("4 61x")
    page.keyboard.press("Enter")
    expect(text).to_contain_text("“61x” is no amount in dollars")
    expect(page.locator("#command")).to_have_attribute("aria-invalid", "true")
    page.locator("#command").fill("4 61")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alertdialog")).to_contain_text("can cover")
    screen.type("y")
    # Three players, and $2 from the bank: $101 of total table action.
    expect(page.locator("#close-bets")).to_contain_text("drop $5")
    # $40 for seat 1, $42 with the tips for seat 3, $122 for seat 4; and a royal flush for the bonus of seat 1.
    expect(page.locator("#cover")).to_contain_text("Bonus wagers at top odds: up to $5,000")
    expect(page.locator("#cover")).to_contain_text("Covers $60 of $204 at even money")
    expect(page.locator("#worst-3")).to_have_text("max payout $42")
    expect(page.locator("#command")).to_be_focused()  # the preview has not taken it away
    screen.type("nmb", "dropped")


def deal_and_settle(screen: Screen) -> None:
    """A line a hand; the seat moves on by itself, the bank comes last."""
    page = screen.page
    screen.press("Deal", "cards")
    screen.wait_until_rested()
    page.keyboard.press("Enter")
    expect(page.locator(".why-note")).to_contain_text("Cards are missing: seat 3, seat 4, seat 1, the bank.")
    lines = {seat: hand.lower().replace(" ", "") for seat, hand in screen.hands_in_order()}
    assert list(lines) == ["3", "4", "1", "2"]
    screen.type(lines["3"])
    screen.type("3 fold")
    screen.type(lines["3"])  # once more, where seat 4 is asked for
    expect(page.locator("#command-text")).to_contain_text("in the hand of seat 3 · Cy")
    page.locator("#command").fill("")
    for seat in ("4", "1", "2"):
        screen.type(lines[seat])
    screen.press("Settle", "settlement")


def walk_through(screen: Screen, lines: int) -> None:
    """Settling goes clockwise from the bank at seat 2, seat 3 first; its $60 does not reach round the table."""
    page = screen.page
    bar, left, shown = page.locator("progress"), page.locator(".bank-left"), page.locator(".pay-line:visible")
    expect(page.get_by_text("Bank exhausted", exact=True)).to_be_visible()
    expect(page.get_by_text("Returned uncovered")).to_be_visible()
    expect(shown).to_have_count(0)
    page.get_by_text("Line by line").click()
    expect(page.get_by_text("The bank is exhausted here.")).to_be_visible()
    expect(shown).to_have_count(lines)
    page.get_by_role("button", name="Step through").click()
    expect(shown).to_have_count(1)
    expect(page.locator(".seat.lit")).to_have_attribute("data-seat", "3")
    expect(left).to_have_text("$40")
    expect(bar).to_have_js_property("value", 4000)
    expect(page.get_by_text("Returned uncovered")).to_be_hidden()
    page.keyboard.press("Enter")  # the focus is on "Next line"
    expect(shown).to_have_count(2)
    expect(left).to_have_text("$39")  # the tip on the ante went the same way
    page.get_by_role("button", name="All").click()
    expect(shown).to_have_count(0)  # the sums of all lines stand on the seats
    expect(page.get_by_text("Returned uncovered")).to_be_visible()
    screen.next_step("Bank wagers $60").focus()


def test_a_round_by_touch(cast: Cast, page: Page, screen: Screen) -> None:
    Room.objects.update(records_shown_card=False)
    screen.open(cast.table, "ready")
    screen.touch_bank("100", "100")
    screen.take("Bank wagers $200", "betting")

    screen.touch_seat(1)
    panel = page.locator("#panel-1")
    screen.touch_chips(1, "5", "25")
    panel.get_by_label("Pair Plus", exact=True).click()
    for key in ("7", ".", "5"):
        panel.locator(f"[data-key='{key}']").click()
    panel.get_by_label("tip · Ante").click()
    screen.touch_chips(1, "1")
    panel.get_by_role("button", name="Done").click()
    seat = page.locator(".seat[data-seat='1']")
    expect(seat).to_contain_text("$30")
    expect(seat).to_contain_text("$7.5")
    expect(seat.locator(".coin")).to_contain_text("$1")
    screen.touch_seat(2)
    screen.touch_chips(2, "25")
    page.locator("#panel-2 [data-key='out']").click()
    page.locator("#panel-2 [data-close]").click()
    screen.touch_seat(5)
    screen.touch_chips(5, "25")
    page.locator("#panel-5 [data-close]").click()
    expect(page.locator("#close-bets")).to_contain_text("drop $3")
    screen.take("No more bets", "dropped")
    screen.take("Deal", "cards")
    for seat_number, hand in screen.hands_in_order():
        expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", seat_number)
        screen.touch_cards(hand)
    used = page.locator(".deck [data-card=Ah]")
    expect(used).to_have_attribute("aria-disabled", "true")
    used.click(force=True)  # a greyed card can be touched: it says why
    expect(page.locator(".why-note")).to_have_text("The Ace of hearts is in the hand of seat 1 · Ana.")
    page.locator(".seat[data-seat='5'] label", has_text="Fold").click()
    screen.take("Settle", "settlement")

    round_ = Round.objects.get()
    assert {bet["seat"]: bet["wagers"] for bet in round_.bets} == {
        1: {"ante": 3000, "pair_plus": 750},
        5: {"ante": 2500},
    }
    assert round_.bets[0]["tips"] == {"ante": 100}
    assert round_.sheet is not None
    assert [position["decision"] for position in round_.sheet["positions"]] == ["play", "fold"]


@pytest.mark.clause("california:dealing.8.2")
def test_the_shown_card_is_recorded_by_one_touch_before_the_decisions(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table)
    to_cards(screen)
    expect(page.locator("#asked-hand")).to_contain_text("exposed card")
    expect(page.locator("#decision-order")).to_contain_text("seat 1")
    screen.touch_cards("9c")  # a stray touch
    bank = page.locator(".seat[data-seat='3']")
    expect(bank.locator(".shown-card[aria-label='shows the 9 of clubs']")).to_be_visible()
    page.get_by_role("button", name="Change the shown card").click()
    screen.touch_cards("Kh")
    expect(bank.locator(".shown-card[aria-label='shows the King of hearts']")).to_be_visible()
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "1")
    assert Round.objects.get().shown_card == "Kh"
    screen.touch_cards("Ah Qd 2c")
    screen.touch_cards("7d 4c")  # the rest of the bank's hand
    screen.take("Settle", "settlement")
    settled = Round.objects.get()
    assert (settled.state, settled.shown_card) == ("settled", "Kh")


def test_the_shown_card_is_typed_and_may_be_left_for_later(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table)
    to_cards(screen)
    screen.type("ah qd 2c")  # a whole hand is the hand of the seat whose turn it is
    screen.type("shown kh")
    expect(page.locator(".shown-card[aria-label='shows the King of hearts']")).to_be_visible()
    expect(page.locator("[data-cards='1'] .card[aria-label='Ace of hearts']")).to_be_visible()
    assert Round.objects.get().shown_card == "Kh"


def to_cards(screen: Screen) -> None:
    """One wager of $20 at seat 1 against a bank of $200, and the deal."""
    screen.type("200", "betting")
    screen.type("1 20")
    expect(screen.page.locator("#close-bets")).to_contain_text("drop $2")
    screen.type("nmb", "dropped")
    screen.press("Deal", "cards")


def test_what_was_typed_is_there_again_on_a_tablet_that_was_closed(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table)
    screen.type("200", "betting")
    screen.type("4 25 5")
    page.reload()
    expect(page.locator(".seat[data-seat='4'] [data-bet=wagers-4-ante]")).to_contain_text("$25")
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator(".seat[data-seat='4'] [data-bet=wagers-4-ante]")).to_contain_text("–")


def test_what_somebody_may_not_do_says_why_when_touched(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table, "ready", who="inspector")
    button = page.locator("[data-next]")
    expect(button).to_have_attribute("aria-disabled", "true")
    button.click(force=True)
    expect(page.locator(".why-note")).to_contain_text("that is for Dealer")
    assert not Round.objects.exists()


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1280, 800)])
def test_every_phase_fits_the_screen_and_every_target_is_large_enough(
    width: int, height: int, cast: Cast, page: Page, screen: Screen
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    screen.open(cast.table)
    check_fit(page, "ready")
    screen.type("200", "betting")
    for seat in (1, 2, 4, 5, 6, 7):
        screen.type(f"{seat} 20+1 5 5")
    expect(page.locator("#close-bets")).to_contain_text("drop $8")
    check_fit(page, "betting")
    screen.touch_seat(4)
    check_fit(page, "a seat's panel")
    page.keyboard.press("Escape")
    screen.take("", "dropped")
    check_fit(page, "dropped")
    screen.take("", "cards")
    check_fit(page, "cards")
    screen.type_hands()
    screen.take("", "settlement")
    check_fit(page, "settled")


def check_fit(page: Page, where: str) -> None:
    """Nothing scrolls, seats do not lie over each other, and nothing to touch is smaller than 44 px."""
    page.evaluate("document.activeElement.blur()")
    assert page.evaluate(
        "[document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]"
    ) == [True, True], where
    outside = page.evaluate(
        """() => [...document.querySelectorAll(".seat, .next, .dealer, .seat-panel, .picker, .settling, [data-next]")]
            .filter((part) => part.checkVisibility())
            .filter((part) => { const at = part.getBoundingClientRect();
                return at.left < 0 || at.top < 0 || at.right > innerWidth + .5 || at.bottom > innerHeight + .5; })
            .map((part) => part.className)"""
    )
    assert outside == [], where
    over = page.evaluate(
        """() => { const at = [...document.querySelectorAll(".seat")].map((seat) => [seat.dataset.seat, seat.getBoundingClientRect()]);
            return at.flatMap(([one, a]) => at.filter(([two, b]) => one < two && a.left < b.right && b.left < a.right
                && a.top < b.bottom && b.top < a.bottom).map(([two]) => one + two)); }"""
    )
    assert over == [], where
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, summary, select, input:not([type=hidden]), a.button")]
            .filter((target) => target.checkVisibility() && !target.matches("[type=checkbox]"))
            .filter((target) => { const at = target.getBoundingClientRect(); return at.height < 43.9 || at.width < 43.9; })
            .map((target) => target.outerHTML.slice(0, 90))"""
    )
    assert small == [], where


def test_a_narrow_screen_scrolls_down_and_not_sideways(cast: Cast, page: Page, screen: Screen) -> None:
    cast.bet({1: 2000})
    page.set_viewport_size({"width": 390, "height": 768})
    screen.open(cast.table)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
