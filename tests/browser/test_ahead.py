"""A command shows before the server has answered, by the same rules as offline; the answer confirms it or takes it back."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.bank import turn_end
from cardroom.floor.commands.rounds import bets_close, round_deal, round_open, round_record
from cardroom.floor.models import JournalEntry, Round
from tests.browser.table import (
    hands_in_order,
    next_step,
    open_table,
    type_line,
    wait_for_phase,
    wait_for_settlement,
    wait_until_rested,
)
from tests.cast import Cast, running_cast, sheet

pytestmark = pytest.mark.outside

#: No command is sent before the test lets it go (`answered`): what the page shows until then, it shows without the server. The
#: page notes in milliseconds how long after a touch its screen shows another phase.
HELD = """
    const send = window.fetch, waiting = [];
    let held = true;
    window.hold = (now) => { held = now; if (!held) waiting.splice(0).forEach((go) => go()); };
    window.fetch = async (address, ...more) => {
        if (held && String(address).includes("/commands/")) await new Promise((resolve) => waiting.push(resolve));
        return send(address, ...more);
    };
    window.shown = [];
    let touchedAt = 0, phase = "";
    addEventListener("click", (event) => { touchedAt = event.timeStamp; }, true);
    const look = () => {
        const now = document.getElementById("screen")?.dataset.phase || "";
        if (phase && now !== phase) requestAnimationFrame(() => window.shown.push([now, performance.now() - touchedAt]));
        phase = now;
    };
    document.addEventListener("DOMContentLoaded", () => {
        look();
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-phase"] });
    });
"""
#: Milliseconds. 100 is what a person takes for at once, and 40 to 66 is what the page takes where nothing else runs; beside
#: another process on the same core its share of the processor doubles. By the clock it takes longer then.
MOST_WORK, LATE = 200, 800


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Table 7 with seven players after a round of seat 3, which two of them played."""
    cast = running_cast()
    cast.send(round_record, "dealer", sheet=sheet({1: 2000, 4: 2500}))
    return cast


@pytest.fixture
def offered(cast: Cast) -> Cast:
    """The same after a second round: the bank is offered."""
    cast.send(round_record, "dealer", sheet=sheet({1: 2000, 4: 2500}))
    return cast


def ahead(page: Page, phase: str) -> None:
    """Wait until the page shows `phase` without the server's word."""
    expect(page.locator(f"#screen[data-phase={phase}][data-ahead]")).to_be_visible()


def answered(page: Page, phase: str) -> None:
    """Let the server answer, wait until the page shows `phase` by its word, and hold what is sent from then on."""
    page.evaluate("hold(false)")
    wait_for_phase(page, phase)
    page.evaluate("hold(true)")


def test_every_step_of_a_round_shows_at_once_before_the_server_has_answered(
    offered: Cast, live_server: Any, page: Page
) -> None:
    """Each takes little of the processor."""
    page.add_init_script(HELD)
    open_table(page, live_server, offered.table)
    wait_for_phase(page, "offer")
    wait_until_rested(page)
    worked = Worked(page)
    page.get_by_role("button", name="All declined seat 3 banks again").click()
    ahead(page, "ready")
    worked.note("ready")
    expect(
        page.locator("#screen[data-settlement] .seat[data-seat='4'] .seat-moves")
    ).to_be_visible()  # still to be paid
    answered(page, "ready")
    bank = next_step(page, "Bank wagers $200")
    worked.begin()
    bank.click()
    ahead(page, "betting")
    worked.note("betting")
    expect(page.locator("[data-bet=wagers-4-ante]")).to_contain_text("$25")
    assert not Round.objects.filter(state="betting").exists()
    answered(page, "betting")
    close = next_step(page, "No more bets · drop $3")
    worked.begin()
    close.click()
    ahead(page, "dropped")
    worked.note("dropped")
    deck = page.locator(".deck [data-card=Kh]")
    drawn = deck.bounding_box()
    answered(page, "dropped")
    wait_until_rested(page)
    confirmed = deck.bounding_box()
    assert drawn is not None
    assert confirmed is not None
    assert confirmed["x"] == drawn["x"]
    assert abs(confirmed["y"] - drawn["y"]) < 5  # nothing moves under a finger when the answer comes
    worked.begin()
    deck.click()
    ahead(page, "cards")
    worked.note("cards")
    answered(page, "cards")
    took = dict(page.evaluate("window.shown"))
    assert list(took) == list(worked.ms) == ["ready", "betting", "dropped", "cards"]
    assert all(ms < MOST_WORK for ms in worked.ms.values()), worked.ms
    assert all(0 < took[phase] < LATE for phase in took), took
    assert Round.objects.latest("id").shown_card == "Kh"


class Worked:
    """Milliseconds for which the page has kept the processor busy, by the phase that it came to."""

    def __init__(self, page: Page) -> None:
        self.cdp = page.context.new_cdp_session(page)
        self.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.ms: dict[str, float] = {}
        self.begin()

    def begin(self) -> None:
        self.since = self._now()

    def note(self, phase: str) -> None:
        self.ms[phase] = self._now() - self.since

    def _now(self) -> float:
        metrics = self.cdp.send("Performance.getMetrics")["metrics"]
        return 1000 * next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


