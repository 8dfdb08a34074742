"""How many inputs a round takes: every touch and every Enter of a person is counted by the page itself."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.acts.rounds import round_record
from cardroom.floor.models import Offer, Round, Turn
from cardroom.rooms.models import Room
from tests.browser.table import (
    hands_in_order,
    next_step,
    open_table,
    press,
    touch_cards,
    touch_seat,
    type_line,
    wait_for_phase,
    wait_until_rested,
)
from tests.cast import Cast, running_cast, sheet

#: Counts what a person does, in the phase in which it is done; kept while the browser goes from page to page.
COUNTER = """
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, (event) => {
        if (!event.isTrusted || (kind === "keydown" && event.key !== "Enter")) return;
        const phase = document.getElementById("screen")?.dataset.phase;
        const entering = phase === "cards" && !event.target.closest("[data-next]");
        const counted = JSON.parse(sessionStorage.getItem("inputs") || "[]");
        counted.push(phase === "cards" && !entering ? "settle" : phase);
        sessionStorage.setItem("inputs", JSON.stringify(counted));
    }, true);
"""

ANTES = {1: 2000, 2: 1000, 4: 2500, 5: 1000, 6: 2000, 7: 1500}


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Table 7 with seven players after a round that seat 3 banked and six others played."""
    cast = running_cast()
    cast.send(round_record, "dealer", sheet=sheet(ANTES))
    return cast


def inputs(page: Page) -> list[str]:
    counted: list[str] = page.evaluate('JSON.parse(sessionStorage.getItem("inputs") || "[]")')
    return counted


def open_counting(page: Page, live_server: Any, cast: Cast) -> None:
    open_table(page, live_server, cast.table)
    page.evaluate("sessionStorage.clear()")
    page.add_init_script(COUNTER)
    page.reload()


def test_a_round_of_six_players_whose_bets_repeat_takes_eight_inputs_at_most_from_the_offer_to_the_next_hand(
    cast: Cast, live_server: Any, page: Page
) -> None:
    """Seat 3 has banked twice; seat 4 is offered the bank and takes it. Everybody else's wagers stand ready.

    All by touch: the new bank's wager of $200 is two chips of $100.
    """
    Room.objects.update(records_shown_card=False)  # the card that the bank shows would be one touch more
    cast.send(round_record, "dealer", sheet=sheet(ANTES))
    open_counting(page, live_server, cast)
    next_step(page, "Accepted: seat 4 banks").click()
    wait_for_phase(page, "ready")
    page.locator(".bank-field [data-add='100']").click()
    page.locator(".bank-field [data-add='100']").click()
    next_step(page, "Bank wagers $200").click()
    wait_for_phase(page, "betting")
    next_step(page, "No more bets · drop $6").click()
    wait_for_phase(page, "dropped")
    next_step(page, "Deal").click()
    wait_for_phase(page, "cards")
    for _, hand in hands_in_order(page):
        touch_cards(page, hand)
    next_step(page, "Settle").click()
    page.wait_for_url("**/rounds/*/")
    next_step(page, "Next hand").click()
    wait_for_phase(page, "ready")
    counted = inputs(page)
    assert len([phase for phase in counted if phase != "cards"]) == 8, counted
    assert counted.count("cards") == 6 * 3
    repeated = Round.objects.latest("id")
    assert {bet["seat"]: bet["wagers"]["ante"] for bet in repeated.bets} == {
        seat: cents for seat, cents in ANTES.items() if seat != 4
    }


def test_seven_hands_by_keyboard_take_seven_lines_and_a_round_of_the_same_bank_five_more(
    cast: Cast, live_server: Any, page: Page
) -> None:
    open_counting(page, live_server, cast)
    press(page, "Bank wagers $200")  # the last amount, offered again
    wait_for_phase(page, "betting")
    expect(next_step(page, "No more bets · drop $7")).not_to_be_focused()
    type_line(page, "nmb")  # the one step of a round that Enter alone does not take
    wait_for_phase(page, "dropped")
    press(page, "Deal")
    wait_for_phase(page, "cards")
    hands = hands_in_order(page)
    assert len(hands) == 7
    for _, hand in hands:
        type_line(page, hand.lower())
    press(page, "Settle")
    page.wait_for_url("**/rounds/*/")
    press(page, "Next hand")
    wait_for_phase(page, "offer")
    counted = inputs(page)
    assert counted.count("cards") == 7
    assert len(counted) == 7 + 5
    assert Round.objects.filter(state=Round.State.SETTLED).count() == 2
    expect(page.get_by_text("Offer the bank to seat 4 · Dee")).to_be_visible()


def test_everybody_declines_in_one_touch_and_the_same_bank_is_ready_to_wager(
    cast: Cast, live_server: Any, page: Page
) -> None:
    cast.send(round_record, "dealer", sheet=sheet(ANTES))
    open_counting(page, live_server, cast)
    wait_for_phase(page, "offer")
    wait_until_rested(page)
    page.get_by_role("button", name="All declined seat 3 banks again").click()
    wait_for_phase(page, "ready")
    expect(next_step(page, "Bank wagers $200")).to_be_visible()  # as last time
    assert inputs(page) == ["offer"]
    given = list(Offer.objects.order_by("-pk").values_list("seat", "answer")[:6])
    assert given == [(seat, "declined") for seat in (2, 1, 7, 6, 5, 4)]
    turn = Turn.objects.get(ended_at__isnull=True)
    assert (turn.seat, turn.renewed) == (3, True)


def test_all_n_is_the_typed_line_for_it(cast: Cast, live_server: Any, page: Page) -> None:
    cast.send(round_record, "dealer", sheet=sheet(ANTES))
    open_counting(page, live_server, cast)
    type_line(page, "all n")
    wait_for_phase(page, "ready")
    assert inputs(page) == ["offer"]
    assert Offer.objects.filter(answer="declined").count() == 8


def test_a_seat_further_round_takes_the_bank_in_two_touches(cast: Cast, live_server: Any, page: Page) -> None:
    """The panel of the seat says which seats have declined, before it is recorded."""
    cast.send(round_record, "dealer", sheet=sheet(ANTES))
    open_counting(page, live_server, cast)
    wait_for_phase(page, "offer")
    wait_until_rested(page)
    touch_seat(page, 6)
    page.get_by_role("button", name="seat 6 banks").click()
    wait_for_phase(page, "ready")
    assert inputs(page) == ["offer", "offer"]
    given = list(Offer.objects.order_by("-pk").values_list("seat", "answer")[:3])
    assert given == [(6, "accepted"), (5, "declined"), (4, "declined")]
