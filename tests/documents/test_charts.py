"""The labels of a chart's axis: whole, apart from each other, and as many as have room."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from django.template.loader import render_to_string
from reportlab.graphics.shapes import Drawing, Line, Rect, String

from cardroom.documents.document import Chart
from cardroom.documents.pdf_chart import bars_drawn
from cardroom.web.parts.documents import Bars, bars_of

HOURS = [f"{hour:02}:00" for hour in range(24)]
NIGHT = ["01:00", "01:00 again", *HOURS[2:]]
WEEKS = [f"Sep {day} to Oct {day}" for day in range(11, 24)]
TABLES = [str(number) for number in range(1, 41)]


@pytest.mark.parametrize("labels", [HOURS, NIGHT, WEEKS, TABLES, ["a week that was left out altogether"]])
@pytest.mark.parametrize("letter", [Bars.letter, Bars.letter_of_two])
def test_labels_of_a_chart_on_a_page_are_whole_and_apart(labels: list[str], letter: float) -> None:
    chart = Chart("c", "C", labels, [100] * len(labels), in_part=[True] * len(labels), unit="$")
    shown = [bar for bar in bars_of(chart, letter=letter).bars if bar.label]
    spans = [
        (bar.middle - len(bar.label) * letter / 2, bar.middle + len(bar.label) * letter / 2) for bar in shown
    ]
    assert shown[0].label.startswith(labels[0])
    assert spans[-1][1] <= Bars.width
    for (_, ends), (begins, _) in itertools.pairwise(spans):
        assert ends <= begins


@pytest.mark.parametrize("labels", [HOURS, NIGHT, WEEKS, TABLES])
@pytest.mark.parametrize("width", [250, 500])
def test_labels_of_a_printed_chart_are_whole_and_apart(labels: list[str], width: int) -> None:
    drawing: Drawing = bars_drawn(Chart("c", "C", labels, [100] * len(labels), unit="$"), width, 120)
    shown = [each for each in drawing.contents if isinstance(each, String) and each.y == 2]
    spans = sorted(each.getBounds()[::2] for each in shown)
    assert spans[-1][1] <= width
    for (_, ends), (begins, _) in itertools.pairwise(spans):
        assert ends < begins


def test_a_figure_stands_over_its_bar_and_over_the_earlier_time_where_that_would_cross_it() -> None:
    chart = Chart("c", "C", ["a", "b", "c", "d"], [50, 50, 50, 0], before=[90, 52, 20, None], unit="$")
    assert [chart.figure_above(at, 10) for at in range(4)] == [50, 52, 50, 0]
    far, near, below, _ = bars_of(chart, letter=Bars.letter).bars
    assert near.value_y < far.value_y == below.value_y
    printed = [
        each.y
        for each in bars_drawn(chart, 400, 120).contents
        if isinstance(each, String) and each.text == "50"
    ]
    assert printed[1] > printed[0] == printed[2]


def in_part(**more: Any) -> Chart:
    """Two days, of which the second is not over, beside those of a week before."""
    return Chart(
        "d",
        "Drop, by gaming day",
        ["Nov 24", "Nov 25"],
        [40_000, 20_000],
        text_money=True,
        before=[30_000, None],
        before_name="a week before",
        in_part=[False, True],
        unit="$",
        links=["/day/24/", "/day/25/"],
        **more,
    )


def test_a_chart_on_a_page_says_its_unit_its_values_and_what_is_not_over_and_opens_its_bars() -> None:
    bars = bars_of(in_part(), letter=Bars.letter)
    assert [bar.value for bar in bars.bars] == ["$400", "$200"]
    assert [bar.before_y is None for bar in bars.bars] == [False, True]
    text = render_to_string("web/parts/document/bars.html", {"bars": bars})
    for each in ("in $", "a week before", "still open, or not all reported", 'href="/day/25/"', "Nov 25 ◐"):
        assert each in text
    assert text.count('class="in-part"') == 2  # drawn for the page and for a phone
    many = Chart("m", "M", TABLES, [123_456] * len(TABLES), unit="rounds")
    assert {bar.value for bar in bars_of(many, letter=Bars.letter).bars} == {""}, "none has room"


def test_a_printed_bar_that_is_not_over_is_hatched_within_its_edges() -> None:
    drawing: Drawing = bars_drawn(in_part(), 400, 120)
    whole, part = [each for each in drawing.contents if isinstance(each, Rect)]
    assert whole.fillColor is not None and part.fillColor is None
    left, right = part.x, part.x + part.width
    slanted = [
        each
        for each in drawing.contents
        if isinstance(each, Line) and each.x1 != each.x2 and each.y1 != each.y2
    ]
    assert slanted
    for line in slanted:
        assert left <= line.x1 < line.x2 <= right + 0.01
        assert part.y - 0.01 <= line.y1 < line.y2 <= part.y + part.height + 0.01


def test_the_bars_that_are_told_of_are_dark_and_have_the_labels_and_the_others_are_pale() -> None:
    days = [f"Nov {day}" for day in range(1, 31)]
    strong = [day % 7 == 4 for day in range(1, 31)]
    chart = Chart("c", "C", days, [100] * 30, unit="$", strong=strong, strong_name="Wednesdays")
    bars = bars_of(chart, letter=9.0, width=440, height=360)
    assert [bar.label for bar in bars.bars if bar.label] == ["Nov 4", "Nov 11", "Nov 18", "Nov 25"]
    assert [bar.pale for bar in bars.bars] == [not each for each in strong]
    assert (bars.height, bars.narrow) == (360, None)
    drawn = render_to_string("web/parts/document/bars.html", {"bars": bars})
    assert drawn.count('class="pale"') == 26
    assert "Wednesdays" in drawn and drawn.count("<svg") == 1
