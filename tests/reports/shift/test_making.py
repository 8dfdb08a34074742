"""When a report is made, that it is made once, and that it stays as it was made."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from cardroom.floor.commands.rounds import bets_close, round_deal, round_void
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.errors import NotFound, NotNow
from cardroom.floor.journal import Head
from cardroom.floor.models import Shift, StoredAnswer
from cardroom.floor.report_jobs import ReportKind
from cardroom.jobs.models import Job
from cardroom.people.models import Player
from cardroom.reports import tasks
from cardroom.reports.models import ShiftReport
from cardroom.reports.shift import making
from cardroom.reports.shift.inputs import inputs_hash, inputs_read
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.stored.selectors import report_of, reports_due
from cardroom.reports.verification import verify
from tests.cast import Cast

from ..commands import as_superuser, close_shift, open_shift


def test_there_is_no_report_of_an_open_shift(running: Cast) -> None:
    with pytest.raises(NotNow) as caught:
        shift_report_make(open_shift(running).pk)
    assert caught.value.code == "shift_open"
    assert ShiftReport.objects.count() == 0


def test_there_is_no_report_of_an_unknown_shift(db: None) -> None:
    with pytest.raises(NotFound):
        shift_report_make(999_999)


def test_a_report_waits_for_the_rounds_in_play(running: Cast) -> None:
    running.bet({4: 1000})
    running.send(bets_close)
    shift = close_shift(running)
    with pytest.raises(NotNow) as caught:
        shift_report_make(shift.pk)
    assert caught.value.code == "rounds_in_play"
    assert reports_due(timezone.now()) == []
    running.send(round_deal)
    running.settle({4: 1000})
    assert reports_due(timezone.now()) == [shift.pk]
    assert shift_report_make(shift.pk).typed_figures["total"]["rounds_settled"] == 1


def test_a_round_that_is_voided_ends_the_waiting_too(running: Cast) -> None:
    running.deal({4: 1000})
    shift = close_shift(running)
    running.send_room(shift_open, name="Graveyard")
    running.send(round_void, reason="device failure", approver=running.people["shift_manager"])
    assert reports_due(timezone.now()) == [shift.pk]
    assert shift_report_make(shift.pk).typed_figures["total"]["voids_after_deal"] == 1


def test_betting_that_is_still_open_belongs_to_the_next_shift_and_is_not_waited_for(
    running: Cast,
) -> None:
    running.bet({4: 1000})
    shift = close_shift(running)
    assert shift_report_make(shift.pk).typed_figures["total"]["rounds_settled"] == 0


def test_made_twice_it_is_one_report(running: Cast) -> None:
    shift = close_shift(running)
    first = shift_report_make(shift.pk)
    assert shift_report_make(shift.pk) == first == report_of(shift)
    assert ShiftReport.objects.count() == 1
    assert reports_due(timezone.now()) == []


@pytest.mark.postgresql
def test_of_two_that_make_it_at_once_the_database_lets_one_through(
    running: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one looked before the first had committed: it finds the row in its way and takes that."""
    shift = close_shift(running)
    first = shift_report_make(shift.pk)
    looks = iter([None, first])
    monkeypatch.setattr(making, "report_of", lambda _: next(looks))
    assert shift_report_make(shift.pk) == first
    assert ShiftReport.objects.count() == 1


@pytest.mark.postgresql
def test_another_breach_of_the_databases_rules_is_not_taken_for_that(
    running: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = close_shift(running)
    monkeypatch.setattr(making, "inputs_hash", lambda *_: None)
    with pytest.raises(IntegrityError):
        shift_report_make(shift.pk)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_make_one_report() -> None:
    cast = Cast().running()
    cast.play({4: 1000})
    shift = close_shift(cast)
    start, made = threading.Barrier(4), []

    def make() -> None:
        try:
            start.wait()
            made.append(shift_report_make(shift.pk).pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert len(made) == 4 and len(set(made)) == 1
    assert ShiftReport.objects.count() == 1


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_site_at_work_is_verified_as_one_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    cast = Cast().running()
    for name in ("First", "Second"):
        cast.play({4: 1000})
        shift_report_make(close_shift(cast).pk)
        cast.send_room(shift_open, name=name)
    monkeypatch.setattr(verify, "_REPORTS_AT_ONCE", 1)
    looked_at = verify._report_breaks

    def while_somebody_writes(report: ShiftReport) -> Iterator[str]:
        def write() -> None:
            Player.objects.create(room=cast.room, name=f"Seen during report {report.pk}")
            connection.close()

        writer = threading.Thread(target=write)
        writer.start()
        writer.join(timeout=30)
        yield from looked_at(report)

    monkeypatch.setattr(verify, "_report_breaks", while_somebody_writes)
    assert list(verify.reports_verify(verify.Checked())) == []
    assert Player.objects.filter(name__startswith="Seen during").count() == 2


def test_a_report_holds_the_heads_of_all_chains_and_the_hash_of_what_it_was_made_from(
    running: Cast,
) -> None:
    running.play({4: 1000})
    shift = close_shift(running)
    running.room.refresh_from_db()
    running.table.refresh_from_db()
    made = shift_report_make(shift.pk)  # which the room's journal keeps too, after these heads
    assert made.chain_heads == [
        Head(chain=f"room:{running.room.pk}", seq=running.room.chain_seq, hash=running.room.chain_hash),
        Head(chain=f"table:{running.table.pk}", seq=running.table.chain_seq, hash=running.table.chain_hash),
        Head(chain=f"table:{running.second_table.pk}", seq=0, hash=""),
    ]
    assert running.table.chain_seq > 10
    assert made.inputs_hash == inputs_hash(inputs_read(shift), made.chain_heads)
    assert made.inputs_hash != inputs_hash(inputs_read(shift), made.chain_heads[:1])


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE reports_shiftreport SET inputs_hash = ''",
        "DELETE FROM reports_shiftreport",
        "TRUNCATE reports_shiftreport CASCADE",
    ],
)
def test_a_report_is_never_changed_or_removed(running: Cast, sql: str) -> None:
    made = shift_report_make(close_shift(running).pk)
    if sql.startswith("TRUNCATE") and connection.vendor == "sqlite":
        sql = "DELETE FROM reports_shiftreport"  # what stands for it there
    connection.check_constraints()  # PostgreSQL truncates nothing while deferred ones of the insert are pending
    with pytest.raises(DatabaseError, match="stays as it was made"), transaction.atomic():
        connection.cursor().execute(sql)
    with pytest.raises(DatabaseError, match="stays as it was made"), transaction.atomic():
        made.delete()
    assert ShiftReport.objects.get() == made


