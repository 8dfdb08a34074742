"""The manager's home: the answer, rows with their ways, and what needs doing now, by who may do it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from cardroom.floor.alerts import alert_raise
from cardroom.floor.commands.boxes import boxes_drop
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import TableTransaction
from cardroom.floor.models import Alert, DropBox, Shift, Table
from cardroom.floor.report_jobs import Cause, report_ask
from cardroom.inbox.models import Item, ItemPerson, Search
from cardroom.jobs.models import Job
from cardroom.obligations.models import Obligation
from cardroom.people.models import Player, ProviderContract, Role, Staff
from cardroom.people.permits import local_day
from cardroom.rooms.models import Room
from tests.cast import Cast
from tests.filing import filed_game, schedule_draft
from tests.reports.handmade import report_at
from tests.reports.results.test_results import DAY, TUESDAY, WEDNESDAY, WEEK

from ..conftest import Person

PAGE = "/rooms/cache-slough/results/"
VOID = {"number": 4, "dealt": True, "reason": "misdeal", "refunded_cents": 0}
_ROW = re.compile(r"<tr class=.*?</tr>", re.DOTALL)


def rows(page: str) -> dict[str, str]:
    """The rows of the page by their names."""
    found = (row for row in _ROW.findall(page) if 'class="name"' in row)
    return {re.search(r'class="name"[^>]*>([^<]+)<', row)[1]: row for row in found}  # type: ignore[index]


@pytest.fixture
def two_tuesdays(cast: Cast) -> Cast:
    report_at(cast, TUESDAY - WEEK, drop=10000, rounds=20, seconds=3600)
    report_at(cast, TUESDAY, drop=12500, rounds=25, seconds=3600, boxes=[(12500, 12200), None])
    Search.objects.create(room=cast.room, until=WEDNESDAY)
    return cast


def test_the_page_begins_with_the_answer_and_marks_what_is_not_over(
    two_tuesdays: Cast, person: Callable[[str], Person]
) -> None:
    with time_machine.travel(WEDNESDAY, tick=False):
        page = person("room_manager").open(PAGE).content.decode()
    assert "<h1>Yesterday the room took $125, 25.0% more than the Tuesday before</h1>" in page
    swing, total = rows(page)["Swing shift"], rows(page)["Tuesday in all"]
    assert "+$25 · +25.0%" in swing
    assert "count not over" in swing
    assert 'class=" part"' in swing
    assert "($3)" in total
    assert "so far, 1 of 2 boxes" in total
    assert page.count("change from Tue Nov 17, 2026") == 1
    assert "Tuesdays</span>" in page, "the chart says which bars are dark"
    assert "Reports of earlier shifts are being made" not in page


def test_each_figure_is_explained_below_its_heading(
    two_tuesdays: Cast, person: Callable[[str], Person]
) -> None:
    """In words that are there for touch, keyboard and eye alike, not only under a pointer."""
    with time_machine.travel(WEDNESDAY, tick=False):
        page = person("room_manager").open(PAGE).content.decode()
    heads = dict(
        re.findall(r'<th scope="col" class="num[^"]*">([^<]+)<span class="below">([^<]+)</span>', page)
    )
    assert list(heads) == [
        *("Drop", "Over / (short)", "Rounds an hour", "Tips", "Uncovered", "Exceptions", "Jackpot box")
    ]
    assert heads["Drop"] == "fees put into the drop boxes"
    assert heads["Uncovered"] == "wagers returned: the bank ran out"
    assert heads["Jackpot box"] == "a box of its own, not in the drop"


def test_each_figure_opens_the_rows_that_make_it(two_tuesdays: Cast, person: Callable[[str], Person]) -> None:
    with time_machine.travel(WEDNESDAY, tick=False):
        one = person("room_manager")
        page = one.open(PAGE).content.decode()
        linked = [
            address.replace("&amp;", "&").partition("#")[0]
            for name in ("Swing shift", "Tuesday in all", "Month to date")
            for address in re.findall(r'href="([^"]+)"', rows(page)[name])
        ]
        assert len(linked) == 24
        for address in dict.fromkeys(linked):
            assert one.client.get(address).status_code == 200, address


def test_a_room_without_a_past_says_what_will_stand_there_and_what_to_do(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    page = person("shift_manager").open(PAGE).content.decode()
    assert "<h1>Nothing has been played yet</h1>" in page
    assert "What stands here once a shift has closed" in page
    assert "Open a shift" in page
    assert "<svg" not in page
    assert "Open a shift" not in person("room_manager").open(PAGE).content.decode(), "that is not theirs"


def test_what_needs_doing_is_told_to_those_who_may_do_it(
    running: Cast, person: Callable[[str], Person]
) -> None:
    with locked(Table, running.table.pk) as table:
        tx = TableTransaction(table=table, actor=running.people["dealer"], now=timezone.now())
        alert_raise(tx, Alert.Kind.TABLE_IDLE, "", "Players wait.")
    witness = running.hire("count_2", Role.COUNT)
    box = DropBox.objects.get(room=running.room)
    running.send_room(boxes_drop, "count", boxes=[box.pk], witness=witness)
    manager, other = (person(role).open(PAGE).content.decode() for role in ("shift_manager", "room_manager"))
    assert "1 alert is not answered" in manager
    assert "players without a round, Table 7" in manager
    assert "1 box of Swing is not counted" in manager
    assert re.search(r"<a [^>]+alerts/\">Answer<", manager)
    assert re.search(r"<a [^>]+alerts/\">See them<", other)


def test_the_compliance_officer_begins_with_what_is_not_closed_and_what_the_room_took(
    two_tuesdays: Cast, person: Callable[[str], Person]
) -> None:
    page = "/rooms/cache-slough/compliance/"
    with time_machine.travel(WEDNESDAY, tick=False):
        clear = person("compliance").open(page).content.decode()
        shift = Shift.objects.get(gaming_day=TUESDAY)
        at = shift.opened_at
        Item.objects.create(
            room=shift.room,
            kind="void",
            key="1",
            shift=shift,
            gaming_day=TUESDAY,
            happened_at=at,
            found_at=at,
            figures=VOID,
        )
        text = person("compliance").open(page).content.decode()
    assert "<h1>Every exception is closed</h1>" in clear
    assert "<h1>1 exception is not closed, 1 without an owner</h1>" in text
    for told in (
        "Yesterday the room took $125, 25.0% more than the Tuesday before",
        "Reports of Tue Nov 24, 2026: every figure ties out",
        "reports/fee-audit/?from=2026-11-24&amp;to=2026-11-24",
        "The journal, every entry made, was never verified whole",
        "No badge or permit expires within 30 days",
        "Round 4 voided after the deal: misdeal",
    ):
        assert told in text, told


def test_a_rotation_exception_of_an_earlier_day_is_told_where_the_last_day_is_reviewed(
    two_tuesdays: Cast, person: Callable[[str], Person]
) -> None:
    """One day's ✓ would say that all is well."""

    def line() -> str:
        with time_machine.travel(WEDNESDAY, tick=False):
            page = person("compliance").open("/rooms/cache-slough/compliance/").content.decode()
        [found] = re.findall(r"<li>[^\n]*Rotation of the bank on[^\n]*</li>", page)
        return found

    assert "mark-done" in line()
    assert "reviewed, no exception<" in line()
    assert "reports/rotation/?from=2026-11-24" in line()
    early = Shift.objects.get(gaming_day=TUESDAY - WEEK)
    item = Item.objects.create(
        room=early.room,
        kind="rotation",
        key="1",
        shift=early,
        gaming_day=early.gaming_day,
        happened_at=early.opened_at,
        found_at=early.opened_at,
        figures={"rule": "over_limit", "seat": 3, "player": "Bo", "round": "Round 4"},
    )
    assert "mark-look" in line()
    assert "reviewed, no exception; 1 exception of earlier days is not closed<" in line()
    assert "exceptions/?kind=rotation" in line()
    Item.objects.filter(pk=item.pk).update(
        state="closed", closed_at=WEDNESDAY, explained_by=two_tuesdays.people["compliance"]
    )
    assert "mark-done" in line()


