"""A document as CSV, JSON and XLSX: every kind of value to the cent, nothing for what is not known, and never a formula."""

from __future__ import annotations

import codecs
import csv
import datetime
import io
import json
from typing import Any

import openpyxl
import pytest

from cardroom.documents.document import Column, Grid, Kind, Row
from cardroom.documents.export import csv_file, csv_of, data_of, json_of, xlsx_of
from cardroom.documents.stored import answer_data, answer_read, grid_data, grid_read

from .samples import ANSWERS, AT, ZONE, document, grid, row

FORMULAS = ["=cmd|' /C calc'!A0", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "＋1", "－1", "＠A1"]  # noqa: RUF001  # full-width signs on purpose


def lines(of: Grid) -> list[list[str]]:
    return list(csv.reader(io.StringIO(csv_of(of), newline="")))


def book(*grids: Grid) -> Any:
    return openpyxl.load_workbook(io.BytesIO(xlsx_of(document(*grids, answers=ANSWERS))))


def test_a_csv_has_dollars_utc_seconds_and_a_line_of_totals() -> None:
    head, first, second, total = lines(grid(row(), row("Bo", drop_cents=-5)))
    assert head == ["who", "rounds", "drop_dollars", "since_at", "day", "bank_seconds"]
    assert first == ["Ana", "1240", "1240.50", "2026-11-21T05:14:05Z", "2026-11-20", "3900"]
    assert second[2] == "-0.05"
    assert total == ["total", "2480", "1240.45", "", "", "7800"]


def test_what_is_not_known_is_an_empty_cell_and_makes_its_sum_unknown() -> None:
    of = grid(row(), row("Bo", drop_cents=None, since_at=None))
    _, _, unknown, total = lines(of)
    assert (unknown[2], unknown[3], total[2]) == ("", "", "")
    assert total[1] == "2480"
    sheet = book(of)["By person"]
    assert [sheet.cell(3, at).value for at in (3, 4)] == [None, None]
    assert (sheet.cell(4, 2).value, sheet.cell(4, 3).value) == (2480, None)
    assert data_of(document(of))["grids"]["people"]["totals"]["drop_cents"] is None


@pytest.mark.parametrize("of", [grid(), grid(columns=[Column("who", "Who")])], ids=["adds", "adds nothing"])
def test_an_empty_table_is_a_line_of_names_and_a_sum_of_nothing(of: Grid) -> None:
    assert lines(of)[0][0] == "who"
    assert lines(of)[1:] == ([["total", "0", "0.00", "", "", "0"]] if len(of.columns) > 1 else [])
    assert book(of)["By person"].max_row == len(lines(of))


@pytest.mark.parametrize("name", FORMULAS)
def test_no_spreadsheet_takes_a_name_for_a_formula(name: str) -> None:
    assert lines(grid(row(name)))[1][0] == f"'{name}"
    cell = book(grid(row(name)))["By person"]["A2"]
    assert cell.data_type == "s"
    assert cell.value.endswith(name.strip())


@pytest.mark.parametrize("name", ["Nguyễn", "Łukasz", "李", "a\nb", 'say "x", twice', ""])
def test_names_of_every_script_come_back_as_they_were(name: str) -> None:
    assert lines(grid(row(name)))[1][0] == name
    assert json.loads(json_of(document(grid(row(name)))))["grids"]["people"]["rows"][0]["who"] == name
    assert (book(grid(row(name)))["By person"]["A2"].value or "") == name


@pytest.mark.parametrize("cents", [0, 1, -1, 99, 10, 123456789, -999999999999])
def test_cents_are_the_same_cents_in_every_file(cents: int) -> None:
    of = grid(row(drop_cents=cents))
    whole, _, part = lines(of)[1][2].partition(".")
    assert int(whole + part) == cents
    assert round(book(of)["By person"]["C2"].value * 100) == cents
    assert data_of(document(of))["grids"]["people"]["rows"][0]["drop_cents"] == cents


def test_a_workbook_holds_the_rooms_clock_and_names_its_zone() -> None:
    sheet = book(grid(row()))["By person"]
    assert sheet["D1"].value == f"Since ({ZONE})"
    assert sheet["D2"].value == datetime.datetime(2026, 11, 20, 21, 14, 5)  # noqa: DTZ001  # the format has no zones
    assert (sheet["E1"].value, sheet["E2"].value) == ("Since: clock", "PST")
    assert sheet["F2"].value == datetime.datetime(2026, 11, 20)  # noqa: DTZ001
    assert sheet["G2"].value == datetime.timedelta(seconds=3900)


