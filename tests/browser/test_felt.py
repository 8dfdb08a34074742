"""The felt: seats round it on tablets held either way, bets and names that can be read, settlement on the seats."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_settle
from cardroom.floor.commands.seats import back_line_join, player_leave
from cardroom.floor.commands.tables import table_set
from cardroom.floor.commands.tray import tray_open
from cardroom.floor.models import Round
from cardroom.web.table.spots import wager_spots
from tests.browser.axe import faults
from tests.browser.table import open_table, touch_seat
from tests.cast import BANK_HAND, HANDS, Cast, open_cast, running_cast
from tests.filing import table_settings

pytestmark = pytest.mark.outside

TABLETS: list[ViewportSize] = [
    {"width": 820, "height": 1180},
    {"width": 768, "height": 1024},
    {"width": 1024, "height": 768},
    {"width": 1366, "height": 900},
]
UPRIGHT = TABLETS[:2]
LOW: ViewportSize = {"width": 1180, "height": 820}
PHONE: ViewportSize = {"width": 390, "height": 844}
#: Names that no seat may cut.
LONG = {4: "Maria-Guadalupe Villanueva-Ochoa", 1: "Nguyễn Thị Phương Thảo"}
#: The least size of a bet in pixels.
BET = 18

#: Seats that lie over each other, and those of which a corner lies outside the felt or on its rail.
WRONG_SEATS = """() => {
    const felt = document.getElementById("seats"), box = felt.getBoundingClientRect();
    const drawn = getComputedStyle(felt, "::before"), rail = parseFloat(drawn.borderTopWidth);
    const long = (text, whole) => text.endsWith("%") ? whole * parseFloat(text) / 100 : parseFloat(text);
    const radius = (corner) => { const [x, y] = (drawn[corner] + " " + drawn[corner]).split(" ");
        return [long(x, box.width) - rail, long(y, box.height) - rail]; };
    const outside = (at, left, top, corner) => {
        const [rx, ry] = radius(corner);
        const x = left ? at.left - box.left - rail : box.right - rail - at.right, y = top ? at.top - box.top - rail : box.bottom - rail - at.bottom;
        return x < -.5 || y < -.5 || (x < rx && y < ry && ((rx - x) / rx) ** 2 + ((ry - y) / ry) ** 2 > 1.001);
    };
    const seats = [...document.querySelectorAll(".seat")].map((seat) => [seat.dataset.seat, seat.getBoundingClientRect()]);
    const over = seats.flatMap(([one, a]) => seats.filter(([two, b]) => one < two && a.left < b.right && b.left < a.right
        && a.top < b.bottom && b.top < a.bottom).map(([two]) => `${one} over ${two}`));
    const off = seats.filter(([, at]) => outside(at, true, true, "borderTopLeftRadius") || outside(at, false, true, "borderTopRightRadius")
        || outside(at, true, false, "borderBottomLeftRadius") || outside(at, false, false, "borderBottomRightRadius")).map(([seat]) => `${seat} off the felt`);
    return [...over, ...off];
}"""
#: Texts of seats that are cut, or too small.
WRONG_TEXTS = """(least) => [
    ...[...document.querySelectorAll(".seat-name, .bet, .bet b, .seat-moves li, .back-line button")]
        .filter((text) => text.checkVisibility() && (text.scrollWidth > text.clientWidth && text.clientWidth || text.scrollHeight > text.clientHeight + 1 && text.clientHeight))
        .map((text) => `${text.textContent.trim()} is cut`),
    ...[...document.querySelectorAll(".bet b, .seat-moves .move b")].filter((text) => text.checkVisibility() && parseFloat(getComputedStyle(text).fontSize) < least)
        .map((text) => `${text.textContent} is small`),
    ...[...document.querySelectorAll(".seat > *")].filter((part) => part.checkVisibility() && part.getBoundingClientRect().bottom > part.parentElement.getBoundingClientRect().bottom + .5)
        .map((part) => `${part.textContent.trim()} reaches out of seat ${part.parentElement.dataset.seat}`),
    ...(document.documentElement.scrollWidth > innerWidth ? ["wider than the screen"] : []),
]"""
#: What is in the middle of the felt and beneath the deck.
COVERED = """() => {
    const deck = document.getElementById("picker")?.getBoundingClientRect();
    return !deck ? [] : [...document.querySelectorAll(".centre > *")].filter((each) => each.checkVisibility({ visibilityProperty: true })
        && each.textContent.trim() && each.getBoundingClientRect().bottom > deck.top + 1).map((each) => `beneath the deck: ${each.textContent.trim()}`);
}"""
PLACES = "() => [...document.querySelectorAll('.seat')].map((seat) => { const at = seat.getBoundingClientRect(); return [at.left, at.top]; })"


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Seat 3 banks; two players have long names."""
    cast = running_cast()
    for seat, name in LONG.items():
        player = cast.players[seat]
        player.name = name
        player.save()
    return cast


