"""A report that is restated: what changed is named, both stay, and the journal keeps what each of them said."""

from __future__ import annotations

import functools

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from cardroom.count.models import DropBox
from cardroom.floor.models import Errand, JournalEntry, Shift
from cardroom.floor.outbox import errand_put, errands_due, work_again, work_tried
from cardroom.floor.services.corrections import round_correct
from cardroom.floor.services.rounds import round_record
from cardroom.floor.services.shifts import shift_close, shift_open
from cardroom.papers.files import csv_of
from cardroom.reports import tasks
from cardroom.reports.models import ShiftReport
from cardroom.reports.restating import changes_between
from cardroom.reports.selectors import report_of, reports_of
from cardroom.reports.services import content_hash, shift_report_make
from cardroom.reports.shift_paper import shift_paper
from cardroom.reports.tasks import make_due_reports
from cardroom.reports.verification import Checked, reports_verify
from tests.cast import Cast, sheet
from tests.floor.test_corrections import as_recorded

from .acts import as_superuser

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(db: None) -> Cast:
    """A shift with one settled round, closed and reported by the worker; another one is open."""
    cast = Cast()
    cast.open_table()
    cast.bank_to(3)
    cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 2000}))
    cast.send_room(shift_close, "shift_manager", shift_id=Shift.objects.get().pk)
    make_due_reports()
    cast.send_room(shift_open, "shift_manager", name="Graveyard")
    return cast


def correct(cast: Cast) -> None:
    [round_] = cast.table.rounds.all()
    said = as_recorded(round_)
    said["positions"][0] |= {"hand": "Js Jh 5c", "wagers": {"ante": 1500}}
    cast.send(round_correct, "dealer", **said, reason="misread", approver=cast.people["floor"])


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
    assert second.figures == first.figures  # the correction counts in the shift in which it was made
    assert {(change["where"], change["what"]) for change in second.changes} >= {
        ("Corrected since", "Rounds corrected since"),
    }
    paper = shift_paper(second)
    grid = paper.grid("corrected_since_corrected")
    assert grid is not None
    assert grid.totals is not None
    assert grid.totals["total_table_action_cents"] == 500
    assert "superseded" in shift_paper(first).title
    assert "restatement 1" in paper.title


def test_what_has_not_changed_is_not_restated_however_often_it_is_asked(cast: Cast) -> None:
    report = report_of(first_shift())
    for _ in range(3):
        assert shift_report_make(first_shift().pk) == report
    with transaction.atomic():
        errand_put(first_shift(), Errand.Cause.SHIFT_CLOSED, timezone.now())
    make_due_reports()
    assert ShiftReport.objects.count() == 1
    assert not Errand.objects.filter(done_at__isnull=True).exists()


def test_the_same_rows_give_the_same_report(cast: Cast) -> None:
    [made] = reports_of(first_shift())
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM reports_shiftreport")
    again = shift_report_make(first_shift().pk)
    assert (again.figures, again.sections) == (made.figures, made.sections)
    assert again.content_hash == made.content_hash


def test_a_drop_that_is_counted_restates_the_report_with_what_was_counted(cast: Cast) -> None:
    [made] = reports_of(first_shift())
    assert {answer.name: answer.value for answer in shift_paper(made).answers}["count_difference_cents"] == 0
    manager, dealer = cast.people["shift_manager"], cast.people["dealer"]
    now = timezone.now()
    box = DropBox.objects.create(
        room=cast.room, table=cast.table, shift=first_shift(), number=12, placed_at=now, placed_by=manager
    )
    restated = shift_report_make(first_shift().pk)
    assert restated.revision == 1
    answers = {answer.name: answer.value for answer in shift_paper(restated).answers}
    assert answers["count_difference_cents"] is None, "what is not counted is not known, and never 0"
    DropBox.objects.filter(pk=box.pk).update(dropped_at=now, dropped_by=manager, witness=dealer)


def test_an_errand_is_written_with_the_act_and_never_alone(cast: Cast) -> None:
    with pytest.raises(RuntimeError, match="transaction"):
        errand_put_outside(cast)
    causes = list(Errand.objects.order_by("pk").values_list("cause", flat=True))
    assert causes == ["shift_closed"]
    correct(cast)
    assert Errand.objects.filter(done_at__isnull=True).get().cause == "round_corrected"
    with pytest.raises(DatabaseError), transaction.atomic():
        Errand.objects.filter(cause="shift_closed").delete()


