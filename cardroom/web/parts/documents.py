"""Renders a document (`cardroom.documents`) on a page, and returns it as a file.

A template with a document to show includes `web/parts/document/document.html` with `document_view`, which `document_view_of`
makes of it and of the page's address, and links `web/parts/document.css`; `csv`, an address that takes a `grid`, gives each
table a link to its file.
"""

from __future__ import annotations

import dataclasses
import datetime
import itertools
from collections.abc import Sequence
from typing import Final

from django.http import Http404, HttpResponse, QueryDict

from cardroom.core.dates import minute_text
from cardroom.documents.document import Answer, Chart, Mark, ReportDocument
from cardroom.documents.export import csv_file, csv_of, json_of, xlsx_of
from cardroom.documents.formatting import charted, formatted, several
from cardroom.documents.pdf import pdf_of

from .grid_view import Table, table_of

#: The files that a document is handed out as.
FORMS = ("pdf", "xlsx", "csv", "json")

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclasses.dataclass(frozen=True)
class Shown:
    """An answer in words."""

    answer: Answer
    text: str


@dataclasses.dataclass(frozen=True)
class Bar:
    """A bar of a chart, in the units of its view box: `value` stands over it, `before_y` is the height of the earlier time."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    label: str
    text: str
    in_part: bool
    value: str = ""
    value_y: float = 0
    before_y: float | None = None
    link: str = ""
    pale: bool = False

    @property
    def before_x(self) -> float:
        """Where the mark of the earlier time begins: a little before its bar."""
        return round(self.x - self.width * 0.09, 1)

    @property
    def before_end(self) -> float:
        """Where it ends."""
        return round(self.x + self.width * 1.09, 1)


@dataclasses.dataclass(frozen=True)
class Rule:
    """A line across a chart and its value."""

    y: float
    text: str


#: Between a bar and its figure.
_CLEAR: Final = 7
#: The place of the labels below a chart.
_BELOW: Final = 32


@dataclasses.dataclass(frozen=True)
class Bars:
    """A chart as bars over a base line. `summary` says in words what it shows: its highest and lowest.

    `narrow` is the same chart for a phone; None of that one itself.
    """

    chart: Chart
    bars: list[Bar]
    rules: list[Rule]
    baseline: float
    summary: str
    left: int
    width: int = 960
    narrow: Bars | None = None
    height: int = 228

    @property
    def top(self) -> float:
        """The height of the highest line across."""
        return min(rule.y for rule in self.rules)

    @property
    def has_before(self) -> bool:
        """Whether an earlier time is drawn over it."""
        return any(bar.before_y is not None for bar in self.bars)

    @property
    def has_links(self) -> bool:
        """Whether its bars open what makes them."""
        return any(bar.link for bar in self.bars)

    @property
    def in_part(self) -> bool:
        """Whether a bar of it is in part."""
        return any(bar.in_part for bar in self.bars)

    @property
    def foot(self) -> float:
        """Where the lowest line across is; `left` is where the bars begin, beside the longest value of the axis."""
        return self.height - _BELOW

    @property
    def label_y(self) -> float:
        """Where the labels stand."""
        return self.height - _BELOW + 24

    #: What a letter takes in the mean, where a chart has the width of the page, and where two share it (document.css).
    letter = 7.5
    letter_of_two = 13.2
    #: The width of a chart on a phone, and what a letter takes there.
    width_of_phone = 360
    letter_of_phone = 8.2


#: Rows with which a page begins, of all its tables together: a table that would be more is folded under its title, and so
#: are those after it. What stands around a table takes the place of so many rows, and so does a chart beside another.
ROWS_OPEN: Final = 32
_AROUND: Final = 4
_OF_A_CHART: Final = 4


@dataclasses.dataclass(frozen=True)
class Part:
    """Tables that are folded under one heading: those of a part of a document, or one of several tables.

    `begins_open`: the page begins with it unfolded.
    """

    title: str
    tables: list[Table]
    begins_open: bool = False

    @property
    def table(self) -> Table | None:
        """The table that it is the heading of; None of a part with a name of its own."""
        return self.tables[0] if len(self.tables) == 1 and self.tables[0].grid.title == self.title else None

    @property
    def text(self) -> str:
        """What one reads of it while it is folded: how many rows it has, or that there are none."""
        if self.table is None:
            return ""
        return several(self.table.of, "row") if self.table.of else self.table.grid.empty

    @property
    def mark(self) -> Mark:
        """The most urgent mark of its rows."""
        marks = {row.mark for table in self.tables for row in table.grid.rows}
        return next((mark for mark in (Mark.STOP, Mark.LOOK) if mark in marks), Mark.NONE)

    @property
    def is_open(self) -> bool:
        """Whether it is unfolded: the page begins so, or its address asks something of one of the tables."""
        return self.begins_open or any(table.asked.is_any for table in self.tables)


@dataclasses.dataclass(frozen=True)
class DocumentView:
    """A document, arranged for its page: `tables` stand there whole, and `parts` beneath them are folded."""

    document: ReportDocument
    answers: list[Shown]
    charts: list[Bars]
    tables: list[Table]
    parts: list[Part]

    @property
    def stands_on(self) -> list[str]:
        """The figures that the sentence stands on, by the names that they have on the page, each once."""
        sentence = self.document.sentence
        labels = {answer.name: answer.label for answer in self.document.answers}
        tables = {grid.name: grid.title for grid in self.document.grids}
        named = (
            labels.get(name) or tables.get(name.partition(".")[0], "")
            for name in (sentence.figures if sentence else ())
        )
        return list(dict.fromkeys(filter(None, named)))


def document_view_of(document: ReportDocument, query: QueryDict) -> DocumentView:
    """Arrange a document for `web/parts/document/document.html`, its tables as the page's address asks in `query`."""
    charts = [chart for chart in document.charts if any(chart.values)]
    tables, parts = _tables(document, query)
    letter = Bars.letter_of_two if document.has_summary or len(charts) > 1 else Bars.letter
    return DocumentView(
        document=document,
        answers=[
            Shown(answer, formatted(answer.value, answer.kind, document.zone)) for answer in document.answers
        ],
        charts=[bars_of(chart, letter=letter) for chart in charts],
        tables=tables,
        parts=parts,
    )


