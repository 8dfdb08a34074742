"""What lies behind a demo room when it opens: days that are over, the shift that it is in, and nothing after now."""

from __future__ import annotations

import datetime
import random
import tempfile
from pathlib import Path
from unittest import mock

import pytest
import time_machine
from django.db.models import F

from cardroom.core.row_digests import rows_gathered
from cardroom.demo.floor_plan import TABLES
from cardroom.demo.furnish import CODE, demo_load
from cardroom.demo.office import Office
from cardroom.demo.past import WEEK, evenings
from cardroom.demo.simulation.mishaps import CLAIMS, Mishap
from cardroom.demo.simulation.month import people_playing
from cardroom.demo.simulation.plan import Opening, hours_of_week
from cardroom.drop.models import DropBox, VarianceCheck
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import (
    Alert,
    JournalEntry,
    Offer,
    RackCount,
    Round,
    Shift,
    Table,
    TabletGap,
    Transfer,
)
from cardroom.floor.reads.rotation import day_period, room_rotation
from cardroom.floor.verification.rows import rows_verify
from cardroom.inbox.models import Dispute, Item
from cardroom.people.models import Player, ProviderContract
from cardroom.reports.models import ShiftReport
from cardroom.reports.shift.making import shift_report_make
from cardroom.rooms.models import Room
from cardroom.tips.models import WorkedHours
from tests.kept import kept

pytestmark = [pytest.mark.django_db, pytest.mark.outside]  # weeks of play

HOUR = datetime.timedelta(hours=1)
#: Instants (UTC) of the room's day in Los Angeles: minutes after it began, after a shift of it began (the evening begins with
#: that shift, where the past ends), in the afternoon, and late at night.
HOURS = {
    "just begun": datetime.datetime(2026, 11, 25, 14, 4, tzinfo=datetime.UTC),
    "a shift just begun": datetime.datetime(2026, 11, 25, 22, 10, tzinfo=datetime.UTC),
    "afternoon": datetime.datetime(2026, 11, 25, 23, 40, tzinfo=datetime.UTC),
    "night": datetime.datetime(2026, 11, 26, 9, 30, tzinfo=datetime.UTC),
}


#: The evening of each day: every table for three quarters of an hour.
EVERY_TABLE = Opening(datetime.timedelta(hours=12), 6, datetime.timedelta(minutes=45))


#: What may happen on one evening: no badge has run out by then.
WITHIN_A_DAY = [mishap for mishap in Mishap if mishap is not Mishap.EXPIRED_BADGE]


