"""Stray presses at the table screen record nothing: the next step rests, answers have no default, amounts replace."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_record
from cardroom.floor.models import JournalEntry, Offer, Round, Table, Transfer
from cardroom.rooms.models import Room
from games.engine import read_recorded_sheet, settle
from tests.browser.table import (
    next_step,
    open_table,
    touch_cards,
    type_line,
    wait_for_phase,
    wait_for_settlement,
    wait_until_rested,
)
from tests.browser.test_offline import cut, expect_connection, mend, waiting
from tests.cast import BANK_HAND, HANDS, Cast, open_cast, sheet

pytestmark = pytest.mark.outside


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Table 7 open with seven players; nobody banks yet."""
    return open_cast()


def wagered(cast: Cast, antes: dict[int, int], wager: int = 20000) -> None:
    """Seat 3 banks, and these antes lie there in cents."""
    cast.bank_to(3)
    cast.send(round_open, "dealer", bank_wager_cents=wager)
    cast.send(
        bets_place,
        "dealer",
        positions=[{"seat": seat, "wagers": {"ante": cents}} for seat, cents in antes.items()],
    )


def test_three_enters_in_an_offer_record_nothing(cast: Cast, live_server: Any, page: Page) -> None:
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "offer")
    wait_until_rested(page)
    for _ in range(3):
        page.keyboard.press("Enter")
    expect(page.locator("#command-text")).to_contain_text("type y, n, absent or all n")
    assert Offer.objects.count() == 0
    type_line(page, "n")
    expect(page.get_by_text("Offer the bank to seat 2 · Bo")).to_be_visible()
    wait_for_phase(page, "offer")
    assert Offer.objects.get().answer == Offer.Answer.DECLINED


def test_four_enters_at_betting_call_no_more_bets_for_nobody(
    cast: Cast, live_server: Any, page: Page
) -> None:
    wagered(cast, {1: 2000, 4: 2500})
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "betting")
    wait_until_rested(page)
    for _ in range(4):
        page.keyboard.press("Enter")
    expect(page.locator("#command-text")).to_contain_text("type nmb")
    assert Round.objects.get().state == Round.State.BETTING
    assert not Transfer.objects.exists()
    type_line(page, "nmb")
    wait_for_phase(page, "dropped")


def test_a_second_press_does_not_reach_the_step_that_came_under_the_finger(
    cast: Cast, live_server: Any, page: Page
) -> None:
    wagered(cast, {1: 2000})
    open_table(page, live_server, cast.table)
    next_step(page, "No more bets")
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
    next_step(page, "No more bets").click()
    wait_for_phase(page, "dropped")
    wait_until_rested(page)
    assert page.evaluate("window.drummed") >= 1
    assert Round.objects.get().dealt_at is None
    next_step(page, "Deal").click()
    wait_for_phase(page, "cards")


def test_enter_held_down_presses_once(cast: Cast, live_server: Any, page: Page) -> None:
    wagered(cast, {1: 2000})
    cast.send(bets_close, "dealer")
    open_table(page, live_server, cast.table)
    expect(next_step(page, "Deal")).to_be_focused()
    page.keyboard.down("Enter")  # Playwright marks each further one as a repetition
    wait_for_phase(page, "cards")
    for _ in range(12):
        page.keyboard.down("Enter")
        page.wait_for_timeout(100)
    page.keyboard.up("Enter")
    assert Round.objects.get().state == Round.State.BETS_CLOSED
    expect(page.locator(".why-note")).to_be_hidden()


def test_no_more_bets_is_taken_back_by_one_touch(cast: Cast, live_server: Any, page: Page) -> None:
    wagered(cast, {1: 2000, 4: 2500})
    page.clock.install()  # goes on by itself, and is put forward below
    open_table(page, live_server, cast.table)
    next_step(page, "No more bets · drop $3").click()
    wait_for_phase(page, "dropped")
    back = page.get_by_role("button", name="Reopen bets")
    page.clock.fast_forward(1000)
    expect(back.locator(".count")).to_have_text("8", timeout=9000)
    back.click()
    wait_for_phase(page, "betting")
    round_ = Round.objects.get()
    assert (round_.state, round_.fees) == (Round.State.BETTING, [])
    assert Transfer.objects.filter(reverses__isnull=False).count() == 3
    assert JournalEntry.objects.get(command="undo").data["command"] == "bets_close"
    # And again: the ten seconds run out, and the button goes by itself.
    next_step(page, "No more bets · drop $3").click()
    wait_for_phase(page, "dropped")
    expect(back).to_be_visible()
    page.clock.fast_forward(5000)
    expect(back).to_be_visible()
    page.clock.fast_forward(5000)
    expect(back).to_have_count(0)
    assert Round.objects.get().state == Round.State.BETS_CLOSED
    next_step(page, "Deal").click()
    wait_for_phase(page, "cards")
    expect(back).to_have_count(0)