def play(cast: Cast, until: str, wager: int = 15000) -> None:
    """Play a round as far as `until`: six players, and a bank that does not cover them all."""
    cast.send(round_open, "dealer", bank_wager_cents=wager)
    bets = [
        {
            "seat": seat,
            "wagers": {"ante": 5000 if seat == 4 else 2000, "pair_plus": 500, "six_card_bonus": 500},
            "tips": {"ante": 100} if seat == 5 else {},
        }
        for seat in (1, 2, 4, 5, 6, 7)
    ]
    cast.send(bets_place, "dealer", positions=bets)
    if until == "betting":
        return
    cast.send(bets_close, "dealer")
    if until == "dropped":
        return
    cast.send(round_deal, "dealer")
    if until == "cards":
        return
    hands = [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in (1, 2, 4, 5, 6, 7)]
    cast.send(round_settle, "dealer", bank_hand=BANK_HAND, positions=hands)


def wrong_at(page: Page, size: ViewportSize) -> list[str]:
    """What is wrong with seats and texts at a size, each with the size before it."""
    page.set_viewport_size(size)
    found = page.evaluate(WRONG_SEATS) + page.evaluate(WRONG_TEXTS, BET) + page.evaluate(COVERED)
    return [f"{size['width']}: {fault}" for fault in found]


@pytest.mark.parametrize("phase", ["ready", "betting", "dropped", "cards", "settled"])
def test_seats_lie_on_the_felt_of_every_tablet_and_nothing_of_them_is_cut(
    cast: Cast, live_server: Any, page: Page, phase: str
) -> None:
    if phase != "ready":
        play(cast, phase)
    open_table(page, live_server, cast.table)
    if phase == "settled":
        page.goto(f"{live_server.url}/tables/{cast.table.pk}/rounds/{Round.objects.get().pk}/")
    found = [fault for size in TABLETS for fault in wrong_at(page, size)]
    assert not found, found
    page.set_viewport_size(PHONE)
    found = page.evaluate(WRONG_TEXTS, BET)
    assert not found, found


@pytest.mark.parametrize("seats", [7, 8, 9, 10, 11, 12])
def test_tables_of_any_number_of_seats_lie_on_the_felt(
    cast: Cast, live_server: Any, page: Page, seats: int
) -> None:
    game = {
        "name": "Pai Gow Tiles",
        "seats": seats,
        "decks": 1,
        "back_line": 1,
        "spots": [{"id": "bet", "name": "Bet", "main": True, "tip": True}, {"id": "pairs", "name": "Pairs"}],
    }
    settings = table_settings(cast.room, rulebook="by_eye", options=copy.deepcopy(game), recording="fees")
    cast.send(table_set, "floor", **settings)
    cast.send(back_line_join, "floor", seat=4, player_id=cast.waiting[0].pk)
    cast.send(round_open, "dealer", bank_wager_cents=15000)
    bets = [{"seat": seat, "wagers": {"bet": 2500, "pairs": 500}} for seat in (1, 4, 5)]
    cast.send(bets_place, "dealer", positions=bets)
    open_table(page, live_server, cast.table)
    found = [fault for size in TABLETS for fault in wrong_at(page, size)]
    assert not found, found


@pytest.mark.parametrize("phase", ["betting", "dropped", "cards"])
def test_a_table_of_nine_with_five_spots_a_seat_lies_on_the_felt(
    cast: Cast, live_server: Any, page: Page, phase: str
) -> None:
    """Baccarat: five spots a seat, and bettors on a back line."""
    for seat in (6, 7):
        cast.send(player_leave, "floor", seat=seat)
    settings = table_settings(cast.room, rulebook="baccarat", recording="cards")
    cast.send(table_set, "floor", **settings)
    cast.send(back_line_join, "floor", seat=4, player_id=cast.waiting[0].pk)
    cast.send(round_open, "dealer", bank_wager_cents=50000)
    cast.send(bets_place, "dealer", positions=[{"seat": 4, "wagers": {"player": 2500}}])
    if phase != "betting":
        cast.send(bets_close, "dealer")
    if phase == "cards":
        cast.send(round_deal, "dealer")
    open_table(page, live_server, cast.table)
    found = [fault for size in [*TABLETS, LOW] for fault in wrong_at(page, size)]
    assert not found, found


@pytest.mark.parametrize(
    ("rulebook", "phase"),
    [("shuffle_master", "betting"), ("south_dakota", "cards"), ("massachusetts", "cards")],
)
def test_every_spot_of_a_house_table_has_room_on_the_felt(
    transactional_db: None, live_server: Any, page: Page, rulebook: str, phase: str
) -> None:
    """In Spanish, whose words are longer: seats side by side wager on every spot, and decide among up to three."""
    cast = open_cast()
    cast.send(table_set, "floor", **table_settings(cast.room, rulebook=rulebook))
    cast.send(tray_open, "floor", chips={"10000": 500}, approver=cast.people["dealer"])
    dealer = cast.people["dealer"]
    dealer.language = "es"
    dealer.save()
    wagers = {spot.id: 100 if spot.id == "progressive" else 1000 for spot in wager_spots(cast.state().terms)}
    cast.send(round_open, "dealer")
    cast.send(bets_place, "dealer", positions=[{"seat": seat, "wagers": wagers} for seat in (1, 2, 4, 5)])
    if phase == "cards":
        cast.send(bets_close, "dealer")
        cast.send(round_deal, "dealer")
    open_table(page, live_server, cast.table)
    found = [fault for size in [*TABLETS, LOW] for fault in wrong_at(page, size)]
    assert not found, found


