"""A paper as PDF: US Letter, with its charts, a place to sign, and what the figures were made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape

from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.shapes import Drawing
from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, KeepTogether, LongTable, Paragraph, Spacer, Table, TableStyle

from cardroom.printing import WIDTH, printout

from .paper import Answer, Chart, Column, Grid, Kind, Mark, Paper, Value
from .words import money, said

_TEXT = ParagraphStyle("text", fontName="Helvetica", fontSize=8, leading=10)
_RIGHT = ParagraphStyle("right", parent=_TEXT, alignment=TA_RIGHT)
_BOLD = ParagraphStyle("bold", parent=_TEXT, fontName="Helvetica-Bold")
_BOLD_RIGHT = ParagraphStyle("bold right", parent=_BOLD, alignment=TA_RIGHT)
_HEAD = ParagraphStyle("head", parent=_BOLD, fontSize=11, leading=14, spaceBefore=10, spaceAfter=4)
_SMALL = ParagraphStyle(
    "small", parent=_TEXT, fontSize=7.5, leading=9.5, textColor=colors.HexColor("#333333")
)
_LINES: list[Any] = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.HexColor("#999999")),
    ("LEFTPADDING", (0, 0), (-1, -1), 2),
    ("RIGHTPADDING", (0, 0), (-1, -1), 4),
    ("TOPPADDING", (0, 0), (-1, -1), 2),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
]
_FIGURES = (Kind.COUNT, Kind.MONEY, Kind.SPAN)
#: What stands before what must be looked at: on paper colour says nothing.
_SIGNS = {Mark.STOP: "(!) ", Mark.LOOK: "(*) "}
_CHART_HEIGHT = 120


def pdf_of(paper: Paper, *, printed_by: str, printed_at: str, signed_by: Sequence[str] = ()) -> bytes:
    """Return the paper as PDF. `signed_by` are the roles for whose signature there is a line; `printed_at` is in words."""
    return printout(
        title=paper.title,
        room=paper.room,
        period=paper.period,
        printed_by=printed_by,
        printed_at=printed_at,
        story=list(_story(paper, signed_by)),
    )


def _story(paper: Paper, signed_by: Sequence[str]) -> Iterator[Flowable]:
    if paper.answers:
        rows = [_answer(answer, paper) for answer in paper.answers]
        yield Table(rows, colWidths=[WIDTH * 0.6, WIDTH * 0.4], style=TableStyle(_LINES))
        yield Spacer(1, 6)
    for chart in paper.charts:
        if any(chart.values):
            yield KeepTogether([_paragraph(chart.title, _HEAD), _bars(chart)])
    for grid in paper.grids:
        yield from _grid(grid, paper)
    if paper.notes:
        yield _paragraph("How the figures were made", _HEAD)
        for note in paper.notes:
            yield _paragraph(note, _SMALL)
    if signed_by:
        yield _signatures(signed_by)


def _answer(answer: Answer, paper: Paper) -> list[Paragraph]:
    text = _SIGNS.get(answer.mark, "") + said(answer.value, answer.kind, paper.zone)
    return [_paragraph(answer.label, _TEXT), _paragraph(text, _BOLD_RIGHT)]


def _grid(grid: Grid, paper: Paper) -> Iterator[Flowable]:
    yield _paragraph(grid.title, _HEAD)
    if grid.says:
        yield _paragraph(grid.says, _SMALL)
    if not grid.rows:
        yield _paragraph(grid.empty)
        return
    cells = [[_paragraph(c.heading, _BOLD_RIGHT if c.kind in _FIGURES else _BOLD) for c in grid.columns]]
    for row in grid.rows:
        line = [_cell(row.values[column.name], column, paper) for column in grid.columns]
        if sign := _SIGNS.get(row.mark):
            line[0] = _cell(
                sign + said(row.values[grid.columns[0].name], grid.columns[0].kind, paper.zone),
                grid.columns[0],
                paper,
            )
        cells.append(line)
    style = [*_LINES, ("LINEBELOW", (0, 0), (-1, 0), 0.9, colors.black)]
    if (totals := grid.totals) is not None:
        cells.append(
            [
                _cell(totals[column.name], column, paper, strong=True)
                if column.name in totals
                else _paragraph("Total" if at == 0 else "", _BOLD)
                for at, column in enumerate(grid.columns)
            ]
        )
        style.append(("LINEABOVE", (0, -1), (-1, -1), 0.9, colors.black))
    yield LongTable(cells, colWidths=_widths(grid, paper), style=TableStyle(style), repeatRows=1)


def _cell(value: Value, column: Column, paper: Paper, *, strong: bool = False) -> Paragraph:
    right = column.kind in _FIGURES
    style = (_BOLD_RIGHT if right else _BOLD) if strong else (_RIGHT if right else _TEXT)
    return _paragraph(said(value, column.kind, paper.zone), style)


def _widths(grid: Grid, paper: Paper) -> list[float]:
    """Share the page out by the longest text of each column, so that figures stay whole and words wrap."""
    needs = []
    for column in grid.columns:
        texts = [said(row.values[column.name], column.kind, paper.zone) for row in grid.rows[:300]]
        longest = max((len(text) for text in texts), default=4)
        words = max((len(word) for word in column.heading.split()), default=4)
        needs.append(max(min(longest, 40 if column.kind is Kind.TEXT else 24), words) + 2)
    return [WIDTH * need / sum(needs) for need in needs]


def _bars(chart: Chart) -> Drawing:
    drawing = Drawing(WIDTH, _CHART_HEIGHT + 24)
    bars = VerticalBarChart()
    bars.x, bars.y, bars.width, bars.height = 48, 24, int(WIDTH) - 56, _CHART_HEIGHT - 8
    bars.data = [list(chart.values)]
    bars.categoryAxis.categoryNames = list(chart.labels)
    bars.categoryAxis.labels.fontSize = bars.valueAxis.labels.fontSize = 7
    bars.valueAxis.valueMin = min(0, *chart.values)
    bars.valueAxis.labelTextFormat = (
        (lambda value: money(round(value))) if chart.says_money else (lambda value: f"{value:,.0f}")
    )
    bars.bars[0].fillColor = colors.HexColor("#555555")
    bars.bars[0].strokeColor = None
    drawing.add(bars)
    return drawing


def _signatures(signed_by: Sequence[str]) -> Flowable:
    rows = [[_paragraph(role), "", ""] for role in signed_by]
    table = Table(rows, colWidths=[WIDTH * 0.3, WIDTH * 0.45, WIDTH * 0.25], rowHeights=30)
    table.setStyle(
        TableStyle(
            [("LINEBELOW", (1, 0), (-1, -1), 0.6, colors.black), ("VALIGN", (0, 0), (-1, -1), "BOTTOM")]
        )
    )
    return KeepTogether([_paragraph("Signed (name, signature, date)", _HEAD), table])


def _paragraph(text: str, style: ParagraphStyle = _TEXT) -> Paragraph:
    return Paragraph(escape(text), style)
