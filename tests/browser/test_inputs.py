"""How many inputs a round takes: every touch and every Enter of a person is counted by the page itself."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.rounds import bets_close, round_deal, round_open, round_record
from cardroom.floor.commands.seats import player_leave
from cardroom.floor.models import JournalEntry, Offer, Round, Turn
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
    wait_for_settlement,
    wait_until_rested,
)
from tests.cast import BANK_HAND, HANDS, Cast, open_cast, running_cast, sheet

pytestmark = pytest.mark.outside

#: Counts what a person does, in the phase in which it is done; kept while the browser goes from page to page. A press is
#: counted when it has reached its target: one that finds another page there is held back by the test, and made again.
COUNTER = """
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, (event) => {
        if (!event.isTrusted || (kind === "keydown" && event.key !== "Enter")) return;
        const phase = document.getElementById("screen")?.dataset.phase;
        const dealt = phase === "cards" || phase === "dropped", next = event.target.closest("[data-next], .take-back");
        const counted = JSON.parse(sessionStorage.getItem("inputs") || "[]");
        counted.push(!dealt ? phase : !next ? "cards" : phase === "cards" ? "settle" : "deal");
        sessionStorage.setItem("inputs", JSON.stringify(counted));
    }, { capture: kind === "keydown" });
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


def test_a_first_round_of_three_players_and_a_bank_takes_sixteen_touches_and_its_cards(
    live_server: Any, transactional_db: None, page: Page
) -> None:
    """From a table with four players and no wagers to the settlement, with the next hand's first step beside it."""
    cast = open_cast()
    for seat in (1, 2, 3):
        cast.send(player_leave, "floor", seat=seat)
    open_counting(page, live_server, cast)
    next_step(page, "Accepted: seat 4 banks").click()
    wait_for_phase(page, "ready")
    page.locator(".bank-field [data-add='100']").click()
    page.locator(".bank-field [data-add='100']").click()
    next_step(page, "Bank wagers $200").click()
    wait_for_phase(page, "betting")
    bet(page, 5, "ante", "25")
    bet(page, 5, "pair_plus", "5")
    bet(page, 6, "ante", "5", "5")
    bet(page, 7, "ante", "25", "25")
    next_step(page, "No more bets · drop $4").click()
    enter_cards(page, {seat: HANDS[seat] for seat in (5, 6, 7)}, bank=4)
    next_step(page, "Settle").click()
    wait_for_settlement(page)
    expect(next_step(page, "Bank wagers $200")).to_be_visible()
    counted = inputs(page)
    assert len([phase for phase in counted if phase != "cards"]) == 16, counted
    assert counted.count("cards") == 4 * 3
    assert {bet["seat"]: bet["wagers"] for bet in Round.objects.get().bets} == {
        5: {"ante": 2500, "pair_plus": 500},
        6: {"ante": 1000},
        7: {"ante": 5000},
    }


def bet(page: Page, seat: int, spot: str, *chips: str) -> None:
    """Touch a spot on the felt, then its chips."""
    page.locator(f"[data-spot='wagers-{seat}-{spot}']").click()
    for chip in chips:
        page.locator(f"#panel-{seat} [data-add='{chip}']").click()


def enter_cards(page: Page, hands: dict[int, str], bank: int) -> None:
    """Touch every card as the page asks for it: the card that the bank shows first, which records the deal."""
    wait_for_phase(page, "dropped")
    wait_until_rested(page)
    shown, *rest = BANK_HAND.split()
    page.locator(f".deck [data-card='{shown}']").click()
    wait_for_phase(page, "cards")
    expect(page.locator(f".seat[data-seat='{bank}'] .shown-card")).to_be_visible()
    for seat, _ in hands_in_order(page):
        touch_cards(page, " ".join(rest) if int(seat) == bank else hands[int(seat)])


def test_a_repeating_round_with_cards_takes_three_touches_a_hand_and_three_more(
    cast: Cast, live_server: Any, page: Page
) -> None:
    """The same bank, the same wagers; the card that the bank shows is one of its three, and records the deal."""
    open_counting(page, live_server, cast)
    next_step(page, "Bank wagers $200").click()
    wait_for_phase(page, "betting")
    next_step(page, "No more bets · drop $7").click()
    enter_cards(page, HANDS, bank=3)
    next_step(page, "Settle").click()
    wait_for_settlement(page)
    counted = inputs(page)
    assert [phase for phase in counted if phase != "cards"] == ["ready", "betting", "settle"]
    assert counted.count("cards") == 7 * 3
    expect(page.get_by_role("button", name="All declined seat 3 banks again")).to_be_visible()
    entries = JournalEntry.objects.exclude(command__startswith="alert_").order_by("-seq")
    assert list(entries.values_list("command", flat=True)[:6]) == [
        "round_settle",
        "procedure_bank_card",
        "round_deal",
        "bets_close",
        "bets_repeat",
        "round_open",
    ]
    played = Round.objects.latest("id")
    assert played.bets_closed_at < played.dealt_at < played.ended_at  # type: ignore[operator]