class TestDueReports:
    """The task asks the database: without any message, and whatever became of the one before."""

    def test_it_makes_every_report_that_is_due(self, running: Cast) -> None:
        first = close_shift(running)
        running.send_room(shift_open, name="Graveyard")
        second = close_shift(running)
        running.send_room(shift_open, name="Day")
        assert reports_due(timezone.now()) == [second.pk, first.pk]
        tasks.make_due_reports()
        tasks.make_due_reports()
        assert sorted(ShiftReport.objects.values_list("shift", flat=True)) == [first.pk, second.pk]

    def test_of_those_that_are_asked_for_the_last_shift_comes_first(
        self, running: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shifts = [close_shift(running)]
        for name in ("Graveyard", "Day"):
            running.send_room(shift_open, name=name)
            shifts.append(close_shift(running))
        asked = Job.objects.filter(kind=ReportKind.SHIFT_REPORT, state=Job.State.WAITING)
        assert {job.arguments["shift"] for job in asked} == {shift.pk for shift in shifts}
        made: list[int] = []
        make = making.shift_report_make

        def noted(shift_id: int) -> Any:
            made.append(shift_id)
            return make(shift_id)

        monkeypatch.setattr(tasks, "shift_report_make", noted)
        tasks.make_due_reports()
        assert list(dict.fromkeys(made)) == [shift.pk for shift in reversed(shifts)]

    def test_a_shift_that_closes_while_a_backlog_is_made_comes_next(
        self, running: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shifts = [close_shift(running)]
        for name in ("Graveyard", "Day"):
            running.send_room(shift_open, name=name)
            shifts.append(close_shift(running))
        Job.objects.update(
            state="cancelled", ended_at=timezone.now()
        )  # a backlog: shifts without report and job
        running.send_room(shift_open, name="Late")
        made: list[int] = []
        make = making.shift_report_make

        def close_meanwhile(shift_id: int) -> Any:
            if not made:
                shifts.append(close_shift(running))
            made.append(shift_id)
            return make(shift_id)

        monkeypatch.setattr(tasks, "shift_report_make", close_meanwhile)
        tasks.make_due_reports()
        first, second, third, just_closed = (shift.pk for shift in shifts)
        assert made == [third, just_closed, second, first]

    def test_one_that_fails_keeps_no_other_from_being_made(
        self, running: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        first = close_shift(running)
        running.send_room(shift_open, name="Graveyard")
        second = close_shift(running)
        make = making.shift_report_make

        def fail_first(shift_id: int) -> Any:
            if shift_id == first.pk:
                raise DatabaseError("disk full")
            return make(shift_id)

        monkeypatch.setattr(tasks, "shift_report_make", fail_first)
        tasks.make_due_reports()
        assert report_of(second) is not None and report_of(first) is None
        assert "(shift_report) has failed" in caplog.text and "disk full" in caplog.text

    def test_a_report_that_does_not_tie_out_is_logged_as_an_error(
        self, running: Cast, caplog: pytest.LogCaptureFixture
    ) -> None:
        running.play({4: 1000})
        with as_superuser() as cursor:
            cursor.execute("UPDATE floor_round SET taken_cents = 1")
        close_shift(running)
        tasks.make_due_reports()
        assert "do not tie out" in caplog.text

    def test_a_shift_that_closes_later_is_not_due_yet(self, running: Cast) -> None:
        shift = close_shift(running)
        assert shift.closed_at is not None
        assert reports_due(shift.closed_at - datetime.timedelta(seconds=1)) == []


@pytest.mark.postgresql
def test_old_answers_are_forgotten_by_their_task(running: Cast) -> None:
    count = StoredAnswer.objects.count()
    long_ago = timezone.now() - datetime.timedelta(days=8)
    kept = StoredAnswer.objects.latest("pk")
    StoredAnswer.objects.exclude(pk=kept.pk).update(made_at=long_ago)
    tasks.purge_stored_answers()
    assert count > 1 and StoredAnswer.objects.get() == kept


@pytest.mark.postgresql
def test_a_shift_has_at_most_one_report_in_the_database(running: Cast) -> None:
    made = shift_report_make(close_shift(running).pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        ShiftReport.objects.create(
            shift=Shift.objects.get(pk=made.shift_id),
            room=running.room,
            made_at=timezone.now(),
            figures={},
            inputs_hash="",
            heads=[],
        )
