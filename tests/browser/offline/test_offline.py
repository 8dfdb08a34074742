"""The table screen without its line: it goes on, and what was given comes to the server in order, once."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from cardroom.floor.commands.rounds import bank_wager_set, round_open, round_record
from cardroom.floor.models import JournalEntry, Offer, OfflineEntry, Round, StoredAnswer, Table, Turn
from tests.browser.play import antes_of
from tests.browser.screen import Screen, give_password
from tests.cast import Cast, sheet

pytestmark = pytest.mark.outside

#: A tablet whose clock is an hour slow.
SLOW_CLOCK = """
const Real = Date, late = 3600000;
globalThis.Date = class extends Real {
  constructor(...given) { given.length ? super(...given) : super(Real.now() - late); }
  static now() { return Real.now() - late; }
};
"""


def test_what_was_given_offline_keeps_its_own_moment_by_the_servers_clock(
    cast: Cast, page: Page, screen: Screen
) -> None:
    page.add_init_script(SLOW_CLOCK)
    screen.open(cast.table, "ready")
    screen.type("200", "betting")  # online: the tablet's clock is measured by the answer
    screen.expect_connection("live", "live")
    assert not OfflineEntry.objects.exists()
    screen.cut()
    began = timezone.now()
    screen.type("4 20")
    screen.take("No more bets · drop $2", "dropped")
    ended = timezone.now()
    screen.mend()
    screen.expect_connection("live", "live")
    entries = OfflineEntry.objects.order_by("pk")
    assert [entry.command for entry in entries] == ["bets_place", "bets_close"]
    second = datetime.timedelta(seconds=2)
    for entry in entries:
        assert entry.offset_ms is not None and abs(entry.offset_ms - 3_600_000) < 2000
        assert began - second < entry.given_at < ended + second and entry.given_at <= entry.taken_at
        assert entry.screen and entry.given_by == cast.people["dealer"]


def test_two_rounds_played_offline_reach_the_server_in_order_and_once(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table, "ready")
    before = Table.objects.get(pk=cast.table.pk).version
    screen.cut()
    screen.type("200")
    screen.expect_connection("pending", "1 waiting")
    screen.bet_and_close({1: "20 5 0", 2: "10", 4: "75+2"}, "$5")
    screen.deal_and_settle()
    expect(page.get_by_text("Settle by the felt")).to_be_visible()
    # The second round: the same bank, the same wagers but for seat 2, which sits out.
    screen.wait_for("ready")
    screen.take("Bank wagers $200")
    screen.bet_and_close({2: "out"}, "$3")
    screen.deal_and_settle()
    # After two rounds the bank is offered clockwise; seat 4 declines and seat 5 takes it.
    expect(page.get_by_text("Offer the bank to seat 4 · Dee")).to_be_visible()
    screen.wait_until_rested()
    page.get_by_role("button", name="Declined", exact=True).click()
    screen.take("Accepted: seat 5 banks", "ready")
    screen.expect_connection("pending", "10 waiting")
    assert Round.objects.count() == 0

    screen.mend()
    screen.expect_connection("live", "live")
    expect(page.get_by_text("10 entries sent and recorded")).to_be_visible()
    screen.wait_for("ready")
    first, second = Round.objects.order_by("pk")
    assert [first.state, second.state] == [Round.State.SETTLED] * 2
    assert antes_of(first) == {1: 2000, 2: 1000, 4: 7500}
    assert first.bets[2]["tips"] == {"ante": 200}
    assert antes_of(second) == {1: 2000, 4: 7500}
    assert [
        first.player_fees_cents + first.bank_fee_cents,
        second.player_fees_cents + second.bank_fee_cents,
    ] == [500, 300]
    assert list(Offer.objects.order_by("-pk").values_list("seat", "answer")[:2]) == [
        (5, "accepted"),
        (4, "declined"),
    ]
    assert cast.state().turn.seat == 5  # type: ignore[union-attr]
    # Each command once: twelve of them, for "no more bets" placed changed wagers first, both times.
    assert Table.objects.get(pk=cast.table.pk).version == before + 12
    assert StoredAnswer.objects.filter(actor=cast.people["dealer"]).values("key").distinct().count() >= 12
    assert screen.waiting() == 0


def test_answers_that_are_lost_on_their_way_back_leave_nothing_done_twice(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table)
    lost: list[str] = []

    def lose_the_answer(route: Route) -> None:
        route.fetch(max_redirects=0)  # the server has it, and has written it down
        lost.append(route.request.url)
        route.abort()

    page.route("**/commands/bank/", lose_the_answer, times=2)
    screen.type("200", "betting")
    screen.expect_connection("live", "live")
    assert len(lost) == 2
    assert Round.objects.count() == 1
    assert JournalEntry.objects.filter(command="round_open").count() == 1
    screen.bet_and_close({1: "20"}, "$2")
    screen.expect_connection("live", "live")
    assert antes_of(Round.objects.get()) == {1: 2000}


def test_a_tablet_closed_in_mid_round_opens_again_where_it_was(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table)
    wait_until_kept(page)
    screen.cut()
    screen.type("200")
    screen.bet_and_close({1: "20", 2: "10"}, "$3")
    screen.take("Deal", "cards")
    screen.type("ah qd 2c")

    page.reload()
    screen.wait_for("cards")
    screen.expect_connection("pending", "3 waiting")
    context = page.context
    page.close()
    again = context.new_page()
    again.goto(f"/tables/{cast.table.pk}/")
    reopened = Screen(again)
    reopened.wait_for("cards")
    reopened.expect_connection("pending", "3 waiting")
    expect(again.locator("input[name=hand-1]")).to_have_value("Ah Qd 2c")
    reopened.mend()
    reopened.expect_connection("live", "live")
    reopened.wait_for("cards")
    expect(again.locator("input[name=hand-1]")).to_have_value("Ah Qd 2c")
    assert antes_of(Round.objects.get()) == {1: 2000, 2: 1000}


def test_two_tabs_show_the_same_and_one_of_them_sends(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table)
    other = Screen(page.context.new_page())
    other.page.goto(page.url)
    other.wait_for("ready")
    screen.cut()
    expect(other.page.locator("#connection")).to_have_attribute("data-connection", "lost")
    screen.type("200")
    other.wait_for("betting")
    other.expect_connection("pending", "1 waiting")
    other.bet_and_close({1: "20"}, "$2")
    screen.wait_for("dropped")
    screen.expect_connection("pending", "2 waiting")
    version = Table.objects.get(pk=cast.table.pk).version
    screen.mend()
    for tab in (screen, other):
        tab.expect_connection("live", "live")
        tab.wait_for("dropped")
    assert Table.objects.get(pk=cast.table.pk).version == version + 3
    assert Round.objects.count() == 1


def test_commands_outlive_the_session_and_are_sent_by_nobody_else(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table)
    screen.cut()
    screen.type("200")
    screen.expect_connection("pending", "1 waiting")
    page.context.clear_cookies(name="sessionid")
    screen.mend()
    page.get_by_role("link", name="sign in to send 1 entry").click()
    give_password(page, "floor")
    page.wait_for_url("**/tables/*/")
    expect(page.locator("#conflict")).to_contain_text("Dealer gave this and is not signed in here")
    expect(page.get_by_role("button", name="Send it again on the present state")).to_be_hidden()
    assert Round.objects.count() == 0
    page.get_by_role("button", name="Look at the table first").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/accounts/login/")
    page.goto(f"/accounts/login/?next=/tables/{cast.table.pk}/")
    give_password(page, "dealer")
    page.wait_for_url("**/tables/*/")
    screen.expect_connection("live", "live")
    screen.wait_for("betting")
    assert Round.objects.get().bank_wager_cents == 20000


def test_signing_out_leaves_no_page_of_a_table_behind(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table)
    wait_until_kept(page)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/accounts/login/")
    wait_in_page(page, "!(await caches.has('tables'))")


def test_what_another_device_does_shows_by_itself_unless_somebody_types(
    cast: Cast, page: Page, screen: Screen
) -> None:
    screen.open(cast.table)
    cast.send(round_open, "floor", bank_wager_cents=25000)
    screen.wait_for("betting")
    screen.type("1 20")
    cast.send(bank_wager_set, "floor", bank_wager_cents=30000)
    expect(page.get_by_text("The table has changed.")).to_be_visible()
    expect(page.locator("input[name=wagers-1-ante]")).to_have_value("20")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator(".centre .bank-wager")).to_have_text("$300")


def test_what_cannot_wait_says_so(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table)
    screen.cut()
    screen.touch_seat(5)
    page.get_by_role("button", name="Eve leaves").click(force=True)  # greyed, and touched all the same
    expect(page.locator(".why-note")).to_contain_text("Not available offline")
    screen.mend()
    screen.expect_connection("live", "live")
    page.get_by_role("button", name="Eve leaves").click()
    expect(page.locator(".seat[data-seat='5']")).to_contain_text("empty")


def test_offline_everybody_declines_in_one_touch_and_the_server_records_each_answer(
    cast: Cast, page: Page, screen: Screen
) -> None:
    for _ in range(2):
        cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
    screen.open(cast.table, "offer")
    screen.cut()
    screen.wait_until_rested()
    page.get_by_role("button", name="Declined", exact=True).click()
    expect(page.get_by_text("Offer the bank to seat 5 · Eve")).to_be_visible()
    screen.touch_seat(7)
    expect(page.locator("#panel-7 .takes button")).to_have_text("✓ Seats 5, 6 declined·seat 7 banks")
    screen.touch_seat(6)
    expect(page.locator("#panel-6 .takes button")).to_have_text("✓ Seat 5 declined·seat 6 banks")
    screen.wait_until_rested()
    page.get_by_role("button", name="All declined seat 3 banks again").click()
    screen.wait_for("ready")
    expect(page.locator(".settling")).to_be_visible()  # the settlement stays until the next wagers
    screen.take("Bank wagers $200", "betting")
    screen.take("No more bets · drop $2", "dropped")
    expect(page.locator(".deals")).to_contain_text("exposed card records the deal")
    screen.wait_until_rested()
    screen.touch_cards("Kh")  # the card that the bank shows: it records the deal
    screen.wait_for("cards")
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "4")
    screen.expect_connection("pending", "6 waiting")
    screen.mend()
    screen.expect_connection("live", "live")
    round_ = Round.objects.latest("pk")
    assert (round_.shown_card, round_.dealt_at is None) == ("Kh", False)
    declined = Offer.objects.order_by("-pk").values_list("seat", "answer")[:6]
    assert list(declined) == [(seat, "declined") for seat in (2, 1, 7, 6, 5, 4)]
    turn = Turn.objects.get(ended_at__isnull=True)
    assert (turn.seat, turn.renewed, round_.turn) == (3, True, turn)


def wait_until_kept(page: Page) -> None:
    """Wait until the service worker is in charge and has kept the table's page."""
    wait_in_page(
        page,
        "navigator.serviceWorker.controller && (await (await caches.open('tables')).keys()).length === 1",
    )


def wait_in_page(page: Page, condition: str) -> None:
    """Wait until `condition` holds in the page, whose policy lets nobody evaluate text there again and again."""
    page.evaluate(
        "() => new Promise((resolve) => { const look = async () => "
        f"(({condition}) ? resolve() : setTimeout(look, 50)); look(); }})"
    )
