"""`manage.py simulate`: which rooms it plays in, and what it refuses."""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone

from cardroom.demo.furnish import CODE, Demo, demo_load
from cardroom.demo.simulation.rooms import PAST
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import Round, Shift, Table
from cardroom.reports.models import ShiftReport
from cardroom.rooms.models import Room

pytestmark = pytest.mark.django_db


def simulate(*words: str) -> str:
    out = io.StringIO()
    call_command("simulate", "--days", "1", "--tables", "1", "--rounds-per-hour", "2", *words, stdout=out)
    return out.getvalue()


@pytest.mark.outside
def test_the_demo_room_gets_its_past_first_and_its_evening_after(tmp_path: Path) -> None:
    output = simulate("--reports")
    room = Room.objects.get()
    assert room.code == CODE
    assert "1 days at 1 tables" in output
    assert "3 shift reports were made." in output
    assert ShiftReport.objects.filter(room=room).count() == 3
    past = Round.objects.count()
    assert past > 10
    demo_load(tmp_path)
    assert Shift.objects.filter(room=room, closed_at=None).count() == 1
    assert Table.objects.get(room=room, number=7).state == Table.State.OPEN
    assert Round.objects.filter(room=room, table__number=7).exists()


@pytest.mark.outside
def test_a_demo_room_with_a_present_keeps_it_and_the_past_goes_to_a_room_of_its_own(demo: Demo) -> None:
    before = Round.objects.count()
    simulate()
    past = Room.objects.get(code=PAST)
    assert Round.objects.filter(room__code=CODE).count() == before
    assert Round.objects.filter(room=past).exists()
    assert past.employments.filter(staff__username="compliance").exists()


@pytest.mark.outside
def test_a_demo_room_with_a_present_is_refused_by_name(demo: Demo) -> None:
    with pytest.raises(CommandError, match="A journal does not run backwards"):
        simulate("--room", CODE)


@pytest.mark.outside
def test_a_demo_room_that_nobody_came_back_to_goes_on_where_it_was_left(
    demo: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardroom.demo.past.ROUNDS_PER_HOUR", 6)
    live = Round.objects.filter(ended_at=None).count()
    left = Shift.objects.get(room=demo.room, closed_at=None)
    before = Round.objects.filter(room=demo.room).count()
    three_days_on = timezone.now() + datetime.timedelta(days=3)
    with time_machine.travel(three_days_on, tick=False):
        with pytest.raises(CommandError, match=r"To go on after that day, say --days 2\."):
            simulate("--room", CODE, "--days", "3")
        assert "2 days at 6 tables" in simulate("--room", CODE, "--days", "2")
    left.refresh_from_db()
    assert left.closed_at is not None and left.closed_at < three_days_on
    assert not Shift.objects.filter(room=demo.room, closed_at=None).exists()
    played = Round.objects.filter(room=demo.room, gaming_day__gt=left.gaming_day)
    assert set(played.values_list("gaming_day", flat=True)) == {
        left.gaming_day + datetime.timedelta(days=n) for n in (1, 2)
    }
    assert not Round.objects.filter(room=demo.room, ended_at=None).exists()
    assert Round.objects.filter(room=demo.room).count() == before + played.count()
    assert Round.objects.filter(void_reason="Left in play as the room closed").count() == live
    for holder in (Room.objects.get(pk=demo.room.pk), *Table.objects.filter(room=demo.room)):
        assert list(chain_breaks(holder)) == []


def test_nothing_is_simulated_beside_a_real_room() -> None:
    Room.objects.create(name="Alder Creek", code="alder-creek", licence_number="GEGE-001")
    with pytest.raises(CommandError, match="holds Alder Creek, which is no demo room"):
        simulate("--room", "alder-creek")
    assert not Shift.objects.exists()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--days", "0"), "--days is from 1 to 400, not 0."),
        (("--tables", "61"), "--tables is from 1 to 60, not 61."),
        (("--rounds-per-hour", "0"), "--rounds-per-hour is from 1 to 120, not 0."),
    ],
)
def test_numbers_that_make_no_sense_are_refused(words: tuple[str, ...], text: str) -> None:
    with pytest.raises(CommandError, match=text):
        simulate(*words)
    assert not Room.objects.exists()


def test_a_database_that_others_write_to_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> Iterator[None]:
        raise OperationalError("database is locked")
        yield

    monkeypatch.setattr("cardroom.demo.management.commands.simulate.simulate", refused)
    with pytest.raises(CommandError, match="Stop the site while days are simulated"):
        simulate()
