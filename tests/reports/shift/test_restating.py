"""A report that is restated: what changed is named, both stay, and the journal keeps what each of them said."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.db import DatabaseError, transaction
from django.utils import timezone

from cardroom.documents.document import Column, Grid, Kind, Row
from cardroom.documents.export import csv_of
from cardroom.drop.models import DropBox
from cardroom.floor.commands.alerts import alert_acknowledge
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.jobs import job_cancel, job_try_again
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.errors import NotNow
from cardroom.floor.models import Alert, JournalEntry, Shift
from cardroom.floor.report_jobs import Cause, ReportKind, report_ask
from cardroom.floor.verification.rows import rows_verify
from cardroom.jobs.lifecycle import job_run, jobs_due
from cardroom.jobs.models import Job
from cardroom.reports import tasks
from cardroom.reports.models import ShiftReport
from cardroom.reports.sections.figure_types import Sections
from cardroom.reports.sections.registry import sections_read
from cardroom.reports.sections.section import Section
from cardroom.reports.shift import making
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.shift.inputs import inputs_read
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.stored.diff import changes_between
from cardroom.reports.stored.selectors import report_of, reports_of
from cardroom.reports.tasks import make_due_reports
from cardroom.reports.verification.verify import Checked, reports_verify
from tests.cast import Cast, sheet
from tests.floor.test_corrections import as_recorded
from tests.kept import kept

from ..commands import as_superuser, drop_and_count

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(db: None) -> Cast:
    """A shift with one settled round, closed and reported by the worker; another one is open."""
    return kept(_cast)


def _cast() -> Cast:
    cast = Cast().running()
    cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 2000}))
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.get().pk)
    make_due_reports()
    cast.send_room(shift_open, "shift_manager", name="Graveyard")
    return cast


def correct(cast: Cast, shift: Shift | None = None) -> None:
    [round_] = cast.table.rounds.filter(shift=shift or first_shift())
    record = as_recorded(round_)
    record["positions"][0] |= {"hand": "Js Jh 5c", "wagers": {"ante": 1500}}
    cast.send(round_correct, "dealer", **record, reason="misread", approver=cast.people["floor"])


def first_shift() -> Shift:
    return Shift.objects.earliest("pk")


def test_a_later_correction_restates_the_report_names_what_changed_and_leaves_the_first(cast: Cast) -> None:
    [first] = reports_of(first_shift())
    before = (first.figures, first.sections, first.content_hash)
    correct(cast)
    make_due_reports()
    first, second = reports_of(first_shift())
    assert (first.figures, first.sections, first.content_hash) == before
    assert (second.revision, second.restates) == (1, first)
    # What the correction moved counts in the shift in which it was made; this one says that it was.
    assert {**second.figures, "later": []} == first.figures
    [later] = second.typed_figures["later"]
    assert (later["round_shift"], later["changed"]["total_table_action_cents"]) == (first.shift_id, 500)
    assert {(change["where"], change["what"]) for change in second.changes} >= {
        ("Corrected since", "Rounds corrected since"),
    }
    document = shift_document_of(second)
    grid = document.grid("corrected_since_corrected")
    assert grid is not None
    assert grid.totals is not None
    assert grid.totals["total_table_action_cents"] == 500
    assert "superseded" in shift_document_of(first).title
    assert "restatement 1" in document.title


def test_what_has_not_changed_is_not_restated_however_often_it_is_asked(cast: Cast) -> None:
    report = report_of(first_shift())
    for _ in range(3):
        assert shift_report_make(first_shift().pk) == report
    with transaction.atomic():
        report_ask(first_shift(), Cause.SHIFT_CLOSED, timezone.now())
    make_due_reports()
    assert ShiftReport.objects.count() == 1
    assert not Job.objects.filter(ended_at=None).exists()


@pytest.mark.postgresql
def test_of_two_who_make_a_revision_the_one_who_read_later_is_heard_too(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One reads the shift, it is corrected, another reads it: the first may write first, and knows less."""
    shift = Shift.objects.latest("pk")
    cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 2000}))
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
    shift.refresh_from_db()
    early = (inputs_read(shift), sections_read(shift))
    cast.send_room(shift_open, "shift_manager", name="Day")
    correct(cast, shift)

    def read_while_the_other_writes(read: Shift) -> Sections:
        monkeypatch.undo()
        making._written(shift, None, *early)
        return sections_read(read)

    monkeypatch.setattr(making, "sections_read", read_while_the_other_writes)
    made = shift_report_make(shift.pk)
    assert [report.revision for report in reports_of(shift)] == [0, 1]
    assert made.revision == 1
    assert "Corrected since" in {change["where"] for change in made.changes}


def test_the_same_rows_give_the_same_report(cast: Cast) -> None:
    [made] = reports_of(first_shift())
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM reports_shiftreport")
    again = shift_report_make(first_shift().pk)
    assert (again.figures, again.sections) == (made.figures, made.sections)
    assert again.content_hash == made.content_hash