def test_the_settlement_stays_until_the_next_round_opens_whatever_others_do(
    cast: Cast, live_server: Any, page: Page
) -> None:
    """The floor takes a player away while the dealer pays: the seat is empty, and the lines are still there."""
    cast.send(round_open, "dealer", bank_wager_cents=20000, repeat_bets=True)
    cast.send(bets_close, "dealer")
    cast.send(round_deal, "dealer")
    open_table(page, live_server, cast.table)
    for _, hand in hands_in_order(page):
        type_line(page, hand)
    press(page, "Settle")
    wait_for_settlement(page)
    lines = page.locator(".pay-line")
    count = lines.count()
    assert count > 6
    touch_seat(page, 7)
    expect(page.get_by_role("button", name="Gus leaves")).to_be_visible()
    cast.send(player_leave, "floor", seat=7)
    expect(page.get_by_role("button", name="Seat 7: seat a player")).to_be_attached(timeout=15_000)
    expect(lines).to_have_count(count)
    wait_for_settlement(page)
    wait_until_rested(page)
    type_line(page, "all n")
    wait_for_phase(page, "ready")
    press(page, "Bank wagers $200")
    wait_for_phase(page, "betting")
    expect(lines).to_have_count(0)
    assert Round.objects.filter(state="betting").count() == 1


def test_a_round_of_a_new_bank_takes_six_touches_and_its_cards(
    cast: Cast, live_server: Any, page: Page
) -> None:
    """Seat 3 has banked twice; seat 4 is offered the bank and takes it. Everybody else's wagers stand ready."""
    Room.objects.update(records_shown_card=False)
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
    wait_until_rested(page)
    for _, hand in hands_in_order(page):
        touch_cards(page, hand)
    next_step(page, "Settle").click()
    wait_for_settlement(page)
    counted = inputs(page)
    assert len([phase for phase in counted if phase != "cards"]) == 6, counted
    assert counted.count("cards") == 6 * 3
    repeated = Round.objects.latest("id")
    assert {bet["seat"]: bet["wagers"]["ante"] for bet in repeated.bets} == {
        seat: cents for seat, cents in ANTES.items() if seat != 4
    }


def test_seven_hands_by_keyboard_take_seven_lines_and_a_round_of_the_same_bank_three_more(
    cast: Cast, live_server: Any, page: Page
) -> None:
    Room.objects.update(records_shown_card=False)
    open_counting(page, live_server, cast)
    press(page, "Bank wagers $200")  # the last amount, offered again
    wait_for_phase(page, "betting")
    expect(next_step(page, "No more bets · drop $7")).not_to_be_focused()
    type_line(page, "nmb")  # the one step of a round that Enter alone does not take
    wait_for_phase(page, "dropped")
    hands = hands_in_order(page)
    assert len(hands) == 7
    for at, (_, hand) in enumerate(hands):
        type_line(page, hand.lower())  # the first one records the deal
        if not at:
            wait_for_phase(page, "cards")
    press(page, "Settle")
    wait_for_settlement(page)
    counted = inputs(page)
    assert counted.count("cards") == 7
    assert len(counted) == 7 + 3
    assert Round.objects.filter(state=Round.State.SETTLED).count() == 2
    expect(page.get_by_text("Offer the bank to seat 4 · Dee")).to_be_visible()


def test_a_line_that_names_no_card_records_no_deal(cast: Cast, live_server: Any, page: Page) -> None:
    open_table(page, live_server, cast.table)
    press(page, "Bank wagers $200")
    wait_for_phase(page, "betting")
    type_line(page, "nmb")
    wait_for_phase(page, "dropped")
    type_line(page, "nmb")
    expect(page.locator("#command-text")).to_contain_text("“nmb” is no card")
    page.locator("#command").fill("zz")
    page.keyboard.press("Enter")
    expect(page.locator("#command-text")).to_contain_text("“zz” is no card")
    assert Round.objects.latest("id").dealt_at is None


def test_a_touch_on_the_deck_right_after_no_more_bets_deals_nothing(
    cast: Cast, live_server: Any, page: Page
) -> None:
    open_table(page, live_server, cast.table)
    press(page, "Bank wagers $200")
    wait_for_phase(page, "betting")
    type_line(page, "nmb")
    page.locator("#screen[data-phase=dropped][data-resting] .deck [data-card=Kh]").click()
    wait_until_rested(page)
    wait_for_phase(page, "dropped")
    assert Round.objects.latest("id").dealt_at is None


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
