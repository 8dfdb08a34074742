"""The tips of several shifts add up to their sheets, by shift and by person."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from cardroom.floor.commands.shifts import shift_open
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.parser import report_query_of
from tests.tips.room import TipRoom

from ..played_shift import answers, rows


@pytest.fixture
def tips(db: None) -> TipRoom:
    """Two shifts whose sheets are closed ($10 won, $7 and $3 handed in), and one that is open."""
    tips = TipRoom().running()
    tips.tipped(tip_cents=500)
    tips.hand_in(tips.people["dealer"], 700)
    tips.close_shift()
    tips.close_pool()
    tips.send_room(shift_open, name="Night")
    tips.hand_in(tips.people["dealer_2"], 300)
    tips.close_shift()
    tips.close_pool()
    tips.send_room(shift_open, name="Late")
    tips.hand_in(tips.people["dealer_2"], 5000)
    return tips


def made(tips: TipRoom, **asked: Any) -> Any:
    question = report_query_of(REPORTS["tips"], tips.room, tips.people["compliance"], timezone.now(), **asked)
    return REPORTS["tips"].make(question)


def test_shifts_and_people_add_up_to_what_was_shared_out(tips: TipRoom) -> None:
    document = made(tips)
    assert answers(document) == {"total_cents": 2000, "shared_cents": 2000, "held_cents": 0, "waiting": 1}
    assert [(row["won_cents"], row["handed_cents"]) for row in rows(document, "shifts")] == [
        (1000, 700),
        (0, 300),
    ]
    people = {row["name"]: row["share_cents"] for row in rows(document, "people")}
    assert people == {str(tips.people["dealer"]): 1700, str(tips.people["dealer_2"]): 300}
    assert (
        document.grid("people").totals["share_cents"] == document.grid("shifts").totals["total_cents"] == 2000
    )
    assert [row["shift"] for row in rows(document, "waiting")] == [str(tips.shift)]


def test_a_shift_whose_sheet_is_not_closed_brings_no_figure(tips: TipRoom) -> None:
    document = made(tips, shift=tips.shift.pk)
    assert (answers(document)["total_cents"], rows(document, "shifts")) == (0, [])