def test_no_more_bets_is_taken_back_without_a_line(cast: Cast, live_server: Any, page: Page) -> None:
    wagered(cast, {1: 2000})
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "betting")
    cut(page)
    next_step(page, "No more bets").click()
    wait_for_phase(page, "dropped")
    wait_until_rested(page)
    page.get_by_role("button", name="Reopen bets").click()
    wait_for_phase(page, "betting")
    type_line(page, "1 25")
    expect_connection(page, "pending", "2 waiting")
    mend(page)
    expect_connection(page, "live", "live")
    wait_for_phase(page, "betting")
    assert waiting(page) == 0
    assert Round.objects.get().state == Round.State.BETTING
    assert JournalEntry.objects.filter(command="undo").count() == 1


def test_tips_do_not_repeat_with_the_bets(cast: Cast, live_server: Any, page: Page) -> None:
    cast.bank_to(3)
    played = sheet({1: 2000, 4: 2500})
    played["positions"][0]["tips"] = {"ante": 500}
    cast.send(round_record, "dealer", sheet=played)
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    next_step(page, "Bank wagers $200").click()
    wait_for_phase(page, "betting")
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


def key_in(page: Page, seat: int, keys: str) -> None:
    for key in keys:
        page.locator(f"#panel-{seat} [data-key='{key}']").click()


def test_seven_five_on_a_fifty_dollar_ante_makes_seventy_five(
    cast: Cast, live_server: Any, page: Page
) -> None:
    wagered(cast, {1: 5000, 4: 5000, 5: 5000})
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "betting")
    ante = page.locator("#panel-4 input[name=wagers-4-ante]")
    on_seat = page.locator("[data-spot=wagers-4-ante]")
    # By touch of the spot, and the keypad.
    on_seat.click()
    expect(on_seat).to_have_attribute("aria-pressed", "true")
    expect(ante).to_have_attribute("aria-current", "true")
    key_in(page, 4, "75")
    expect(ante).to_have_value("75")
    expect(on_seat).to_contain_text("$75")
    # The spot is touched again while its panel is open: a new amount begins.
    on_seat.click()
    key_in(page, 4, "60")
    expect(ante).to_have_value("60")
    # The field is touched, where the caret lands among the figures, and typed into.
    ante.click()
    page.keyboard.type("75")
    expect(ante).to_have_value("75")
    ante.click()
    ante.click()
    page.keyboard.type("80")
    expect(ante).to_have_value("80")
    next_step(page, "No more bets · drop $5").click()
    wait_for_phase(page, "dropped")
    assert {bet["seat"]: bet["wagers"]["ante"] for bet in Round.objects.get().bets} == {
        1: 5000,
        4: 8000,
        5: 5000,
    }


def test_chips_go_to_the_spot_that_was_touched(cast: Cast, live_server: Any, page: Page) -> None:
    wagered(cast, {4: 5000})
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "betting")
    page.locator("[data-spot=wagers-4-six_card_bonus]").click()
    expect(page.locator("[data-spot][aria-pressed=true]")).to_have_count(1)
    page.locator("#panel-4 [data-add='5']").click()
    page.locator("#panel-4 [data-add='5']").click()
    expect(page.locator("[data-spot=wagers-4-six_card_bonus]")).to_contain_text("$10")
    expect(page.locator("[data-spot=wagers-4-ante]")).to_contain_text("$50")
    # Another seat's spot, straight from there.
    page.locator("[data-spot=wagers-1-pair_plus]").click()
    expect(page.locator("[data-spot=wagers-1-pair_plus]")).to_have_attribute("aria-pressed", "true")
    page.locator("#panel-1 [data-add='5']").click()
    expect(page.locator("[data-spot=wagers-1-pair_plus]")).to_contain_text("$5")
    expect(page.locator("[data-spot=wagers-1-ante]")).to_contain_text("–")
    page.get_by_role("button", name="Done").click()
    expect(page.locator("[data-spot][aria-pressed=true]")).to_have_count(0)


def test_the_keypad_is_that_of_a_phone(cast: Cast, live_server: Any, page: Page) -> None:
    wagered(cast, {4: 5000})
    open_table(page, live_server, cast.table)
    page.locator("[data-spot=wagers-4-ante]").click()
    rows: dict[int, list[str]] = {}
    for key in page.locator("#panel-4 .keys button").all():
        box = key.bounding_box()
        assert box is not None
        rows.setdefault(round(box["y"]), []).append(key.get_attribute("data-key") or "")
    assert list(rows.values()) == [
        ["1", "2", "3"],
        ["4", "5", "6"],
        ["7", "8", "9"],
        [".", "0", "back"],
    ]


