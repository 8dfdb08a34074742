"""A command shows before the server has answered, by the same rules as offline; the answer confirms it or takes it back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.bank import turn_end
from cardroom.floor.commands.rounds import round_open, round_record
from cardroom.floor.models import JournalEntry, Round
from tests.browser.play import play_on
from tests.browser.screen import Screen
from tests.cast import Cast, running_cast, sheet

pytestmark = pytest.mark.outside

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


def test_every_step_of_a_round_shows_at_once_before_the_server_has_answered(
    offered: Cast, page: Page, screen: Screen
) -> None:
    """Each takes little of the processor."""
    screen.open(offered.table, "offer", held=True)
    screen.wait_until_rested()
    worked = Worked(page)
    page.get_by_role("button", name="All declined seat 3 banks again").click()
    screen.ahead("ready")
    worked.note("ready")
    still_to_be_paid = page.locator("#screen[data-settlement] .seat[data-seat='4'] .seat-moves")
    expect(still_to_be_paid).to_be_visible()
    screen.answered("ready")
    bank = screen.next_step("Bank wagers $200")
    worked.begin()
    bank.click()
    screen.ahead("betting")
    worked.note("betting")
    expect(page.locator("[data-bet=wagers-4-ante]")).to_contain_text("$25")
    assert not Round.objects.filter(state="betting").exists()
    screen.answered("betting")
    close = screen.next_step("No more bets · drop $3")
    worked.begin()
    close.click()
    screen.ahead("dropped")
    worked.note("dropped")
    deck = page.locator(".deck [data-card=Kh]")
    drawn = deck.bounding_box()
    screen.answered("dropped")
    screen.wait_until_rested()
    confirmed = deck.bounding_box()
    assert drawn is not None
    assert confirmed is not None
    assert confirmed["x"] == drawn["x"]
    assert abs(confirmed["y"] - drawn["y"]) < 5  # nothing moves under a finger when the answer comes
    worked.begin()
    deck.click()
    screen.ahead("cards")
    worked.note("cards")
    screen.answered("cards")
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


def test_a_dealer_does_not_wait_for_the_server(offered: Cast, page: Page, screen: Screen) -> None:
    """Four commands are given before the first is answered; each is recorded, in order, with its own entry."""
    screen.open(offered.table, held=True)
    screen.wait_until_rested()
    screen.type("all n")
    screen.ahead("ready")
    screen.press_ahead("Bank wagers $200", "betting")
    screen.type("4 50 5")
    expect(page.locator("#close-bets")).to_contain_text("drop $3")
    screen.type("nmb")
    screen.ahead("dropped")
    screen.press_ahead("Deal", "cards")
    screen.answered("cards")
    expect(page.locator("#connection")).to_have_attribute("data-connection", "live")
    commands = (
        JournalEntry.objects.filter(table=offered.table).order_by("-seq").values_list("command", flat=True)
    )
    assert list(commands[:5]) == ["round_deal", "bets_close", "bets_place", "bets_repeat", "round_open"]
    assert Round.objects.latest("id").bets[1]["wagers"] == {"ante": 5000, "pair_plus": 500}


def test_what_is_entered_meanwhile_outlives_the_answer(cast: Cast, page: Page, screen: Screen) -> None:
    """The open panel, its target and the figures that were touched go on when the server's own screen comes."""
    screen.open(cast.table, held=True)
    screen.press_ahead("Bank wagers $200", "betting")
    screen.touch_spot("5-ante")
    page.locator("#panel-5 [data-key='3']").click()
    screen.answered("betting")
    expect(page.locator("#panel-5")).to_be_visible()
    page.locator("#panel-5 [data-key='0']").click()
    expect(page.locator("[data-bet=wagers-5-ante]")).to_contain_text("$30")
    expect(page.locator("#close-bets")).to_contain_text("drop $4")


def test_a_half_typed_line_outlives_the_answer(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table, held=True)
    screen.wait_until_rested()
    screen.type("200")
    screen.ahead("betting")
    page.keyboard.type("5 3")
    screen.answered("betting")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(page.locator("[data-bet=wagers-5-ante]")).to_contain_text("$30")


def test_a_finger_that_is_down_when_the_answer_comes_still_presses(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table, held=True)
    screen.press_ahead("Bank wagers $200", "betting")
    screen.touch_spot("5-ante")
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
    screen.wait_for("betting")
    expect(page.locator("[data-bet=wagers-5-ante]")).to_contain_text("$25")


def test_a_refusal_takes_the_page_back_with_what_was_typed(cast: Cast, page: Page, screen: Screen) -> None:
    """The tablet knows no more than its page did; meanwhile the bank has given up its turn."""
    screen.open(cast.table, held=True)
    screen.wait_until_rested()
    page.route("**/commands/bank/", lambda route: (cast.send(turn_end, "floor"), route.continue_()))
    screen.type("350")
    screen.ahead("betting")
    screen.answered("offer")
    refusal = page.locator(".notices [role=alert]")
    expect(refusal).to_contain_text("Someone else updated")
    expect(refusal).to_contain_text("350")
    assert not Round.objects.filter(state="betting").exists()
    assert page.locator("#connection").get_attribute("data-connection") == "live"


def test_a_settlement_is_never_shown_before_the_server_has_made_it(
    cast: Cast, page: Page, screen: Screen
) -> None:
    cast.send(round_open, bank_wager_cents=20000, repeat_bets=True)
    play_on(cast, "cards")
    screen.open(cast.table, held=True)
    screen.type_hands()
    screen.take("Settle")
    expect(page.locator("#screen[data-phase=cards][aria-busy=true]:not([data-ahead])")).to_be_visible()
    assert page.locator(".settling, .seat-net").count() == 0
    screen.answered("settlement")
