"""Renders a document as PDF: US Letter, landscape for wide tables, with charts, signature lines and notes."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.shapes import Drawing
from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    KeepTogether,
    LongTable,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from cardroom.documents.pdf_layout import WIDTH, WIDTH_ACROSS, printout
from cardroom.documents.pdf_layout.fonts import BOLD, PLAIN, in_helvetica, markup, width_of

from .document import Answer, Chart, Grid, Kind, Mark, ReportDocument
from .formatting import formatted, money

_TEXT = ParagraphStyle("text", fontName=PLAIN, fontSize=8, leading=10)
_RIGHT = ParagraphStyle("right", parent=_TEXT, alignment=TA_RIGHT)
_BOLD = ParagraphStyle("bold", parent=_TEXT, fontName=BOLD)
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
#: Prefix of marked rows and answers: a black and white print shows no colour.
_SIGNS = {Mark.STOP: "(!) ", Mark.LOOK: "(*) "}
_CHART_HEIGHT = 120


#: A word wider than this, in points, may be broken.
_LONGEST_WORD = 96
#: Horizontal padding of a cell, in points.
_PADDING = 7
#: How many of a column's longest words are measured.
_MEASURED = 12


def pdf_of(
    document: ReportDocument, *, printed_by: str, printed_at: str, signed_by: Sequence[str] = ()
) -> bytes:
    """Return the document as PDF. `signed_by` are the roles that get a signature line; `printed_at` is formatted text.

    Pages are landscape if a table's figures and words do not fit a portrait page unbroken.
    """
    tables = [_Printed(grid, document) for grid in document.grids]
    across = any(table.least > WIDTH for table in tables)
    return printout(
        title=document.title,
        room=document.room,
        period=document.period,
        printed_by=printed_by,
        printed_at=printed_at,
        story=list(_story(document, tables, signed_by, WIDTH_ACROSS if across else WIDTH)),
        across=across,
    )


#: How much of a page a table needs to begin there, in points: its title, a text, its heading and a row.
_BEGINNING: Final = 96


def _story(
    document: ReportDocument, tables: Sequence[_Printed], signed_by: Sequence[str], width: float
) -> Iterator[Flowable]:
    if document.answers:
        rows = [_answer(answer, document) for answer in document.answers]
        yield Table(rows, colWidths=[width * 0.6, width * 0.4], style=TableStyle(_LINES))
        yield Spacer(1, 6)
    for chart in document.charts:
        if any(chart.values):
            yield KeepTogether([_paragraph(chart.title, _HEAD), _bars(chart, width)])
    for table in tables:
        yield from table.flowables(width)
    if document.notes:
        yield CondPageBreak(_BEGINNING)
        yield _paragraph("How the figures were made", _HEAD)
        for note in document.notes:
            yield _paragraph(note, _SMALL)
    if signed_by:
        yield _signatures(signed_by, width)


def _answer(answer: Answer, document: ReportDocument) -> list[Paragraph]:
    text = _SIGNS.get(answer.mark, "") + formatted(answer.value, answer.kind, document.zone)
    return [_paragraph(answer.label, _TEXT), _paragraph(text, _BOLD_RIGHT)]


class _Printed:
    """A grid as formatted text: heading, rows and footer, and the column widths that break no figure or word."""

    def __init__(self, grid: Grid, document: ReportDocument) -> None:
        self._grid = grid
        self._heads = [column.heading for column in grid.columns]
        self._lines = [
            [formatted(row.values[column.name], column.kind, document.zone) for column in grid.columns]
            for row in grid.rows
        ]
        for row, line in zip(grid.rows, self._lines, strict=True):
            line[0] = _SIGNS.get(row.mark, "") + line[0]
        self._foot: list[str] | None = None
        if (totals := grid.totals) is not None and grid.rows:
            self._foot = [
                formatted(totals[column.name], column.kind, document.zone) if column.name in totals else ""
                for column in grid.columns
            ]
            if grid.columns[0].name not in totals:
                self._foot[0] = "Total"
        self._needs = [self._need(at) for at in range(len(grid.columns))] if grid.rows else []

    @property
    def least(self) -> float:
        """The least width of the table, with every text wrapped wherever it may be, in points."""
        return sum(least for least, _ in self._needs)

    def flowables(self, width: float) -> Iterator[Flowable]:
        grid = self._grid
        yield CondPageBreak(_BEGINNING)
        yield _paragraph(grid.title, _HEAD)
        if grid.says:
            yield _paragraph(grid.says, _SMALL)
        if not grid.rows:
            yield _paragraph(grid.empty)
            return
        right = [column.kind in _FIGURES for column in grid.columns]
        widths = self._widths(width)
        cells: list[list[Paragraph | str]] = [_line(self._heads, right, strong=True)]
        cells += [[_cell(*each) for each in zip(line, right, widths, strict=True)] for line in self._lines]
        style = [*_LINES, ("LINEBELOW", (0, 0), (-1, 0), 0.9, colors.black)]
        style.append(("FONT", (0, 0), (-1, -1), _TEXT.fontName, _TEXT.fontSize, _TEXT.leading))
        style += [("ALIGN", (at, 0), (at, -1), "RIGHT") for at, figure in enumerate(right) if figure]
        if self._foot is not None:
            cells.append(_line(self._foot, right, strong=True))
            style.append(("LINEABOVE", (0, -1), (-1, -1), 0.9, colors.black))
        yield LongTable(cells, colWidths=widths, style=TableStyle(style), repeatRows=1)

    def _need(self, at: int) -> tuple[float, float]:
        """The least width of a column and the one at which nothing in it wraps, in points."""
        plain = {line[at] for line in self._lines}
        strong = {self._heads[at]} | ({self._foot[at]} if self._foot else set())
        most = max(_widest(plain, PLAIN), _widest(strong, BOLD))
        if self._grid.columns[at].kind in _FIGURES:
            parts, heading = plain, {*self._heads[at].split()} | (strong - {self._heads[at]})
        else:
            parts = {word for text in plain for word in text.split()}
            heading = {word for text in strong for word in text.split()}
        least = max(min(_widest(parts, PLAIN), _LONGEST_WORD), _widest(heading, BOLD))
        return least + _PADDING, most + _PADDING

    def _widths(self, width: float) -> list[float]:
        """Distribute `width`: each column's least width, and the rest in proportion to what would wrap."""
        least = [each for each, _ in self._needs]
        wants = [most - each for each, most in self._needs]
        spare = width - sum(least)
        if spare < 0:  # no page is wide enough: words are broken
            return [width * each / sum(least) for each in least]
        if sum(wants) > spare:
            return [each + spare * want / sum(wants) for each, want in zip(least, wants, strict=True)]
        return [most * width / sum(most for _, most in self._needs) for _, most in self._needs]


