"""Statements of a city's tax and of the state's table fee, worked by hand from a played shift."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine

from cardroom.documents.document import Mark
from cardroom.filings.models import Levy
from cardroom.floor.models import Down, Shift, Table
from cardroom.reports.catalogue.city_statement import CITY_STATEMENT
from cardroom.reports.catalogue.state_table_fee import STATE_TABLE_FEE
from cardroom.reports.models import ShiftReport
from cardroom.reports.queries.parser import report_query_of
from cardroom.reports.queries.query import Report
from cardroom.rooms.models import Room
from tests.drop.room import CountTeam
from tests.filing import CITY_LEVY, filed_levy
from tests.reports.verification.test_verify_attacks import NOON, reported_room

#: A round of November 30 brought $1 of the player and $1 of the bank; a city takes 8.25% of $1 and 11% of what is over.
DAY = NOON.date()
TIERS = [
    {"per": "part", "lower_cents": 0, "upper_cents": 100, "basis_points": 825},
    {"per": "part", "lower_cents": 100, "upper_cents": None, "basis_points": 1_150},
]


@pytest.fixture
def room(db: None) -> CountTeam:
    return reported_room()


def filed(room: CountTeam, **more: Any) -> Levy:
    return filed_levy(room.room, room.people["compliance"], {**CITY_LEVY, "lines": TIERS, **more})


def drawn(room: CountTeam, report: Report = CITY_STATEMENT, now: datetime.datetime = NOON) -> Any:
    with time_machine.travel(now + datetime.timedelta(days=2), tick=False):
        query = report_query_of(
            report,
            Room.objects.get(pk=room.room.pk),
            room.people["compliance"],
            datetime.datetime.now(datetime.UTC),
            first=DAY,
        )
        return report.draw(query)


def column(document: Any, grid: str, name: str) -> list[Any]:
    return [row.values[name] for row in document.grid(grid).rows]


def answers(document: Any) -> dict[str, Any]:
    return {answer.name: answer.value for answer in document.answers}


@pytest.mark.postgresql
def test_a_month_is_stated_tier_by_tier_and_ties_to_other_reports(room: CountTeam) -> None:
    filed(room)
    document = drawn(room)
    assert document.period == "gaming days Sun Nov 1, 2026 to Mon Nov 30, 2026"
    # 8.25% of $1.00 is 8.25 cents, 11.5% of $1.00 is 11.5 cents, half a cent up.
    assert column(document, "tiers", "due_cents") == [8, 12]
    assert column(document, "tiers", "worked") == ["8.25% of $1", "11.5% of $1"]
    assert {"due_cents": 20, "base_cents": 200, "restated": 0, "standing": "whole"}.items() <= answers(
        document
    ).items()
    assert document.sentence.text == "Owed to City of Cache Slough is $0.20, by a gross revenue of $2"
    assert column(document, "days", "base_cents") == [200]
    assert [row.mark for row in document.grid("ties").rows] == [Mark.DONE] * 3
    assert column(document, "ties", "there_cents") == [200, 200, 200]
    said = dict(zip(column(document, "source", "what"), column(document, "source", "says"), strict=True))
    assert (said["Section"], said["Paid to"]) == ("Code 5.24.080", "City of Cache Slough")


def test_a_minimum_is_a_line_of_the_statement(room: CountTeam) -> None:
    filed(room, minimum_cents=5_000)
    document = drawn(room)
    assert column(document, "tiers", "line") == ["1", "2", "minimum"]
    assert column(document, "tiers", "due_cents") == [8, 12, 4_980]
    assert answers(document)["due_cents"] == document.grid("tiers").totals["due_cents"] == 5_000


def test_what_is_not_over_and_what_is_not_reported_is_marked(room: CountTeam) -> None:
    filed(room, period="quarter")
    day = Shift.objects.get()
    Shift.objects.create(
        room=day.room, name="Graveyard", gaming_day=DAY, opened_at=NOON, opened_by=day.opened_by
    )
    document = drawn(room)
    due = document.answers[0]
    assert (due.value, due.mark) == (20, Mark.LOOK)
    assert (answers(document)["standing"], answers(document)["waiting"]) == ("not yet", 1)
    assert column(document, "waiting", "why") == ["it is open"]
    assert column(document, "days", "standing") == ["in play"]
    assert column(document, "ties", "difference_cents") == [0, 0, 0]


def test_a_shift_that_was_restated_after_the_month_is_named(room: CountTeam) -> None:
    filed(room)
    first = ShiftReport.objects.get()
    figures = {
        **first.figures,
        "total": {**first.figures["total"], "bank_fees_cents": 0, "drop_expected_cents": 100},
    }
    more = {"room": first.room, "shift": first.shift, "inputs_hash": "", "heads": []}
    ShiftReport.objects.create(
        **more, revision=1, restates=first, figures=figures, made_at=NOON + datetime.timedelta(days=9)
    )
    document = drawn(room, now=NOON + datetime.timedelta(days=10))
    assert {"due_cents": 8, "base_cents": 100, "restated": 1}.items() <= answers(document).items()
    assert "1 shift report made again after the period" in document.sentence.text
    assert column(document, "restated", "standing") == ["after the period"]
    assert column(document, "restated", "difference_cents") == [-100]
    # The month's report and the transfers say what was said before.
    assert column(document, "ties", "difference_cents") == [0, -100, -100]


def test_the_table_fee_is_the_greater_of_tables_and_revenue(room: CountTeam) -> None:
    lines = [
        {"per": "tables", "lower_tables": 1, "upper_tables": None, "fixed_cents": 30_000},
        {"per": "tables_by_base", "lower_cents": 0, "upper_cents": 200, "fixed_cents": 0},
        {"per": "tables_by_base", "lower_cents": 200, "upper_cents": None, "fixed_cents": 40_000},
    ]
    more = {"levied_by": "state", "period": "year", "year_begins": 7, "combine": "greatest"}
    filed(room, **more, lines=lines, tables="opened", at_bound="upper")
    document = drawn(room, STATE_TABLE_FEE)
    assert document.period == "gaming days Wed Jul 1, 2026 to Wed Jun 30, 2027"
    # One table was open; $2 lies in the upper tier: $400 for it, and not $300.
    assert column(document, "tiers", "due_cents") == [0, 0, 40_000]
    assert column(document, "tiers", "worked") == ["1 table at $300: not due", "not met", "1 table at $400"]
    found = answers(document)
    assert (found["due_cents"], found["tables"], found["peak"]) == (40_000, 1, 1)


def test_more_tables_than_are_authorized_stand_out(room: CountTeam) -> None:
    lines = [{"per": "tables", "lower_tables": 1, "upper_tables": None, "fixed_cents": 30_000}]
    filed(room, levied_by="state", period="year", lines=lines, authorized_tables=1)
    shift = Shift.objects.get()
    peak = next(answer for answer in drawn(room, STATE_TABLE_FEE).answers if answer.name == "peak")
    assert (peak.value, peak.mark) == (1, Mark.NONE)
    Down.objects.create(
        room=room.room,
        table=Table.objects.create(room=room.room, number=88),
        dealer=room.people["dealer"],
        started_at=shift.opened_at,
        ended_at=shift.closed_at,
    )
    peak = next(answer for answer in drawn(room, STATE_TABLE_FEE).answers if answer.name == "peak")
    assert (peak.value, peak.mark) == (2, Mark.STOP)
    assert peak.text == "Mon Nov 30, 2026, more than are authorized"


def test_without_a_levy_nothing_is_stated(room: CountTeam) -> None:
    filed(room)
    document = drawn(room, STATE_TABLE_FEE)
    assert [(answer.label, answer.value) for answer in document.answers] == [("Levy", "no levy is in force")]
    assert document.grid("tiers").rows == []
