"""Period reports: a gaming day and a month, added up from the reports of their shifts, restated when one of those is."""

from __future__ import annotations

import csv
import datetime
import io
import json
from collections.abc import Iterator
from typing import Any

import openpyxl
import pytest
import time_machine
from django.core import mail
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from cardroom.documents.document import Mark
from cardroom.drop.models import DropBox
from cardroom.drop.reads.expected import box_expected_cents
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.errors import NotNow
from cardroom.floor.models import JournalEntry, Round, Shift, Table, Transfer
from cardroom.floor.verification.rows import rows_verify
from cardroom.jobs.lifecycle import job_run, jobs_due
from cardroom.jobs.models import Job
from cardroom.reports.background.overview import background_of
from cardroom.reports.commands.subscriptions import subscription_make
from cardroom.reports.models import PeriodReport
from cardroom.reports.periods import making
from cardroom.reports.periods.document import period_report_document
from cardroom.reports.periods.making import period_report_make
from cardroom.reports.periods.period import Period, day_of, month_of, period_named
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.stored.selectors import (
    period_report_of,
    period_reports_due,
    period_reports_of,
    report_of,
    why_not_period_report,
)
from cardroom.reports.tasks import make_due_reports
from cardroom.reports.verification.verify import Checked, period_reports_verify, reports_verify
from tests.cast import Cast, sheet
from tests.floor.test_corrections import as_recorded
from tests.kept import kept
from tests.pdf_text import pages_of

from ..catalogue.test_agreement import on_sheets, page_shows
from ..commands import as_superuser, drop_and_count
from ..played_shift import answers, drawn, rows

DAY = datetime.date(2026, 11, 30)
#: 06:30 in Los Angeles on the last gaming day of a month.
MORNING = datetime.datetime(2026, 11, 30, 14, 30, tzinfo=datetime.UTC)
OVER = datetime.datetime(2026, 12, 1, 14, 0, tzinfo=datetime.UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MORNING, tick=False) as traveller:
        yield traveller


@pytest.fixture
def cast(clock: time_machine.Traveller, db: None) -> Cast:
    """Two shifts of one day: a bank that runs out in the first, whose round is corrected in the second; then it is over.

    Each shift has a drop box of its own, which is counted at its end and holds what is expected.
    """
    cast = kept(two_shifts)
    clock.move_to(OVER)
    return cast


def two_shifts() -> Cast:
    with time_machine.travel(MORNING, tick=False) as clock:
        return play_two_shifts(clock)


def play_two_shifts(clock: time_machine.Traveller) -> Cast:
    cast = Cast().running()
    cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 2000}))
    cast.send(round_record, "dealer", sheet=sheet({4: 6000, 5: 5000, 1: 1500}, wager=3000))
    clock.move_to(MORNING + datetime.timedelta(hours=9))
    count_what_is_expected(cast)
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.get().pk)
    cast.send_room(shift_open, "shift_manager", name="Graveyard")
    cast.hang_box(71)
    cast.bank_to(4)
    cast.send(round_record, "dealer", sheet=sheet({5: 2500, 1: 1000}, bank=4))
    correct(cast)
    clock.move_to(OVER - datetime.timedelta(minutes=5))
    count_what_is_expected(cast)
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.latest("pk").pk)
    make_due_reports()
    return cast


def count_what_is_expected(cast: Cast) -> None:
    """Drop the box that hangs, and find in it what is expected."""
    box = DropBox.objects.get(dropped_at__isnull=True)
    drop_and_count(cast, box, box_expected_cents(box))


def correct(cast: Cast) -> None:
    """Correct the first round that is not yet: its ante was higher."""
    round_ = Round.objects.filter(corrects__isnull=True, correction__isnull=True).earliest("pk")
    record = as_recorded(round_)
    record["positions"][0]["wagers"]["ante"] += 500
    cast.send(round_correct, "dealer", **record, reason="misread", approver=cast.people["floor"])


def day(cast: Cast) -> Period:
    return day_of(cast.room, DAY)


