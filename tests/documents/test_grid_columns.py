"""A table fits a desk: empty and equal columns are told once, long texts stand in a second line, figures stay in columns."""

from __future__ import annotations

import datetime

from django.http import QueryDict
from django.template.loader import render_to_string

from cardroom.documents.document import Column, Grid, Kind, Row
from cardroom.web.parts.documents import document_view_of
from cardroom.web.parts.grid_columns import ROOM, STEPS
from cardroom.web.parts.grid_view import SIZES_OF_TWO_LINES, Table, table_of
from tests.documents.samples import document

_WORDS = ("round", "game", "dealer", "reason", "approved_by")
_FIGURES = ("fees_cents", "refunded_cents", "drop_cents", "jackpot_cents", "rake_cents", "waived_cents")


def voids(count: int, *, game: str = "Three Card Poker 6 Card Bonus", reason: str = "") -> Grid:
    """Voids: nothing goes into the rake, every round is of one game, and the reasons are sentences."""
    columns = [Column(name, name.capitalize()) for name in _WORDS] + [
        Column(name, name.capitalize(), Kind.MONEY, adds=True) for name in _FIGURES
    ]
    rows = [
        Row(
            {
                "round": f"Sat Nov 21, 2026 · {at}",
                "game": game,
                "dealer": f"Kim Aguilar the {at}th",
                "reason": reason
                or f"More than one card was found face up as round {at} was dealt to the players.",
                "approved_by": f"Rosa Delgado the {at}th",
                **dict.fromkeys(_FIGURES, 1250 + at),
                "rake_cents": 0,
            }
        )
        for at in range(1, count + 1)
    ]
    return Grid("voids", "Voids", columns, rows)


def table(grid: Grid, asked: str = "") -> Table:
    return table_of(grid, datetime.UTC, QueryDict(asked))


def heads(shown: Table) -> list[str]:
    return [head.text for head in shown.heads]


def test_a_narrow_table_has_every_column_and_says_how_little_room_it_needs() -> None:
    columns = (Column("table", "Table", Kind.COUNT), Column("game", "Game"))
    shown = table(Grid("tables", "Tables", columns, [Row({"table": 7, "game": "Baccarat"})] * 4))
    assert heads(shown) == ["Table", "Game"]
    assert (shown.same, shown.unused, shown.lines[0].beneath) == ([], [], [])
    assert shown.needs == STEPS[0]


def test_a_wide_table_tells_once_what_is_empty_or_the_same_in_every_row() -> None:
    shown = table(voids(4))
    assert shown.unused == ["Rake_cents"]
    assert shown.same == [("Game", "Three Card Poker 6 Card Bonus")]
    assert "Rake_cents" not in heads(shown) and "Game" not in heads(shown)
    assert shown.needs <= ROOM + 4


def test_two_rows_alike_are_no_rule() -> None:
    assert table(voids(2)).same == []


def test_the_longest_texts_stand_in_a_second_line_by_name_and_figures_in_columns() -> None:
    shown = table(voids(4))
    assert [cell.label for cell in shown.lines[0].beneath] == ["Reason"]
    assert [head for head in heads(shown) if head.endswith("_cents")] == [
        name.capitalize() for name in _FIGURES if name != "rake_cents"
    ]
    assert len(shown.totals[0]) == len(shown.heads)
    page = render_to_string(
        "web/parts/document/document.html",
        {"document_view": document_view_of(document(voids(4)), QueryDict())},
    )
    assert page.count('class="beneath"') == 4
    assert f'colspan="{len(shown.heads)}"' in page
    assert "More than one card was found face up as round 2 was dealt" in page


def test_the_column_that_it_is_sorted_by_stays_a_column() -> None:
    shown = table(voids(4), "voids-sort=-reason")
    assert "Reason" in heads(shown)
    assert [order.value for order in shown.orders if order.is_chosen] == ["-reason"]


def test_rows_of_two_lines_are_fewer_on_a_page() -> None:
    first, second = table(voids(40)), table(voids(40), "voids-page=2")
    assert first.sizes == SIZES_OF_TWO_LINES
    assert [len(shown.lines) for shown in (first, second)] == [SIZES_OF_TWO_LINES[0]] * 2
    assert second.lines[0].cells[0].text == f"Sat Nov 21, 2026 · {SIZES_OF_TWO_LINES[0] + 1}"
    assert len(table(voids(40), "voids-size=25").lines) == 25


def test_a_wide_table_without_rows_tells_of_none_that_they_are_the_same() -> None:
    wide = [Column(f"a_long_name_of_a_column_{at}", f"Alongheadingofacolumn{at}") for at in range(12)]
    shown = table(Grid("voids", "Voids", wide, []))
    assert (shown.same, shown.unused, shown.lines) == ([], [], [])
