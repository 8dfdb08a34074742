"""Wherever money stands, its spot is named: at seats and behind them, from the first wager until the hands are settled."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.rounds import bets_place, round_settle
from cardroom.floor.places import Place
from tests.browser.axe import faults
from tests.browser.layout import LOW, PHONE, TABLETS, wrong_at
from tests.browser.play import play_on
from tests.browser.screen import Screen
from tests.cast import Cast

pytestmark = pytest.mark.outside

SIZES = [*TABLETS, LOW, PHONE]
BETS: list[dict[str, Any]] = [
    {"seat": 1, "wagers": {"player": 2000}},
    {"seat": 1, "behind": 1, "wagers": {"banker": 3000}},
    {"seat": 1, "behind": 2, "wagers": {"player": 12500}},
    {"seat": 2, "wagers": {"player": 5000, "banker": 2500, "tie": 1000, "dragon_7": 500, "panda_8": 1000}},
    {"seat": 4, "wagers": {"player": 5000, "dragon_7": 1000}},
    {"seat": 4, "behind": 1, "wagers": {"banker": 500, "dragon_7": 500}},
    {"seat": 5, "wagers": {"tie": 1000, "banker": 2000}},
]
#: Amounts on the felt, each with the spot that is named in the same box.
NAMED = """() => [...document.querySelectorAll(".bet:not(.none), .behind-bet, .seat-moves .move")].filter((each) => each.checkVisibility())
    .map((each) => [each.closest("[data-behind]")?.dataset.behind ?? each.closest("[data-of]")?.dataset.of ?? each.closest("[data-seat]").dataset.seat,
        each.querySelector("small, .spot-name")?.textContent.trim(), each.querySelector("b").textContent])"""
NAMES = {
    "player": "Player",
    "banker": "Banker",
    "tie": "Tie",
    "dragon_7": "Dragon 7",
    "panda_8": "Panda 8",
}


@pytest.fixture
def baccarat(baccarat: Cast) -> Cast:
    """The same, and wagers lie on every spot."""
    baccarat.begin(wager=500_000)
    baccarat.send(bets_place, positions=BETS)
    return baccarat


def lies() -> list[list[str]]:
    """Every amount that lies there, with its place and spot."""
    return sorted(
        [str(Place(bet["seat"], bet.get("behind", 0))), NAMES[spot], f"${cents // 100}"]
        for bet in BETS
        for spot, cents in bet["wagers"].items()
    )


@pytest.mark.parametrize("phase", ["betting", "dropped", "cards"])
def test_every_amount_has_its_spot_beside_it_at_every_size(
    baccarat: Cast, page: Page, phase: str, screen: Screen
) -> None:
    play_on(baccarat, phase)
    screen.open(baccarat.table, phase)
    for size in SIZES:
        page.set_viewport_size(size)
        assert sorted(page.evaluate(NAMED)) == lies(), size
    assert wrong_at(page, *SIZES) == []
    assert not faults(page)


def test_the_settlement_of_seats_without_cards_stands_spot_by_spot(
    baccarat: Cast, page: Page, screen: Screen
) -> None:
    play_on(baccarat, "cards")
    positions = [{"seat": bet["seat"], "behind": bet.get("behind", 0)} for bet in BETS]
    baccarat.send(
        round_settle, hands={"player_hand": "2c 3h 3d", "banker_hand": "Ts 6c"}, positions=positions
    )
    screen.open(baccarat.table)
    for size in SIZES:
        page.set_viewport_size(size)
        named = sorted(page.evaluate(NAMED))
        assert [name for _, name, _ in named] == [name for _, name, _ in lies()], size
        assert ["4", "Player", "$50"] in named
        assert ["2", "Panda 8", "$250"] in named
    assert wrong_at(page, *SIZES) == []
    page.set_viewport_size(SIZES[0])
    page.get_by_role("button", name="Step through").click()
    expect(page.locator(".seat-moves .move:visible")).to_have_count(1)
    page.get_by_role("button", name="All", exact=True).click()
    assert sorted(page.evaluate(NAMED)) == named
    assert not faults(page)


def test_a_bettor_behind_shows_the_spot_while_it_is_typed_and_without_the_line(
    baccarat: Cast, page: Page, screen: Screen
) -> None:
    screen.open(baccarat.table, "betting")
    behind = page.locator("[data-behind='1b']")
    expect(behind).to_have_text(re.compile(r"1b\s+Fay\s+Banker \$30"))
    screen.cut()
    screen.type("1b 0 25 0 5")
    expect(behind).to_have_text(re.compile(r"1b\s+Fay\s+Banker \$25 \s*Dragon 7 \$5"))