def test_what_nobody_owns_is_given_an_owner_by_who_may_and_opened_by_the_others(
    running: Cast, person: Callable[[str], Person]
) -> None:
    room, now = running.room, timezone.now()
    common = {
        "room": room,
        "kind": Obligation.Kind.LICENCE,
        "due_on": local_day(room, now) + 5 * DAY,
        "day_of_month": 1,
        "remind_days": 30,
        "made_at": now,
        "made_by": running.people["room_manager"],
    }
    free = Obligation.objects.create(title="City licence", **common)
    Obligation.objects.create(title="State licence", owner=running.people["compliance"], **common)

    def acts(role: str) -> list[tuple[str, str]]:
        page = person(role).open(PAGE).content.decode()
        found = re.findall(
            r'href="([^"]+/obligations/[^"]+)">([^<]+)<span class="unseen">: (\w+) licence', page
        )
        return sorted((whose, act) for _, act, whose in found)

    opens = [("City", "Open the licence"), ("State", "Open the licence")]
    assert acts("room_manager") == [("City", "Give it an owner"), opens[1]]
    assert acts("shift_manager") == opens, "they may not give it"
    page = person("room_manager").open(f"/rooms/cache-slough/obligations/{free.pk}/").content.decode()
    assert '<details id="owner" open>' in page


