"""What lies behind a demo room when it opens: days that are over, the shift that it is in, and nothing after now."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
import time_machine

from cardroom.demo.furnish import CODE, demo_load
from cardroom.drop.models import DropBox
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import Alert, JournalEntry, Offer, Round, Shift, Table, Transfer
from cardroom.rooms.models import Room
from cardroom.tips.models import WorkedHours

pytestmark = pytest.mark.django_db

#: Instants (UTC) of the room's day in Los Angeles: minutes after it began, in the afternoon, and late at night.
HOURS = {
    "just begun": datetime.datetime(2026, 11, 25, 14, 4, tzinfo=datetime.UTC),
    "afternoon": datetime.datetime(2026, 11, 25, 23, 40, tzinfo=datetime.UTC),
    "night": datetime.datetime(2026, 11, 26, 9, 30, tzinfo=datetime.UTC),
}


def opened(folder: Path, now: datetime.datetime) -> Room:
    """The demo room as loaded at `now`, with one day behind it."""
    with time_machine.travel(now, tick=False):
        demo_load(folder, past_days=1)
    return Room.objects.get(code=CODE)


@pytest.fixture(params=HOURS)
def now(request: pytest.FixtureRequest) -> datetime.datetime:
    return HOURS[request.param]


def test_a_demo_room_opens_in_the_middle_of_a_shift_that_is_as_old_as_its_hour(
    tmp_path: Path, now: datetime.datetime
) -> None:
    room = opened(tmp_path, now)
    shift = Shift.objects.get(room=room, closed_at=None)
    began = {"just begun": (2026, 11, 25, 14), "afternoon": (2026, 11, 25, 22), "night": (2026, 11, 26, 6)}
    assert shift.opened_at == datetime.datetime(
        *began[next(name for name, at in HOURS.items() if at == now)], tzinfo=datetime.UTC
    )
    assert Shift.objects.filter(room=room, gaming_day=datetime.date(2026, 11, 24)).count() == 3
    assert Table.objects.get(room=room, number=7).state == Table.State.OPEN
    # Nobody has worked longer than the shift has lasted, and no table played faster than a dealer deals.
    since = now - shift.opened_at
    worked = WorkedHours.objects.filter(room=room, shift=shift)
    assert all(
        datetime.timedelta(minutes=each.minutes) <= max(since, datetime.timedelta(minutes=1))
        for each in worked
    )
    # No row is dated after now, and every chain holds.
    for model, column in (
        (JournalEntry, "at"),
        (Round, "opened_at"),
        (Offer, "answered_at"),
        (Transfer, "made_at"),
    ):
        assert not model.objects.filter(**{f"{column}__gt": now}).exists(), model
    for holder in (room, *Table.objects.filter(room=room)):
        assert list(chain_breaks(holder)) == []


def test_what_is_filed_was_filed_before_the_first_round(tmp_path: Path) -> None:
    room = opened(tmp_path, HOURS["afternoon"])
    first = Round.objects.filter(room=room).earliest("opened_at").opened_at
    for kind in (FeeSchedule, GameFiling):
        filed = kind.objects.filter(room=room).values_list("filed_at", flat=True)
        assert filed and all(at < first for at in filed), kind


def test_its_own_tables_have_played_and_what_was_open_of_a_day_is_over(tmp_path: Path) -> None:
    room = opened(tmp_path, HOURS["afternoon"])
    day = datetime.date(2026, 11, 24)
    played = Round.objects.filter(room=room, gaming_day=day).values_list("table__number", flat=True)
    assert set(played) == {7, 8, 9, 10}
    boxes = DropBox.objects.filter(room=room, shift__gaming_day=day)
    assert boxes.exists() and not boxes.filter(counted_at=None).exists()
    assert not Alert.objects.filter(room=room, raised_at__date=day, cleared_at=None).exists()