def opened(folder: Path, now: datetime.datetime) -> Room:
    """The demo room as loaded at `now`, with one evening behind it."""
    with (
        time_machine.travel(now, tick=False),
        mock.patch("cardroom.demo.past.WEEK", [[EVERY_TABLE]] * 7),
        mock.patch("cardroom.demo.past.MISHAPS", {1: WITHIN_A_DAY}),
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
    began = {
        "just begun": (2026, 11, 25, 14),
        "a shift just begun": (2026, 11, 25, 22),
        "afternoon": (2026, 11, 25, 22),
        "night": (2026, 11, 26, 6),
    }
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
    kinds_of_alerts = set(Alert.objects.filter(room=room).values_list("kind", flat=True))
    assert kinds_of_alerts <= {Alert.Kind.BANK_EXHAUSTED, Alert.Kind.ROTATION_BROKEN}


def test_what_is_to_go_wrong_goes_wrong_once() -> None:
    room = kept(opened_in_the_afternoon, fresh=HOUR)
    days = sorted(set(Shift.objects.filter(room=room).values_list("gaming_day", flat=True)))
    kinds = [
        found.kind
        for day in days
        for rotation in room_rotation(room, day_period(room, day))
        for found in rotation.exceptions
    ]
    assert sorted(kinds) == ["eligible_passed_over", "out_of_order", "over_limit"]
    past = Round.objects.filter(room=room, gaming_day=days[0])
    voids = past.filter(state=Round.State.VOID)
    assert (voids.filter(dealt_at=None).count(), voids.exclude(dealt_at=None).count()) == (1, 1)
    corrected = past.filter(revision__gt=0)
    assert corrected.filter(shift__gaming_day=days[0]).count() == 1
    assert TabletGap.objects.filter(room=room).count() == 1
    differing = VarianceCheck.objects.filter(room=room, is_over=True)
    found = {check.counted_cents - check.expected_cents: check.notes.exists() for check in differing}
    assert found == {-500: True, -2500: False}


def test_a_rack_was_handed_over_with_a_count_and_two_claims_were_taken_down() -> None:
    room = kept(opened_in_the_afternoon, fresh=HOUR)
    handed = RackCount.objects.get(room=room)
    assert handed.relieved is not None and handed.relieved.provider_id == handed.player.provider_id
    assert handed.witnessed_by.username == "floor"
    claims = Dispute.objects.filter(room=room, round__gaming_day=datetime.date(2026, 11, 24))
    assert [each.claim for each in claims.order_by("pk")] == list(CLAIMS.values())


def test_the_office_decides_a_claim_has_one_reviewed_and_works_exceptions_off() -> None:
    room = kept(opened_in_the_afternoon, fresh=HOUR)
    office = Office(days=30, today=datetime.date(2026, 12, 1))
    people = people_playing(room, evenings(1, 1))
    with rows_gathered():
        for day in (26, 30):  # a Thursday and a Monday
            office.morning(room, people, datetime.datetime(2026, 11, day, 18, tzinfo=datetime.UTC))
    decided, reviewed = Dispute.objects.filter(room=room).order_by("pk")
    assert (decided.outcome, reviewed.outcome) == ("denied", "")
    assert reviewed.is_under_review and reviewed.item.kept_until == reviewed.hold_until
    states = set(Item.objects.filter(room=room).values_list("kind", "state"))
    assert {("rotation", "referred"), ("void", "explained"), ("variance", "explained")} <= states
    assert not list(rows_verify(models=[Item, Dispute, Player]))


def test_the_last_report_is_there_and_waits_to_be_restated() -> None:
    room = kept(opened_in_the_afternoon, fresh=HOUR)
    report = ShiftReport.objects.get(room=room)
    late = Round.objects.filter(room=room, corrects__isnull=False).exclude(shift__gaming_day=F("gaming_day"))
    assert late.get().gaming_day == report.shift.gaming_day == datetime.date(2026, 11, 24)
    assert shift_report_make(report.shift_id).revision == report.revision + 1


def test_two_providers_are_under_contract_and_their_players_have_badges() -> None:
    room = kept(opened_in_the_afternoon, fresh=HOUR)
    contracts = ProviderContract.objects.filter(room=room).order_by("pk")
    assert [
        each.provider.players.exclude(badge_number="").exclude(badge_expires=None).count()
        for each in contracts
    ] == [4, 3]
    dealers = room.employments.filter(role="dealer")
    assert dealers.exists() and not dealers.filter(staff__licence_expires=None).exists()
    assert room.players.filter(is_guest=True).exists()


def test_weekends_are_busier_no_day_is_empty_and_every_table_opens_each_week() -> None:
    first = datetime.date(2026, 10, 19)  # a Monday
    chance = random.Random(1)
    minutes: dict[datetime.date, float] = {}
    for week in range(5):
        open_in_week = set()
        for day in (first + datetime.timedelta(days=7 * week + n) for n in range(7)):
            begins = datetime.datetime.combine(day, datetime.time(14), tzinfo=datetime.UTC)
            bounds = (begins, begins + datetime.timedelta(days=1))
            hours = hours_of_week(chance, day, WEEK, tables=6, bounds=bounds)
            open_in_week |= {table for table, (opens, closes) in enumerate(hours) if opens < closes}
            minutes[day] = sum((closes - opens).total_seconds() / 60 for opens, closes in hours)
        assert open_in_week == set(range(6))
    assert min(minutes.values()) > 45
    busiest = {day.weekday() for day in sorted(minutes, key=lambda day: -minutes[day])[:5]}
    assert busiest <= {4, 5}  # Fridays and Saturdays
