"""Which tables a version of a filing is for, and from when, is what those tables do once its day has come."""

from __future__ import annotations

import copy
import datetime
from collections.abc import Callable

import pytest
import time_machine
from django.utils import timezone

from cardroom.filings import services
from cardroom.filings.models import FeeSchedule
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.tables import table_set
from cardroom.floor.errors import BadInput, NotNow
from cardroom.floor.models import Shift
from cardroom.floor.reads.filing_tables import FilingTables, filing_tables
from cardroom.rooms.gaming_day import gaming_day, gaming_day_bounds
from tests.cast import Cast
from tests.filing import filed_game, table_settings
from tests.web.conftest import Person
from tests.web.conftest import person as person  # noqa: PLC0414  # a fixture


def filed_for_tomorrow(cast: Cast, **columns: object) -> tuple[FeeSchedule, FeeSchedule, datetime.date]:
    """Draft and file the next version of schedule 1: before, the new one, and its first day."""
    before = cast.schedule(1)
    by, now = cast.people["room_manager"], timezone.now()
    document = copy.deepcopy(before.document)
    draft = services.draft(
        FeeSchedule(
            room=cast.room, number=1, rulebook=before.rulebook, document=document, title="Anew", **columns
        ),
        by=by,
    )
    drafted = filing_tables(draft, now)
    tomorrow = gaming_day(cast.room, now) + datetime.timedelta(days=1)
    assert drafted.first == tomorrow and not drafted.has_begun
    version = services.file(draft, by=by, effective_from=tomorrow, state_reference="anew")
    filed = filing_tables(version, now)
    assert told(filed) == told(drafted)
    return before, version, tomorrow


def told(tables: FilingTables) -> dict[str, str]:
    """What is said of each table."""
    said = {str(each.table): each.why_not or "changes" for each in tables.changes}
    said |= {str(table): "is set to it" for table in tables.set_to_it}
    return said | {str(each.table): each.why for each in tables.kept}


def test_a_table_deals_no_round_on_the_version_before_once_the_day_has_come_and_is_set_to_the_new_one(
    running: Cast,
) -> None:
    running.play({4: 1000})
    before, version, tomorrow = filed_for_tomorrow(running)
    tables = filing_tables(version, timezone.now())
    assert told(tables)[str(running.table)] == "changes"
    assert [each.before for each in tables.changes] == [before]
    assert tables.begins_at == gaming_day_bounds(running.room, tomorrow)[0]
    shift = Shift.objects.get(closed_at__isnull=True)
    assert tables.open_shift == shift
    with time_machine.travel(tables.begins_at + datetime.timedelta(minutes=5), tick=False):
        # A shift of the day before that is still open is played to its end by what it began with.
        running.play({4: 1000})
        settings = table_settings(running.room, rulebook="california", schedule_id=version.pk)
        with pytest.raises(BadInput, match="is not in force on gaming day"):
            running.send(table_set, "floor", **settings)
        running.send(table_set, "floor", **{**settings, "schedule_id": before.pk})
        running.send_room(shift_close, shift_id=shift.pk, confirmed=True)
        running.send_room(shift_open, name="Day")
        assert filing_tables(version, timezone.now()).has_begun
        with pytest.raises(NotNow, match="is not in force on gaming day"):
            running.begin()
        running.send(table_set, "floor", **settings)
        assert told(filing_tables(version, timezone.now()))[str(running.table)] == "is set to it"


def test_a_table_that_cannot_be_set_to_it_is_told_with_the_refusal_of_the_command(running: Cast) -> None:
    running.table.refresh_from_db()
    played = running.table.game
    assert played is not None
    other = filed_game(running.room, options={"tips": "none"})
    assert other != played
    _, version, tomorrow = filed_for_tomorrow(running, games=[other.number])
    said = told(filing_tables(version, timezone.now()))[str(running.table)]
    assert f"is approved for game {other.number}, and not for" in said
    settings = {"game_id": played.pk, "schedule_id": version.pk}
    shift = Shift.objects.get(closed_at__isnull=True)
    with time_machine.travel(gaming_day_bounds(running.room, tomorrow)[0], tick=False):
        running.send_room(shift_close, shift_id=shift.pk, confirmed=True)
        with pytest.raises(BadInput) as refused:
            running.send(table_set, "floor", **settings)
        assert refused.value.message == said


def test_the_page_and_the_printed_notice_say_which_tables_and_when(
    running: Cast, person: Callable[[str], Person]
) -> None:
    _, version, tomorrow = filed_for_tomorrow(running)
    browser = person("compliance").client
    address = f"/rooms/{running.room.code}/schedules/1/{version.version}/"
    page = browser.get(address).content.decode()
    assert f"From gaming day {tomorrow:%a %b} {tomorrow.day}, {tomorrow.year}, which begins at" in page
    assert "which is open, are played as before until it closes" in page
    notice = browser.get(f"{address}notice.pdf")
    assert notice.status_code == 200 and notice.content.startswith(b"%PDF")
    old = browser.get(f"/rooms/{running.room.code}/schedules/1/1/").content.decode()
    assert "deal no round from then until the floor has set them to another" in old