def _tables(document: ReportDocument, query: QueryDict) -> tuple[list[Table], list[Part]]:
    """The tables that stand on the page whole, and the parts beneath them.

    A document with a first page has the tables of no part there. Of several tables without one each is a part: the first
    with rows is unfolded, and those after it as long as all of their rows on show are no more than `ROWS_OPEN`.
    """
    if document.has_summary:
        return (
            [table_of(grid, document.zone, query) for grid in document.first_grids],
            [
                Part(title, [table_of(grid, document.zone, query) for grid in grids])
                for title, grids in document.parts.items()
            ],
        )
    tables = [table_of(grid, document.zone, query) for grid in document.grids]
    if len(tables) < 2:
        return tables, []
    of_each = (
        sum(2 if line.beneath else 1 for line in table.lines) + _AROUND if table.lines else 0
        for table in tables
    )
    _, *rows = itertools.accumulate(of_each, initial=_OF_A_CHART * len(document.charts))
    first = next((table for table in tables if table.lines), None)
    return [], [
        Part(
            table.grid.title, [table], begins_open=bool(table.lines) and (sum_ <= ROWS_OPEN or table is first)
        )
        for table, sum_ in zip(tables, rows, strict=True)
    ]


def document_file(
    document: ReportDocument,
    form: str,
    *,
    file_name: str,
    printed_by: str,
    now: datetime.datetime,
    grid: str = "",
    signed_by: Sequence[str] = (),
) -> HttpResponse:
    """Answer with the document as one of `FORMS`; `csv` is one grid of it, the first or the one named.

    `file_name` is without its ending; `signed_by` are the roles for whose signature the PDF has a line.
    """
    content: bytes | str
    if form == "pdf":
        printed_at = minute_text(now, document.zone)
        content = pdf_of(document, printed_by=printed_by, printed_at=printed_at, signed_by=signed_by)
        kind = "application/pdf"
    elif form == "xlsx":
        content, kind = xlsx_of(document), XLSX
    elif form == "csv":
        chosen = document.grid(grid) if grid else document.grids[0]
        if chosen is None:
            names = ", ".join(each.name for each in document.grids)
            raise Http404(f"“{document.title}” has no table {grid!r}; there are: {names}.")
        content, kind = csv_file(csv_of(chosen)), "text/csv; charset=utf-8"
        file_name = file_name if chosen is document.grids[0] else f"{file_name}-{chosen.name}"
    else:
        content, kind = json_of(document), "application/json"
    # Paper is looked at before it is printed; the others are kept.
    show = "inline" if form == "pdf" else "attachment"
    return HttpResponse(
        content,
        content_type=kind,
        headers={"Content-Disposition": f'{show}; filename="{file_name}.{form}"'},
    )