def test_an_unusual_amount_is_asked_about_once(cast: Cast, live_server: Any, page: Page) -> None:
    cast.bank_to(3)
    cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 2000}))
    cast.send(round_open, "dealer", bank_wager_cents=8500)
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "betting")
    question = page.get_by_role("alertdialog")
    # Four times the last one is nothing; five times is asked about, and nothing goes on over the question.
    type_line(page, "5 80")
    expect(question).to_have_count(0)
    page.locator("[data-spot=wagers-4-ante]").click()
    key_in(page, 4, "50")
    expect(question).to_have_count(0)  # not while the amount is entered
    page.get_by_role("button", name="Done").click()
    expect(question).to_contain_text("$50 is 5 times the last bet there, $10")
    type_line(page, "nmb")
    expect(question).to_be_focused()
    assert Round.objects.latest("id").state == Round.State.BETTING
    page.wait_for_timeout(700)  # a question that has just come takes no answer
    question.get_by_role("button", name="Change it").click()
    expect(page.locator("[data-spot=wagers-4-ante]")).to_have_attribute("aria-pressed", "true")
    key_in(page, 4, "10")
    page.get_by_role("button", name="Done").click()
    expect(question).to_have_count(0)
    # More than the bank has; answered by the line of typing, and asked once.
    type_line(page, "1 90")
    expect(question).to_contain_text(
        "$90 is more than the bank\N{RIGHT SINGLE QUOTATION MARK}s $85 can cover"
    )
    type_line(page, "y")
    expect(question).to_have_count(0)
    page.locator("[data-spot=wagers-1-pair_plus]").click()
    page.get_by_role("button", name="Done").click()
    expect(question).to_have_count(0)
    next_step(page, "No more bets · drop $5").click()  # the drop follows the last amount
    wait_for_phase(page, "dropped")
    assert {bet["seat"]: bet["wagers"]["ante"] for bet in Round.objects.latest("id").bets} == {
        1: 9000,
        4: 1000,
        5: 8000,
    }


def test_an_amount_outside_its_limits_is_refused_at_once_and_not_asked_about(
    cast: Cast, live_server: Any, page: Page
) -> None:
    cast.bank_to(3)
    limits = {
        **Table.objects.get(pk=cast.table.pk).wager_limits,
        "pair_plus": [100, 10000],
        "tips": [100, 2500],
    }
    Table.objects.filter(pk=cast.table.pk).update(wager_limits=limits)
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "betting")
    refusal = page.get_by_role("alertdialog")
    for line, text in {
        "5 750": "Seat 5, Ante: $750 is above the limit here, $100.",
        "5 2": "Seat 5, Ante: $2 is below the limit here, $5.",
        "5 20 101": "Seat 5, Pair Plus: $101 is above the limit here, $100.",
        "5 20+26": "$26 is above the limit here, $25.",
    }.items():
        type_line(page, line)
        expect(refusal).to_contain_text(text)
        expect(refusal.get_by_role("button")).to_have_text(["Change it"])
    type_line(page, "nmb")  # nor does anything go on over it
    expect(refusal).to_be_focused()
    assert Round.objects.latest("id").state == Round.State.BETTING
    page.wait_for_timeout(700)
    refusal.get_by_role("button", name="Change it").click()
    key_in(page, 5, "10")
    page.get_by_role("button", name="Done").click()
    expect(refusal).to_have_count(0)


def test_a_refused_line_gives_way_to_what_is_typed_next(cast: Cast, live_server: Any, page: Page) -> None:
    cast.bank_to(3)
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "betting")
    line = page.locator("#command")
    type_line(page, "5 20x")
    expect(line).to_have_attribute("aria-invalid", "true")
    expect(line).to_have_value("5 20x")  # it can be read, and edited
    type_line(page, "5 20")
    expect(page.locator("[data-bet=wagers-5-ante] b")).to_have_text("$20")
    type_line(page, "8 20")
    expect(line).to_have_value("8 20")
    line.blur()
    page.locator("h1").click()
    type_line(page, "4 10")
    expect(page.locator("[data-bet=wagers-4-ante] b")).to_have_text("$10")


def test_an_unusual_tip_is_asked_about_once(cast: Cast, live_server: Any, page: Page) -> None:
    cast.bank_to(3)
    played = sheet({4: 1000})
    played["positions"][0]["tips"] = {"ante": 100}
    cast.send(round_record, "dealer", sheet=played)
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "betting")
    question = page.get_by_role("alertdialog")
    type_line(page, "4 10+4")
    expect(question).to_have_count(0)
    type_line(page, "4 10+5")
    expect(question).to_contain_text("$5 is 5 times the last bet there, $1")
    type_line(page, "y")
    expect(question).to_have_count(0)
    type_line(page, "4 20+5")
    expect(question).to_have_count(0)
    next_step(page, "No more bets · drop $2").click()  # the drop follows the wagers
    wait_for_phase(page, "dropped")
    [bet] = Round.objects.latest("id").bets
    assert (bet["wagers"], bet["tips"]) == ({"ante": 2000}, {"ante": 500})


