"""Renders a document as PDF: US Letter, landscape for wide tables, with charts, signature lines and notes."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    KeepInFrame,
    KeepTogether,
    LongTable,
    PageBreak,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from cardroom.documents.pdf_layout import HEIGHT, HEIGHT_ACROSS, WIDTH, WIDTH_ACROSS, printout
from cardroom.documents.pdf_layout.fonts import BOLD, PLAIN, in_helvetica, markup, width_of

from .document import Answer, Chart, Grid, Kind, Mark, ReportDocument
from .formatting import cell_text, formatted
from .pdf_chart import bars_drawn

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
_FIGURES = (Kind.COUNT, Kind.MONEY, Kind.SPAN, Kind.FIGURE)
#: Prefix of marked rows and answers: a black and white print shows no colour.
_SIGNS = {Mark.STOP: "(!) ", Mark.LOOK: "(*) "}
_CHART_HEIGHT, _SMALL_CHART_HEIGHT = 140, 96
_FRAME = colors.HexColor("#bbbbbb")
_BIG = ParagraphStyle("big", parent=_BOLD, fontSize=14, leading=18)
_SENTENCE = ParagraphStyle("sentence", parent=_BOLD, fontSize=12, leading=15, spaceAfter=8)
_PART = ParagraphStyle("part", parent=_BOLD, fontSize=13, leading=17, spaceBefore=14, spaceAfter=2)
#: Key figures side by side on the summary, upright and across.
_TILES, _TILES_ACROSS = 3, 6
#: The gap between the two columns of a summary, in points.
_GAP = 16
#: Rows that stay with the heading of a table, and with its total, on the same page.
_TOGETHER: Final = 2


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


#: How much of a page the notes need to begin there, in points: their title and a text.
_BEGINNING: Final = 96


def _story(
    document: ReportDocument, tables: Sequence[_Printed], signed_by: Sequence[str], width: float
) -> Iterator[Flowable]:
    if document.sentence and not document.has_summary:
        yield _paragraph(document.sentence.text, _SENTENCE)
    if document.has_summary:
        yield _first_page(document, [each for each in tables if not each.grid.part], signed_by, width)
        yield PageBreak()
        yield from _parts([each for each in tables if each.grid.part], width)
    else:
        yield from _answers(document, width)
        for table in tables:
            yield from table.flowables(width)
    if document.notes:
        yield CondPageBreak(_BEGINNING)
        yield _paragraph("How the figures were made", _HEAD)
        for note in document.notes:
            yield _paragraph(note, _SMALL)
    if signed_by and not document.has_summary:
        yield KeepTogether(_signatures(signed_by, width))


def _answers(document: ReportDocument, width: float) -> Iterator[Flowable]:
    """The key figures one under the other, and the charts."""
    if document.answers:
        rows = [_answer(answer, document) for answer in document.answers]
        yield Table(rows, colWidths=[width * 0.6, width * 0.4], style=TableStyle(_LINES))
        yield Spacer(1, 6)
    for chart in document.charts:
        if any(chart.values):
            yield KeepTogether([*_chart_head(chart), bars_drawn(chart, width, _CHART_HEIGHT)])


def _parts(tables: Sequence[_Printed], width: float) -> Iterator[Flowable]:
    """The tables, those of each part under its heading."""
    part = ""
    for table in tables:
        heading = [] if table.grid.part == part else [_paragraph(table.grid.part, _PART)]
        part = table.grid.part
        yield from table.flowables(width, heading)


def _first_page(
    document: ReportDocument, tables: Sequence[_Printed], signed_by: Sequence[str], width: float
) -> Flowable:
    """The key figures, the charts and the tables that belong to no part, with lines to sign, on one page."""
    across = width > WIDTH
    half = (width - _GAP) / 2
    content: list[Flowable] = [_paragraph(document.sentence.text, _SENTENCE)] if document.sentence else []
    content += [_tiles(document, width, _TILES_ACROSS if across else _TILES)]
    charts = [chart for chart in document.charts if any(chart.values)]
    for first in range(0, len(charts), 2):
        pair = [
            [*_chart_head(c), bars_drawn(c, half, _SMALL_CHART_HEIGHT)] for c in charts[first : first + 2]
        ]
        content += [Spacer(1, 8), _side_by_side(pair, half)]
    columns = [list(table.flowables(half, whole=True)) for table in tables]
    for first in range(0, len(columns), 2):
        content += [Spacer(1, 8), _side_by_side(columns[first : first + 2], half)]
    if signed_by:
        content += _signatures(signed_by, width)
    return KeepInFrame(width, HEIGHT_ACROSS if across else HEIGHT, content, mode="shrink")


def _side_by_side(columns: Sequence[list[Flowable]], half: float) -> Table:
    """One or two columns of a page, with a gap between them."""
    cells: list[Any] = [columns[0], "", columns[1] if len(columns) > 1 else ""]
    style: list[Any] = [("VALIGN", (0, 0), (-1, -1), "TOP")]
    style += [
        (side, (0, 0), (-1, -1), 0) for side in ("LEFTPADDING", "RIGHTPADDING", "TOPPADDING", "BOTTOMPADDING")
    ]
    return Table([cells], colWidths=[half, _GAP, half], style=TableStyle(style))


def _tiles(document: ReportDocument, width: float, columns: int) -> Table:
    """The key figures, each with its label above and what is said of it beneath."""
    cells: list[Any] = [
        [
            _paragraph(answer.label),
            _paragraph(_format_answer(answer, document), _BIG),
            *([_paragraph(answer.text, _SMALL)] if answer.text else []),
        ]
        for answer in document.answers
    ]
    cells += [""] * (-len(cells) % columns)
    rows = [cells[first : first + columns] for first in range(0, len(cells), columns)]
    style: list[Any] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("BOX", (0, 0), (-1, -1), 0.6, _FRAME),
        ("INNERGRID", (0, 0), (-1, -1), 0.6, _FRAME),
    ]
    return Table(rows, colWidths=[width / columns] * columns, style=TableStyle(style))


def _answer(answer: Answer, document: ReportDocument) -> list[Paragraph]:
    text = _format_answer(answer, document)
    return [_paragraph(answer.label, _TEXT), _paragraph(text, _BOLD_RIGHT)]


def _format_answer(answer: Answer, document: ReportDocument) -> str:
    return _SIGNS.get(answer.mark, "") + formatted(answer.value, answer.kind, document.zone)


class _Printed:
    """A grid as formatted text: heading, rows and footer, and the column widths that break no figure or word."""

    def __init__(self, grid: Grid, document: ReportDocument) -> None:
        self.grid = grid
        self._heads = [column.heading for column in grid.columns]
        self._lines = [
            [cell_text(row, column, document.zone) for column in grid.columns] for row in grid.rows
        ]
        for row, line in zip(grid.rows, self._lines, strict=True):
            line[0] = _SIGNS.get(row.mark, "") + line[0]
            for at, column in enumerate(grid.columns):
                if (shade := row.shades.get(column.name)) is not None:
                    line[at] = f"{shade.value} {line[at]}"
        self._foot: list[str] | None = None
        if (totals := grid.footer) is not None and grid.rows:
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

    def flowables(
        self, width: float, heading: Sequence[Flowable] = (), *, whole: bool = False
    ) -> Iterator[Flowable]:
        """The title, what is said of the table, and its rows, after the `heading` of a part that begins with it.

        A page that has no room for all of that and the first rows is left. `whole`: it fits within a page.
        """
        grid = self.grid
        above = [*heading, _paragraph(grid.title, _HEAD)]
        if grid.text:
            above.append(_paragraph(grid.text, _SMALL))
        if not grid.rows:
            above.append(_paragraph(grid.empty))
            yield from above if whole else [KeepTogether(above)]
            return
        table = self._table(width, self._lines, self._foot)
        if not whole:
            yield CondPageBreak(_height(above, width) + self._first_rows_height(width))
        yield from above
        yield table

    def _table(self, width: float, lines: Sequence[Sequence[str]], foot: Sequence[str] | None) -> LongTable:
        right = [column.kind in _FIGURES for column in self.grid.columns]
        widths = self._widths(width)
        cells: list[list[Paragraph | str]] = [_line(self._heads, right, strong=True)]
        cells += [[_cell(*each) for each in zip(line, right, widths, strict=True)] for line in lines]
        style = [*_LINES, ("LINEBELOW", (0, 0), (-1, 0), 0.9, colors.black)]
        style.append(("FONT", (0, 0), (-1, -1), _TEXT.fontName, _TEXT.fontSize, _TEXT.leading))
        style += [("ALIGN", (at, 0), (at, -1), "RIGHT") for at, figure in enumerate(right) if figure]
        if foot is not None:
            cells.append(_line(foot, right, strong=True))
            style.append(("LINEABOVE", (0, -1), (-1, -1), 0.9, colors.black))
        last = len(cells) - 1
        style.append(("NOSPLIT", (0, 0), (-1, min(_TOGETHER, last))))
        style.append(("NOSPLIT", (0, max(0, last - _TOGETHER)), (-1, last)))
        return LongTable(cells, colWidths=widths, style=TableStyle(style), repeatRows=1)

    def _first_rows_height(self, width: float) -> float:
        """The height of the heading and the rows that stay with it; of a short table that is all of it."""
        is_short = len(self._lines) <= 2 * _TOGETHER
        lines = self._lines if is_short else self._lines[:_TOGETHER]
        table = self._table(width, lines, self._foot if is_short else None)
        return float(table.wrap(width, 0)[1])

    def _need(self, at: int) -> tuple[float, float]:
        """The least width of a column and the one at which nothing in it wraps, in points."""
        plain = {line[at] for line in self._lines}
        strong = {self._heads[at]} | ({self._foot[at]} if self._foot else set())
        most = max(_widest(plain, PLAIN), _widest(strong, BOLD))
        if self.grid.columns[at].kind in _FIGURES:
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


def _chart_head(chart: Chart) -> list[Paragraph]:
    text = f"In {chart.unit}."
    text += f" Bars now, lines {chart.before_name}." if chart.before else ""
    text += " Hatched: still open, or not all reported." if any(chart.in_part) else ""
    return [_paragraph(chart.title, _HEAD), _paragraph(text, _SMALL)]


def _height(flowables: Sequence[Flowable], width: float) -> float:
    """The height of flowables under each other, in points."""
    return sum(each.wrap(width, 0)[1] + each.getSpaceBefore() + each.getSpaceAfter() for each in flowables)


def _signatures(signed_by: Sequence[str], width: float) -> list[Flowable]:
    rows = [[_paragraph(role), "", ""] for role in signed_by]
    table = Table(rows, colWidths=[width * 0.3, width * 0.45, width * 0.25], rowHeights=30)
    table.setStyle(
        TableStyle(
            [("LINEBELOW", (1, 0), (-1, -1), 0.6, colors.black), ("VALIGN", (0, 0), (-1, -1), "BOTTOM")]
        )
    )
    return [_paragraph("Signed (name, signature, date)", _HEAD), table]


def _paragraph(text: str, style: ParagraphStyle = _TEXT) -> Paragraph:
    return Paragraph(markup(text, style.fontName), style)