def _widest(texts: Collection[str], font: str) -> float:
    longest = heapq.nlargest(_MEASURED, texts, key=len)
    return max((width_of(text, font, _TEXT.fontSize) for text in longest), default=0)


def _cell(text: str, figure: bool, width: float) -> Paragraph | str:
    """Return plain text if it fits one line in Helvetica; else a Paragraph, which is slower to lay out."""
    plain = in_helvetica(text)
    if (
        plain is not None
        and text == " ".join(text.split())
        and width_of(text, PLAIN, _TEXT.fontSize) <= width - _PADDING
    ):
        return plain
    return _paragraph(text, _RIGHT if figure else _TEXT)


def _line(texts: Sequence[str], right: Sequence[bool], *, strong: bool = False) -> list[Paragraph | str]:
    of_words, of_figures = (_BOLD, _BOLD_RIGHT) if strong else (_TEXT, _RIGHT)
    return [
        _paragraph(text, of_figures if figure else of_words)
        for text, figure in zip(texts, right, strict=True)
    ]


def _bars(chart: Chart, width: float) -> Drawing:
    drawing = Drawing(width, _CHART_HEIGHT + 24)
    bars = VerticalBarChart()
    bars.x, bars.y, bars.width, bars.height = 48, 24, int(width) - 56, _CHART_HEIGHT - 8
    bars.data = [list(chart.values)]
    bars.categoryAxis.categoryNames = chart.shown_labels
    bars.categoryAxis.labels.fontSize = bars.valueAxis.labels.fontSize = 7
    bars.valueAxis.valueMin = min(0, *chart.values)
    bars.valueAxis.labelTextFormat = (
        (lambda value: money(round(value))) if chart.says_money else (lambda value: f"{value:,.0f}")
    )
    bars.bars[0].fillColor = colors.HexColor("#555555")
    bars.bars[0].strokeColor = None
    drawing.add(bars)
    return drawing


def _signatures(signed_by: Sequence[str], width: float) -> Flowable:
    rows = [[_paragraph(role), "", ""] for role in signed_by]
    table = Table(rows, colWidths=[width * 0.3, width * 0.45, width * 0.25], rowHeights=30)
    table.setStyle(
        TableStyle(
            [("LINEBELOW", (1, 0), (-1, -1), 0.6, colors.black), ("VALIGN", (0, 0), (-1, -1), "BOTTOM")]
        )
    )
    return KeepTogether([_paragraph("Signed (name, signature, date)", _HEAD), table])


def _paragraph(text: str, style: ParagraphStyle = _TEXT) -> Paragraph:
    return Paragraph(markup(text, style.fontName), style)