def bars_of(chart: Chart, *, letter: float, width: int = Bars.width, height: int = Bars.height) -> Bars:
    """Lay a chart out as bars in the view box of `web/parts/document/bars.html`; a letter takes `letter` of its units.

    A `width` below the usual one is that of a chart in a narrow place, where its letters are no smaller. A chart of the usual
    width is drawn for a phone besides.
    """
    scale = chart.scale
    ceiling = 12.0 + letter
    foot = height - _BELOW
    unit = (foot - ceiling) / (scale.top - scale.bottom)
    baseline = foot + scale.bottom * unit

    def words(value: int) -> str:
        return charted(chart, value)

    # 13 for a figure in the largest type of a chart, and what lies between it and the bars.
    longest = max(len(words(value)) for value in scale.lines)
    left = max(76, 13 * longest + 16) if width == Bars.width else round(letter * longest) + 12
    each = (width - left) / len(chart.values)
    # A value stands over its bar where all of them have room.
    told = max(len(words(value)) for value in chart.values) * letter * 1.05 <= each
    bars = []
    columns = zip(chart.labels, chart.shown_labels((width - left) / letter), chart.values, strict=True)
    for at, (label, shown, value) in enumerate(columns):
        tall = abs(value) * unit
        then = chart.before[at] if chart.before else None
        before = "" if then is None else f", {chart.before_name} {words(then)}"
        in_part = bool(chart.in_part) and chart.in_part[at]
        # A letter is twice as high as it is wide, and lies clear of the bar.
        top = baseline - chart.figure_above(at, (2 * letter + _CLEAR) / unit) * unit
        bars.append(
            Bar(
                x=round(left + at * each + each * 0.12, 1),
                y=round(baseline - tall if value >= 0 else baseline, 1),
                width=round(each * 0.76, 1),
                height=round(tall, 1),
                middle=round(left + (at + 0.5) * each, 1),
                label=f"{shown} ◐" if shown and in_part else shown,
                text=f"{label}{', in part' if in_part else ''}: {words(value)}{before}",
                in_part=in_part,
                value=words(value) if told and value else "",
                value_y=round(top - _CLEAR, 1),
                before_y=None if then is None else round(baseline - then * unit, 1),
                link=chart.links[at] if chart.links else "",
                pale=bool(chart.strong) and not chart.strong[at],
            )
        )
    rules = [Rule(round(baseline - value * unit, 1), words(value)) for value in scale.lines]
    highest = max(range(len(chart.values)), key=lambda at: chart.values[at])
    lowest = min(range(len(chart.values)), key=lambda at: chart.values[at])
    summary = (
        f"The most is {words(chart.values[highest])} at {chart.labels[highest]}, the least "
        f"{words(chart.values[lowest])} at {chart.labels[lowest]}. "
    )
    summary += "Each bar opens what makes it." if chart.links else "The table says the same in figures."
    narrow = (
        bars_of(chart, letter=Bars.letter_of_phone, width=Bars.width_of_phone)
        if width == Bars.width
        else None
    )
    return Bars(chart, bars, rules, round(baseline, 1), summary, left, width, narrow, height)
