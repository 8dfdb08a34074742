"""The table screen without its line: it goes on, and what was given comes to the server in order, once."""

from __future__ import annotations

import dataclasses
import datetime
import random
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from cardroom.floor.commands.rounds import bank_wager_set, round_open, round_record
from cardroom.floor.models import Alert, JournalEntry, Offer, OfflineEntry, Round, StoredAnswer, Table, Turn
from cardroom.web.table.offline_state import schedule_of
from fees.errors import FeeError
from fees.quote import Ante, quote
from fees.rates import Schedule
from tests.browser.axe import faults
from tests.browser.table import (
    hands_in_order,
    next_step,
    open_table,
    press,
    touch_seat,
    type_line,
    wait_for_phase,
    wait_until_rested,
)
from tests.cast import PASSWORD, Cast, running_cast, sheet
from tests.fees import documents

pytestmark = pytest.mark.outside

#: Milliseconds for many commands, one after the other, on a machine that does other things besides.
PATIENCE_MS = 60_000


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Table 7 with seven players; seat 3 has taken the bank and has not wagered yet."""
    return running_cast()


def cut(page: Page) -> None:
    """Cut the tablet off from the server."""
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_have_attribute("data-connection", "lost")


def mend(page: Page) -> None:
    """Let the tablet reach the server again."""
    page.context.set_offline(False)


def expect_connection(page: Page, state: str, text: str) -> None:
    expect(page.locator("#connection")).to_have_attribute("data-connection", state, timeout=PATIENCE_MS)
    expect(page.locator("#connection .text")).to_contain_text(text)


def bet_and_close(page: Page, bets: dict[int, str], drop: str) -> None:
    wait_for_phase(page, "betting")
    for seat, amounts in bets.items():
        type_line(page, f"{seat} {amounts}")
    next_step(page, f"No more bets · drop {drop}").click()
    wait_for_phase(page, "dropped")


def deal_and_settle(page: Page) -> None:
    next_step(page, "Deal").click()
    wait_for_phase(page, "cards")
    for _, hand in hands_in_order(page):
        type_line(page, hand.lower())
    press(page, "Settle")


#: A tablet whose clock is an hour slow.
SLOW_CLOCK = """
const Real = Date, late = 3600000;
globalThis.Date = class extends Real {
  constructor(...given) { given.length ? super(...given) : super(Real.now() - late); }
  static now() { return Real.now() - late; }
};
"""


def test_what_was_given_offline_keeps_its_own_moment_by_the_servers_clock(
    cast: Cast, live_server: Any, page: Page
) -> None:
    page.add_init_script(SLOW_CLOCK)
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    type_line(page, "200")  # online: the tablet's clock is measured by the answer
    wait_for_phase(page, "betting")
    expect_connection(page, "live", "live")
    assert not OfflineEntry.objects.exists()
    cut(page)
    began = timezone.now()
    type_line(page, "4 20")
    next_step(page, "No more bets · drop $2").click()
    wait_for_phase(page, "dropped")
    ended = timezone.now()
    mend(page)
    expect_connection(page, "live", "live")
    entries = OfflineEntry.objects.order_by("pk")
    assert [entry.command for entry in entries] == ["bets_place", "bets_close"]
    second = datetime.timedelta(seconds=2)
    for entry in entries:
        assert entry.offset_ms is not None and abs(entry.offset_ms - 3_600_000) < 2000
        assert began - second < entry.given_at < ended + second and entry.given_at <= entry.taken_at
        assert entry.screen and entry.given_by == cast.people["dealer"]


def test_two_rounds_played_offline_reach_the_server_in_order_and_once(
    cast: Cast, live_server: Any, page: Page
) -> None:
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "ready")
    before = Table.objects.get(pk=cast.table.pk).version
    cut(page)
    type_line(page, "200")
    expect_connection(page, "pending", "1 waiting")
    bet_and_close(page, {1: "20 5 0", 2: "10", 4: "75+2"}, "$5")
    deal_and_settle(page)
    expect(page.get_by_text("Settle by the felt")).to_be_visible()
    # The second round: the same bank, the same wagers but for seat 2, which sits out.
    wait_for_phase(page, "ready")
    next_step(page, "Bank wagers $200").click()
    bet_and_close(page, {2: "out"}, "$3")
    deal_and_settle(page)
    # After two rounds the bank is offered clockwise; seat 4 declines and seat 5 takes it.
    expect(page.get_by_text("Offer the bank to seat 4 · Dee")).to_be_visible()
    wait_until_rested(page)
    page.get_by_role("button", name="Declined", exact=True).click()
    next_step(page, "Accepted: seat 5 banks").click()
    wait_for_phase(page, "ready")
    expect_connection(page, "pending", "10 waiting")
    assert Round.objects.count() == 0

    mend(page)
    expect_connection(page, "live", "live")
    expect(page.get_by_text("10 entries sent and recorded")).to_be_visible()
    wait_for_phase(page, "ready")
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
    assert waiting(page) == 0


def test_answers_that_are_lost_on_their_way_back_leave_nothing_done_twice(
    cast: Cast, live_server: Any, page: Page
) -> None:
    open_table(page, live_server, cast.table)
    lost: list[str] = []

    def lose_the_answer(route: Route) -> None:
        route.fetch(max_redirects=0)  # the server has it, and has written it down
        lost.append(route.request.url)
        route.abort()

    page.route("**/commands/bank/", lose_the_answer, times=2)
    type_line(page, "200")
    wait_for_phase(page, "betting")
    expect_connection(page, "live", "live")
    assert len(lost) == 2
    assert Round.objects.count() == 1
    assert JournalEntry.objects.filter(command="round_open").count() == 1
    bet_and_close(page, {1: "20"}, "$2")
    expect_connection(page, "live", "live")
    assert antes_of(Round.objects.get()) == {1: 2000}


@pytest.fixture
def conflict(cast: Cast, live_server: Any, page: Page) -> Cast:
    """Without a line the dealer has closed bets and dealt, while another device changed the bank's wager to $300."""
    open_table(page, live_server, cast.table)
    type_line(page, "200")
    wait_for_phase(page, "betting")
    cut(page)
    bet_and_close(page, {1: "20", 2: "10"}, "$3")
    next_step(page, "Deal").click()
    wait_for_phase(page, "cards")
    cast.send(bank_wager_set, "floor", bank_wager_cents=30000)
    mend(page)
    panel = page.locator("#conflict")
    expect(panel).to_be_visible()
    expect(page.locator("#connection")).to_have_attribute("data-connection", "conflict")
    expect(panel.get_by_role("heading", name="No more bets · drop $3")).to_be_visible()
    expect(panel).to_contain_text("Someone else updated")
    expect(panel).to_contain_text("$300")
    expect(panel.get_by_role("listitem")).to_have_text(["Deal"])
    return cast


