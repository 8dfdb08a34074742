"""Counted against expected over days: each figure ties to its boxes, and nothing is shown of a count that is blind."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardroom.drop.commands.variances import variance_answer
from cardroom.drop.reads.boxes import shift_counts
from cardroom.floor.models import Shift, Table
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.parser import report_query_of
from tests.drop.room import CountTeam, chips
from tests.kept import kept

from ..played_shift import answers, rows


@pytest.fixture
def team(db: None) -> CountTeam:
    """A room with an open shift, table 7 open on schedule 1, and the bank at seat 3."""
    return kept(_running)


def _running() -> CountTeam:
    return CountTeam().running()


def count(team: CountTeam, **asked: Any) -> Any:
    question = report_query_of(
        REPORTS["count"], team.room, team.people["compliance"], timezone.now(), **asked
    )
    return REPORTS["count"].make(question)


def test_a_short_box_stands_with_its_owner_and_explanation_and_leads_to_its_page(team: CountTeam) -> None:
    box = team.place(12)
    team.play({4: 2000})  # $1 of the player, $1 of the bank
    team.drop(box)
    team.counted(box, chips(c100=1))
    team.send_room(
        variance_answer, "shift_manager", box_id=box.pk, status="explained", text="A chip under the rail."
    )
    document = count(team)
    (row,) = rows(document, "boxes")
    figures = (row["expected_cents"], row["counted_cents"], row["difference_cents"])
    assert figures == (200, 100, -100)
    assert (row["status"], row["owner"], row["text"]) == (
        "explained",
        str(team.people["shift_manager"]),
        "A chip under the rail.",
    )
    assert document.grid("boxes").rows[0].links["box"] == f"/boxes/{box.pk}/"
    for grid in ("shifts", "tables", "boxes"):
        assert document.grid(grid).totals["difference_cents"] == -100
    assert answers(document) == {
        "expected_cents": 200,
        "counted_cents": 100,
        "difference_cents": -100,
        "waiting": 0,
        "unexplained": 0,
    }


def test_of_a_box_that_is_not_counted_twice_no_figure_is_told(team: CountTeam) -> None:
    box = team.place(12)
    team.play({4: 2000})
    team.drop(box)
    team.count(box, 0, chips(c100=2))
    document = count(team)
    (row,) = rows(document, "waiting")
    assert row["state"] == "waits for its count"
    assert not [name for name in row if name.endswith("_cents")]
    assert rows(document, "boxes") == []
    assert (answers(document)["waiting"], answers(document)["expected_cents"]) == (1, 0)
    team.count(box, 1, chips(c100=1))
    assert rows(count(team), "waiting")[0]["state"] == "recount due"


def test_a_table_that_collected_without_a_box_is_told(team: CountTeam) -> None:
    team.play({4: 2000})
    document = count(team)
    assert rows(document, "without_box") == [
        {"shift": str(Shift.objects.get()), "table": 7, "lacked": "a box", "collected_cents": 200}
    ]
    assert rows(document, "shifts")[0]["without_box_cents"] == 200


@pytest.mark.postgresql
def test_a_report_of_one_table_holds_that_table_alone(team: CountTeam) -> None:
    mine, theirs = team.place(12), team.place(13, team.second_table)
    team.play({4: 2000})
    team.drop(mine, theirs)
    for box, pieces in ((mine, chips(c100=2)), (theirs, chips())):
        team.counted(box, pieces)
    assert [row["table"] for row in rows(count(team), "boxes")] == [7, 8]
    assert [row["table"] for row in rows(count(team, table=8), "boxes")] == [8]
    assert rows(count(team, table=8), "shifts")[0]["without_box_cents"] == 0


def test_many_boxes_take_no_more_queries_than_one(team: CountTeam) -> None:
    team.counted(team.dropped(12), chips(c100=1))
    shifts = [Shift.objects.get()]

    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            shift_counts(shifts)
        return len(made)

    few = queries()
    for number in (20, 21, 22):
        table = Table.objects.create(room=team.room, number=number)
        box = team.place(number, table)
        team.drop(box)
        team.counted(box, chips(c100=1))
    assert queries() == few


def test_the_report_is_for_those_who_see_reports_and_not_for_people_of_elsewhere(team: CountTeam) -> None:
    other = team.at_rival()
    address = f"/rooms/{team.room.code}/reports/count/"
    for staff, status in (
        (team.people["compliance"], 200),
        (team.people["dealer"], 403),
        (team.people["count"], 403),
        (other.people["compliance"], 404),
    ):
        browser = Client()
        browser.force_login(staff)
        assert browser.get(address).status_code == status
