"""The labels of a chart's axis: whole, apart from each other, and as many as have room."""

from __future__ import annotations

import itertools

import pytest
from reportlab.graphics.shapes import Drawing, String

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
    chart = Chart("c", "C", labels, [100] * len(labels), in_part=[True] * len(labels))
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
    drawing: Drawing = bars_drawn(Chart("c", "C", labels, [100] * len(labels)), width, 120)
    shown = [each for each in drawing.contents if isinstance(each, String) and each.textAnchor == "middle"]
    spans = sorted(each.getBounds()[::2] for each in shown)
    assert spans[-1][1] <= width
    for (_, ends), (begins, _) in itertools.pairwise(spans):
        assert ends < begins