def test_a_conflict_is_sent_again_on_the_present_state(conflict: Cast, page: Page) -> None:
    page.get_by_role("button", name="Send it again on the present state").click()
    expect_connection(page, "live", "live")
    wait_for_phase(page, "cards")
    round_ = Round.objects.get()
    assert (antes_of(round_), round_.bank_wager_cents) == ({1: 2000, 2: 1000}, 30000)
    assert round_.dealt_at is not None
    assert waiting(page) == 0


def test_a_conflict_is_changed_before_it_is_sent(conflict: Cast, page: Page) -> None:
    page.get_by_role("button", name="Change it…").click()
    wait_for_phase(page, "betting")
    expect(page.locator("input[name=wagers-1-ante]")).to_have_value("20")
    type_line(page, "2 15")
    next_step(page, "No more bets · drop $3").click()
    expect_connection(page, "live", "live")
    wait_for_phase(page, "cards")
    assert antes_of(Round.objects.get()) == {1: 2000, 2: 1500}
    assert waiting(page) == 0


def test_a_conflict_stays_until_it_is_set_aside_with_a_reason(conflict: Cast, page: Page) -> None:
    page.get_by_role("button", name="Look at the table first").click()
    wait_for_phase(page, "betting")
    page.reload()
    expect(page.locator("#conflict")).to_be_visible()
    assert waiting(page) == 2
    page.get_by_label("Or set it aside").fill("Played by the floor's sheet")
    page.get_by_role("button", name="Set aside").click()
    expect_connection(page, "live", "live")
    expect(page.locator("#conflict")).to_be_hidden()
    assert waiting(page) == 0
    entry = JournalEntry.objects.get(command="commands_set_aside")
    assert entry.reason == "Played by the floor's sheet"
    assert [command["title"] for command in entry.data["commands"]] == ["No more bets · drop $3", "Deal"]
    alert = Alert.objects.get(kind=Alert.Kind.SYNC_LOST)
    assert "2 entries" in alert.text
    assert alert.waits
    assert Round.objects.get().state == Round.State.BETTING
    bet_and_close(page, {4: "30"}, "$2")  # the table goes on


