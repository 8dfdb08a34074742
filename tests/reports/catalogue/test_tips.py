"""The tips of several shifts add up to their sheets, by shift and by person."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from cardroom.floor.commands.shifts import shift_open
from cardroom.people.models import Role
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.parser import report_query_of
from tests.tips.room import TipRoom

from ..played_shift import answers, rows


@pytest.fixture
def site(db: None) -> TipRoom:
    """Two shifts whose sheets are closed ($10 won, $7 and $3 handed in), and one that is open."""
    site = TipRoom()
    site.open()
    site.bank_to(3)
    site.tipped(tip_cents=500)
    site.hand_in(site.dealer, 700)
    site.close_shift()
    site.close_pool()
    site.send_room(shift_open, name="Night")
    site.hand_in(site.second, 300)
    site.close_shift()
    site.close_pool()
    site.send_room(shift_open, name="Late")
    site.hand_in(site.second, 5000)
    return site


def tips(site: TipRoom, **asked: Any) -> Any:
    question = report_query_of(
        REPORTS["tips"], site.room, site.people[Role.COMPLIANCE], timezone.now(), **asked
    )
    return REPORTS["tips"].make(question)


def test_shifts_and_people_add_up_to_what_was_shared_out(site: TipRoom) -> None:
    document = tips(site)
    assert answers(document) == {"total_cents": 2000, "shared_cents": 2000, "held_cents": 0, "waiting": 1}
    assert [(row["won_cents"], row["handed_cents"]) for row in rows(document, "shifts")] == [
        (1000, 700),
        (0, 300),
    ]
    people = {row["name"]: row["share_cents"] for row in rows(document, "people")}
    assert people == {str(site.dealer): 1700, str(site.second): 300}
    assert (
        document.grid("people").totals["share_cents"] == document.grid("shifts").totals["total_cents"] == 2000
    )
    assert [row["shift"] for row in rows(document, "waiting")] == [str(site.shift)]


def test_a_shift_whose_sheet_is_not_closed_brings_no_figure(site: TipRoom) -> None:
    document = tips(site, shift=site.shift.pk)
    assert (answers(document)["total_cents"], rows(document, "shifts")) == (0, [])