def month(cast: Cast) -> Period:
    return month_of(cast.room, DAY)


def made(period: Period) -> PeriodReport:
    """Let the worker look twice for what is due, as a period report comes after its reports; return what stands of the period."""
    make_due_reports()
    make_due_reports()
    found = period_report_of(period)
    assert found is not None
    return found


def shifts() -> list[Shift]:
    return list(Shift.objects.order_by("pk"))


def test_the_worker_rolls_a_day_and_a_month_up_when_they_are_over_and_once(
    cast: Cast, clock: time_machine.Traveller
) -> None:
    clock.move_to(OVER - datetime.timedelta(seconds=1))
    make_due_reports()
    assert not PeriodReport.objects.exists()
    clock.move_to(OVER)
    for _ in range(3):
        make_due_reports()
    assert list(PeriodReport.objects.order_by("pk").values_list("kind", "first", "revision")) == [
        ("day", DAY, 0),
        ("month", DAY.replace(day=1), 0),
    ]
    assert list(period_reports_due(timezone.now())) == []
    assert not Job.objects.filter(ended_at=None).exists()


@pytest.mark.postgresql
def test_a_period_report_adds_its_shift_reports_up_and_says_what_the_catalogue_says(cast: Cast) -> None:
    day_report, month_report = made(day(cast)), made(month(cast))
    reports = [report_of(shift) for shift in shifts()]
    assert [part["report"] for part in day_report.typed_figures["parts"]] == [
        report and report.pk for report in reports
    ]
    for report in (day_report, month_report):
        assert report.typed_figures["differences"] == []
        for figure, value in report.typed_figures["total"].items():
            if isinstance(value, int):
                assert value == sum(each.figures["total"][figure] for each in reports if each), figure
    document = period_report_document(day_report)
    of_day = {"first": DAY, "last": DAY}
    collection, count = drawn(cast, "collection", **of_day), drawn(cast, "count", **of_day)
    assert answers(document)["drop_expected_cents"] == answers(collection)["drop_cents"]
    assert answers(document)["count_difference_cents"] == answers(count)["difference_cents"] == 0
    assert answers(count)["counted_cents"] == answers(collection)["drop_cents"] > 0
    for grid, columns in (("schedules", 2), ("hours", 1)):
        mine, theirs = rows(document, f"collection_{grid}"), rows(collection, grid)
        assert mine == [row for row in theirs if any(list(row.values())[columns:])], grid
    assert rows(document, "coverage_banks") == rows(drawn(cast, "coverage", **of_day), "banks")
    assert rows(document, "exceptions_corrections") == rows(
        drawn(cast, "exceptions", **of_day), "corrections"
    )
    turns = [row["turns"] for row in rows(document, "rotation_tables")]
    assert turns == [row["turns"] for row in rows(drawn(cast, "rotation", **of_day), "tables")]
    [hourly] = document.charts
    wanted = collection.charts[0]
    assert (hourly.labels, hourly.values) == (wanted.labels, wanted.values)
    [daily] = period_report_document(month_report).charts
    assert (len(daily.labels), daily.labels[-1]) == (30, "Nov 30")
    assert daily.values == [0] * 29 + [answers(document)["drop_expected_cents"]]