def test_a_tablet_closed_in_mid_round_opens_again_where_it_was(
    cast: Cast, live_server: Any, page: Page
) -> None:
    open_table(page, live_server, cast.table)
    wait_until_kept(page)
    cut(page)
    type_line(page, "200")
    bet_and_close(page, {1: "20", 2: "10"}, "$3")
    next_step(page, "Deal").click()
    wait_for_phase(page, "cards")
    type_line(page, "ah qd 2c")

    page.reload()
    wait_for_phase(page, "cards")
    expect_connection(page, "pending", "3 waiting")
    context = page.context
    page.close()
    again = context.new_page()
    again.goto(f"{live_server.url}/tables/{cast.table.pk}/")
    wait_for_phase(again, "cards")
    expect_connection(again, "pending", "3 waiting")
    expect(again.locator("input[name=hand-1]")).to_have_value("Ah Qd 2c")
    mend(again)
    expect_connection(again, "live", "live")
    wait_for_phase(again, "cards")
    expect(again.locator("input[name=hand-1]")).to_have_value("Ah Qd 2c")
    assert antes_of(Round.objects.get()) == {1: 2000, 2: 1000}


def test_two_tabs_show_the_same_and_one_of_them_sends(cast: Cast, live_server: Any, page: Page) -> None:
    open_table(page, live_server, cast.table)
    other = page.context.new_page()
    other.goto(page.url)
    wait_for_phase(other, "ready")
    cut(page)
    expect(other.locator("#connection")).to_have_attribute("data-connection", "lost")
    type_line(page, "200")
    wait_for_phase(other, "betting")
    expect_connection(other, "pending", "1 waiting")
    bet_and_close(other, {1: "20"}, "$2")
    wait_for_phase(page, "dropped")
    expect_connection(page, "pending", "2 waiting")
    version = Table.objects.get(pk=cast.table.pk).version
    mend(page)
    for tab in (page, other):
        expect_connection(tab, "live", "live")
        wait_for_phase(tab, "dropped")
    assert Table.objects.get(pk=cast.table.pk).version == version + 3
    assert Round.objects.count() == 1


def test_commands_outlive_the_session_and_are_sent_by_nobody_else(
    cast: Cast, live_server: Any, page: Page
) -> None:
    open_table(page, live_server, cast.table)
    cut(page)
    type_line(page, "200")
    expect_connection(page, "pending", "1 waiting")
    page.context.clear_cookies(name="sessionid")
    mend(page)
    page.get_by_role("link", name="sign in to send 1 entry").click()
    sign_in(page, "floor")
    expect(page.locator("#conflict")).to_contain_text("Dealer gave this and is not signed in here")
    expect(page.get_by_role("button", name="Send it again on the present state")).to_be_hidden()
    assert Round.objects.count() == 0
    page.get_by_role("button", name="Look at the table first").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/accounts/login/")
    page.goto(f"{live_server.url}/accounts/login/?next=/tables/{cast.table.pk}/")
    sign_in(page, "dealer")
    expect_connection(page, "live", "live")
    wait_for_phase(page, "betting")
    assert Round.objects.get().bank_wager_cents == 20000


