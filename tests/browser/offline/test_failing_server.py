"""What is no answer of the product's takes no command out of a tablet's queue: it is kept, shown, and sent again."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from cardroom.floor.commands import rounds
from cardroom.floor.commands.rounds import round_open
from cardroom.floor.models import JournalEntry, Round
from tests.browser.screen import Screen, sign
from tests.cast import Cast

pytestmark = pytest.mark.outside

COMMAND = "**/commands/bank/"


def answer_with(page: Page, address: str, times: int, **answer: Any) -> list[float]:
    """Answer the next `times` requests for `address` with something else; return when each came."""
    came: list[float] = []

    def instead(route: Route) -> None:
        came.append(time.monotonic())
        if len(came) <= times:
            route.fulfill(**answer)
        else:
            route.continue_()

    page.route(address, instead)
    return came


def pauses(page: Page) -> list[float]:
    """Seconds from each answer to the next request for the command, by the page's own clock: this process may be late."""
    found: list[float] = page.evaluate(
        """() => {
            const sent = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/commands/bank/"));
            return sent.slice(1).map((entry, at) => (entry.startTime - sent[at].responseEnd) / 1000);
        }"""
    )
    return found


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 500, "content_type": "text/html", "body": "<h1>Something went wrong</h1>"},
        {"status": 500, "content_type": "application/json", "body": '{"error": {"code": "x"}}'},
        {"status": 502, "content_type": "text/html", "body": "<h1>Bad Gateway</h1>"},
        {"status": 403, "content_type": "text/html", "body": "<h1>This form has lost its token</h1>"},
        {"status": 404, "content_type": "text/html", "body": "<h1>404 of some proxy</h1>"},
        {"status": 429, "content_type": "text/html", "body": "<h1>Too many requests</h1>"},
        {"status": 200, "content_type": "text/html", "body": "<h1>Welcome to the guest network</h1>"},
    ],
    ids=["500", "500-json", "502", "403-csrf", "404-proxy", "429", "200-portal"],
)
def test_a_command_stays_until_the_product_itself_has_answered(
    answer: dict[str, Any], cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table, "ready")
    came = answer_with(page, COMMAND, 2, **answer)
    screen.type("200")
    screen.expect_connection("pending", "server error · 1 waiting")
    expect(page.locator("#connection-failed")).to_contain_text(f"error {answer['status']}")
    assert screen.waiting() == 1
    assert Round.objects.count() == 0
    # The felt goes on meanwhile, and the command is sent again by itself.
    screen.wait_for("betting")
    screen.expect_all_sent()
    assert Round.objects.get().bank_wager_cents == 20000
    assert JournalEntry.objects.filter(command="round_open").count() == 1
    assert len(came) == 3
    first, second = pauses(page)
    # 1 s and 2 s: the timer of a busy machine may be late, and never early.
    assert first >= 0.9
    assert second >= 1.9


def test_a_server_that_is_away_says_when_it_will_be_asked_again(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table, "ready")
    came = answer_with(page, COMMAND, 1, status=503, headers={"Retry-After": "5"}, body="away")
    screen.type("200")
    screen.expect_connection("pending", "1 waiting")
    screen.expect_connection("live", "live")
    assert Round.objects.count() == 1
    assert came[1] - came[0] >= 4.9


def test_a_command_that_the_server_fails_on_can_be_hurried_and_decided_on(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table, "ready")
    came = answer_with(page, COMMAND, 3, status=503, headers={"Retry-After": "120"}, body="away")
    screen.type("200")
    screen.expect_connection("pending", "server error · 1 waiting")
    with page.expect_response(COMMAND):
        page.get_by_role("button", name="Send now").click()
    page.get_by_role("button", name="Decide…").click()
    panel = page.locator("#conflict")
    expect(panel).to_contain_text("it is recorded once")
    panel.get_by_label("Or set it aside").fill("Written on paper")
    panel.get_by_role("button", name="Set aside").click()
    screen.expect_all_sent()
    assert len(came) == 2
    assert (
        JournalEntry.objects.get(command="commands_set_aside").data["commands"][0]["title"]
        == "Bank wagers $200"
    )
    assert Round.objects.count() == 0


def test_a_press_that_got_as_far_as_the_wagers_goes_on_to_no_more_bets(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, screen: Screen
) -> None:
    """The server dies between the wagers and the close: sent again, the same press closes the bets."""
    screen.open(cast.table)
    screen.type("200", "betting")
    close = rounds.bets_close.carry_out
    failed: list[bool] = []

    def fail_once(*args: Any, **kwargs: Any) -> Any:
        if not failed:
            failed.append(True)
            raise RuntimeError("the disk is full")
        return close(*args, **kwargs)

    monkeypatch.setattr(rounds.bets_close, "carry_out", fail_once)
    screen.type("1 20")
    screen.take("No more bets · drop $2")
    screen.expect_connection("pending", "server error · 1 waiting")
    screen.expect_connection("live", "live")
    screen.wait_for("dropped")
    round_ = Round.objects.get()
    assert round_.state == Round.State.BETS_CLOSED
    assert JournalEntry.objects.filter(command="bets_place").count() == 1
    assert failed
    assert screen.waiting() == 0


def test_a_lost_token_is_fetched_again_and_nothing_is_lost(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table, "ready")
    page.context.clear_cookies(name="csrftoken")
    screen.type("200", "betting")
    screen.expect_connection("live", "live")
    assert Round.objects.get().bank_wager_cents == 20000


def test_a_signed_command_that_fails_keeps_its_form_for_another_press(
    cast: Cast, page: Page, screen: Screen
) -> None:
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    screen.open(cast.table, "betting")
    came = answer_with(page, "**/commands/void/", 1, status=500, body="down")
    page.locator("summary", has_text="More").click()
    page.locator("#command-void > summary").click()
    form = page.locator("#command-void form")
    form.get_by_label("In your words").fill("Cards on the floor")
    form.get_by_role("button").click()
    sign(page, "floor")
    expect(page.locator("#signing .kept")).to_contain_text("Sign again")
    expect(page.locator("#connection-note")).to_contain_text("press again")
    expect(form.get_by_label("In your words")).to_have_value("Cards on the floor")
    screen.expect_connection("live", "live")
    sign(page, "floor")
    expect(page.locator("#signing")).not_to_be_visible()
    screen.wait_for("ready")
    assert Round.objects.get().void_reason == "Cards on the floor"
    assert len(came) == 2
