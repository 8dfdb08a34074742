"""A string of ten tables is put together by touch, and pushed in one act: no name is typed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.seats import down_start
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.models import Down, LineUpPlan, Push, Table
from cardroom.people.models import Role
from cardroom.rooms.models import Room
from tests.browser.axe import faults
from tests.browser.layout import too_small
from tests.browser.screen import sign_in
from tests.cast import Cast
from tests.filing import table_settings

pytestmark = pytest.mark.outside

PAGE = "/rooms/cache-slough/line-up/"
DEALERS = "ABCDEFGHIJKL"
COUNTING = "addEventListener('click', () => { window.name = Number(window.name || 0) + 1; }, true)"


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Ten open tables, 1 to 10, dealt by A to J; K and L have not dealt yet, and no plan is set."""
    cast = Cast()
    cast.send_room(shift_open, name="Swing")
    settings = table_settings(cast.room, schedule_id=cast.schedule(1).pk)
    for letter in DEALERS:
        cast.hire(letter, Role.DEALER)
    for number in range(1, 11):
        table, _ = Table.objects.get_or_create(room=cast.room, number=number)
        cast.send(table_set, "floor", table, **settings)
        cast.send(table_open, "floor", table)
        cast.send(down_start, "floor", table, dealer_id=cast.people[DEALERS[number - 1]].pk)
    return cast


def touches(page: Page) -> int:
    return int(page.evaluate("window.name") or 0)


@pytest.mark.parametrize("signs", [False, True])
def test_ten_tables_are_pushed_in_one_act_and_twelve_touches_at_most(
    cast: Cast, page: Page, signs: bool
) -> None:
    Room.objects.filter(pk=cast.room.pk).update(reliefs_sign=signs)
    page.set_viewport_size({"width": 1180, "height": 820})
    page.add_init_script(COUNTING)
    sign_in(page, "floor", PAGE)
    expect(page.locator(".r[data-table]")).to_have_count(10)
    page.get_by_role("button", name="Push 10 tables").click()
    if signs:
        # Whoever is free is confirmed at once; the others were relieved by then, and follow.
        confirm = page.locator(".pushbar button.primary", has_text="Confirm")
        for _ in range(11):
            expect(page.locator(".pushbar .says > b")).to_be_visible()
            if not confirm.count():
                break
            confirm.click()
            page.wait_for_load_state()
    expect(page.locator(".pushbar")).to_contain_text("10 tables relieved." if not signs else "relieved.")
    assert touches(page) <= 12
    push = Push.objects.get()
    assert push.reliefs.filter(down__isnull=False).count() == 10
    assert Down.objects.filter(ended_at__isnull=True, relief__push=push).count() == 10
    assert faults(page) == []


def test_the_plan_is_put_together_by_touch_and_dealers_have_a_start(cast: Cast, page: Page) -> None:
    page.set_viewport_size({"width": 1180, "height": 820})
    sign_in(page, "floor", f"{PAGE}plan/")
    board = page.locator("#plan-board")
    expect(board).to_be_visible()
    expect(page.locator(".plan-fields [name=tables-0]")).to_be_hidden()
    first, second = board.locator(".string-board").nth(0), board.locator(".string-board").nth(1)
    # Table 10 goes before table 9, and table 1 into the second string, with K.
    first.locator("[data-kind=table][data-id='10']").click()
    assert (faults(page), too_small(page)) == ([], [])
    board.get_by_role("button", name="Earlier").click()
    first.locator("[data-kind=table][data-id='1']").click()
    board.get_by_role("button", name="To B").click()
    expect(second.locator("[data-kind=table]")).to_have_text(["1Table 1"])
    board.locator(".beside [data-kind=dealer]", has_text="K").last.click()
    expect(second.locator("[data-kind=dealer]")).to_have_count(1)
    second.locator("[data-kind=dealer]").click()
    board.locator("[data-starts]").fill("23:45")
    board.locator("[data-starts]").blur()
    expect(second.locator("[data-kind=dealer] small")).to_have_text("11:45 PM")
    page.get_by_role("button", name="Set the line-up").click()
    expect(page.locator(".r[data-table]")).to_have_count(10)
    plan = LineUpPlan.objects.get()
    numbers = {table.pk: table.number for table in Table.objects.filter(room=cast.room)}
    [a, b] = plan.strings
    assert [numbers[pk] for pk in a["tables"]] == [2, 3, 4, 5, 6, 7, 8, 10, 9]
    assert ([numbers[pk] for pk in b["tables"]], len(b["dealers"]), len(plan.starts)) == ([1], 1, 1)
    assert len(a["dealers"]) == 10, "those who deal keep their string"