def sign_in(page: Page, who: str) -> None:
    page.get_by_label("User name").fill(who)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")
    page.wait_for_url("**/tables/*/")


def test_signing_out_leaves_no_page_of_a_table_behind(cast: Cast, live_server: Any, page: Page) -> None:
    open_table(page, live_server, cast.table)
    wait_until_kept(page)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/accounts/login/")
    wait_in_page(page, "!(await caches.has('tables'))")


def test_what_another_device_does_shows_by_itself_unless_somebody_types(
    cast: Cast, live_server: Any, page: Page
) -> None:
    open_table(page, live_server, cast.table)
    cast.send(round_open, "floor", bank_wager_cents=25000)
    wait_for_phase(page, "betting")
    type_line(page, "1 20")
    cast.send(bank_wager_set, "floor", bank_wager_cents=30000)
    expect(page.get_by_text("The table has changed.")).to_be_visible()
    expect(page.locator("input[name=wagers-1-ante]")).to_have_value("20")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator(".centre .bank-wager")).to_have_text("$300")


def test_what_cannot_wait_says_so(cast: Cast, live_server: Any, page: Page) -> None:
    open_table(page, live_server, cast.table)
    cut(page)
    touch_seat(page, 5)
    page.get_by_role("button", name="Eve leaves").click(force=True)  # greyed, and touched all the same
    expect(page.locator(".why-note")).to_contain_text("Not available offline")
    mend(page)
    expect_connection(page, "live", "live")
    page.get_by_role("button", name="Eve leaves").click()
    expect(page.locator(".seat[data-seat='5']")).to_contain_text("empty")


def test_the_felt_without_a_line_and_the_panel_have_no_fault_for_whoever_cannot_see_well(
    conflict: Cast, page: Page
) -> None:
    assert faults(page) == [], "the panel"
    page.get_by_role("button", name="Look at the table first").click()
    page.locator("#connection").get_by_role("button").click()
    page.get_by_label("Or set it aside").fill("Played by the floor's sheet")
    page.get_by_role("button", name="Set aside").click()
    expect_connection(page, "live", "live")
    cut(page)
    type_line(page, "1 20")
    assert faults(page) == [], "betting"
    next_step(page, "No more bets · drop $2").click()
    wait_for_phase(page, "dropped")
    assert faults(page) == [], "dropped"
    next_step(page, "Deal").click()
    wait_for_phase(page, "cards")
    assert faults(page) == [], "cards"
    for _, hand in hands_in_order(page):
        type_line(page, hand.lower())
    press(page, "Settle")
    wait_for_phase(page, "ready")
    assert faults(page) == [], "ready"


#: Both options of the document, and each other way to charge that a schedule may have.
SCHEDULES = [
    documents.schedule(documents.OPTION_1),
    documents.schedule(documents.OPTION_2),
    documents.schedule(
        documents.with_lines(
            documents.own(500, 2500, 50),
            documents.own(2600, None, 150),
            documents.wager("pair_plus", 25),
            documents.bank("round", 300),
        )
    ),
    documents.schedule(documents.with_lines(documents.per_position(100), documents.bank("position", 50))),
    documents.schedule(
        documents.with_lines(
            documents.timed("half_hour", 650),
            documents.bank("round", 50),
            documents.jackpot("player", "wager", 25, wager="pair_plus"),
            documents.jackpot("player", "ante", 75),
            documents.jackpot("bank", "ante", 100),
        )
    ),
]
#: Whose fees of a round are waived, as the page gives the tablet, and by which seats of seven that is.
WAIVED: list[tuple[dict[str, Any] | None, set[int]]] = [
    (None, set()),
    ({"players": True, "places": [], "bank": False}, set(range(1, 7))),
    ({"players": False, "places": ["2"], "bank": True}, {2, 7}),
]


