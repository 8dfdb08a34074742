"""What each kind of item is found by: late corrections, rotation, play off file, badges, tablets, clocks, waivers."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable

import pytest
from django.utils import timezone

from cardroom.floor.alerts import alert_raise
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import bets_close, round_deal
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.waivers import fee_waive
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import TableTransaction
from cardroom.floor.models import Alert, Offer, Round, Shift, Table, TabletGap
from cardroom.inbox.kinds import says_of
from cardroom.inbox.models import Item
from cardroom.inbox.reads.items import item_address
from cardroom.inbox.search import room_search
from cardroom.people.names import named
from tests.cast import Cast
from tests.floor.charging import WAIVING, charge
from tests.floor.test_corrections import as_recorded
from tests.reports.commands import as_superuser
from tests.reports.played_shift import drawn, played_cast
from tests.web.conftest import Person
from tests.web.conftest import person as person  # noqa: PLC0414  # a fixture


def closed(cast: Cast) -> list[Item]:
    """Close the open shift, and find its items."""
    shift = Shift.objects.get(room=cast.room, closed_at__isnull=True)
    cast.send_room(shift_close, shift_id=shift.pk, confirmed=True)
    return found(cast)


def found(cast: Cast) -> list[Item]:
    room_search(cast.room.pk, timezone.now())
    return list(Item.objects.filter(room=cast.room))


def said(item: Item) -> str:
    return named(says_of([item])[item.pk])


def minutes_later(cast: Cast, minutes: int, kind: str) -> list[Item]:
    """What is found of a kind when the room is searched so many minutes later, the shift open all along."""
    later = timezone.now() + datetime.timedelta(minutes=minutes)
    room_search(cast.room.pk, later)
    assert room_search(cast.room.pk, later + datetime.timedelta(minutes=6)) == 0
    return list(Item.objects.filter(room=cast.room, kind=kind))


def test_a_correction_is_an_item_once_its_shift_is_over(running: Cast) -> None:
    running.play({4: 1000})
    record = as_recorded(Round.objects.get())
    record["positions"][0]["wagers"] = {"ante": 1200}
    by = {"reason": "misread", "approver": running.people["floor"]}
    running.send(round_correct, "dealer", **{**record, **by})
    assert closed(running) == []
    running.send_room(shift_open, name="Late")
    record = as_recorded(Round.objects.latest("pk"))
    record["positions"][0]["wagers"] = {"ante": 1500}
    running.send(round_correct, "floor_2", **{**record, **by})
    [item] = found(running)
    assert (item.kind, item.evidence["round"]) == ("correction", Round.objects.latest("pk").pk)
    assert said(item).startswith("Round 1 of Swing, ")
    assert "corrected after its shift: misread. Fees unchanged" in said(item)
    assert {str(each.staff) for each in item.people.all()} == {"Dealer", "Floor", "Floor 2"}


def test_a_seat_that_was_not_asked_shows_in_its_place_and_no_longer_holds_once_it_is_on_record(
    running: Cast, person: Callable[[str], Person]
) -> None:
    for _ in range(2):
        running.play({5: 1000})
    running.bank_to(5)
    running.play({4: 1000})
    [skipped] = Offer.objects.filter(seat=4, answer="declined").order_by("-pk")[:1]
    kept = Offer.objects.filter(pk=skipped.pk).values().get()
    with as_superuser():
        Offer.objects.filter(pk=skipped.pk).delete()
    [item] = [each for each in closed(running) if each.kind == "rotation"]
    assert said(item) == "The bank was offered to Seat 5, Eve when another seat was next."
    [listed] = (drawn(running, "exceptions").grid("rotation") or pytest.fail("no rotation")).rows
    assert listed.links["rule"] == item_address(item)
    page = person("compliance").client.get(f"/rooms/cache-slough/exceptions/?item={item.pk}")
    text = page.content.decode()
    assert "not asked, no answer recorded" in text and '<g class="missing">' in text
    assert "banked rounds 1, 2" in text and "would have been asked next" in text
    Offer.objects.create(**kept)
    running.send_room(shift_open, name="Late")
    record = as_recorded(Round.objects.get(number=1))
    record["positions"][0]["wagers"] = {"ante": 1500}
    by = {"reason": "misread", "approver": running.people["floor"]}
    running.send(round_correct, "floor_2", **{**record, **by})
    found(running)
    item.refresh_from_db()
    assert item.gone_at is not None and item.state == "open"


def test_waivers_of_a_rule_are_one_item_from_the_first_on_that_says_what_they_come_to(running: Cast) -> None:
    charge(running, WAIVING)
    running.hang_box(107, kind="jackpot")
    by = {"rule": "short_handed", "reason": "slow night"}
    running.bet({4: 1000, 5: 2000})
    running.send(fee_waive, "floor", **by)
    running.send(bets_close)
    [item] = minutes_later(running, 6, "waiver")
    first = said(item)
    assert first.startswith("Fees of one round waived by the published rule “") and "$3 in all" in first
    running.send(round_deal)
    running.settle((4, 5))
    running.bet({4: 1000, 5: 2000})
    running.send(fee_waive, "floor", **by)
    running.send(bets_close)
    assert minutes_later(running, 20, "waiver") == [item]
    assert "Fees of 2 rounds" in said(item) and "$6 in all: slow night." in said(item)


def test_what_the_review_of_an_open_shift_finds_is_an_item_within_minutes(running: Cast) -> None:
    for _ in range(2):
        running.play({5: 1000})
    running.bank_to(5)
    running.play({4: 1000})
    with as_superuser():
        Offer.objects.filter(pk=Offer.objects.filter(seat=4, answer="declined").latest("pk").pk).delete()
        Round.objects.filter(number=3).update(game=None, options={"coverage": "net"})
    [item] = minutes_later(running, 6, "rotation")
    assert said(item) == "The bank was offered to Seat 5, Eve when another seat was next."
    [off] = Item.objects.filter(kind="off_file")
    assert said(off).startswith("Round 3 not played on what is filed")


def test_rounds_that_were_not_played_on_what_is_filed_are_one_item_a_run(running: Cast) -> None:
    for _ in range(2):
        running.play({4: 1000})
    with as_superuser():
        Round.objects.update(game=None, options={"coverage": "net"})
    [item] = [each for each in closed(running) if each.kind == "off_file"]
    assert said(item) == (
        "2 rounds, 1 to 2 not played on what is filed: no filed game in force says what was played."
    )


def test_badges_tablets_and_clocks_are_found_by_their_alerts_and_gaps(running: Cast) -> None:
    now = timezone.now()
    with locked(Table, running.table.pk) as table:
        tx = TableTransaction(table=table, actor=running.people["floor"], now=now)
        subject = f"player:{running.players[4].pk}"
        alert_raise(tx, Alert.Kind.PERMIT_EXPIRED, subject, "Dee's badge expired.")
        alert_raise(tx, Alert.Kind.CLOCK_BACK, "", "The clock was set back.")
    for minutes in (3, 45):
        since = now - datetime.timedelta(minutes=minutes)
        TabletGap.objects.create(room=running.room, table=running.table, screen="a", since=since, until=now)
    items = {item.kind: item for item in found(running)}
    assert items.keys() == {"badge", "clock", "tablet"}
    assert said(items["badge"]) == "Dee's badge expired."
    assert [each.player for each in items["badge"].people.all()] == [running.players[4]]
    assert said(items["tablet"]) == "The table's tablet was out of touch for 45 minutes."


def test_a_played_shift_gives_the_items_that_its_report_of_exceptions_lists(db: None) -> None:
    cast = played_cast()
    kinds = Counter(item.kind for item in closed(cast))
    assert kinds == {"void": 2}
    assert Counter(item.kind for item in found(cast)) == kinds