def errand_put_outside(cast: Cast) -> None:
    from django.db import connection

    was, connection.in_atomic_block = connection.in_atomic_block, False
    try:
        errand_put(first_shift(), Errand.Cause.SHIFT_CLOSED, timezone.now())
    finally:
        connection.in_atomic_block = was


def fail() -> None:
    raise ZeroDivisionError("division by zero")


def test_an_errand_that_fails_keeps_its_error_waits_longer_each_time_and_is_given_up(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    correct(cast)
    [errand] = errands_due(timezone.now())
    waits = []
    for _ in range(Errand.MOST_TRIES):
        now = errand.not_before
        work_tried(errand, fail, functools.partial(min, now, now))
        errand.refresh_from_db()
        waits.append((errand.not_before - now).total_seconds())
    assert waits == [30, 60, 120, 240, 480, 960, 1920, 3600]
    assert errand.error == "ZeroDivisionError: division by zero"
    assert errand.gave_up
    assert errands_due(errand.not_before) == []
    assert work_again(errand, timezone.now())
    make_due_reports()
    assert reports_of(first_shift())[-1].revision == 1
    assert not work_again(errand, timezone.now()), "what is done is done"


def test_one_failure_does_not_keep_the_others_from_being_made(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    correct(cast)
    cast.send_room(shift_close, "shift_manager", shift_id=Shift.objects.latest("pk").pk)
    make = tasks.shift_report_make

    def fail_first(shift_id: int) -> ShiftReport:
        if shift_id == first_shift().pk:
            raise OSError("the disk is full")
        return make(shift_id)

    monkeypatch.setattr(tasks, "shift_report_make", fail_first)
    make_due_reports()
    assert report_of(Shift.objects.latest("pk")) is not None
    waiting = Errand.objects.get(done_at__isnull=True)
    assert (waiting.tries, waiting.error) == (1, "OSError: the disk is full")


def test_verify_holds_reports_against_the_journal(cast: Cast) -> None:
    assert list(reports_verify(Checked())) == []
    correct(cast)
    make_due_reports()
    assert list(reports_verify(Checked())) == []
    first, second = reports_of(first_shift())
    assert JournalEntry.objects.filter(act="shift_report").count() == 2
    with as_superuser() as cursor:
        cursor.execute("UPDATE reports_shiftreport SET changes = '[]' WHERE id = %s", [second.pk])
    assert any("its hash differs" in found for found in reports_verify(Checked()))
    second.refresh_from_db()
    with as_superuser() as cursor:
        cursor.execute(
            "UPDATE reports_shiftreport SET content_hash = %s WHERE id = %s",
            [content_hash(second), second.pk],
        )
    assert any("keeps another hash" in found for found in reports_verify(Checked()))
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM reports_shiftreport WHERE id = %s", [second.pk])
    assert any("there is none" in found for found in reports_verify(Checked()))
    assert first.content_hash


def test_every_table_of_the_page_is_a_file_of_its_own(cast: Cast) -> None:
    [made] = reports_of(first_shift())
    paper = shift_paper(made)
    names = [grid.name for grid in paper.grids]
    assert len(names) == len(set(names))
    fees = paper.grid("fees")
    assert fees is not None
    assert fees.totals is not None
    assert fees.totals["drop_expected_cents"] == made.sums["total"]["drop_expected_cents"]
    assert csv_of(fees).splitlines()[-1].startswith("total,")


def test_changes_name_rows_that_came_went_and_differ() -> None:
    def report(**rows: int) -> tuple[dict[str, object], list[object]]:
        grid = {
            "name": "g",
            "title": "Grid",
            "columns": [
                {"name": "who", "heading": "Who", "kind": "text", "adds": False},
                {"name": "at", "heading": "At", "kind": "text", "adds": False},
                {"name": "x_cents", "heading": "Dollars", "kind": "money", "adds": True},
            ],
            "rows": [{"values": {"who": who, "at": "7", "x_cents": x}} for who, x in rows.items()],
        }
        section = {"name": "s", "title": "Section", "answers": [], "charts": [], "grids": [grid]}
        return {"total": {"tips_cents": sum(rows.values())}}, [section]

    changes = changes_between(report(Ana=100, Bo=200), report(Ana=150, Cy=300))
    assert [(each["where"], each["what"], each["was"], each["now"]) for each in changes] == [
        ("Figures, total", "tips", 300, 450),
        ("Section: Grid", "Ana 7: Dollars", 100, 150),
        ("Section: Grid", "Cy 7", None, "added"),
        ("Section: Grid", "Bo 7", "was there", None),
    ]