def test_a_drop_that_is_counted_restates_the_report_with_what_was_counted(cast: Cast) -> None:
    def answers_of(report: ShiftReport) -> dict[str, object]:
        return {answer.name: answer.value for answer in shift_document_of(report).answers}

    [made] = reports_of(first_shift())
    kept = (made.sections, made.content_hash)
    assert answers_of(made)["count_difference_cents"] is None, "what is not counted is not known, and never 0"
    expected = made.typed_figures["total"]["drop_expected_cents"]
    assert expected > 0
    drop_and_count(cast, DropBox.objects.get(), expected - 50)
    make_due_reports()
    made, restated = reports_of(first_shift())
    assert (made.sections, made.content_hash) == kept
    assert (restated.revision, restated.restates) == (1, made)
    assert answers_of(restated)["count_difference_cents"] == -50
    changes = {(change["what"], change["was"], change["now"]) for change in restated.changes}
    assert changes >= {("Boxes not counted", 1, 0), ("Counted", 0, expected - 50)}
    assert restated.figures == made.figures, "what was counted is in the section of the count alone"


@pytest.mark.postgresql
def test_a_box_that_was_put_on_late_takes_the_count_of_the_report_back(cast: Cast) -> None:
    [made] = reports_of(first_shift())
    drop_and_count(cast, DropBox.objects.get(), made.typed_figures["total"]["drop_expected_cents"])
    make_due_reports()
    counted = reports_of(first_shift())[-1]
    assert {answer.name: answer.value for answer in shift_document_of(counted).answers}[
        "count_difference_cents"
    ] == 0
    DropBox.objects.create(
        room=cast.room,
        table=cast.table,
        shift=first_shift(),
        number=12,
        placed_at=timezone.now(),
        placed_by=cast.people["shift_manager"],
    )
    restated = shift_report_make(first_shift().pk)
    assert restated.revision == 2
    answers = {answer.name: answer.value for answer in shift_document_of(restated).answers}
    assert answers["count_difference_cents"] is None


def alert(cast: Cast, subject: str, raised_at: datetime.datetime) -> Alert:
    return Alert.objects.create(
        room=cast.room,
        table=cast.table,
        kind=Alert.Kind.BANK_EXHAUSTED,
        subject=subject,
        text="The bank ran out.",
        raised_at=raised_at,
    )


def test_alerts_answered_after_the_close_restate_the_report_once(cast: Cast) -> None:
    of_first = [alert(cast, subject, first_shift().opened_at) for subject in ("round 1", "round 2")]
    of_second = alert(cast, "round 3", timezone.now())
    shift_report_make(first_shift().pk)
    for each in (*of_first, of_second):
        cast.send(alert_acknowledge, "floor", alert_id=each.pk, note="Told the players.")
    job = Job.objects.get(ended_at=None)
    assert (job.cause, job.arguments) == ("alert_answered", {"shift": first_shift().pk})
    make_due_reports()
    assert reports_of(first_shift())[-1].revision == 1, "further answers are waited for"
    with time_machine.travel(job.next_try_at, tick=False):
        make_due_reports()
    *_, restated = reports_of(first_shift())
    assert restated.revision == 2
    changes = [(change["where"], change["what"], change["was"], change["now"]) for change in restated.changes]
    assert ("Alerts", "Not answered", 2, 0) in changes


@pytest.mark.postgresql
def test_an_errand_is_written_with_the_command_and_never_alone(cast: Cast) -> None:
    with pytest.raises(RuntimeError, match="transaction"):
        errand_put_outside(cast)
    causes = list(Job.objects.order_by("pk").values_list("cause", flat=True))
    assert causes == ["shift_closed"]
    correct(cast)
    assert Job.objects.filter(ended_at=None).get().cause == "round_corrected"
    with pytest.raises(DatabaseError), transaction.atomic():
        Job.objects.filter(cause="shift_closed").delete()


def errand_put_outside(cast: Cast) -> None:
    from django.db import connection

    was, connection.in_atomic_block = connection.in_atomic_block, False
    try:
        report_ask(first_shift(), Cause.SHIFT_CLOSED, timezone.now())
    finally:
        connection.in_atomic_block = was