@pytest.mark.parametrize("size", UPRIGHT, ids=["820", "768"])
def test_a_panel_moves_no_seat_of_an_upright_tablet(
    cast: Cast, live_server: Any, page: Page, size: ViewportSize
) -> None:
    play(cast, "betting")
    page.set_viewport_size(size)
    open_table(page, live_server, cast.table)
    before = page.evaluate(PLACES)
    touch_seat(page, 4)
    expect(page.locator("#panel-4")).to_be_visible()
    assert page.evaluate(PLACES) == before
    assert page.locator("#panel-4 .keys button").count() == 12
    assert not faults(page)


def format_test_the_bank_covers_less_than_even_money(cast: Cast, live_server: Any, page: Page) -> None:
    play(cast, "betting")
    open_table(page, live_server, cast.table)
    # Antes of $150 and as much on play, with $1 and $1 tips: $302. Six bonuses each of $5 at 200 and at 1000 to 1.
    expect(page.locator("#cover .short")).to_have_text("▲ Covers $150 of $302 at even money")
    expect(page.locator("#cover .bonus")).to_have_text("Bonus wagers at top odds: up to $36,000")
    expect(page.locator("#cover progress")).to_have_js_property("max", 30200)


def format_test_settlement_stands_on_the_seats(cast: Cast, live_server: Any, page: Page) -> None:
    play(cast, "settled")
    settled = Round.objects.get()
    assert settled.exhausted
    open_table(page, live_server, cast.table)
    page.goto(f"{live_server.url}/tables/{cast.table.pk}/rounds/{settled.pk}/")
    sums: dict[str, dict[str, int]] = {}
    for line in settled.settlement["lines"]:
        of_seat = sums.setdefault(str(line["seat"]), {"Pay": 0, "Take": 0, "Return": 0})
        of_seat["Take"] += line["taken"]
        of_seat["Pay"] += 0 if line["toked"] else line["paid"]
        of_seat["Return"] += line["uncovered"]
    assert all(any(each[word] for each in sums.values()) for word in ("Pay", "Take", "Return"))
    for seat, words in sums.items():
        moves = page.locator(f".seat[data-seat='{seat}'] .seat-moves")
        for word, cents in words.items():
            one = moves.locator(f".move-{word.lower()}")
            if cents:
                expect(one).to_have_text(f"{word} ${cents // 100:,}")
            else:
                expect(one).to_have_count(0)
    expect(page.locator("[data-exhausted]")).to_contain_text("Bank exhausted")
    # Reasons and clauses are folded, and open with the lines.
    reasons = page.locator(".pay-why:visible")
    expect(reasons).to_have_count(0)
    page.get_by_text("Line by line").click()
    expect(reasons).to_have_count(0)
    page.get_by_label("Why, clause by clause").check()
    expect(reasons).to_have_count(len(settled.settlement["lines"]))
    for size in TABLETS:
        page.set_viewport_size(size)
        assert not faults(page), size


@pytest.mark.parametrize("size", TABLETS, ids=lambda size: size["width"])
def test_the_net_of_a_seat_stands_in_settlement_at_every_size(
    cast: Cast, live_server: Any, page: Page, size: ViewportSize
) -> None:
    play(cast, "settled")
    open_table(page, live_server, cast.table)
    page.set_viewport_size(size)
    page.goto(f"{live_server.url}/tables/{cast.table.pk}/rounds/{Round.objects.get().pk}/")
    nets = page.locator(".seat-net")
    expect(nets).to_have_count(6)
    for net in nets.all():
        expect(net).to_be_visible()
        expect(net).to_be_in_viewport(ratio=1)


def test_stepping_sums_on_the_seats_what_was_reached(cast: Cast, live_server: Any, page: Page) -> None:
    play(cast, "settled")
    settled = Round.objects.get()
    open_table(page, live_server, cast.table)
    page.goto(f"{live_server.url}/tables/{cast.table.pk}/rounds/{settled.pk}/")
    page.get_by_role("button", name="Step through").click()
    first = settled.settlement["lines"][0]
    paid = page.locator(f".seat[data-seat='{first['seat']}'] .move-pay")
    expect(paid).to_have_text(f"Pay ${first['paid'] // 100}")
    expect(page.locator(".seat-moves .move:visible")).to_have_count(1)
    page.get_by_role("button", name="All").click()
    every = sum(line["paid"] for line in settled.settlement["lines"] if line["seat"] == first["seat"])
    expect(paid).to_have_text(f"Pay ${every // 100}")
