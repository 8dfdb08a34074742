"""A grid on a page: page by page, sorted, filtered, and only what stands out, all of it by the page's address."""

from __future__ import annotations

import dataclasses
import datetime

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

from cardroom.documents.document import Column, Grid, Kind, Mark, Row, Value
from cardroom.documents.export import csv_of
from cardroom.documents.stored import grid_data, grid_read
from cardroom.web.parts.documents import document_view_of
from cardroom.web.parts.grid_view import SIZES, Table, table_of
from tests.documents.samples import document

_ROUNDS = 9_700


def rounds(count: int = _ROUNDS) -> Grid:
    """A round log: every hundredth round is marked, and every thousandth differs by a dollar."""
    columns = (
        Column("round", "Round"),
        Column("drop_cents", "Drop", Kind.MONEY, adds=True),
        Column("difference_cents", "Difference", Kind.MONEY, adds=True),
    )
    rows = [
        Row(
            {
                "round": f"Round {at}",
                "drop_cents": at * 37 % 4001,
                "difference_cents": 0 if at % 1000 else 100,
            },
            mark=Mark.NONE if at % 100 else Mark.LOOK,
        )
        for at in range(1, count + 1)
    ]
    return Grid("rounds", "Rounds", columns, rows)


def table(grid: Grid, asked: str = "") -> Table:
    return table_of(grid, datetime.UTC, QueryDict(asked))


def firsts(shown: Table) -> list[str]:
    """What the rows on show say in their first column."""
    return [line.cells[0].text for line in shown.lines]


def shown_page(grid: Grid, asked: str = "") -> str:
    """The page of a document with this grid."""
    view = document_view_of(document(grid), QueryDict(asked))
    return render_to_string("web/parts/document/document.html", {"document_view": view})


def test_a_page_has_the_first_rows_and_the_total_of_all_and_files_have_every_row() -> None:
    grid = rounds()
    shown = table(grid)
    assert firsts(shown) == [f"Round {at}" for at in range(1, SIZES[0] + 1)]
    every = sum(at * 37 % 4001 for at in range(1, _ROUNDS + 1))
    assert [cell.text for cell in shown.totals[0]] == ["Total", f"${every // 100:,}.{every % 100:02}", "$9"]
    assert shown_page(grid).count("<tr") < 40
    assert len(csv_of(grid).splitlines()) == _ROUNDS + 2


def test_pages_are_reached_one_from_the_other_and_hold_every_row_once() -> None:
    grid, address, seen = rounds(120), "?", list[str]()
    while address:
        shown = table(grid, address.partition("#")[0][1:])
        seen += firsts(shown)
        address = shown.later
    assert seen == [f"Round {at}" for at in range(1, 121)]
    assert firsts(table(grid, "rounds-size=100&rounds-page=2")) == seen[100:]


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("rounds-page=x", "Round 1"),
        ("rounds-page=0", "Round 101"),
        ("rounds-page=99999999999999999999", "Round 101"),
        ("rounds-sort=nothing&rounds-size=7", "Round 1"),
        ("other-page=2", "Round 1"),
    ],
)
def test_what_an_address_cannot_ask_still_shows_the_grid(asked: str, first: str) -> None:
    assert firsts(table(rounds(120), asked))[0] == first


def test_a_heading_sorts_and_sorts_the_other_way_and_keeps_what_else_is_asked() -> None:
    grid = rounds(300)
    at_first = table(grid, "from=2026-11-20&rounds-page=3&other-page=2")
    assert at_first.heads[1].order == ""
    address = at_first.heads[1].link
    assert "from=2026-11-20" in address and "other-page=2" in address and "rounds-page" not in address
    rising = table(grid, address.partition("#")[0][1:])
    drops = [row.values["drop_cents"] for row in rising.page]
    assert drops == sorted(at * 37 % 4001 for at in range(1, 301))[: SIZES[0]]
    assert rising.heads[1].order == "ascending"
    falling = table(grid, rising.heads[1].link.partition("#")[0][1:])
    assert falling.heads[1].order == "descending"
    assert next(row.values["drop_cents"] for row in falling.page) == max(
        at * 37 % 4001 for at in range(1, 301)
    )
    assert 'aria-sort="ascending"' in shown_page(grid, "rounds-sort=drop_cents")


@pytest.mark.parametrize(
    ("kind", "name", "values", "rising"),
    [
        (Kind.TEXT, "of", ["Table 10", "table 9", "Table 1"], ["Table 1", "table 9", "Table 10"]),
        (Kind.TEXT, "of", ["²", "x", "1"], ["1", "x", "²"]),
        (Kind.FIGURE, "of", ["23.4%", "−1.0%", "none", "9.9%"], ["−1.0%", "9.9%", "23.4%", "none"]),
        (Kind.MONEY, "of_cents", [None, 500, -100], [-100, 500, None]),
        (
            Kind.DAY,
            "of",
            [datetime.date(2026, 11, 2), None, datetime.date(2026, 10, 31)],
            [datetime.date(2026, 10, 31), datetime.date(2026, 11, 2), None],
        ),
    ],
)
def test_values_are_sorted_by_what_they_are_and_those_not_known_come_last(
    kind: Kind, name: str, values: list[Value], rising: list[Value]
) -> None:
    grid = Grid("each", "Each", (Column(name, "Of", kind),), [Row({name: value}) for value in values])
    assert [row.values[name] for row in table(grid, f"each-sort={name}").page] == rising
    falling = [row.values[name] for row in table(grid, f"each-sort=-{name}").page]
    known = [value for value in rising if value is not None]
    assert falling == known[::-1] + [None] * (len(values) - len(known))