@pytest.mark.postgresql
def test_page_pdf_workbook_csv_json_and_api_of_a_period_report_say_the_same_cents(cast: Cast) -> None:
    browser = Client()
    browser.force_login(cast.people["compliance"])
    for period in (day(cast), month(cast)):
        report = made(period)
        document = period_report_document(report)
        address = f"/rooms/cache-slough/roll-ups/{period.name}"
        page = browser.get(f"{address}/").content.decode()
        page_shows(page, document)
        book = openpyxl.load_workbook(io.BytesIO(browser.get(f"{address}.xlsx").content))
        fees, total = document.grid("fees"), report.typed_figures["total"]["drop_expected_cents"]
        assert fees is not None
        assert len(book.sheetnames) <= 8
        lines = dict(zip((grid.name for grid in document.grids), on_sheets(book, document), strict=True))
        column = [each.name for each in fees.columns].index("drop_expected_cents")
        assert round(lines["fees"][len(fees.rows)][column].value * 100) == total
        text = browser.get(f"{address}.csv").content.decode()
        [heads, *_, last] = csv.reader(io.StringIO(text))
        assert last[heads.index("drop expected")] == f"{total / 100:.2f}"
        assert last[: heads.index("table")] == ["Cache Slough", str(period.first), str(period.last)]
        of_file = json.loads(browser.get(f"{address}.json").content)
        of_api = browser.get(f"/api/rooms/{cast.room.pk}/roll-ups/{period.name}").json()
        assert of_file["figures"] == of_api["figures"] == report.figures
        assert of_file["sections"] == of_api["sections"] == report.sections
        assert of_api["content_hash"] == report.content_hash and not of_api["superseded"]
        printed = "".join(pages_of(browser.get(f"{address}.pdf").content))
        assert "Manager on duty" in printed and report.content_hash in "".join(printed.split())
    listed = browser.get(f"/api/rooms/{cast.room.pk}/roll-ups?limit=1").json()
    assert [row["period"] for row in listed["results"]] == ["2026-11"]
    following = browser.get(listed["next"]).json()
    assert [(row["kind"], row["period"]) for row in following["results"]] == [("day", "2026-11-30")]
    assert browser.get(f"/api/rooms/{cast.room.pk}/roll-ups/2026-10").json()["error"]["code"] == "no_report"


def test_a_restated_shift_report_restates_the_period_reports_and_both_stay(
    cast: Cast, clock: time_machine.Traveller
) -> None:
    first = made(day(cast))
    kept = (first.figures, first.sections, first.content_hash)
    assert made(month(cast)).revision == 0
    cast.send_room(shift_open, "shift_manager", name="Day")
    correct(cast)
    make_due_reports()
    make_due_reports()
    first, second = period_reports_of(day(cast))
    assert (first.figures, first.sections, first.content_hash) == kept
    assert (second.revision, second.restates) == (1, first)
    changes = [(change["where"], change["what"], change["was"], change["now"]) for change in second.changes]
    assert ("Shift reports", "Swing, Mon Nov 30, 2026", "as made first", "restatement 1") in changes
    assert ("Corrected since", "Rounds corrected since", 1, 2) in changes
    assert (
        second.typed_figures["total"] == first.typed_figures["total"]
    )  # the correction counts in the day on which it was made
    assert "superseded" in period_report_document(first).title
    assert "restatement 1" in period_report_document(second).title
    assert [each.revision for each in period_reports_of(month(cast))] == [0, 1]
    assert list(period_reports_verify(Checked())) == []


@pytest.mark.postgresql
def test_day_and_month_go_to_who_subscribed_to_each_with_the_pdf(cast: Cast) -> None:
    owner = "owner@cardroom.example"
    for what, restatements in (("day_report", True), ("month_report", False)):
        cast.send_room(subscription_make, "room_manager", what=what, address=owner, restatements=restatements)
    assert made(month(cast)).revision == 0
    assert sorted(_sent()) == ["cache-slough-2026-11-30.pdf", "cache-slough-2026-11.pdf"]
    assert {email.subject.split(",")[0] for email in mail.outbox} == {
        "Cache Slough: Day report",
        "Cache Slough: Month report",
    }
    cast.send_room(shift_open, "shift_manager", name="Day")
    correct(cast)
    make_due_reports()
    assert made(month(cast)).revision == 1
    assert _sent() == ["cache-slough-2026-11-30-restatement-1.pdf"]
    links = {each.labels.link for each in background_of(cast.room, timezone.now()).ended}
    assert "/rooms/cache-slough/roll-ups/2026-11/?revision=0" in links
    assert "/rooms/cache-slough/roll-ups/2026-11-30/" in links, "the errand leads there too"
    client = Client()
    client.force_login(cast.people["compliance"])
    assert [client.get(link).status_code for link in links] == [200] * len(links)


