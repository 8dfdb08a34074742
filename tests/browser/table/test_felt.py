"""The felt: seats round it on tablets held either way, bets and names that can be read, settlement on the seats."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from cardroom.floor.commands.rounds import bets_place
from cardroom.floor.commands.seats import back_line_join, seat_hold
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Round
from cardroom.web.table.spots import wager_spots
from tests.browser.axe import faults
from tests.browser.layout import LOW, PHONE, TABLETS, wrong_at
from tests.browser.play import play, play_on
from tests.browser.screen import Screen
from tests.cast import Cast, house_cast, running_cast
from tests.filing import TILES, table_settings

pytestmark = pytest.mark.outside

#: Names that no seat may cut.
LONG = {4: "Maria-Guadalupe Villanueva-Ochoa", 1: "Nguyễn Thị Phương Thảo"}
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


def open_settlement(screen: Screen, cast: Cast) -> None:
    """Open the lines of the one round there is."""
    screen.open(cast.table)
    screen.page.goto(f"/tables/{cast.table.pk}/rounds/{Round.objects.get().pk}/")


@pytest.mark.parametrize("phase", ["ready", "betting", "dropped", "cards", "settled"])
def test_seats_lie_on_the_felt_of_every_tablet_and_nothing_of_them_is_cut(
    cast: Cast, page: Page, phase: str, screen: Screen
) -> None:
    if phase != "ready":
        play(cast, phase)
    if phase == "settled":
        open_settlement(screen, cast)
    else:
        screen.open(cast.table)
    assert wrong_at(page, *TABLETS, PHONE) == []


@pytest.mark.parametrize("seats", [7, 8, 9, 10, 11, 12])
def test_tables_of_any_number_of_seats_lie_on_the_felt(
    cast: Cast, page: Page, seats: int, screen: Screen
) -> None:
    settings = table_settings(
        cast.room, rulebook="by_eye", options={**TILES, "seats": seats}, recording="fees"
    )
    cast.send(table_set, "floor", **settings)
    cast.send(back_line_join, "floor", seat=4, player_id=cast.waiting[0].pk)
    cast.begin(wager=15000)
    bets = [{"seat": seat, "wagers": {"bet": 2500, "pairs": 500}} for seat in (1, 4, 5)]
    cast.send(bets_place, positions=bets)
    screen.open(cast.table)
    assert wrong_at(page, *TABLETS) == []


@pytest.mark.parametrize("phase", ["betting", "dropped", "cards"])
def test_a_table_of_nine_with_five_spots_a_seat_lies_on_the_felt(
    baccarat: Cast, page: Page, phase: str, screen: Screen
) -> None:
    """Baccarat: five spots a seat, and bettors on a back line."""
    baccarat.begin(wager=50000)
    baccarat.send(bets_place, positions=[{"seat": 4, "wagers": {"player": 2500}}])
    play_on(baccarat, phase)
    screen.open(baccarat.table)
    assert wrong_at(page, *TABLETS, LOW) == []


@pytest.mark.parametrize(
    ("rulebook", "phase"),
    [("shuffle_master", "betting"), ("south_dakota", "cards"), ("massachusetts", "cards")],
)
def test_every_spot_of_a_house_table_has_room_on_the_felt(
    transactional_db: None, page: Page, rulebook: str, phase: str, screen: Screen
) -> None:
    """In Spanish, whose words are longer: seats side by side wager on every spot, and decide among up to three."""
    cast = house_cast(rulebook)
    dealer = cast.people["dealer"]
    dealer.language = "es"
    dealer.save()
    wagers = {spot.id: 100 if spot.id == "progressive" else 1000 for spot in wager_spots(cast.state().terms)}
    cast.begin()
    cast.send(bets_place, positions=[{"seat": seat, "wagers": wagers} for seat in (1, 2, 4, 5)])
    play_on(cast, phase)
    screen.open(cast.table)
    assert wrong_at(page, *TABLETS, LOW) == []


@pytest.mark.parametrize("size", TABLETS[:2], ids=["820", "768"])
def test_a_panel_moves_no_seat_of_an_upright_tablet(
    cast: Cast, page: Page, size: ViewportSize, screen: Screen
) -> None:
    play(cast, "betting")
    page.set_viewport_size(size)
    screen.open(cast.table)
    before = page.evaluate(PLACES)
    screen.touch_seat(4)
    expect(page.locator("#panel-4")).to_be_visible()
    assert page.evaluate(PLACES) == before
    assert page.locator("#panel-4 .keys button").count() == 12
    assert not faults(page)


def test_the_bank_covers_less_than_even_money(cast: Cast, page: Page, screen: Screen) -> None:
    play(cast, "betting")
    screen.open(cast.table)
    # Antes of $150 and as much on play, with $1 and $1 tips: $302. Six bonuses each of $5 at 200 and at 1000 to 1.
    expect(page.locator("#cover .short")).to_have_text("▲ Covers $150 of $302 at even money")
    expect(page.locator("#cover .bonus")).to_have_text("Bonus wagers at top odds: up to $36,000")
    expect(page.locator("#cover progress")).to_have_js_property("max", 30200)


def test_settlement_stands_on_the_seats(cast: Cast, page: Page, screen: Screen) -> None:
    play(cast, "settled")
    settled = Round.objects.get()
    assert settled.exhausted
    open_settlement(screen, cast)
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
    cast: Cast, page: Page, size: ViewportSize, screen: Screen
) -> None:
    play(cast, "settled")
    page.set_viewport_size(size)
    open_settlement(screen, cast)
    nets = page.locator(".seat-net")
    expect(nets).to_have_count(6)
    for net in nets.all():
        expect(net).to_be_visible()
        expect(net).to_be_in_viewport(ratio=1)


def test_a_held_seat_has_its_sign_while_a_settlement_is_shown(cast: Cast, page: Page, screen: Screen) -> None:
    play(cast, "settled")
    cast.send(seat_hold, "floor", seat=1, minutes=10)
    for size in (TABLETS[2], PHONE):
        page.set_viewport_size(size)
        open_settlement(screen, cast)
        expect(page.locator(".seat[data-seat='1'] .held-mark")).to_be_visible()


def test_stepping_sums_on_the_seats_what_was_reached(cast: Cast, page: Page, screen: Screen) -> None:
    play(cast, "settled")
    settled = Round.objects.get()
    open_settlement(screen, cast)
    page.get_by_role("button", name="Step through").click()
    first = settled.settlement["lines"][0]
    paid = page.locator(f".seat[data-seat='{first['seat']}'] .move-pay")
    expect(paid).to_have_text(f"Pay ${first['paid'] // 100}")
    expect(page.locator(".seat-moves .move:visible")).to_have_count(1)
    page.get_by_role("button", name="All").click()
    every = sum(line["paid"] for line in settled.settlement["lines"] if line["seat"] == first["seat"])
    expect(paid).to_have_text(f"Pay ${every // 100}")