def test_a_filter_leaves_rows_with_every_word_and_says_their_total_beside_that_of_all() -> None:
    shown = table(rounds(1300), "rounds-find=299 ROUND")
    assert firsts(shown) == ["Round 299", "Round 1299"]
    assert [total[0].text for total in shown.totals] == ["Total of these", "Total of all"]
    by_amount = table(
        Grid(
            "a",
            "A",
            rounds(1).columns,
            [Row({"round": "1", "drop_cents": 124_000, "difference_cents": 0})] * 12,
        ),
        "a-find=1240",
    )
    assert by_amount.found == 12, "$1,240 is found by who types 1240"
    text = shown_page(rounds(300), "rounds-find=nobody")
    assert "None of the 300 rows" in text and "Show them all" in text


def test_only_differences_leaves_what_differs_or_is_marked() -> None:
    grid = rounds(2000)
    assert table(grid).only == "Only differences"
    assert firsts(table(grid, "rounds-only=1")) == [f"Round {at}" for at in range(100, 2001, 100)]
    nothing_differs = dataclasses.replace(grid, rows=grid.rows[:20])
    assert table(nothing_differs).only == ""
    columns = grid.columns[:2]
    marked = [
        Row({name: row.values[name] for name in ("round", "drop_cents")}, mark=row.mark) for row in grid.rows
    ]
    assert table(Grid("rounds", "Rounds", columns, marked)).only == "Only what is marked"


def test_a_total_that_is_exact_over_all_rows_has_none_over_some() -> None:
    grid = dataclasses.replace(rounds(30), exact={"drop_cents": 123})
    these, of_all = table(grid, "rounds-find=29").totals
    assert (these[1].text, of_all[1].text) == ("", "$1.23")


def test_a_part_that_is_asked_something_is_unfolded_and_small_tables_have_no_tools() -> None:
    grid = dataclasses.replace(rounds(30), part="Round log")
    for asked, is_open in (("", False), ("rounds-page=2", True)):
        view = document_view_of(document(grid, has_summary=True), QueryDict(asked))
        assert [part.is_open for part in view.parts] == [is_open]
    assert "grid-tools" not in shown_page(rounds(9))
    assert "grid-tools" in shown_page(rounds(11))
    assert "grid-pages" not in shown_page(rounds(11))


def test_of_several_tables_the_first_are_unfolded_and_the_others_say_how_many_rows_they_have() -> None:
    grids = [
        dataclasses.replace(rounds(count), name=f"g{at}", title=f"Grid {at}")
        for at, count in enumerate((0, 6, 6, 300, 6))
    ]
    view = document_view_of(document(*grids), QueryDict())
    assert view.tables == []
    assert [(part.is_open, part.text) for part in view.parts] == [
        (False, "None."),
        (True, "6 rows"),
        (True, "6 rows"),
        (False, "300 rows"),
        (False, "6 rows"),
    ]
    asked = document_view_of(document(*grids), QueryDict("g3-page=2"))
    assert [part.is_open for part in asked.parts] == [False, True, True, True, False]
    alone = document_view_of(document(grids[3]), QueryDict())
    assert (len(alone.tables), alone.parts) == (1, []), "one table stands whole, page by page"


def test_words_have_as_much_width_as_the_longest_of_them() -> None:
    texts = ("Wed Nov 25, 2026, 9:14 PM PST", "Three Card Poker 6 Card Bonus, version 1", "x" * 90)
    columns = [Column(f"t{at}", "T") for at in range(3)]
    shown = table(Grid("t", "T", columns, [Row({f"t{at}": text for at, text in enumerate(texts)})]))
    assert [cell.width for cell in shown.lines[0].cells] == ["in-one-line", "", "of-sentences"]


def test_what_is_told_of_all_rows_stands_with_the_totals_and_in_files_and_not_with_some_of_them() -> None:
    pace = Column("pace", "Rounds an hour", Kind.FIGURE)
    grid = dataclasses.replace(
        rounds(30),
        columns=(*rounds(30).columns, pace),
        rows=[dataclasses.replace(row, values={**row.values, "pace": "30.1"}) for row in rounds(30).rows],
        in_all={"pace": "29.7"},
    )
    [total] = table(grid).totals
    assert total[-1].text == "29.7"
    these, of_all = table(grid, "rounds-find=29").totals
    assert (these[-1].text, of_all[-1].text) == ("", "29.7")
    assert csv_of(grid).splitlines()[-1].endswith(",29.7")
    assert grid_read(grid_data(grid)) == dataclasses.replace(grid, columns=list(grid.columns))
    with pytest.raises(ValueError, match="no column"):
        dataclasses.replace(grid, in_all={"rate": "1"})