def test_papers_that_end_drafts_and_jobs_that_failed_are_told_with_who(
    running: Cast, person: Callable[[str], Person]
) -> None:
    now, day = timezone.now(), local_day(running.room, timezone.now())
    provider = running.room.providers.get()
    Player.objects.filter(pk=running.players[1].pk).update(
        provider=provider, badge_number="P-1", badge_expires=day - DAY
    )
    Staff.objects.filter(pk=running.people["dealer_2"].pk).update(licence_expires=day + 3 * DAY)
    ProviderContract.objects.create(
        room=running.room,
        provider=provider,
        number="C-7",
        begins_on=day - DAY,
        ends_on=day + 10 * DAY,
        entered_at=now,
        entered_by=running.people["room_manager"],
    )
    shift = Shift.objects.get()
    schedule_draft(
        room=running.room, number=9, document=running.schedule(1).document, by=running.people["room_manager"]
    )
    with transaction.atomic():
        job = report_ask(shift, Cause.SHIFT_CLOSED, now)
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, tries=5, ended_at=now)
    page = person("room_manager").open(PAGE).content.decode()
    for told in (
        "Badge of Ana has expired",
        "1 badge or permit expires within 30 days",
        f"The contract with {provider} ends",
        "is a draft",
        "two people file it",
        "1 job failed",
        f"make or restate the report of a shift: {shift}",
    ):
        assert told in page, told
    assert (
        page.index("1 job failed") < page.index("Badge of Ana") < page.index("1 badge or permit expires")
    ), "what must not wait"
    assert "is a draft" not in person("shift_manager").open(PAGE).content.decode(), "they do not file"


def test_a_room_without_a_shift_yet_is_told_what_it_lacks_by_who_may_do_it(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    room = Room.objects.create(name="Bay Oaks", code="bay-oaks")
    cast.hire("room_manager", Role.ROOM_MANAGER, room=room)
    cast.hire("floor", Role.FLOOR, room=room)
    manager, page = person("room_manager"), "/rooms/bay-oaks/results/"
    lacks = ("The room has no table", "Nobody works here as Shift manager or Dealer", "No game is filed")
    said = manager.open(page).content.decode()
    assert all(each in said for each in lacks) and "No fee schedule" not in said
    filed_game(room)
    Table.objects.create(room=room, number=1)
    said = manager.open(page).content.decode()
    assert "No fee schedule is filed" in said
    assert "The room has no table" not in said and "No game is filed" not in said
    assert "Nobody works here as" not in person("floor").open(page).content.decode()


def test_what_is_overdue_comes_first_then_what_is_due_by_its_day_and_all_is_counted_once(
    running: Cast, person: Callable[[str], Person]
) -> None:
    room, now = running.room, timezone.now()
    today = local_day(room, now)
    for title, days in (("Licence", 5), ("Statement", -4), ("Certificate", 2), ("List", -9)):
        Obligation.objects.create(
            room=room,
            kind=Obligation.Kind.LICENCE,
            title=title,
            due_on=today + days * DAY,
            day_of_month=1,
            remind_days=30,
            made_at=now,
            made_by=running.people["room_manager"],
        )
    Search.objects.create(room=room, until=now)
    for number in range(5):
        item = {"gaming_day": today, "happened_at": now - number * DAY, "found_at": now}
        Item.objects.create(room=room, kind="void", key=str(number), figures=VOID, **item)
    page = person("room_manager").open(PAGE).content.decode()
    titles = re.findall(r'<div class="says"><b>([^<]+)</b>', page)
    assert titles[:4] == ["List", "Statement", "Certificate", "Licence"]
    assert titles[4:] == ["Round 4 voided after the deal: misdeal"] * 3 + [
        "2 other exceptions are not closed"
    ]
    assert "2 overdue, 2 due, 5 to look at" in page
    assert (
        "<summary>4 others: Round 4 voided after the deal: misdeal, 2 other exceptions are not closed</summary>"
        in page
    )
    assert page.count("button primary") == 1
    assert re.search(r"was due \w{3} \w{3} \d+<span class=\"sub\">9 days late", page)
    assert re.search(r"due \w{3} \w{3} \d+<span class=\"sub\">in 2 days", page)


def test_what_an_exception_says_no_alert_and_no_badge_says_again(
    running: Cast, person: Callable[[str], Person]
) -> None:
    room, now, player = running.room, timezone.now(), running.players[1]
    Player.objects.filter(pk=player.pk).update(
        provider=room.providers.get(), badge_number="P-1", badge_expires=local_day(room, now) - DAY
    )
    with locked(Table, running.table.pk) as table:
        tx = TableTransaction(table=table, actor=running.people["dealer"], now=now)
        alert_raise(tx, Alert.Kind.PERMIT_EXPIRED, f"player:{player.pk}", "Turned away: a badge.")
    alert = Alert.objects.get()
    manager = person("room_manager")
    alone = manager.open(PAGE).content.decode()
    assert "1 alert is not answered" in alone and "Badge of Ana has expired" in alone
    item = Item.objects.create(
        room=room,
        kind="badge",
        key=f"alert {alert.pk}",
        gaming_day=local_day(room, now),
        happened_at=now,
        found_at=now,
        figures={"alert": alert.pk, "text": alert.text},
        evidence={"alert": alert.pk},
    )
    ItemPerson.objects.create(item=item, player=player)
    page = manager.open(PAGE).content.decode()
    assert "Turned away: a badge" in page
    assert "1 alert is not answered" not in page and "Badge of Ana has expired" not in page
    listed = manager.open("/rooms/cache-slough/floor/alerts/").content.decode()
    assert f'exceptions/?item={item.pk}">In the inbox<' in listed