def _sent() -> list[str]:
    """Send what is due; return what the files are called that went with it."""
    before = len(mail.outbox)
    for email in jobs_due(timezone.now(), "email"):
        assert job_run(email.pk)
    return [attached.filename for email in mail.outbox[before:] for attached in email.attachments]


def test_what_is_not_known_of_a_shift_is_not_known_of_its_day_and_month(cast: Cast) -> None:
    manager = cast.people["shift_manager"]
    assert answers(period_report_document(made(day(cast))))["count_difference_cents"] == 0
    DropBox.objects.create(
        room=cast.room,
        table=cast.table,
        shift=shifts()[0],
        number=12,
        placed_at=timezone.now(),
        placed_by=manager,
    )
    shift_report_make(shifts()[0].pk)
    for report, parts in ((made(day(cast)), "shifts"), (made(month(cast)), "days")):
        document = period_report_document(report)
        answer = next(each for each in document.answers if each.name == "count_difference_cents")
        assert (answer.value, answer.mark) == (None, Mark.LOOK)
        assert rows(document, parts)[0]["counted_cents"] is None
        grid = document.grid(parts)
        assert grid is not None and grid.totals is not None
        assert grid.totals["count_difference_cents"] is None
        assert grid.totals["drop_expected_cents"] == report.typed_figures["total"]["drop_expected_cents"]


def test_a_period_waits_for_its_end_its_open_shifts_and_their_reports(
    cast: Cast, clock: time_machine.Traveller
) -> None:
    def why(period: Period) -> str:
        found = why_not_period_report(period, timezone.now())
        assert found is not None
        return found.code

    tomorrow = day_of(cast.room, DAY + datetime.timedelta(days=1))
    assert why(tomorrow) == "period_not_over"
    cast.send_room(shift_open, "shift_manager", name="Day")
    clock.move_to(OVER + datetime.timedelta(days=1))
    assert why(tomorrow) == "shift_open"
    with pytest.raises(NotNow):
        period_report_make(tomorrow)
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shifts()[-1].pk)
    assert why(tomorrow) == "shift_not_reported"
    assert tomorrow not in list(period_reports_due(timezone.now()))
    assert why(tomorrow.before) == "no_shifts"
    page = Client()
    page.force_login(cast.people["compliance"])
    text = page.get(f"/rooms/cache-slough/roll-ups/{tomorrow.name}/").content.decode()
    assert "The report of Day, Tue Dec 1, 2026 is still to be made." in text
    listed = page.get("/rooms/cache-slough/roll-ups/?month=2026-12").content.decode()
    assert "is still to be made" in listed and "pending" in listed
    assert made(tomorrow).typed_figures["total"]["rounds_settled"] == 0
    for wrong in ("2026-13", "2026-02-30", "today", "20261130", "0000-01"):
        assert page.get(f"/rooms/cache-slough/roll-ups/{wrong}/").status_code == 404
        with pytest.raises(ValueError, match=r"day|month|year"):
            period_named(cast.room, wrong)


def test_a_report_that_the_rows_contradict_is_shown_in_red_with_its_shift_and_rounds(cast: Cast) -> None:
    round_ = Round.objects.filter(shift=shifts()[0]).earliest("pk")
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_round SET taken_cents = taken_cents + 100 WHERE id = %s", [round_.pk])
    report = made(day(cast))
    # The correction in the second shift takes the same row back: both name it.
    faults = [(each.get("shift_name"), each["figure"]) for each in report.typed_figures["differences"]]
    assert faults == [
        ("Swing, Mon Nov 30, 2026", "taken_cents"),
        ("Graveyard, Mon Nov 30, 2026", "taken_cents"),
    ]
    first = report.typed_figures["differences"][0]
    assert first["ways"]["rounds"] - first["ways"]["shift report"] == 100
    assert [ref["id"] for ref in first["rounds"]] == [round_.pk]
    grid = period_report_document(report).grid("differences")
    assert grid is not None and {row.mark for row in grid.rows} == {Mark.STOP}
    browser = Client()
    browser.force_login(cast.people["inspector"])
    page = browser.get(f"/rooms/cache-slough/roll-ups/{DAY}/").content.decode()
    assert "This report is not to be relied on." in page and "Swing, Mon Nov 30, 2026" in page
    assert any("does not tie out" in found for found in period_reports_verify(Checked()))


