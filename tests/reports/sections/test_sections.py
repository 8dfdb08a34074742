"""Sections of stored reports: drawn from their figures alone, and added up for days and months without mixing what must stay apart."""

from __future__ import annotations

import json

import pytest

from cardroom.documents.document import Column, Kind, Mark
from cardroom.drop.models import DropBox
from cardroom.floor.models import Shift
from cardroom.reports.models import ShiftReport
from cardroom.reports.sections.count import count_added, count_drawn, counted_of
from cardroom.reports.sections.figure_types import (
    BoxesFigures,
    CountedBox,
    CountFigures,
    DealerTips,
    RotationFigures,
    TableRotation,
    TipsFigures,
)
from cardroom.reports.sections.listed import SummedTable
from cardroom.reports.sections.registry import SECTIONS, sections_drawn
from cardroom.reports.sections.rotation import rotation_added, rotation_drawn
from cardroom.reports.sections.section import Section, Span
from cardroom.reports.sections.tips import tips_added, tips_cents, tips_drawn
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.stored.reading import scope_of
from tests.drop.room import CountTeam, chips

from ..commands import report
from ..played_shift import rows

DAY = Span(is_month=False, hours=("9 AM", "10 AM"))
MONTH = Span(is_month=True, hours=("9 AM", "10 AM"))


@pytest.fixture
def made(db: None) -> ShiftReport:
    """The report of a shift with a round, and a box that is $1 short."""
    team = CountTeam().running()
    box = team.place(12)
    team.play({4: 2000})
    team.drop(box)
    team.counted(box, chips(c100=1))
    return report(team)


def test_what_is_stored_is_plain_json_and_draws_the_same_again(made: ShiftReport) -> None:
    def plainly(sections: list[Section]) -> list[object]:
        return [(each.name, each.title, list(each.answers), list(each.grids)) for each in sections]

    again = json.loads(json.dumps(made.sections))
    assert sorted(again) == sorted(kind.name for kind in SECTIONS if kind.of != "house")
    drawn = plainly(list(sections_drawn(again, scope_of(made))))
    assert drawn == plainly(list(sections_drawn(made.typed_sections, scope_of(made))))


def test_links_of_a_section_lead_to_the_shift_and_its_boxes(made: ShiftReport) -> None:
    document, box = shift_document_of(made), DropBox.objects.get()
    boxes, schedules = document.grid("count_boxes"), document.grid("collection_schedules")
    assert boxes is not None and schedules is not None
    assert boxes.rows[0].links == {"box": f"/boxes/{box.pk}/"}
    assert f"shift={Shift.objects.get().pk}" in schedules.rows[0].links["drop_cents"]


# --- Count ------------------------------------------------------------------------------------------------------------------


def box(number: int, table: int, expected: int, counted: int, status: str = "") -> CountedBox:
    return {
        "box": number,
        "box_name": f"Box {number}",
        "table": table,
        "shift_name": "Day",
        "dropped_at": "2026-11-20T18:00:00Z",
        "counted_by": ["Ana", "Bo"],
        "expected_cents": expected,
        "counted_cents": counted,
        "status": status,
        "owner": "",
        "text": "",
    }


def boxes(*counted: CountedBox, waiting: int = 0) -> BoxesFigures:
    expected = sum(each["expected_cents"] for each in counted)
    return {
        "shifts": [
            {
                "shift": 1,
                "shift_name": "Day",
                "boxes": len(counted) + waiting,
                "counted": len(counted),
                "dropped_cents": None if waiting else expected,
                "change_cents": 0,
                "without_box_cents": 0,
                "expected_cents": expected,
                "counted_cents": sum(each["counted_cents"] for each in counted),
            }
        ],
        "boxes": list(counted),
        "tables": [],
    }


def count(drop: BoxesFigures, jackpot: BoxesFigures | None = None, waiting: int = 0) -> CountFigures:
    return {
        "drop": drop,
        "jackpot": jackpot,
        "over_change": [],
        "without_box": [],
        "waiting": waiting,
        "waiting_elsewhere": 0,
        "unexplained": 0,
    }


def test_a_day_lists_boxes_and_a_month_adds_them_up_by_table_with_the_worst_variance() -> None:
    first = count(boxes(box(1, 7, 500, 400, "explained"), box(2, 8, 300, 300)), boxes(box(9, 7, 50, 50)))
    second = count(boxes(box(3, 7, 200, 150, "escalated")))
    day, month = count_added([first, second], DAY), count_added([first, second], MONTH)
    assert [each["box"] for each in day["drop"]["boxes"]] == [1, 2, 3] and not day["drop"]["tables"]
    assert month["drop"]["boxes"] == []
    assert month["drop"]["tables"] == [
        {"table": 7, "expected_cents": 700, "counted_cents": 550, "status": "escalated"},
        {"table": 8, "expected_cents": 300, "counted_cents": 300, "status": ""},
    ]
    for added in (day, month):
        found = {answer.name: answer.value for answer in count_drawn(added).answers}
        assert (found["counted_cents"], found["difference_cents"]) == (850, -150)
        assert (found["jackpot_counted_cents"], found["jackpot_difference_cents"]) == (50, 0)
    [by_table] = [grid for grid in count_drawn(month).grids if grid.name == "boxes"]
    assert [(row.values["table"], row.values["difference_cents"], row.mark) for row in by_table.rows] == [
        (7, -150, Mark.STOP),
        (8, 0, Mark.NONE),
    ]


