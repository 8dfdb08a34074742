"""The floor board in a browser: what is done at one page is seen on the other, and a lost line says so and heals."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Locator, Page, expect

from cardroom.floor.alerts import alert_raise
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import TableTransaction
from cardroom.floor.models import Alert, Table
from cardroom.ops.supervisor.valkey import Valkey
from tests.browser.screen import give_session
from tests.cast import Cast, sheet
from tests.filing import table_settings
from tests.servers.site import Site

pytestmark = pytest.mark.outside

FLOOR = "/rooms/cache-slough/floor/"
LIVE, LOST = re.compile("live"), re.compile("offline since")


@pytest.fixture
def board(browser: BrowserContext) -> Page:
    """The board on a wall screen, with somebody of the floor signed in and the connection live."""
    give_session(browser, "floor", "127.0.0.1")
    page = browser.new_page()
    page.goto(FLOOR)
    expect(page.locator("#connection")).to_have_text(LIVE)
    return page


def card(page: Page, number: int = 7) -> Locator:
    return page.locator(f'.table-card[data-number="{number}"]')


def alert(cast: Cast, kind: Alert.Kind, text: str) -> Alert:
    with locked(Table, cast.table.pk) as table:
        tx = TableTransaction(table=table, actor=cast.people["dealer"], now=timezone.now())
        alert_raise(tx, kind, "", text)
    return Alert.objects.latest("pk")


def numbers(page: Page) -> list[str]:
    return page.locator(".table-card").evaluate_all("cards => cards.map((card) => card.dataset.number)")


def test_a_round_at_a_table_is_on_the_board_within_a_second_and_nothing_else_moves(
    cast: Cast, board: Page
) -> None:
    board.evaluate("document.querySelector('[data-number=\"8\"]').dataset.touched = 'no'")
    expect(board.locator("[data-total=rounds]")).to_have_text("0")
    cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 1000}))
    expect(card(board)).to_contain_text("just now", timeout=1000)
    expect(card(board)).to_contain_text("$3")
    expect(board.locator("[data-total=rounds]")).to_have_text("1")
    expect(board.locator("[data-total=drop]")).to_have_text("$3")
    assert board.locator("[data-touched=no]").count() == 1, "the card of another table was drawn anew"


def test_an_alert_moves_its_card_up_is_said_aloud_and_is_answered_on_the_spot(
    cast: Cast, board: Page
) -> None:
    second = cast.second_table
    cast.send(table_set, "floor", second, **table_settings(cast.room, schedule_id=cast.schedule(1).pk))
    cast.send(table_open, "floor", second)
    cast.hang_box(80, table=second)
    for number in (1, 2):
        Table.objects.create(
            room=cast.room, number=number, state="open"
        )  # nothing is collected, no box needed
    board.reload()
    expect(board.locator("#connection")).to_have_text(LIVE)
    assert numbers(board) == ["1", "2", "7", "8"]
    one = alert(cast, Alert.Kind.METER_WIN_PENDING, "A royal at seat 4 wins the meter.")
    expect(card(board)).to_contain_text("A royal at seat 4 wins the meter.")
    assert numbers(board) == ["7", "1", "2", "8"]
    expect(board.locator("#heard")).to_contain_text("Table 7: progressive win to confirm.")
    expect(board.locator("[data-count=attention]")).to_have_text("1")
    card(board).get_by_text("Note…").click()
    expect(card(board).locator("input[name=note]")).to_be_focused()
    board.keyboard.type("paid at the cage")
    # Whatever else happens at the table meanwhile, what is being typed stays.
    cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
    expect(card(board)).to_contain_text("just now")
    board.keyboard.type(" by Rosa")
    board.keyboard.press("Enter")
    expect(card(board)).to_contain_text("seen")
    expect(card(board).get_by_role("button", name="Acknowledge")).to_have_count(0)
    assert numbers(board) == ["1", "2", "7", "8"]
    one.refresh_from_db()
    assert (one.acknowledged_by, one.note) == (cast.people["floor"], "paid at the cage by Rosa")
    assert board.url.endswith(FLOOR), "the board was left"


def test_an_answer_of_somebody_else_is_seen_and_a_second_one_refused(cast: Cast, board: Page) -> None:
    one = alert(cast, Alert.Kind.STUB_COUNT_DUE, "Five rounds without a count.")
    button = card(board).get_by_role("button", name="Acknowledge")
    expect(button).to_be_visible()
    # Answered on another screen, and this one does not know of it yet: no message was sent.
    Alert.objects.filter(pk=one.pk).update(
        acknowledged_at=timezone.now(), acknowledged_by=cast.people["shift_manager"]
    )
    button.click()
    expect(board.locator("#not-done")).to_contain_text("has answered this alert already")
    expect(card(board)).to_contain_text("seen")


def test_a_filter_leaves_what_was_chosen_and_says_when_that_is_nothing(cast: Cast, board: Page) -> None:
    board.get_by_role("link", name="Closed 1").click()
    expect(card(board, 8)).to_be_visible()
    expect(card(board, 7)).to_be_hidden()
    board.get_by_role("link", name="Attention 0").click()
    expect(board.get_by_text("No table is like that now.")).to_be_visible()
    assert board.url.endswith("?show=attention")
    alert(cast, Alert.Kind.STUB_COUNT_DUE, "Five rounds without a count.")
    expect(card(board, 7)).to_be_visible()
    expect(board.get_by_text("No table is like that now.")).to_be_hidden()


def test_a_lost_broker_is_told_and_what_happened_meanwhile_is_there_when_it_is_back(
    cast: Cast, broker: Valkey, board: Page
) -> None:
    broker.stop()
    expect(board.locator("#connection")).to_have_text(LOST)
    cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
    broker.start()
    expect(board.locator("#connection")).to_have_text(LIVE)
    expect(card(board)).to_contain_text("just now")
    expect(board.locator("[data-total=rounds]")).to_have_text("1")


def test_a_lost_site_is_told_and_heals_by_itself(cast: Cast, site: Site, board: Page) -> None:
    site.stop()
    expect(board.locator("#connection")).to_have_text(LOST)
    cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
    site.start()
    expect(board.locator("#connection")).to_have_text(LIVE, timeout=15000)
    expect(card(board)).to_contain_text("just now")


def test_a_shift_that_closes_renews_every_figure(cast: Cast, board: Page) -> None:
    cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
    expect(board.locator("[data-total=rounds]")).to_have_text("1")
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=cast.room.shifts.get().pk)
    expect(board.locator("[data-total=rounds]")).to_have_count(0)
    expect(card(board)).to_contain_text("no shift")