def test_a_workbook_tells_the_hour_that_comes_twice_apart() -> None:
    summer = datetime.datetime(2026, 11, 1, 8, 15, tzinfo=datetime.UTC)
    rows = [row(since_at=summer), row(since_at=summer + datetime.timedelta(hours=1))]
    sheet = book(grid(*rows))["By person"]
    assert sheet["D2"].value == sheet["D3"].value == datetime.datetime(2026, 11, 1, 1, 15)  # noqa: DTZ001
    assert (sheet["E2"].value, sheet["E3"].value) == ("PDT", "PST")


FIGURES = {
    "33.4": (33.4, "#,##0.0"),
    "−1,240": (-1240, "#,##0"),
    "$7.50": (7.5, '"$"#,##0.00'),
    "23.4%": (0.234, "#,##0.0%"),
}


@pytest.mark.parametrize("said", FIGURES)
def test_a_figure_is_a_number_in_a_workbook_and_shown_as_it_was(said: str) -> None:
    of = grid(Row({"pace": said}), Row({"pace": "1 h 5 min"}), columns=[Column("pace", "Pace", Kind.FIGURE)])
    sheet = book(of)["By person"]
    number, shown = FIGURES[said]
    assert (round(sheet["A2"].value, 6), sheet["A2"].number_format) == (number, shown)
    assert sheet["A3"].value == "1 h 5 min"


def test_headings_stay_in_sight_and_have_filters_over_the_rows_alone() -> None:
    sheet = book(grid(row(), row("Bo")))["By person"]
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:G3")
    assert sheet["A4"].value == "Total"
    parted = [grid(row(), name=name, part="People") for name in "ab"]
    sheet = openpyxl.load_workbook(io.BytesIO(xlsx_of(document(*parted, has_summary=True))))["People"]
    assert sorted(table.ref for table in sheet.tables.values()) == ["A2:G3", "A7:G8"]
    assert all(table.autoFilter is not None for table in sheet.tables.values())


def test_a_csv_file_opens_in_excel_with_its_names_intact() -> None:
    content = csv_file(csv_of(grid(row("José"))))
    assert content.startswith(codecs.BOM_UTF8)
    assert "José" in content.decode("utf-8-sig")


def test_a_workbook_begins_with_the_answers_and_names_its_sheets_apart() -> None:
    long = "What the player-dealer paid: by table [and] day"
    made = book(grid(row()), grid(row(), name="b", title=long), grid(row(), name="c", title=long))
    assert len(made.sheetnames) == len({name.lower() for name in made.sheetnames}) == 4
    summary = made.worksheets[0]
    found = {summary.cell(line, 1).value: summary.cell(line, 2).value for line in range(4, 7)}
    assert found == {"Into the drop": -7.5, "Counted": None, "Rounds": 12}


def test_the_same_paper_gives_the_same_bytes() -> None:
    assert xlsx_of(document(grid(row()))) == xlsx_of(document(grid(row())))


def test_json_tells_answers_cents_and_instants_in_utc() -> None:
    found = data_of(document(grid(row()), answers=ANSWERS, notes=["as counted"]))
    assert found["answers"] == {"drop_cents": -750, "counted_cents": None, "rounds": 12}
    assert found["grids"]["people"]["rows"][0]["since_at"] == "2026-11-21T05:14:05Z"
    assert found["notes"] == ["as counted"]


def test_what_is_kept_is_read_back_equal() -> None:
    of = grid(row(), row("Bo", since_at=None), text="As played.", empty="Nobody.")
    back = grid_read(json.loads(json.dumps(grid_data(of))))
    assert (back.text, back.empty) == ("As played.", "Nobody.")
    assert (list(back.columns), list(back.rows)) == (list(of.columns), list(of.rows))
    for answer in ANSWERS:
        assert answer_read(json.loads(json.dumps(answer_data(answer)))) == answer


@pytest.mark.parametrize(
    ("name", "kind", "adds", "text"),
    [
        ("drop", Kind.MONEY, False, "must end in _cents"),
        ("since", Kind.INSTANT, False, "must end in _at"),
        ("bank", Kind.SPAN, False, "must end in _seconds"),
        ("who", Kind.TEXT, True, "cannot be added up"),
    ],
)
def test_a_column_that_would_mislead_is_refused(name: str, kind: Kind, adds: bool, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        Column(name, "X", kind, adds)


def test_a_row_with_another_set_of_values_is_refused() -> None:
    with pytest.raises(ValueError, match="differ in"):
        grid(Row({"who": "Ana", "since_at": AT}))