def test_offline_everybody_declines_in_one_touch_and_the_server_records_each_answer(
    cast: Cast, live_server: Any, page: Page
) -> None:
    for _ in range(2):
        cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
    open_table(page, live_server, cast.table)
    wait_for_phase(page, "offer")
    cut(page)
    wait_until_rested(page)
    page.get_by_role("button", name="Declined", exact=True).click()
    expect(page.get_by_text("Offer the bank to seat 5 · Eve")).to_be_visible()
    touch_seat(page, 7)
    expect(page.locator("#panel-7 .takes button")).to_have_text("✓ Seats 5, 6 declined·seat 7 banks")
    touch_seat(page, 6)
    expect(page.locator("#panel-6 .takes button")).to_have_text("✓ Seat 5 declined·seat 6 banks")
    wait_until_rested(page)
    page.get_by_role("button", name="All declined seat 3 banks again").click()
    wait_for_phase(page, "ready")
    expect(page.locator(".settling")).to_be_visible()  # the settlement stays until the next wagers
    next_step(page, "Bank wagers $200").click()
    wait_for_phase(page, "betting")
    next_step(page, "No more bets · drop $2").click()
    wait_for_phase(page, "dropped")
    expect(page.locator(".deals")).to_contain_text("exposed card records the deal")
    wait_until_rested(page)
    page.locator(".deck [data-card=Kh]").click()  # the card that the bank shows: it records the deal
    wait_for_phase(page, "cards")
    expect(page.locator(".seat.chosen")).to_have_attribute("data-seat", "4")
    expect_connection(page, "pending", "6 waiting")
    mend(page)
    expect_connection(page, "live", "live")
    round_ = Round.objects.latest("pk")
    assert (round_.shown_card, round_.dealt_at is None) == ("Kh", False)
    declined = Offer.objects.order_by("-pk").values_list("seat", "answer")[:6]
    assert list(declined) == [(seat, "declined") for seat in (2, 1, 7, 6, 5, 4)]
    turn = Turn.objects.get(ended_at__isnull=True)
    assert (turn.seat, turn.renewed, round_.turn) == (3, True, turn)


def test_the_tablet_goes_on_after_all_declined_as_the_server_does(live_server: Any, page: Page) -> None:
    page.goto(f"{live_server.url}/accounts/login/")
    ends = page.evaluate(
        """async (states) => { const { after, initialState } = await import("/static/web/table/offline/reducer.js");
            return states.map(([state, fields]) => {
                const now = after(initialState(state), { slug: "all-declined", fields }, state);
                return [now.phase, now.turn?.seat ?? null, now.version]; }); }""",
        [
            [_offering("renew", renews=True), []],
            [_offering("renew"), []],
            [_offering("vacant"), []],
            [_offering("renew", renews=True), [["accepted_by", "5"]]],
        ],
    )
    assert ends == [["ready", 3, 8], ["renew", 3, 8], ["waits", 3, 8], ["ready", 5, 8]]


def _offering(then: str, **more: Any) -> dict[str, Any]:
    """What a tablet knows while seats 4 and 5 are still to be asked after two rounds of seat 3."""
    state = _offline_state([4, 5], {}, {})
    state["offers"] |= {"then": then, **more}
    return {**state, "turn": {"seat": 3, "rounds": 2}}


def test_the_tablet_counts_the_banks_rounds_in_a_row_as_the_server_does(live_server: Any, page: Page) -> None:
    """The last bank goes on with its count where nobody else was asked, and begins anew where everybody declined."""
    page.goto(f"{live_server.url}/accounts/login/")
    ends = page.evaluate(
        """async (states) => { const { after, initialState } = await import("/static/web/table/offline/reducer.js");
            const answer = (seat, answer) => ({ slug: "answer", fields: [["seat", String(seat)], ["answer", answer]] });
            return states.map(([state, answers]) => {
                let now = answers.reduce((at, [seat, given]) => after(at, answer(seat, given), state), initialState(state));
                const begins = [now.phase, now.turn.rounds];
                now = after({ ...now, live: { bank: 3, bets: [] } }, { slug: "settle", fields: [] }, state);
                return [...begins, now.phase, now.turn.rounds]; }); }""",
        [
            [_offline_state([3], {"3": 1}, {"order": [], "then": "vacant"}), [[3, "accepted"]]],
            [
                _offline_state([5, 3], {}, {"order": [5], "then": "renew"}),
                [[5, "declined"], [3, "accepted"]],
            ],
        ],
    )
    assert ends == [["ready", 1, "waits", 2], ["ready", 0, "ready", 1]]


