"""The tips of several shifts add up to their sheets, by shift and by person."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from cardroom.floor.acts.shifts import shift_open
from cardroom.people.models import Role
from cardroom.reports.catalogue import REPORTS
from cardroom.reports.query_parser import asked_of
from tests.tips.room import TokeRoom

from .shift import answers, rows

pytestmark = pytest.mark.postgresql


@pytest.fixture
def house(db: None) -> TokeRoom:
    """Two shifts whose sheets are closed ($10 won, $7 and $3 handed in), and one that is open."""
    house = TokeRoom()
    house.open()
    house.bank_to(3)
    house.tipped(tip_cents=500)
    house.hand_in(house.dealer, 700)
    house.close_shift()
    house.close_pool()
    house.send_room(shift_open, name="Night")
    house.hand_in(house.second, 300)
    house.close_shift()
    house.close_pool()
    house.send_room(shift_open, name="Late")
    house.hand_in(house.second, 5000)
    return house


def tips(house: TokeRoom, **asked: Any) -> Any:
    question = asked_of(REPORTS["tips"], house.room, house.people[Role.COMPLIANCE], timezone.now(), **asked)
    return REPORTS["tips"].make(question)


def test_shifts_and_people_add_up_to_what_was_shared_out(house: TokeRoom) -> None:
    paper = tips(house)
    assert answers(paper) == {"total_cents": 2000, "shared_cents": 2000, "held_cents": 0, "waiting": 1}
    assert [(row["won_cents"], row["handed_cents"]) for row in rows(paper, "shifts")] == [
        (1000, 700),
        (0, 300),
    ]
    people = {row["name"]: row["share_cents"] for row in rows(paper, "people")}
    assert people == {str(house.dealer): 1700, str(house.second): 300}
    assert paper.grid("people").totals["share_cents"] == paper.grid("shifts").totals["total_cents"] == 2000
    assert [row["shift"] for row in rows(paper, "waiting")] == [str(house.shift)]


def test_a_shift_whose_sheet_is_not_closed_brings_no_figure(house: TokeRoom) -> None:
    paper = tips(house, shift=house.shift.pk)
    assert (answers(paper)["total_cents"], rows(paper, "shifts")) == (0, [])
