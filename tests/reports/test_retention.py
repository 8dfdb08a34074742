"""Records are kept for seven years at least, and a purge that comes too early is refused with the day it would not be."""

from __future__ import annotations

import datetime
import io

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from cardroom.floor.models import Round
from cardroom.reports.retention import kept_since, kept_until, why_not_purge
from cardroom.rooms.models import Room
from tests.cast import Cast, written
from tests.kept import kept

from .played_shift import play_shift

NOW = datetime.datetime(2026, 11, 21, 20, tzinfo=datetime.UTC)


@pytest.fixture
def cast(db: None) -> Cast:
    return kept(_cast)


def _cast() -> Cast:
    with time_machine.travel(NOW, tick=False):
        cast = Cast()
        play_shift(cast)
    return cast


def purge(before: str, *more: str) -> str:
    output = io.StringIO()
    with time_machine.travel(NOW, tick=False):
        call_command("purge", "--before", before, *more, stdout=output)
    return output.getvalue()


@pytest.mark.postgresql
def test_a_room_keeps_records_for_seven_years_and_never_for_less(cast: Cast) -> None:
    assert cast.room.retention_years == 7
    cast.room.retention_years = 6
    with pytest.raises(ValidationError):
        cast.room.full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        cast.room.save()
    cast.room.retention_years = 10
    cast.room.save()
    assert kept_since(cast.room, NOW) == datetime.date(2016, 11, 22)


@pytest.mark.parametrize("before", ["2026-11-21", "2019-11-23", "2027-01-01"])
def test_purging_what_must_be_kept_is_refused_with_the_day_from_which_it_may(cast: Cast, before: str) -> None:
    facts = written()
    with pytest.raises(CommandError) as refused:
        purge(before)
    last = datetime.date.fromisoformat(before) - datetime.timedelta(days=1)
    assert f"must be kept until {last.replace(year=last.year + 7)}" in str(refused.value)
    assert "nothing from 2019-11-22 on may go" in str(refused.value)
    assert written() == facts


def test_what_is_old_enough_is_counted_and_kept_and_all_still_holds(cast: Cast) -> None:
    facts = written()
    with time_machine.travel(NOW.replace(year=2035)):
        output = io.StringIO()
        call_command("purge", "--before", "2027-01-01", "--room", "cache-slough", stdout=output)
    assert f"{Round.objects.count()} rounds" in output.getvalue()
    assert "Nothing was deleted" in output.getvalue() and "Gold Bar" not in output.getvalue()
    assert written() == facts
    call_command("verify", stdout=io.StringIO())


def test_one_room_that_keeps_longer_refuses_for_all(cast: Cast) -> None:
    Room.objects.filter(pk=cast.rival.pk).update(retention_years=9)
    with pytest.raises(CommandError, match="Gold Bar keeps its records for 9 years"):
        purge("2019-01-01")
    assert "Cache Slough" in purge("2019-01-01", "--room", "cache-slough")


@pytest.mark.parametrize("text", ["yesterday", "2019-13-01", ""])
def test_what_is_no_day_is_refused(cast: Cast, text: str) -> None:
    with pytest.raises(CommandError, match="write it as 2026-11-20"):
        purge(text)


def test_an_unknown_room_is_refused(cast: Cast) -> None:
    with pytest.raises(CommandError, match="There is no room 'nowhere'"):
        purge("2010-01-01", "--room", "nowhere")


def test_a_leap_day_is_kept_through_the_last_day_of_february(cast: Cast) -> None:
    leap = datetime.date(2020, 2, 29)
    assert kept_until(cast.room, leap) == datetime.date(2027, 3, 1)
    last, first = (
        datetime.datetime(2027, month, day, 20, tzinfo=datetime.UTC) for month, day in ((2, 28), (3, 1))
    )
    assert why_not_purge(cast.room, datetime.date(2020, 3, 1), last)
    assert why_not_purge(cast.room, datetime.date(2020, 3, 1), first) is None