def test_an_unusual_bank_wager_is_asked_about(cast: Cast, live_server: Any, page: Page) -> None:
    cast.bank_to(3)
    cast.send(round_record, "dealer", sheet=sheet({4: 2000}))
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    type_line(page, "2000")
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("$2,000 is 10 times the last bank wager, $200")
    assert Round.objects.count() == 1
    type_line(page, "y")
    next_step(page, "Bank wagers $2000").click()
    wait_for_phase(page, "betting")
    assert Round.objects.latest("id").bank_wager_cents == 200000


def folded(page: Page, seat: int) -> None:
    page.locator(f".seat[data-seat='{seat}'] .decision label", has_text="Fold").click()


def test_a_fold_without_a_bonus_bet_asks_for_no_cards(cast: Cast, live_server: Any, page: Page) -> None:
    Room.objects.update(records_shown_card=False)
    wagered(cast, {1: 2000, 4: 1000, 5: 1000})
    cast.send(
        bets_place,
        "dealer",
        positions=[
            {"seat": 4, "wagers": {"ante": 1000, "pair_plus": 500}},
            {"seat": 5, "wagers": {"ante": 1000, "six_card_bonus": 500}},
        ],
    )
    cast.send(bets_close, "dealer")
    cast.send(round_deal, "dealer")
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "cards")
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "4")
    folded(page, 4)  # ante and pair plus are given up: its cards are mucked unseen
    expect(page.locator(".seat[data-seat='4']")).to_contain_text("not exposed")
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "5")
    folded(page, 5)  # its 6 Card Bonus is settled by its cards
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "5")
    for hand in (HANDS[5], HANDS[1], BANK_HAND):
        touch_cards(page, hand)
    # It plays after all, and its cards are asked for; it folds again.
    page.locator(".seat[data-seat='4'] .decision label", has_text="Play").click()
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "4")
    expect(page.locator("#settle")).to_have_attribute("aria-disabled", "true")
    folded(page, 4)
    next_step(page, "Settle").click()
    wait_for_settlement(page)
    expect(page.locator(".seat[data-seat='4']")).to_contain_text("not exposed")
    round_ = Round.objects.get()
    assert round_.sheet is not None
    assert {each["seat"]: (each["hand"], each["decision"]) for each in round_.sheet["positions"]} == {
        1: (HANDS[1], "play"),
        4: (None, "fold"),
        5: (HANDS[5], "fold"),
    }
    assert round_.settlement == settle(read_recorded_sheet(round_.sheet)).to_json() | {
        "fees": round_.fees,
        "drop": round_.drop_cents,
    }
    page.goto(f"{live_server.url}/rounds/{round_.pk}/")
    expect(page.locator("tr", has_text="Dee").first).to_contain_text("not exposed")


def test_a_fold_asks_for_no_cards_without_a_line(cast: Cast, live_server: Any, page: Page) -> None:
    wagered(cast, {1: 2000, 4: 1000})
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "betting")
    cut(page)
    next_step(page, "No more bets").click()
    wait_for_phase(page, "dropped")
    next_step(page, "Deal").click()
    wait_for_phase(page, "cards")
    type_line(page, "4 fold")
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "1")
    for hand in (HANDS[1], BANK_HAND):
        type_line(page, hand.lower())
    next_step(page, "Settle").click()
    expect_connection(page, "pending", "3 waiting")
    mend(page)
    expect_connection(page, "live", "live")
    round_ = Round.objects.get()
    assert round_.state == Round.State.SETTLED
    assert round_.sheet is not None
    assert [each["hand"] for each in round_.sheet["positions"]] == [HANDS[1], None]


def test_a_refused_void_keeps_reason_and_name_but_no_pin(cast: Cast, live_server: Any, page: Page) -> None:
    wagered(cast, {1: 2000})
    open_table(page, live_server, cast.table)
    page.locator("summary", has_text="More ▴").click()
    page.locator("#command-void > summary").click()
    form = page.locator("#command-void form")
    form.get_by_label("Reason").select_option(index=2)
    form.get_by_label("In your words").fill("Cards on the floor")
    form.get_by_label("Approver's user name or badge").fill("floor")
    form.get_by_label("Approver's PIN").fill("77117")
    form.get_by_role("button").click()
    expect(form).to_contain_text("belong to nobody here")
    expect(form.get_by_label("Reason")).not_to_have_value("")
    expect(form.get_by_label("In your words")).to_have_value("Cards on the floor")
    expect(form.get_by_label("Approver's user name or badge")).to_have_value("floor")
    expect(form.get_by_label("Approver's PIN")).to_have_value("")
    assert Round.objects.get().state == Round.State.BETTING