@pytest.mark.postgresql
def test_an_errand_that_fails_keeps_its_error_waits_longer_each_time_and_is_given_up(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> ShiftReport:
        raise ZeroDivisionError("division by zero")

    correct(cast)
    [job] = jobs_due(timezone.now(), ReportKind.SHIFT_REPORT)
    waits = []
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "shift_report_make", fail)
        while job.state == "waiting":
            now = job.next_try_at
            with time_machine.travel(now, tick=False):
                assert job_run(job.pk)
            job.refresh_from_db()
            waits.append((job.next_try_at - now).total_seconds())
    assert waits == [30, 60, 120, 240, 480, 960, 1920, 0]
    assert job.error == "ZeroDivisionError: division by zero"
    assert (job.state, job.tries) == ("failed", 8)
    far = job.next_try_at + datetime.timedelta(days=9)
    assert not jobs_due(far, ReportKind.SHIFT_REPORT).exists()
    cast.send_room(job_try_again, "shift_manager", job_id=job.pk)
    make_due_reports()
    assert reports_of(first_shift())[-1].revision == 1
    with pytest.raises(NotNow, match="It is done"):
        cast.send_room(job_try_again, "shift_manager", job_id=job.pk)
    with pytest.raises(NotNow, match="owed"):
        cast.send_room(job_cancel, "shift_manager", job_id=job.pk)


def test_one_failure_does_not_keep_the_others_from_being_made(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    correct(cast)
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.latest("pk").pk)
    make = tasks.shift_report_make

    def fail_first(shift_id: int) -> ShiftReport:
        if shift_id == first_shift().pk:
            raise OSError("the disk is full")
        return make(shift_id)

    monkeypatch.setattr(tasks, "shift_report_make", fail_first)
    make_due_reports()
    assert report_of(Shift.objects.latest("pk")) is not None
    waiting = Job.objects.get(ended_at=None)
    assert (waiting.tries, waiting.error) == (1, "OSError: the disk is full")


def test_verify_holds_reports_against_the_journal(cast: Cast) -> None:
    assert list(reports_verify(Checked())) == []
    correct(cast)
    make_due_reports()
    assert list(reports_verify(Checked())) == []
    first, second = reports_of(first_shift())
    assert JournalEntry.objects.filter(command="shift_report").count() == 2
    assert list(rows_verify(models=[ShiftReport])) == []
    with as_superuser() as cursor:
        cursor.execute("UPDATE reports_shiftreport SET changes = '[]' WHERE id = %s", [second.pk])
    [changed] = rows_verify(models=[ShiftReport])
    assert changed.id == second.pk and "a column of it was changed" in changed.what
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM reports_shiftreport WHERE id = %s", [second.pk])
    [gone] = rows_verify(models=[ShiftReport])
    assert gone.id == second.pk and "it is gone" in gone.what
    assert first.content_hash


def test_every_table_of_the_page_is_a_file_of_its_own(cast: Cast) -> None:
    [made] = reports_of(first_shift())
    document = shift_document_of(made)
    names = [grid.name for grid in document.grids]
    assert len(names) == len(set(names))
    fees = document.grid("fees")
    assert fees is not None
    assert fees.totals is not None
    assert fees.totals["drop_expected_cents"] == made.typed_figures["total"]["drop_expected_cents"]
    assert csv_of(fees).splitlines()[-1].startswith("total,")


def section(grid: Grid) -> list[Section]:
    return [Section("s", "Section", [], [grid])]


def test_changes_name_rows_that_came_went_and_differ() -> None:
    def report(**rows: int) -> tuple[dict[str, object], list[Section]]:
        columns = (Column("who", "Who"), Column("at", "At"), Column("x_cents", "Dollars", Kind.MONEY))
        lines = [Row({"who": who, "at": "7", "x_cents": x}) for who, x in rows.items()]
        return {"total": {"tips_cents": sum(rows.values())}}, section(Grid("g", "Grid", columns, lines))

    changes = changes_between(report(Ana=100, Bo=200), report(Ana=150, Cy=300))
    assert [(each["where"], each["what"], each["was"], each["now"]) for each in changes] == [
        ("Figures, total", "tips", 300, 450),
        ("Section: Grid", "Ana 7: Dollars", 100, 150),
        ("Section: Grid", "Cy 7", None, "added"),
        ("Section: Grid", "Bo 7", "was there", None),
    ]


def test_rows_that_their_first_columns_do_not_tell_apart_are_held_against_their_own_and_not_each_other() -> (
    None
):
    def report(*wagers: tuple[str, int]) -> tuple[dict[str, object], list[Section]]:
        columns = (
            *(Column("round", "Round"), Column("table", "Table", Kind.COUNT), Column("player", "Player")),
            Column("x_cents", "Dollars", Kind.MONEY),
        )
        lines = [
            Row({"round": "11-21/2", "table": 7, "player": player, "x_cents": x}) for player, x in wagers
        ]
        return {"total": {}}, section(Grid("g", "Wagers", columns, lines))

    wagers = [("Ana", 100), ("Bo", 200), ("Cy", 300)]
    assert changes_between(report(*wagers), report(*wagers)) == []
    assert changes_between(report(("Ana", 5), ("Ana", 5)), report(("Ana", 5), ("Ana", 5))) == []
    changed = changes_between(report(*wagers), report(("Ana", 100), ("Bo", 250), ("Cy", 300)))
    assert [(each["what"], each["was"], each["now"]) for each in changed] == [
        ("11-21/2 7 Bo: Dollars", 200, 250)
    ]