def test_a_table_with_rows_that_the_shift_report_does_not_know_is_named(cast: Cast) -> None:
    later = Table.objects.create(room=cast.room, number=9)
    fee = Transfer.objects.filter(shift=shifts()[0], kind="fee").earliest("pk")
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_transfer SET table_id = %s WHERE id = %s", [later.pk, fee.pk])
    unknown = [each for each in made(day(cast)).typed_figures["differences"] if each["table"] == later.pk]
    assert {each["ways"]["shift report"] for each in unknown} == {0}
    assert fee.cents in {cents for each in unknown for cents in each["ways"].values()}


def test_a_report_that_was_changed_while_its_rows_agree_is_named_with_both_figures(cast: Cast) -> None:
    under = report_of(shifts()[0])
    assert under is not None
    figures = json.loads(json.dumps(under.figures))
    table = figures["tables"][0]
    true_cents = table["player_fees_cents"]
    table["player_fees_cents"] += 100
    with as_superuser() as cursor:
        cursor.execute(
            "UPDATE reports_shiftreport SET figures = %s WHERE id = %s", [json.dumps(figures), under.pk]
        )
    [difference] = made(day(cast)).typed_figures["differences"]
    assert (difference["table"], difference["figure"]) == (table["table"], "player_fees_cents")
    assert difference["ways"] == {
        "shift report": true_cents + 100,
        "transfers": true_cents,
        "rounds": true_cents,
    }


def test_verify_finds_a_period_report_that_was_changed_or_is_gone_and_one_whose_shift_report_was(
    cast: Cast,
) -> None:
    report = made(day(cast))
    assert list(period_reports_verify(Checked())) == []
    entry = JournalEntry.objects.filter(command=making.PERIOD_REPORT_COMMAND).earliest("pk")
    assert (entry.data["report"], entry.data["period"]) == (report.pk, str(DAY))
    assert entry.data["content_hash"] == report.content_hash
    under = report_of(shifts()[0])
    assert under is not None
    figures = json.loads(json.dumps(under.figures))
    figures["total"]["tips_cents"] += 1
    figures["tables"][0]["tips_cents"] += 1
    with as_superuser() as cursor:
        cursor.execute(
            "UPDATE reports_shiftreport SET figures = %s WHERE id = %s", [json.dumps(figures), under.pk]
        )
    found = list(period_reports_verify(Checked()))
    assert any("tips_cents: the report says 0, the database 1" in each for each in found)
    assert list(reports_verify(Checked()))
    with as_superuser() as cursor:
        cursor.execute("UPDATE reports_periodreport SET sections = '{}' WHERE id = %s", [report.pk])
    assert [found.id for found in rows_verify(models=[PeriodReport])] == [report.pk]
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM reports_periodreport WHERE id = %s", [report.pk])
    assert [found.id for found in rows_verify(models=[PeriodReport])] == [report.pk]


def test_the_same_reports_give_the_same_period_report(cast: Cast) -> None:
    first = made(month(cast))
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM reports_periodreport")
    again = period_report_make(month(cast))
    assert (again.figures, again.sections) == (first.figures, first.sections)
    assert again.content_hash == first.content_hash


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE reports_periodreport SET inputs_hash = ''",
        "DELETE FROM reports_periodreport",
        "TRUNCATE reports_periodreport CASCADE",
    ],
)
def test_a_period_report_is_never_changed_or_removed(cast: Cast, sql: str) -> None:
    report = made(day(cast))
    if sql.startswith("TRUNCATE") and connection.vendor == "sqlite":
        sql = "DELETE FROM reports_periodreport"  # what stands for it there
    connection.check_constraints()
    with pytest.raises(DatabaseError, match="stays as it was made"), transaction.atomic():
        connection.cursor().execute(sql)
    with pytest.raises(IntegrityError), transaction.atomic():
        PeriodReport.objects.create(
            room=cast.room,
            kind="day",
            first=DAY,
            made_at=timezone.now(),
            figures={},
            inputs_hash="",
            heads=[],
        )
    assert PeriodReport.objects.filter(kind="day").get() == report


