"""`manage.py verify` against somebody who owns the database: the triggers are lifted, and a stored row is changed.

The journal says what every stored report, count, variance check, hand-in and drawn report was; a row that says anything else, a
row without an entry and an entry without a row are breaks, whatever the row says of its own hash.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import re
from typing import Any

import pytest
import time_machine

from cardroom.drop.commands.variances import variance_answer
from cardroom.drop.models import CountSheet, DropBox, VarianceCheck, VarianceNote
from cardroom.floor.commands.jobs import job_cancel
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import JournalEntry, Shift
from cardroom.jobs.lifecycle import job_run
from cardroom.jobs.models import Job
from cardroom.people.models import Provider
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.commands.background_reports import background_report_start, background_statement_start
from cardroom.reports.models import PeriodReport, ShiftReport
from cardroom.reports.queries.query import ReportQuery
from cardroom.reports.stored.store import content_hash
from cardroom.reports.tasks import make_due_reports
from cardroom.tips.commands.entries import tips_hand_in
from cardroom.tips.commands.rules import pool_rule_set
from cardroom.tips.models import HandIn, PoolRule, WorkedHours
from tests.drop.room import CountTeam, chips
from tests.kept import kept

from ..commands import as_superuser
from .test_verify import verify

pytestmark = pytest.mark.outside

NOON = datetime.datetime(2026, 11, 30, 20, 0, tzinfo=datetime.UTC)


@pytest.fixture
def room(db: None) -> CountTeam:
    return reported_room()


def reported_room() -> CountTeam:
    """Return a room with a report of every stored kind: shift, day, month, statement, fee audit; a count, and tips."""
    return kept(_room)


def _room() -> CountTeam:
    with time_machine.travel(NOON, tick=False) as clock:
        room = CountTeam().running()
        box = room.place()
        room.play({4: 1000})
        room.send_room(
            pool_rule_set, "room_manager", title="All", sharing="hours", break_minutes=0,
            support="none", support_bp=0, support_hourly_cents=0, support_roles=[],
            effective_from=datetime.date(2026, 12, 5),
        )  # fmt: skip
        shift = Shift.objects.get()
        room.send_room(
            tips_hand_in, "floor", shift_id=shift.pk, dealer_id=room.people["dealer"].pk, cents=2500
        )
        clock.shift(datetime.timedelta(hours=2))
        room.drop(box)
        for who in (0, 1):
            room.count(box, who, chips(c100=3))
        room.send_room(
            variance_answer,
            "shift_manager",
            box_id=box.pk,
            status="explained",
            text="A chip fell beside the box.",
        )
        room.send_room(shift_close, shift_id=shift.pk, confirmed=True)
        clock.shift(datetime.timedelta(days=1))
        for _ in range(3):
            make_due_reports()
        compliance = room.people["compliance"]
        days = {"first": shift.gaming_day, "last": shift.gaming_day}
        place = {**days, "table": None, "shift": None}
        firm = Provider.objects.create(room=room.room, name="Levee Players")
        room.send_room(background_report_start, compliance, report="rotation", options={}, **place)
        room.send_room(background_statement_start, compliance, provider_id=firm.pk, **place)
        room.send_room(background_report_start, compliance, report="fee-audit", options={}, **place)
        for run in Job.objects.filter(kind="background_report"):
            assert job_run(run.pk)
        kinds = {period_report.kind for period_report in PeriodReport.objects.all()}
        assert kinds == {"day", "month"} and VarianceCheck.objects.filter(is_over=True).exists()
    return room


def breaks() -> str:
    status, out = verify()
    assert status == ("BREAK" in out), out
    return out


def forge(sql: str, *values: Any) -> None:
    with as_superuser() as cursor:
        cursor.execute(sql, values)


def test_an_honest_room_with_every_kind_of_report_holds(room: CountTeam) -> None:
    out = breaks()
    assert "all holds" in out and "3 background reports compared with the journal" in out


@pytest.mark.parametrize("kind", ["shift", "day", "month"])
@pytest.mark.parametrize("hash_left", ["", "fitting", "own"])
def test_a_report_whose_sections_were_changed_is_found_whatever_its_own_hash_says(
    room: CountTeam, kind: str, hash_left: str
) -> None:
    report: Any = ShiftReport.objects.get() if kind == "shift" else PeriodReport.objects.get(kind=kind)
    table = report._meta.db_table
    report.sections["count"]["waiting"] += 1
    kept = {"": "", "fitting": content_hash(report), "own": report.content_hash}[hash_left]
    forge(
        f"UPDATE {table} SET sections = %s, content_hash = %s WHERE id = %s",
        json.dumps(report.sections), kept, report.pk,
    )  # fmt: skip
    out = breaks()
    assert f"{report._meta.label} {report.pk}: " in out and "is not what entry" in out


@pytest.mark.parametrize(
    ("column", "value"),
    [("content_hash", ""), ("inputs_hash", "0" * 64), ("heads", "[]"), ("made_at", "2026-11-30 23:59:59+00:00"),
     ("revision", 3)],
)  # fmt: skip
def test_what_stands_beside_a_report_is_held_against_the_journal_too(
    room: CountTeam, column: str, value: Any
) -> None:
    if column == "revision":
        # Past the constraints too, as a report that names itself.
        forge("UPDATE reports_shiftreport SET revision = 3, restates_id = id")
    else:
        forge(f"UPDATE reports_shiftreport SET {column} = %s", value)
    assert f"reports.ShiftReport {ShiftReport.objects.get().pk}: is not what entry" in breaks()


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("jobs_job", "background report"),
        ("drop_variancecheck", "drop.VarianceCheck"),
        ("drop_variancenote", "drop.VarianceNote"),
        ("tips_handin", "tips.HandIn"),
        ("tips_poolrule", "tips.PoolRule"),
        ("reports_periodreport", "reports.PeriodReport"),
    ],
)
def test_a_row_that_the_journal_knows_and_that_is_gone_is_found(
    room: CountTeam, table: str, text: str
) -> None:
    if table == "drop_variancecheck":
        forge("DELETE FROM drop_variancenote")
    forge(f"DELETE FROM {table}")
    out = breaks()
    assert re.search(rf"BREAK  {text} \d+: .*(it is gone|there is none)", out), out


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("UPDATE jobs_job SET error = 'x' WHERE kind = 'background_report'", "background report"),
        (
            "UPDATE jobs_job SET key = 'rotation 2026-01-01..2026-01-31' WHERE kind = 'background_report'",
            "it does not say what it said when it ended",
        ),
        (
            "UPDATE jobs_job SET result = '{\"kept\": 9}' WHERE kind = 'background_report'",
            "background report",
        ),
        (
            "UPDATE jobs_job SET state = 'waiting', ended_at = NULL, result = NULL WHERE kind = 'background_report'",
            "its hash differs",
        ),
        (
            "UPDATE jobs_job SET state = 'cancelled', result = NULL WHERE kind = 'background_report'",
            "its hash differs",
        ),
        (
            """UPDATE jobs_job SET arguments = '{"first": "2026-11-30", "last": "2027-01-01"}' WHERE kind = 'background_report'""",
            "it does not say what it said when it ended",
        ),
        ("UPDATE drop_variancecheck SET expected_cents = counted_cents", "drop.VarianceCheck"),
        ("UPDATE drop_variancenote SET text = 'Nothing.'", "drop.VarianceNote"),
        ("UPDATE floor_dropbox SET number = 99", "floor.DropBox"),
        ("UPDATE drop_countsheet SET total_cents = 100", "drop.CountSheet"),
        ("UPDATE tips_handin SET cents = 100", "tips.HandIn"),
        ("UPDATE tips_poolrule SET sharing = 'keep'", "tips.PoolRule"),
    ],
)
def test_a_changed_row_of_any_stored_kind_is_found(room: CountTeam, sql: str, text: str) -> None:
    forge(sql)
    assert text in breaks()


def test_a_row_put_in_past_the_journal_is_found(room: CountTeam) -> None:
    with as_superuser():
        for model in (VarianceCheck, HandIn, PoolRule, VarianceNote, Job, DropBox):
            row: Any = (
                model._default_manager.order_by("pk").first()
                if model is not Job
                else Job.objects.filter(kind="background_report").first()
            )
            row.pk = None
            forged = {"seq": 9, "number": 77, "key": "another"}
            if model is PoolRule:  # another version, which has been closed
                forged = {"version": 77, "status": "withdrawn", "effective_to": row.effective_from}
            for name, value in forged.items():
                if hasattr(row, name):
                    setattr(row, name, value)
            row.save(force_insert=True)
    out = breaks()
    for what in (
        "drop.VarianceCheck", "drop.VarianceNote", "floor.DropBox", "tips.HandIn",
    ):  # fmt: skip
        assert re.search(rf"BREAK  {what} \d+: .*the journal has no entry about it", out), what
    assert "BREAK  tips.PoolRule" in out
    assert re.search(r"BREAK  background report \d+: has ended, and the journal has no entry about that", out)


def test_a_drawn_report_whose_paper_was_changed_is_found(room: CountTeam) -> None:
    with as_superuser():
        for run in Job.objects.filter(kind="background_report"):
            run.result = {**run.result, "title": "Nothing to see"}
            run.save()
    assert breaks().count("it does not say what it said when it ended") == 3


def test_a_report_cancelled_after_it_failed_holds_and_is_found_once_it_says_anything_else(
    room: CountTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal has its end, with the hash of a failure, and its cancelling after that."""

    def fail(_: ReportQuery) -> None:
        raise ValueError("?")

    day = Shift.objects.get().gaming_day
    asked: dict[str, Any] = {"report": "rotation", "options": {}, "table": None, "shift": None}
    with time_machine.travel(NOON + datetime.timedelta(days=2), tick=False) as clock:
        monkeypatch.setitem(REPORTS, "rotation", dataclasses.replace(REPORTS["rotation"], make=fail))
        answer = room.send_room(background_report_start, "compliance", first=day, last=day, **asked)
        run = Job.objects.filter(pk=answer["background_report"])
        assert job_run(run.get().pk) and run.get().state == Job.State.FAILED
        clock.shift(60)
        room.send_room(job_cancel, "compliance", job_id=run.get().pk)
    assert run.get().state == Job.State.CANCELLED
    assert "all holds" in breaks()
    forge("UPDATE jobs_job SET state = 'failed' WHERE id = %s", run.get().pk)
    assert f"background report {run.get().pk}: has ended, and the journal has no entry about that" in breaks()


def test_an_end_that_was_taken_out_of_a_chain_is_missed(room: CountTeam) -> None:
    with as_superuser() as cursor:
        entry = JournalEntry.objects.filter(command="background_report_end").first()
        cursor.execute(
            "DELETE FROM floor_journalentry WHERE chain = %s AND seq = %s",
            [entry.chain, entry.seq],
        )
    out = breaks()
    assert "has ended, and the journal has no entry about that" in out


def test_worked_hours_and_counts_are_held_too(room: CountTeam) -> None:
    assert CountSheet.objects.count() == 2 and not WorkedHours.objects.exists()
    with as_superuser():
        WorkedHours.objects.create(
            room=room.room, shift=Shift.objects.get(), staff=room.people["support"], work="host", minutes=60,
            made_by=room.people["floor"], made_at=NOON,
        )  # fmt: skip
    assert "BREAK  tips.WorkedHours" in breaks()
