"""What was given offline keeps both instants, and both reports of a change of shift say so (ruling 61)."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.execution.offline import GivenOffline
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry, OfflineEntry, Round, Shift, TabletGap
from cardroom.floor.verification.rows import rows_verify
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.query import ReportQuery
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.stored.selectors import report_of
from cardroom.reports.tasks import make_due_reports
from tests.cast import Cast, new_key, open_cast, sheet

from ..played_shift import rows

MINUTE, HOUR = datetime.timedelta(minutes=1), datetime.timedelta(hours=1)


@pytest.fixture
def cast(db: None) -> Cast:
    return open_cast()


def given_offline(cast: Cast, given: GivenOffline) -> None:
    """A round that was recorded offline, sent now."""
    state = cast.state()
    if state.turn is None:
        assert state.step.seat is not None
        cast.bank_to(state.step.seat)
        state = cast.state()
    assert state.turn is not None
    seat = 1 if state.turn.seat != 1 else 2
    meta = CommandMeta(actor=cast.people["dealer"], key=new_key(), version=state.table.version, given=given)
    round_record(meta, cast.table.pk, sheet=sheet({seat: 1000}, bank=state.turn.seat))


def exceptions_of(shift: Shift) -> dict[str, Any]:
    report = report_of(shift)
    assert report is not None
    return {row["what"]: row["count"] for row in rows(shift_document_of(report), "to_look_at")}


@pytest.mark.postgresql
def test_what_waited_over_a_change_of_shift_stands_in_both_reports(cast: Cast) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        given_offline(cast, GivenOffline(timezone.now(), 0))  # so that the bank is somebody's
        at, day = timezone.now() + MINUTE, Shift.objects.get()
        clock.shift(20 * MINUTE)
        cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=day.pk, next_name="Grave")
        make_due_reports()
        assert "Entries recorded after the shift had closed" not in exceptions_of(day)
        clock.shift(10 * MINUTE)
        # The tablet's clock is three minutes slow, which was measured while it was in touch.
        given_offline(cast, GivenOffline(at - 3 * MINUTE, 180_000, "tab1"))
        grave = Shift.objects.get(closed_at=None)
        entry = OfflineEntry.objects.latest("pk")
        assert (entry.given_at, entry.taken_at, entry.taken_at - at) == (at, timezone.now(), 29 * MINUTE)
        assert (entry.shift, entry.given_in, Round.objects.latest("pk").shift) == (grave, day, grave)
        told = JournalEntry.objects.filter(command="given_offline").latest("pk").data
        assert (told["given_in"], told["shift"], told["waited_seconds"]) == (str(day), str(grave), 29 * 60)
        cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=grave.pk)
        make_due_reports()
        assert exceptions_of(day)["Entries recorded after the shift had closed"] == 1
        assert exceptions_of(grave)["Entries given in an earlier shift"] == 1
        report = report_of(day)
        assert report is not None
        (waited, _) = sorted(
            row["waited_seconds"] for row in rows(shift_document_of(report), "offline_entries")
        )[::-1]
        assert waited == 29 * 60
        assert not list(rows_verify()) and not list(chain_breaks(cast.state().table))


def test_a_tablet_whose_clock_is_ahead_gives_nothing_after_it_was_taken(cast: Cast) -> None:
    given_offline(cast, GivenOffline(timezone.now() + 5 * HOUR))
    entry = OfflineEntry.objects.get()
    assert (entry.given_at, entry.offset_ms, entry.given_in) == (entry.taken_at, None, None)


def offline_report(cast: Cast, now: datetime.datetime) -> Any:
    day = Shift.objects.get()
    query = ReportQuery(
        room=cast.room,
        first=day.gaming_day,
        last=day.gaming_day,
        staff=cast.people["compliance"],
        now=now,
        shift=None,
        options={},
    )
    return REPORTS["offline"].make(query)


def test_how_long_each_tablet_was_out_of_touch_is_told_and_more_than_a_day_marked(cast: Cast) -> None:
    screen = f"/tables/{cast.table.pk}/screen/"
    with time_machine.travel(timezone.now(), tick=False) as clock:
        first = timezone.now()
        for hours, minutes in ((0, 0), (0, 1), (0, 31), (25, 32)):
            clock.move_to(first + hours * HOUR + minutes * MINUTE)
            browser = Client()
            browser.force_login(cast.people["dealer"])
            assert browser.post(screen, {"screen": "tab1", "state": "here"}).status_code == 204
        assert [gap.until - gap.since for gap in TabletGap.objects.order_by("pk")] == [
            30 * MINUTE,
            25 * HOUR + MINUTE,
        ]
        clock.shift(2 * HOUR)  # and silent once more, up to now
        document = offline_report(cast, timezone.now())
        (tablet,) = rows(document, "tablets")
        assert (tablet["times"], tablet["longest_seconds"], tablet["over"]) == (3, 25 * 3600 + 60, 1)
        assert [row["until_at"] is None for row in rows(document, "gaps")] == [False, False, True]
        assert not list(rows_verify()) and not list(chain_breaks(cast.state().table))
