"""A round corrected in a later shift: every report says what stands of it, and what was changed since beside."""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import time_machine
from django.utils import timezone

from cardroom.documents.document import ReportDocument
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.models import Round, Shift
from cardroom.reports.models import ShiftReport
from cardroom.reports.periods.document import period_report_document
from cardroom.reports.periods.period import day_of
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.shift.open_shift import open_shift_of
from cardroom.reports.stored.exports import report_csv
from cardroom.reports.stored.selectors import period_report_of, report_of
from cardroom.reports.tasks import make_due_reports
from cardroom.reports.verification.verify import Checked, period_reports_verify, reports_verify
from tests.cast import Cast, sheet
from tests.floor.test_corrections import as_recorded
from tests.kept import kept

from ..played_shift import answers, drawn, rows

MORNING = datetime.datetime(2026, 10, 30, 18, 0, tzinfo=datetime.UTC)
WEEK = datetime.timedelta(days=7)
FIRST, SECOND, THIRD = (datetime.date(2026, 10, 30) + n * WEEK for n in range(3))


class Played(NamedTuple):
    """Three shifts, a week apart; what the bank that ran out in the first left uncovered, in cents."""

    cast: Cast
    over: datetime.datetime
    uncovered: int


@pytest.fixture
def played(db: None) -> Iterator[Played]:
    """A bank runs out in October; its wager is corrected a week later, that correction corrected in the week after."""
    with time_machine.travel(MORNING, tick=False) as clock:
        found = kept(_played)
        clock.move_to(found.over)
        yield found


def _played() -> Played:
    with time_machine.travel(MORNING, tick=False) as clock:
        cast = Cast().running()
        cast.send(round_record, "dealer", sheet=sheet({4: 6000, 5: 5000, 1: 1500}, wager=3000))
        uncovered = Round.objects.get().uncovered_cents
        close(cast)
        clock.move_to(MORNING + WEEK)
        cast.send_room(shift_open, "shift_manager", name="Swing")
        correct(cast, 100_000)
        close(cast)
        clock.move_to(MORNING + WEEK + datetime.timedelta(days=1))
        make_due_reports()
        make_due_reports()
        return Played(cast, timezone.now(), uncovered)


def close(cast: Cast) -> None:
    shift = Shift.objects.get(closed_at__isnull=True)
    cast.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
    make_due_reports()


def correct(cast: Cast, wager: int, ante: int | None = None) -> None:
    """Correct the bank's wager, and the first ante, of the record that stands of the round."""
    record = as_recorded(Round.objects.latest("revision")) | {"bank_wager_cents": wager}
    if ante is not None:
        record["positions"][0]["wagers"]["ante"] = ante
    cast.send(round_correct, "dealer", **record, reason="another wager", approver=cast.people["floor"])


def report_on(day: datetime.date) -> ShiftReport:
    report = report_of(Shift.objects.get(gaming_day=day))
    assert report is not None
    return report


def stored(day: datetime.date) -> tuple[int, int]:
    total = report_on(day).typed_figures["total"]
    return total["exhausted_banks"], total["uncovered_cents"]


def by_table(document: ReportDocument) -> tuple[Any, Any]:
    """Banks exhausted and what they left uncovered, as the tables of a stored report add them up."""
    grid = document.grid("coverage")
    assert grid is not None and grid.totals is not None
    return grid.totals["exhausted_banks"], grid.totals["uncovered_cents"]


