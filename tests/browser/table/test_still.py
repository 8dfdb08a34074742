"""Nothing that may be touched moves after it is drawn: seats, deck and buttons keep their places through a whole round.

Places are noted every 50 ms, while the page shows a step ahead of the server's answer, when the answer comes, and while
notices come and go. A place is the corner from which a thing grows: buttons of the bar at the right, by their right edge.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from cardroom.floor.commands.rounds import bets_place, round_record
from tests.browser.layout import SIZES
from tests.browser.screen import Screen
from tests.cast import Cast, running_cast, sheet

pytestmark = pytest.mark.outside

#: Notes the places of seats, of each card of the deck, of the bar's buttons, and of the dealer's menu: on the screen, and for
#: what a phone's list holds on the page, which is scrolled.
NOTING = """() => {
    window.places = {};
    const note = (name, ...edges) => {
        const place = edges.map((edge) => Math.round(edge * 2) / 2).join(" ");
        (window.places[name] ??= {})[place] ??= document.getElementById("screen").dataset.phase + (document.querySelector("#screen[data-ahead]") ? " ahead" : "");
    };
    const look = () => {
        for (const seat of document.querySelectorAll(".seat")) { const at = seat.getBoundingClientRect(); note("seat " + seat.dataset.seat, at.left, at.top + scrollY, at.right, at.bottom + scrollY); }
        for (const card of document.querySelectorAll(".deck [data-card]")) { const at = card.getBoundingClientRect(); if (at.width) note("card " + card.dataset.card, at.left, at.top, at.right, at.bottom); }
        for (const step of document.querySelectorAll(".next [data-next]")) { const at = step.getBoundingClientRect(); note("next step", at.left, at.top, at.right, at.bottom); }
        document.querySelectorAll(".tools > :is(details, form, button)").forEach((tool, which) => { const at = tool.getBoundingClientRect(); note("tool " + which, at.left, at.top, at.bottom); });
        const dealer = document.querySelector(".dealer summary")?.getBoundingClientRect(); if (dealer?.width) note("dealer", (dealer.left + dealer.right) / 2, dealer.top + scrollY);
        const bar = document.querySelector(".next").getBoundingClientRect(); note("bar", bar.top, bar.bottom);
    };
    setInterval(look, 50);
}"""
#: Things with more than one place, each place with the step at which it was first seen there.
MOVED = "() => Object.fromEntries(Object.entries(window.places).filter(([, places]) => Object.keys(places).length > 1))"
#: What a notice lies over, that may be touched or stands on a seat. (A phone's list goes on beneath the strip itself.)
UNDER_NOTICES = """() => {
    const strip = document.querySelector(".strip").getBoundingClientRect();
    const over = (a, b, bottom) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < bottom - 1 && b.top < a.bottom - 1;
    const seen = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility()).map((each) => [each, each.getBoundingClientRect()]);
    const notices = seen(".notices > *");
    const under = [...seen(".seat, .deck button, .dealer").map(([each, at]) => [each, at, Math.min(at.bottom, strip.top)]), ...seen(".next button, .next summary").map(([each, at]) => [each, at, at.bottom])];
    return under.filter(([, at, bottom]) => notices.some(([, notice]) => over(notice, at, bottom))).map(([each]) => each.dataset.seat || each.textContent.trim());
}"""


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """The bank is offered, after two rounds of seat 3; one player has a long name."""
    cast = running_cast()
    for _ in range(2):
        cast.send(round_record, "dealer", sheet=sheet({1: 2000, 4: 2500, 5: 1000, 7: 10000}))
    cast.players[4].name = "Maria-Guadalupe Villanueva-Ochoa"
    cast.players[4].save()
    return cast


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']}x{size['height']}")
def test_nothing_that_may_be_touched_moves_in_a_whole_round(
    cast: Cast, page: Page, size: ViewportSize, screen: Screen
) -> None:
    page.set_viewport_size(size)
    screen.open(cast.table, held=True)
    page.evaluate("document.fonts.ready")
    screen.wait_for("offer")
    screen.wait_until_rested()
    page.evaluate(NOTING)
    page.locator("#all-declined").click()
    screen.ahead("ready")
    screen.answered("ready")
    screen.press_ahead("Bank wagers $200", "betting")
    screen.answered("betting")
    screen.type("4 20+1 5 5")
    screen.type("7 nonsense")
    cast.send(bets_place, "floor", positions=[{"seat": 6, "wagers": {"ante": 500}}])
    expect(page.locator("#connection-news")).to_be_visible()
    assert page.evaluate(UNDER_NOTICES) == []
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("#connection-news")).to_have_count(0)
    screen.touch_spot("5-ante", "25")
    page.locator("#panel-5 [data-close]").click()
    expect(page.locator("#close-bets")).to_contain_text("drop $7")
    screen.press_ahead("No more bets", "dropped")
    page.wait_for_timeout(120)
    screen.answered("dropped")
    screen.wait_until_rested()
    screen.touch_cards("Kh")
    screen.ahead("cards")
    page.wait_for_timeout(120)
    screen.answered("cards")
    screen.type_hands()
    screen.take("Settle")
    screen.answered("settlement")
    page.get_by_role("button", name="Step through").click()
    page.get_by_role("button", name="Next line").click()
    page.get_by_role("button", name="All", exact=True).click()
    page.wait_for_timeout(120)
    moved = page.evaluate(MOVED)
    assert not moved, moved


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']}x{size['height']}")
def test_notices_lie_over_nothing_and_catch_no_touch(
    cast: Cast, page: Page, size: ViewportSize, screen: Screen
) -> None:
    """A refusal with all that was typed, a confirmation, and one after the table has changed."""
    page.set_viewport_size(size)
    screen.open(cast.table, "offer")
    seats = "() => [...document.querySelectorAll('.seat')].map((seat) => JSON.stringify(seat.getBoundingClientRect()))"
    before = page.evaluate(seats)
    page.evaluate(
        """async () => {
            const { note } = await import(document.querySelector("script[src*=seats]").src.replace(/seats[^/]*$/, "screen.js"));
            note("long", "The server failed to record “No more bets” (error 500). It is kept on this tablet and sent again by itself. ".repeat(3), { label: "Send now", press: () => {} }, { label: "Decide", press: () => {} });
        }"""
    )
    expect(page.locator("#long")).to_be_visible()
    assert page.evaluate(UNDER_NOTICES) == []
    assert page.evaluate(seats) == before
    page.locator("#long [data-dismiss]").click()
    expect(page.locator("#long")).to_have_count(0)