def _offline_state(order: list[int], counted: dict[str, int], after: dict[str, Any]) -> dict[str, Any]:
    """What a tablet knows while the bank is offered in `order`; see `tests/web/table/test_offline.py` for the server's own."""
    return {
        "version": 7,
        "phase": "offer",
        "house": False,
        "meterSpots": [],
        "turn": None,
        "live": None,
        "last": [],
        "bankWager": None,
        "offers": {"order": order, "then": "vacant", "counted": counted},
        "offersAfter": {"3": after},
        "turnRounds": 2,
        "stops": "",
    }


def test_the_tablet_computes_fees_as_the_server_does(live_server: Any, page: Page) -> None:
    """On antes at every edge of every schedule, and on rounds drawn by a fixed seed."""
    page.goto(f"{live_server.url}/accounts/login/")
    draw = random.Random(40)
    asked, expected = [], []
    for schedule in SCHEDULES:
        least, most = schedule.ante_min_cents, schedule.ante_max_cents or 100_000
        edges = [
            bound + off
            for bound in (least, most, 2500, 2600, 10000, 10100, 20000, 20100)
            for off in (-1, 0, 1, 99)
        ]
        rounds = [[cents] for cents in edges] + [[0, least], [0], [least, 0, least]]
        rounds += [[draw.randrange(least, most + 1) for _ in range(draw.randint(1, 6))] for _ in range(60)]
        for amounts in rounds:
            antes = [
                Ante(
                    seat=seat,
                    player=f"P{seat}",
                    cents=cents,
                    beside={"pair_plus": 500} if draw.random() < 0.5 else {},
                )
                for seat, cents in enumerate(amounts, 1)
            ]
            if len(antes) > 1:  # one main wager on two spots: each is held to the limits by itself
                antes[0] = dataclasses.replace(
                    antes[0], mains={"Player": antes[0].cents - least, "Banker": least}
                )
            stakes = [
                {
                    "place": str(ante.seat),
                    "cents": ante.cents,
                    "wagers": ante.beside,
                    "mains": list((ante.mains or {}).values()),
                }
                for ante in antes
            ]
            for waived, seats in WAIVED:
                asked.append({"schedule": schedule_of(schedule), "antes": stakes, "waived": waived})
                expected.append(quoted(schedule, antes, seats))
    answered = page.evaluate(
        """async (asked) => { const { quote } = await import("/static/web/table/fees.js");
            return asked.map(({ schedule, antes, waived }) => { const said = quote(schedule, antes, waived);
                return said.problem ? null : [said.players, said.bank, said.drop, said.jackpot, said.band]; }); }""",
        asked,
    )
    assert answered == expected
    assert None in answered, "some antes are outside their limits"
    assert len({tuple(each) for each in answered if each}) > 30


def quoted(schedule: Schedule, antes: list[Ante], waived: set[int]) -> list[Any] | None:
    """What the server says: players' fees, the bank's, drop, jackpot, and what the bank's went by; None for a refusal."""
    try:
        places = [(seat, 0) for seat in waived]
        found = quote(schedule, antes, bank_seat=7, waived=dict.fromkeys(places, "rule"))
    except FeeError:
        return None
    bank = sum(fee.cents for fee in found.fees if fee.seat == 7)
    return [found.drop_cents - bank, bank, found.drop_cents, found.jackpot_cents, found.bank_label]


def antes_of(round_: Round) -> dict[int, int]:
    return {bet["seat"]: bet["wagers"]["ante"] for bet in round_.bets}


def waiting(page: Page) -> int:
    """How many commands wait in the browser."""
    count: int = page.evaluate(
        """() => new Promise((resolve) => { const opening = indexedDB.open("cardroom");
            opening.onsuccess = () => { const counting = opening.result.transaction("commands").objectStore("commands").count();
                counting.onsuccess = () => resolve(counting.result); }; })"""
    )
    return count


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
