"""How many inputs a round takes: every touch and every Enter of a person is counted by the page itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.rounds import round_open, round_record
from cardroom.floor.commands.seats import player_leave
from cardroom.floor.models import JournalEntry, Offer, Round, Turn
from cardroom.rooms.models import Room
from tests.browser.play import play_on
from tests.browser.screen import Screen
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


def open_counting(screen: Screen, cast: Cast) -> None:
    screen.open(cast.table)
    screen.page.evaluate("sessionStorage.clear()")
    screen.page.add_init_script(COUNTER)
    screen.page.reload()


def offered(screen: Screen, cast: Cast) -> None:
    """Open the table after a second round of seat 3: the bank is offered."""
    cast.send(round_record, "dealer", sheet=sheet(ANTES))
    open_counting(screen, cast)
    screen.wait_for("offer")


def test_a_first_round_of_three_players_and_a_bank_takes_sixteen_touches_and_its_cards(
    transactional_db: None, page: Page, screen: Screen
) -> None:
    """From a table with four players and no wagers to the settlement, with the next hand's first step beside it."""
    cast = open_cast()
    for seat in (1, 2, 3):
        cast.send(player_leave, "floor", seat=seat)
    open_counting(screen, cast)
    screen.take("Accepted: seat 4 banks", "ready")
    screen.touch_bank("100", "100")
    screen.take("Bank wagers $200", "betting")
    screen.touch_spot("5-ante", "25")
    screen.touch_spot("5-pair_plus", "5")
    screen.touch_spot("6-ante", "5", "5")
    screen.touch_spot("7-ante", "25", "25")
    screen.take("No more bets · drop $4", "dropped")
    enter_cards(screen, {seat: HANDS[seat] for seat in (5, 6, 7)}, bank=4)
    screen.take("Settle", "settlement")
    expect(screen.next_step("Bank wagers $200")).to_be_visible()
    counted = inputs(page)
    assert len([phase for phase in counted if phase != "cards"]) == 16, counted
    assert counted.count("cards") == 4 * 3
    assert {bet["seat"]: bet["wagers"] for bet in Round.objects.get().bets} == {
        5: {"ante": 2500, "pair_plus": 500},
        6: {"ante": 1000},
        7: {"ante": 5000},
    }


def enter_cards(screen: Screen, hands: dict[int, str], bank: int) -> None:
    """Touch every card as the page asks for it: the card that the bank shows first, which records the deal."""
    screen.wait_until_rested()
    shown, rest = BANK_HAND.split(maxsplit=1)
    screen.touch_cards(shown)
    screen.wait_for("cards")
    expect(screen.page.locator(f".seat[data-seat='{bank}'] .shown-card")).to_be_visible()
    for seat, _ in screen.hands_in_order():
        screen.touch_cards(rest if int(seat) == bank else hands[int(seat)])


def test_a_repeating_round_with_cards_takes_three_touches_a_hand_and_three_more(
    cast: Cast, page: Page, screen: Screen
) -> None:
    """The same bank, the same wagers; the card that the bank shows is one of its three, and records the deal."""
    open_counting(screen, cast)
    screen.take("Bank wagers $200", "betting")
    screen.take("No more bets · drop $7", "dropped")
    enter_cards(screen, HANDS, bank=3)
    screen.take("Settle", "settlement")
    counted = inputs(page)
    assert [phase for phase in counted if phase != "cards"] == ["ready", "betting", "settle"]
    assert counted.count("cards") == 7 * 3
    expect(page.get_by_role("button", name="All declined seat 3 banks again")).to_be_visible()
    entries = JournalEntry.objects.exclude(command__startswith="alert_").order_by("-seq")
    steps = "round_settle procedure_bank_card round_deal bets_close bets_repeat round_open"
    assert list(entries.values_list("command", flat=True)[:6]) == steps.split()
    played = Round.objects.latest("id")
    assert played.bets_closed_at < played.dealt_at < played.ended_at  # type: ignore[operator]


def test_the_settlement_stays_until_the_next_round_opens_whatever_others_do(
    cast: Cast, page: Page, screen: Screen
) -> None:
    """The floor takes a player away while the dealer pays: the seat is empty, and the lines are still there."""
    cast.send(round_open, bank_wager_cents=20000, repeat_bets=True)
    play_on(cast, "cards")
    screen.open(cast.table)
    screen.type_hands()
    screen.press("Settle", "settlement")
    lines = page.locator(".pay-line")
    count = lines.count()
    assert count > 6
    screen.touch_seat(7)
    expect(page.get_by_role("button", name="Gus leaves")).to_be_visible()
    cast.send(player_leave, "floor", seat=7)
    expect(page.get_by_role("button", name="Seat 7: seat a player")).to_be_attached(timeout=15_000)
    expect(lines).to_have_count(count)
    screen.wait_for("settlement")
    screen.wait_until_rested()
    screen.type("all n", "ready")
    screen.press("Bank wagers $200", "betting")
    expect(lines).to_have_count(0)
    assert Round.objects.filter(state="betting").count() == 1