@pytest.mark.postgresql
def test_of_two_that_make_it_at_once_the_database_lets_one_through(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one looked before the first had committed: it finds the row in its way and takes that."""
    first = made(day(cast))
    looks: Iterator[Any] = iter([None])
    monkeypatch.setattr(making, "period_report_of", lambda period: next(looks, first))
    assert period_report_make(day(cast)) == first
    assert PeriodReport.objects.filter(kind="day").count() == 1


def test_a_shift_report_that_is_restated_meanwhile_is_not_missed(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The period report was added up from the report before: it sees under the lock that another stands, and begins anew."""
    add_up = making.period_figures
    cast.send_room(shift_open, "shift_manager", name="Day")

    def restated_meanwhile(*given: Any) -> Any:
        monkeypatch.setattr(making, "period_figures", add_up)
        correct(cast)
        shift_report_make(shifts()[0].pk)
        Job.objects.filter(ended_at=None).update(state="cancelled", ended_at=timezone.now())
        return add_up(*given)

    monkeypatch.setattr(making, "period_figures", restated_meanwhile)
    report = period_report_make(day(cast))
    assert (report.revision, report.typed_figures["parts"][0]["revision"]) == (0, 1)


def test_a_failure_is_kept_with_its_error_and_tried_again(
    cast: Cast, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(making, "period_figures", fail)
        make_due_reports()
        make_due_reports()
    waiting = Job.objects.filter(state__in=["waiting", "failed"])
    assert {(job.kind, job.tries, job.error) for job in waiting} == {
        ("day_report", 1, "OSError: the disk is full"),
        ("month_report", 1, "OSError: the disk is full"),
    }
    page = Client()
    page.force_login(cast.people["compliance"])
    listed = "/rooms/cache-slough/roll-ups/?month=2026-11"
    assert "being made" in page.get(listed).content.decode()
    waiting.update(tries=8, state="failed", ended_at=timezone.now())
    text = page.get(listed).content.decode()
    assert (
        text.count("failed 8 times and is tried again when somebody asks") == 2 and "being made" not in text
    )
    waiting.update(tries=1, state="waiting", ended_at=None)
    clock.shift(datetime.timedelta(seconds=30))
    make_due_reports()
    assert period_report_of(day(cast)) is not None
    assert list(waiting.values_list("kind", "tries", "error", "next_try_at")) == []


def test_a_day_whose_shift_report_was_given_up_says_so(cast: Cast) -> None:
    cast.send_room(shift_open, "shift_manager", name="Day")
    correct(cast)
    Job.objects.filter(ended_at=None).update(tries=8, state="failed", ended_at=timezone.now())
    why = why_not_period_report(day(cast), timezone.now())
    assert why is not None and why.code == "shift_not_reported"
    assert "failed 8 times and is tried again when somebody asks" in why.message


@pytest.mark.postgresql
def test_people_without_the_right_and_of_elsewhere_see_no_period_report(cast: Cast) -> None:
    made(day(cast))
    addresses = (
        "/rooms/cache-slough/roll-ups/",
        f"/rooms/cache-slough/roll-ups/{DAY}/",
        f"/rooms/cache-slough/roll-ups/{DAY}.json",
        f"/api/rooms/{cast.room.pk}/roll-ups/{DAY}",
        f"/api/rooms/{cast.room.pk}/roll-ups",
    )
    for who, status in (("inspector", 200), ("dealer", 403), ("rival_compliance", 404), ("outsider", 404)):
        browser = Client()
        browser.force_login(cast.people[who])
        for address in addresses:
            assert browser.get(address).status_code == status, (who, address)
