"""What lies behind a demo room when it opens: days that are over, the shift that it is in, and nothing after now."""

from __future__ import annotations

import datetime
import tempfile
from pathlib import Path
from unittest import mock

import pytest
import time_machine

from cardroom.demo.floor_plan import TABLES
from cardroom.demo.furnish import CODE, demo_load
from cardroom.demo.simulation.plan import Opening
from cardroom.drop.models import DropBox
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import Alert, JournalEntry, Offer, Round, Shift, Table, Transfer
from cardroom.floor.reads.rotation import day_period, room_rotation
from cardroom.rooms.models import Room
from cardroom.tips.models import WorkedHours
from tests.kept import kept

pytestmark = pytest.mark.django_db

HOUR = datetime.timedelta(hours=1)
#: Instants (UTC) of the room's day in Los Angeles: minutes after it began, in the afternoon, and late at night.
HOURS = {
    "just begun": datetime.datetime(2026, 11, 25, 14, 4, tzinfo=datetime.UTC),
    "afternoon": datetime.datetime(2026, 11, 25, 23, 40, tzinfo=datetime.UTC),
    "night": datetime.datetime(2026, 11, 26, 9, 30, tzinfo=datetime.UTC),
}


#: The evening of each day: every table for three quarters of an hour.
EVERY_TABLE = Opening(datetime.timedelta(hours=12), 6, datetime.timedelta(minutes=45))


def opened(folder: Path, now: datetime.datetime) -> Room:
    """The demo room as loaded at `now`, with one evening behind it."""
    with (
        time_machine.travel(now, tick=False),
        mock.patch("cardroom.demo.past.WEEK", [[EVERY_TABLE]] * 7),
    ):
        demo_load(folder, past_days=1)
    return Room.objects.get(code=CODE)


def opened_in_the_afternoon() -> Room:
    with tempfile.TemporaryDirectory() as folder:
        return opened(Path(folder), HOURS["afternoon"])


@pytest.mark.parametrize("hour", HOURS)
def test_a_demo_room_opens_in_the_middle_of_a_shift_that_is_as_old_as_its_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hour: str
) -> None:
    now = HOURS[hour]
    if hour != "afternoon":  # a room whose past is as busy as the demo's serves all tests
        monkeypatch.setattr("cardroom.demo.past.ROUNDS_PER_HOUR", 5)
    room = kept(opened_in_the_afternoon, fresh=HOUR) if hour == "afternoon" else opened(tmp_path, now)
    shift = Shift.objects.get(room=room, closed_at=None)
    began = {"just begun": (2026, 11, 25, 14), "afternoon": (2026, 11, 25, 22), "night": (2026, 11, 26, 6)}
    assert shift.opened_at == datetime.datetime(*began[hour], tzinfo=datetime.UTC)
    before = Shift.objects.filter(room=room, gaming_day=datetime.date(2026, 11, 24))
    assert [each.name for each in before] == ["Swing"]  # nobody opens a shift in which no table is open
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


def test_what_is_filed_was_filed_before_the_first_round() -> None:
    room = kept(opened_in_the_afternoon, fresh=HOUR)
    first = Round.objects.filter(room=room).earliest("opened_at").opened_at
    for kind in (FeeSchedule, GameFiling):
        filed = kind.objects.filter(room=room).values_list("filed_at", flat=True)
        assert filed and all(at < first for at in filed), kind


def test_its_own_tables_have_played_and_what_was_open_of_a_day_is_over() -> None:
    room = kept(opened_in_the_afternoon, fresh=HOUR)
    day = datetime.date(2026, 11, 24)
    played = Round.objects.filter(room=room, gaming_day=day).values_list("table__number", flat=True)
    assert set(played) == {table.number for table in TABLES if table.dealer is not None}
    boxes = DropBox.objects.filter(room=room, shift__gaming_day=day)
    assert boxes.exists() and not boxes.filter(counted_at=None).exists()
    assert not Alert.objects.filter(room=room, raised_at__date=day, cleared_at=None).exists()


def test_every_game_of_it_is_played_by_its_own_terms() -> None:
    room = kept(opened_in_the_afternoon, fresh=HOUR)
    rounds = Round.objects.filter(room=room, state=Round.State.SETTLED, revision=0)
    for table in TABLES:
        charged = rounds.filter(table__number=table.number)
        assert all(
            (each.game.number, each.schedule.number) == (table.game, table.schedule)
            for each in charged.select_related("game", "schedule")
        )
    # Points of decision, wagers after the deal, the dice.
    assert rounds.filter(table__number=9).exclude(decided={}).exists()
    assert not rounds.filter(table__number=9, board="").exists()
    assert rounds.filter(table__number=11).exclude(later_bets=[]).exists()
    assert not rounds.filter(table__number=12, action_seat=None).exists()
    # Who is not eligible was passed over, and nobody who is; nothing breaks a rotation but a bank that was let play on.
    assert Offer.objects.filter(table__number=12, passed_over=True).exists()
    assert not Offer.objects.filter(room=room, passed_over=True).exclude(table__number=12).exists()
    days = sorted(set(rounds.values_list("gaming_day", flat=True)))
    kinds = {
        found.kind
        for day in days
        for rotation in room_rotation(room, day_period(room, day))
        for found in rotation.exceptions
    }
    assert kinds <= {"over_limit"}, kinds
    kinds_of_alerts = set(Alert.objects.filter(room=room).values_list("kind", flat=True))
    assert kinds_of_alerts <= {Alert.Kind.BANK_EXHAUSTED, Alert.Kind.ROTATION_BROKEN}