def test_coverage_trends_shift_day_and_month_say_one_number_and_what_was_changed_since(
    played: Played,
) -> None:
    cast, uncovered = played.cast, played.uncovered
    assert uncovered > 0
    assert (stored(FIRST), stored(SECOND)) == ((1, uncovered), (-1, -uncovered)), "what was reported stays"
    money = f"−${uncovered / 100:.2f}".removesuffix(".00")

    coverage = drawn(cast, "coverage", first=FIRST, last=FIRST)
    assert [answers(coverage)[name] for name in ("exhausted", "uncovered_cents")] == [0, 0]
    text = [answer.text for answer in coverage.answers]
    assert text[:2] == [f"{change} since, by later corrections" for change in ("−1", money)]
    [since] = rows(coverage, "since")
    assert (since["banks"], since["uncovered_cents"], since["reason"]) == (-1, -uncovered, "another wager")

    trends = drawn(cast, "trends", first=FIRST - WEEK, last=SECOND)
    first, second = (week for week in rows(trends, "weeks") if week["shifts"])
    for week, exhausted, of_it in ((first, -1, -uncovered), (second, 0, 0)):
        assert (week["exhausted_banks"], week["uncovered_cents"]) == (0, 0)
        assert (week["since_exhausted_banks"], week["since_uncovered_cents"]) == (exhausted, of_it)

    report = shift_document_of(report_on(FIRST))
    period_report = period_report_of(day_of(cast.room, FIRST))
    assert period_report is not None
    for document in (report, period_report_document(period_report)):
        assert by_table(document) == (0, 0)
        changed = {row["figure"]: row for row in rows(document, "since")}
        assert changed["Banks exhausted"] == {
            "figure": "Banks exhausted", "reported": "1", "since": "−1", "brought": "", "stands": "0",
        }  # fmt: skip
        assert (changed["Uncovered"]["since"], changed["Uncovered"]["stands"]) == (money, "$0")
        looked = {row["what"]: row["detail"] for row in rows(document, "to_look_at")}
        assert f"Uncovered {money}, Banks exhausted −1" in looked["Rounds corrected since"]


def test_the_shift_in_which_it_was_corrected_has_nothing_of_a_round_that_is_not_its_own(
    played: Played,
) -> None:
    cast = played.cast
    coverage = drawn(cast, "coverage", first=SECOND, last=SECOND)
    assert [answers(coverage)[name] for name in ("exhausted", "uncovered_cents")] == [0, 0]
    document = shift_document_of(report_on(SECOND))
    assert by_table(document) == (0, 0)
    brought = {row["figure"]: row["brought"] for row in rows(document, "since")}
    assert brought["Banks exhausted"] == "−1"
    both = drawn(cast, "trends", first=FIRST - WEEK, last=SECOND)
    assert answers(both)["exhausted_banks"] == answers(both)["uncovered_cents"] == 0


def test_a_correction_of_a_correction_is_told_by_the_report_of_the_round(played: Played) -> None:
    cast, uncovered = played.cast, played.uncovered
    cast.send_room(shift_open, "shift_manager", name="Grave")
    correct(cast, 3000)
    third = Shift.objects.get(closed_at__isnull=True)
    so_far = open_shift_of(third, cast.people["shift_manager"], timezone.now())
    assert (so_far.exhausted_banks, so_far.uncovered_cents) == (0, 0), "the round is not of this shift"
    make_due_reports()
    assert report_on(FIRST).revision == 2
    assert by_table(shift_document_of(report_on(FIRST))) == (1, uncovered)
    coverage = drawn(cast, "coverage", first=FIRST, last=FIRST)
    assert answers(coverage)["exhausted"] == 1
    assert [answer.text for answer in coverage.answers] == ["", "", ""], "both together change nothing"
    assert list(reports_verify(Checked())) == list(period_reports_verify(Checked())) == []


def test_table_action_stands_with_the_round_in_collection_log_report_and_file(played: Played) -> None:
    cast = played.cast
    cast.send_room(shift_open, "shift_manager", name="Grave")
    correct(cast, 100_000, ante=6500)
    make_due_reports()
    make_due_reports()
    action = Round.objects.latest("revision").total_table_action_cents
    assert action == 17_500
    document = shift_document_of(report_on(FIRST))
    [*_, last] = csv.reader(io.StringIO(report_csv(report_on(FIRST))))
    heads = next(csv.reader(io.StringIO(report_csv(report_on(FIRST)))))
    log = drawn(cast, "rounds", first=FIRST, last=FIRST)
    log_grid, fees = log.grid("rounds"), document.grid("fees")
    assert log_grid is not None and log_grid.totals is not None
    assert fees is not None and fees.totals is not None
    found = {
        "collection": rows(drawn(cast, "collection", first=FIRST, last=FIRST), "tables")[0],
        "log": log_grid.totals,
        "report": fees.totals,
    }
    assert {name: each["total_table_action_cents"] for name, each in found.items()} == dict.fromkeys(
        found, action
    )
    assert last[heads.index("total table action")] == "175.00"
    assert "Table action +$50" in last[heads.index("corrected since")]
    later = Shift.objects.latest("pk").gaming_day
    nothing = drawn(cast, "collection", first=later, last=later).grid("tables")
    assert nothing is not None and nothing.totals is not None
    assert nothing.totals["total_table_action_cents"] == 0