def test_a_round_of_a_new_bank_takes_six_touches_and_its_cards(
    cast: Cast, page: Page, screen: Screen
) -> None:
    """Seat 3 has banked twice; seat 4 is offered the bank and takes it. Everybody else's wagers stand ready."""
    Room.objects.update(records_shown_card=False)
    offered(screen, cast)
    screen.take("Accepted: seat 4 banks", "ready")
    screen.touch_bank("100", "100")
    screen.take("Bank wagers $200", "betting")
    screen.take("No more bets · drop $6", "dropped")
    screen.wait_until_rested()
    for _, hand in screen.hands_in_order():
        screen.touch_cards(hand)
    screen.take("Settle", "settlement")
    counted = inputs(page)
    assert len([phase for phase in counted if phase != "cards"]) == 6, counted
    assert counted.count("cards") == 6 * 3
    repeated = Round.objects.latest("id")
    assert {bet["seat"]: bet["wagers"]["ante"] for bet in repeated.bets} == {
        seat: cents for seat, cents in ANTES.items() if seat != 4
    }


def test_seven_hands_by_keyboard_take_seven_lines_and_a_round_of_the_same_bank_three_more(
    cast: Cast, page: Page, screen: Screen
) -> None:
    Room.objects.update(records_shown_card=False)
    open_counting(screen, cast)
    screen.press("Bank wagers $200", "betting")  # the last amount, offered again
    expect(screen.next_step("No more bets · drop $7")).not_to_be_focused()
    screen.type("nmb", "dropped")  # the one step of a round that Enter alone does not take
    hands = screen.hands_in_order()
    assert len(hands) == 7
    for at, (_, hand) in enumerate(hands):
        screen.type(hand.lower())  # the first one records the deal
        if not at:
            screen.wait_for("cards")
    screen.press("Settle", "settlement")
    counted = inputs(page)
    assert counted.count("cards") == 7
    assert len(counted) == 7 + 3
    assert Round.objects.filter(state=Round.State.SETTLED).count() == 2
    expect(page.get_by_text("Offer the bank to seat 4 · Dee")).to_be_visible()


def test_a_line_that_names_no_card_records_no_deal(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table)
    screen.press("Bank wagers $200", "betting")
    screen.type("nmb", "dropped")
    screen.type("nmb")
    expect(page.locator("#command-text")).to_contain_text("“nmb” is no card")
    page.locator("#command").fill("zz")
    page.keyboard.press("Enter")
    expect(page.locator("#command-text")).to_contain_text("“zz” is no card")
    assert Round.objects.latest("id").dealt_at is None


def test_a_touch_on_the_deck_right_after_no_more_bets_deals_nothing(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table)
    screen.press("Bank wagers $200", "betting")
    screen.type("nmb")
    page.locator("#screen[data-phase=dropped][data-resting] .deck [data-card=Kh]").click()
    screen.wait_until_rested()
    screen.wait_for("dropped")
    assert Round.objects.latest("id").dealt_at is None


def test_everybody_declines_in_one_touch_and_the_same_bank_is_ready_to_wager(
    cast: Cast, page: Page, screen: Screen
) -> None:
    offered(screen, cast)
    screen.wait_until_rested()
    page.get_by_role("button", name="All declined seat 3 banks again").click()
    screen.wait_for("ready")
    expect(screen.next_step("Bank wagers $200")).to_be_visible()  # as last time
    assert inputs(page) == ["offer"]
    given = list(Offer.objects.order_by("-pk").values_list("seat", "answer")[:6])
    assert given == [(seat, "declined") for seat in (2, 1, 7, 6, 5, 4)]
    turn = Turn.objects.get(ended_at__isnull=True)
    assert (turn.seat, turn.renewed) == (3, True)


def test_all_n_is_the_typed_line_for_it(cast: Cast, page: Page, screen: Screen) -> None:
    offered(screen, cast)
    screen.type("all n", "ready")
    assert inputs(page) == ["offer"]
    assert Offer.objects.filter(answer="declined").count() == 8


def test_a_seat_further_round_takes_the_bank_in_two_touches(cast: Cast, page: Page, screen: Screen) -> None:
    """The panel of the seat says which seats have declined, before it is recorded."""
    offered(screen, cast)
    screen.wait_until_rested()
    screen.touch_seat(6)
    page.get_by_role("button", name="seat 6 banks").click()
    screen.wait_for("ready")
    assert inputs(page) == ["offer", "offer"]
    given = list(Offer.objects.order_by("-pk").values_list("seat", "answer")[:3])
    assert given == [(6, "accepted"), (5, "declined"), (4, "declined")]
