"""Counted against expected over days: each figure ties to its boxes, and nothing is told of a count that is blind."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardroom.drop.acts.variances import variance_answer
from cardroom.drop.reads.boxes import shift_counts
from cardroom.floor.models import Shift, Table
from cardroom.people.models import Role
from cardroom.reports.catalogue import REPORTS
from cardroom.reports.query_parser import asked_of
from tests.drop.room import CountRoom, chips

from .shift import answers, rows

pytestmark = pytest.mark.postgresql


@pytest.fixture
def house(db: None) -> CountRoom:
    """A room with an open shift, table 7 open on schedule 1, and the bank at seat 3."""
    house = CountRoom()
    house.open()
    house.bank_to(3)
    return house


def count(house: CountRoom, **asked: Any) -> Any:
    question = asked_of(REPORTS["count"], house.room, house.people[Role.COMPLIANCE], timezone.now(), **asked)
    return REPORTS["count"].make(question)


def test_a_short_box_stands_with_its_owner_and_explanation_and_leads_to_its_page(house: CountRoom) -> None:
    box = house.place(12)
    house.play({4: 2000})  # $1 of the player, $1 of the bank
    house.drop(box)
    house.counted(box, chips(c100=1))
    house.send_room(
        variance_answer, house.manager, box_id=box.pk, status="explained", says="A chip under the rail."
    )
    paper = count(house)
    (row,) = rows(paper, "boxes")
    figures = (row["expected_cents"], row["counted_cents"], row["difference_cents"])
    assert figures == (200, 100, -100)
    assert (row["status"], row["owner"], row["says"]) == (
        "explained",
        str(house.manager),
        "A chip under the rail.",
    )
    assert paper.grid("boxes").rows[0].links["box"] == f"/boxes/{box.pk}/"
    for grid in ("shifts", "tables", "boxes"):
        assert paper.grid(grid).totals["difference_cents"] == -100
    assert answers(paper) == {
        "expected_cents": 200,
        "counted_cents": 100,
        "difference_cents": -100,
        "waiting": 0,
        "unexplained": 0,
    }


def test_of_a_box_that_is_not_counted_twice_no_figure_is_told(house: CountRoom) -> None:
    box = house.place(12)
    house.play({4: 2000})
    house.drop(box)
    house.count(box, 0, chips(c100=2))
    paper = count(house)
    (row,) = rows(paper, "waiting")
    assert row["state"] == "waits for its count"
    assert not [name for name in row if name.endswith("_cents")]
    assert rows(paper, "boxes") == []
    assert (answers(paper)["waiting"], answers(paper)["expected_cents"]) == (1, 0)
    house.count(box, 1, chips(c100=1))
    assert rows(count(house), "waiting")[0]["state"] == "recount due"


def test_a_table_that_collected_without_a_box_is_told(house: CountRoom) -> None:
    house.play({4: 2000})
    paper = count(house)
    assert rows(paper, "without_box") == [
        {"shift": str(Shift.objects.get()), "table": 7, "lacked": "a box", "collected_cents": 200}
    ]
    assert rows(paper, "shifts")[0]["without_box_cents"] == 200


def test_a_report_of_one_table_holds_that_table_alone(house: CountRoom) -> None:
    other = Table.objects.create(room=house.room, number=8)
    mine, theirs = house.place(12), house.place(13, other)
    house.play({4: 2000})
    house.drop(mine, theirs)
    for box, pieces in ((mine, chips(c100=2)), (theirs, chips())):
        house.counted(box, pieces)
    assert [row["table"] for row in rows(count(house), "boxes")] == [7, 8]
    assert [row["table"] for row in rows(count(house, table=8), "boxes")] == [8]
    assert rows(count(house, table=8), "shifts")[0]["without_box_cents"] == 0


def test_many_boxes_take_no_more_queries_than_one(house: CountRoom) -> None:
    house.counted(house.dropped(12), chips(c100=1))
    shifts = [Shift.objects.get()]

    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            shift_counts(shifts)
        return len(made)

    few = queries()
    for number in (20, 21, 22):
        table = Table.objects.create(room=house.room, number=number)
        box = house.place(number, table)
        house.drop(box)
        house.counted(box, chips(c100=1))
    assert queries() == few


def test_the_report_is_for_those_who_see_reports_and_not_for_people_of_elsewhere(house: CountRoom) -> None:
    other = CountRoom("Gold Bar")
    address = f"/rooms/{house.room.code}/reports/count/"
    for staff, status in (
        (house.people[Role.COMPLIANCE], 200),
        (house.people[Role.DEALER], 403),
        (house.people[Role.COUNT], 403),
        (other.people[Role.COMPLIANCE], 404),
    ):
        browser = Client()
        browser.force_login(staff, backend="allauth.account.auth_backends.AuthenticationBackend")
        assert browser.get(address).status_code == status
