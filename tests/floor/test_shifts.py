"""Shifts: one open at a time, and every round in the shift that was open when its bets closed."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.utils import timezone

from cardroom.floor.alerts import alert_raise
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.errors import BadInput, Forbidden, NotNow, Stale
from cardroom.floor.execution import CommandMeta
from cardroom.floor.locks import locked
from cardroom.floor.models import Alert, JournalEntry, Round, Shift, Table
from cardroom.floor.transactions import TableTransaction

from .site import Site


def close(site: Site) -> Shift:
    shift = Shift.objects.get(closed_at__isnull=True)
    site.send_room(shift_close, confirmed=True, shift_id=shift.pk)
    return shift


def test_one_shift_is_open_at_a_time(open_site: Site) -> None:
    with pytest.raises(NotNow, match="Close it"):
        open_site.send_room(shift_open, name="Day")


@pytest.mark.postgresql
def test_a_name_serves_once_a_gaming_day(open_site: Site) -> None:
    close(open_site)
    with pytest.raises(NotNow, match="already had"):
        open_site.send_room(shift_open, name="Swing")


@pytest.mark.parametrize("name", ["", "  ", "x" * 21])
def test_a_shift_needs_a_name(site: Site, name: str) -> None:
    with pytest.raises(BadInput):
        site.send_room(shift_open, name=name)


def test_the_floor_does_not_close_the_shift(open_site: Site) -> None:
    shift = Shift.objects.get()
    with pytest.raises(Forbidden):
        open_site.send_room(shift_close, open_site.floor, confirmed=True, shift_id=shift.pk)


def test_a_shift_is_closed_on_what_the_room_is_now(open_site: Site) -> None:
    with pytest.raises(Stale):
        shift_close(CommandMeta(actor=open_site.manager, key="k", version=0), open_site.room.pk, shift_id=1)


def test_a_round_that_straddles_the_change_belongs_to_the_shift_of_its_no_more_bets(
    open_site: Site,
) -> None:
    open_site.deal({4: 1000})
    first = close(open_site)
    open_site.send_room(shift_open, name="Graveyard")
    open_site.settle({4: 1000})
    open_site.bet({4: 1000})
    round_ = Round.objects.order_by("id").last()
    assert Round.objects.order_by("id")[0].shift == first
    assert round_ is not None and round_.shift is None


def test_bets_opened_in_one_gaming_day_and_closed_in_the_next_are_numbered_in_the_next(site: Site) -> None:
    evening = datetime.datetime(
        2026, 7, 1, 12, 50, tzinfo=datetime.UTC
    )  # 05:50 in Los Angeles: gaming day June 30
    with time_machine.travel(evening, tick=False):
        site.open()
        site.bank_to(3)
        site.play({4: 1000})
        site.send(round_open, bank_wager_cents=20000)
        site.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 1000}}])
    with time_machine.travel(evening + datetime.timedelta(minutes=20), tick=False):
        close(site)
        site.send_room(shift_open, name="Day")
        site.send(bets_close)
        site.send(round_deal)
        site.settle({4: 1000})
    numbered = [
        (str(day), number) for day, number in Round.objects.order_by("id").values_list("gaming_day", "number")
    ]
    assert numbered == [("2026-06-30", 1), ("2026-07-01", 1)]


def test_bets_do_not_close_without_an_open_shift(open_site: Site) -> None:
    open_site.bet({4: 1000})
    close(open_site)
    with pytest.raises(NotNow) as caught:
        open_site.send(bets_close)
    assert caught.value.code == "no_shift"


def test_closing_lists_what_is_open_and_goes_on_when_it_is_confirmed(open_site: Site) -> None:
    site = open_site
    site.deal({4: 1000})
    shift = Shift.objects.get()
    with locked(Table, site.table.pk) as table:
        tx = TableTransaction(table=table, actor=site.floor, now=timezone.now())
        alert_raise(tx, Alert.Kind.TABLE_IDLE, "", "Look.")
    with pytest.raises(NotNow) as refused:
        site.send_room(shift_close, shift_id=shift.pk)
    assert refused.value.code == "shift_has_open"
    listed = {item["kind"]: item["count"] for item in refused.value.extra["open"]}
    assert listed == {"tables": 1, "rounds": 1, "alerts": 1, "boxes_on_tables": 1}
    assert "Box 70 at Table 7" in refused.value.message
    shift.refresh_from_db()
    assert shift.closed_at is None
    answer = site.send_room(shift_close, shift_id=shift.pk, confirmed=True)
    assert {item["kind"] for item in answer["open"]} == set(listed)
    entry = JournalEntry.objects.get(command="shift_close")
    assert [item["kind"] for item in entry.data["left_open"]] == list(listed)


def test_a_shift_with_nothing_open_is_closed_without_a_question(site: Site) -> None:
    site.send_room(shift_open, name="Day")
    assert site.send_room(shift_close, shift_id=Shift.objects.get().pk)["open"] == []


def test_closing_opens_the_next_shift_at_the_same_instant_and_rounds_go_on_in_it(open_site: Site) -> None:
    site = open_site
    site.deal({4: 1000})
    first = Shift.objects.get()
    answer = site.send_room(shift_close, shift_id=first.pk, confirmed=True, next_name=" Graveyard ")
    first.refresh_from_db()
    second = Shift.objects.get(closed_at__isnull=True)
    assert (second.name, second.opened_at, second.opened_by) == (
        "Graveyard",
        first.closed_at,
        first.closed_by,
    )
    assert answer["next"] == {"shift": second.pk, "boxes": []}
    site.settle({4: 1000})
    site.play({4: 1000})
    assert list(Round.objects.order_by("id").values_list("shift", flat=True)) == [first.pk, second.pk]
    commands = JournalEntry.objects.filter(command__startswith="shift_", chain__startswith="room").order_by(
        "seq"
    )
    assert list(commands.values_list("command", flat=True)) == ["shift_open", "shift_close", "shift_open"]


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("name", "error", "code"),
    [("x" * 21, BadInput, "bad_name"), ("  ", BadInput, "bad_name"), ("Swing", NotNow, "shift_exists")],
)
def test_a_shift_whose_next_cannot_be_opened_stays_open(
    open_site: Site, name: str, error: type[Exception], code: str
) -> None:
    shift = Shift.objects.get()
    with pytest.raises(error) as refused:
        open_site.send_room(shift_close, shift_id=shift.pk, confirmed=True, next_name=name)
    assert getattr(refused.value, "code", "") == code
    shift.refresh_from_db()
    assert shift.closed_at is None
    assert Shift.objects.count() == 1


def test_closing_with_the_next_lists_what_is_open_first(open_site: Site) -> None:
    shift = Shift.objects.get()
    with pytest.raises(NotNow) as refused:
        open_site.send_room(shift_close, shift_id=shift.pk, next_name="Graveyard")
    assert refused.value.code == "shift_has_open"
    assert Shift.objects.get().closed_at is None