def press_ahead(page: Page, text: str) -> None:
    """Press the next step once it has rested, whatever the server has said."""
    expect(page.locator("#screen:not([data-resting])")).to_be_visible()
    page.locator("[data-next]", has_text=text).click()


def test_a_dealer_does_not_wait_for_the_server(offered: Cast, live_server: Any, page: Page) -> None:
    """Four commands are given before the first is answered; each is recorded, in order, with its own entry."""
    page.add_init_script(HELD)
    open_table(page, live_server, offered.table)
    wait_until_rested(page)
    type_line(page, "all n")
    ahead(page, "ready")
    press_ahead(page, "Bank wagers $200")
    ahead(page, "betting")
    type_line(page, "4 50 5")
    expect(page.locator("#close-bets")).to_contain_text("drop $3")
    type_line(page, "nmb")
    ahead(page, "dropped")
    press_ahead(page, "Deal")
    ahead(page, "cards")
    answered(page, "cards")
    expect(page.locator("#connection")).to_have_attribute("data-connection", "live")
    commands = (
        JournalEntry.objects.filter(table=offered.table)
        .order_by("-seq")
        .values_list("command", flat=True)[:5]
    )
    assert list(commands) == ["round_deal", "bets_close", "bets_place", "bets_repeat", "round_open"]
    assert Round.objects.latest("id").bets[1]["wagers"] == {"ante": 5000, "pair_plus": 500}


def test_what_is_entered_meanwhile_outlives_the_answer(cast: Cast, live_server: Any, page: Page) -> None:
    """The open panel, its target and the figures that were touched go on when the server's own screen comes."""
    page.add_init_script(HELD)
    open_table(page, live_server, cast.table)
    next_step(page, "Bank wagers $200").click()
    ahead(page, "betting")
    page.locator("[data-spot='wagers-5-ante']").click()
    page.locator("#panel-5 [data-key='3']").click()
    answered(page, "betting")
    expect(page.locator("#panel-5")).to_be_visible()
    page.locator("#panel-5 [data-key='0']").click()
    expect(page.locator("[data-bet=wagers-5-ante]")).to_contain_text("$30")
    expect(page.locator("#close-bets")).to_contain_text("drop $4")


def test_a_half_typed_line_outlives_the_answer(cast: Cast, live_server: Any, page: Page) -> None:
    page.add_init_script(HELD)
    open_table(page, live_server, cast.table)
    wait_until_rested(page)
    type_line(page, "200")
    ahead(page, "betting")
    page.keyboard.type("5 3")
    answered(page, "betting")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(page.locator("[data-bet=wagers-5-ante]")).to_contain_text("$30")


def test_a_finger_that_is_down_when_the_answer_comes_still_presses(
    cast: Cast, live_server: Any, page: Page
) -> None:
    page.add_init_script(HELD)
    open_table(page, live_server, cast.table)
    next_step(page, "Bank wagers $200").click()
    ahead(page, "betting")
    page.locator("[data-spot='wagers-5-ante']").click()
    at = page.locator("#panel-5 [data-add='25']").bounding_box()
    assert at is not None
    page.mouse.move(at["x"] + 10, at["y"] + 10)
    page.mouse.down()
    with page.expect_response("**/commands/bank/") as answer:
        page.evaluate("hold(false)")
    answer.value.finished()
    page.wait_for_timeout(300)  # for the page to show it, if it would
    expect(page.locator("#screen[data-ahead]")).to_be_visible()
    page.mouse.up()
    wait_for_phase(page, "betting")
    expect(page.locator("[data-bet=wagers-5-ante]")).to_contain_text("$25")


def test_a_refusal_takes_the_page_back_with_what_was_typed(cast: Cast, live_server: Any, page: Page) -> None:
    """The tablet knows no more than its page did; meanwhile the bank has given up its turn."""
    page.add_init_script(HELD)
    open_table(page, live_server, cast.table)
    wait_until_rested(page)
    page.route("**/commands/bank/", lambda route: (cast.send(turn_end, "floor"), route.continue_()))
    type_line(page, "350")
    ahead(page, "betting")
    answered(page, "offer")
    refusal = page.locator(".notices [role=alert]")
    expect(refusal).to_contain_text("Someone else updated")
    expect(refusal).to_contain_text("350")
    assert not Round.objects.filter(state="betting").exists()
    assert page.locator("#connection").get_attribute("data-connection") == "live"


def test_a_settlement_is_never_shown_before_the_server_has_made_it(
    cast: Cast, live_server: Any, page: Page
) -> None:
    cast.send(round_open, "dealer", bank_wager_cents=20000, repeat_bets=True)
    cast.send(bets_close, "dealer")
    cast.send(round_deal, "dealer")
    page.add_init_script(HELD)
    open_table(page, live_server, cast.table)
    for _, hand in hands_in_order(page):
        type_line(page, hand)
    next_step(page, "Settle").click()
    expect(page.locator("#screen[data-phase=cards][aria-busy=true]:not([data-ahead])")).to_be_visible()
    assert page.locator(".settling, .seat-net").count() == 0
    page.evaluate("hold(false)")
    wait_for_settlement(page)