def test_what_was_counted_is_not_known_of_a_shift_with_a_box_that_is_not() -> None:
    whole, part = count(boxes(box(1, 7, 500, 400))), count(boxes(box(1, 7, 500, 400), waiting=1), waiting=1)
    assert counted_of(whole)["count_difference_cents"] == -100
    assert set(counted_of(part).values()) == {None}
    added = count_added([whole, part], DAY)
    [by_shift, *_] = count_drawn(added).grids
    assert by_shift.totals is not None
    assert (by_shift.totals["dropped_cents"], by_shift.totals["boxes"]) == (None, 3)


# --- Tips and rotation ------------------------------------------------------------------------------------------------------


def dealer(staff: int, name: str, won: int, shift: int) -> DealerTips:
    return {
        "shift": shift,
        "staff": staff,
        "name": name,
        "won_cents": won,
        "handed_cents": 100,
        "worked_seconds": 3600,
        "share_cents": won + 100,
        "why_not": "",
    }


def tips(*dealers: DealerTips, closed: bool = True) -> TipsFigures:
    return {
        "dealers": list(dealers),
        "downs": [
            {
                "table": 7,
                "name": each["name"],
                "begins_at": "2026-11-20T18:00:00Z",
                "ends_at": "2026-11-20T19:00:00Z",
                "worked_seconds": each["worked_seconds"],
                "won_cents": each["won_cents"],
                "handed_cents": 0,
            }
            for each in dealers
        ],
        "support_cents": 0,
        "sheets_closed": int(closed),
        "sheets_open": int(not closed),
    }


def test_dealers_of_one_name_stay_apart_and_one_who_dealt_twice_is_one() -> None:
    shifts = [
        tips(dealer(1, "Kim", 500, 1), dealer(2, "Kim", 300, 1)),
        tips(dealer(1, "Kim", 200, 2), closed=False),
    ]
    day, month = tips_added(shifts, DAY), tips_added(shifts, MONTH)
    assert [(each["staff"], each["won_cents"], each["shift"]) for each in day["dealers"]] == [
        (1, 700, None),
        (2, 300, None),
    ]
    assert tips_cents(day) == 1300
    assert day["downs"] is not None and len(day["downs"]) == 3 and month["downs"] is None
    drawn = tips_drawn(day)
    assert {answer.name: answer.value for answer in drawn.answers}["state"] == "closed (1), not closed (1)"
    assert [grid.name for grid in tips_drawn(month).grids] == ["dealers"]
    assert all(not row.links for row in drawn.grids[0].rows), "a day has no sheet of its own"


def rotation_of(table: int, turns: int) -> TableRotation:
    return {
        "table": table,
        "exceptions": 0,
        "turns": turns,
        "renewed": 0,
        "banks": 2,
        "rounds": turns * 2,
        "voids": 0,
        "accepted": turns,
        "declined": 1,
        "absent": 0,
        "ineligible": 0,
        "withdrawn": 0,
        "stops": 0,
    }


def test_banks_have_no_sum_over_shifts(made: ShiftReport) -> None:
    shifts: list[RotationFigures] = [
        {"tables": [rotation_of(8, 1), rotation_of(7, 2)], "exceptions": [], "out_of_force": 0},
        {"tables": [rotation_of(7, 3)], "exceptions": [], "out_of_force": 1},
    ]
    added = rotation_added(shifts, DAY)
    assert [(each["table"], each["turns"], each["banks"]) for each in added["tables"]] == [
        (7, 5, None),
        (8, 1, None),
    ]
    drawn = rotation_drawn(added, scope_of(made))
    assert {answer.name: answer.value for answer in drawn.answers} == {
        "exceptions": 0,
        "turns": 6,
        "rounds": 12,
        "offers": 9,
        "out_of_force": 1,
    }
    [_, tables] = drawn.grids
    assert "banks" not in [column.name for column in tables.columns]
    assert "banks" in rows(shift_document_of(made), "rotation_tables")[0]


# --- Tables of sums ---------------------------------------------------------------------------------------------------------


def test_sums_of_a_kind_are_added_up_and_the_longest_span_is_kept() -> None:
    table = SummedTable(
        "kinds",
        "Kinds",
        (
            *(Column("kind", "Kind"), Column("times", "Times", Kind.COUNT, adds=True)),
            Column("longest_seconds", "Longest", Kind.SPAN),
        ),
        by=("kind",),
    )
    added = table.added(
        [
            {"kind": "b", "times": 1, "longest_seconds": 30},
            {"kind": "a", "times": 2, "longest_seconds": 20},
            {"kind": "b", "times": 4, "longest_seconds": 10},
            {"kind": "a", "times": 1, "longest_seconds": None},
        ]
    )
    assert added == [
        {"kind": "a", "times": 3, "longest_seconds": None},
        {"kind": "b", "times": 5, "longest_seconds": 30},
    ]
    assert table.drawn(added).totals == {"times": 8}
