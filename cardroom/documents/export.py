"""Exports of a document: CSV of one grid, JSON of all, XLSX with a worksheet for each part, or for each grid without one."""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Final, TypedDict

import xlsxwriter

from cardroom.core.csv_cells import cell
from cardroom.core.dates import utc_text

from .document import Column, Grid, Kind, ReportDocument, Value
from .formatting import NUMBER, cell_text, number_of, plain, plain_dollars

#: Longest name of a worksheet in Excel.
_NAME_LENGTH: Final = 31
_FORMATS: Final = {
    Kind.TEXT: "@",
    Kind.COUNT: "#,##0",
    Kind.MONEY: '"$"#,##0.00;[Red]-"$"#,##0.00',
    Kind.INSTANT: "yyyy-mm-dd hh:mm:ss",
    Kind.DAY: "yyyy-mm-dd",
    Kind.SPAN: "[h]:mm:ss",
    Kind.FIGURE: "@",
}


def csv_file(text: str) -> bytes:
    """Return CSV as the bytes of its file: UTF-8 behind a byte order mark, without which Excel reads another encoding."""
    return text.encode("utf-8-sig")


def csv_of(grid: Grid) -> str:
    """Return a grid as CSV (RFC 4180): column names, rows, and a last row of totals if there are any.

    Money is dollars with two places, instants are UTC, spans are seconds; an unknown value is an empty cell.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([_csv_name(column) for column in grid.columns])
    for row in grid.rows:
        writer.writerow([_csv_value(row.values[column.name], column.kind) for column in grid.columns])
    if (totals := grid.footer) is not None:
        cells = [_csv_value(totals[c.name], c.kind) if c.name in totals else "" for c in grid.columns]
        if grid.columns[0].name not in totals:
            cells[0] = "total"
        writer.writerow(cells)
    return text.getvalue()


def _csv_name(column: Column) -> str:
    """Return the column's CSV name: money is in dollars here, so the name must not end in `_cents`."""
    return column.name.removesuffix("_cents") + "_dollars" if column.kind is Kind.MONEY else column.name


def _csv_value(value: Value, kind: Kind) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime.datetime):
        return utc_text(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, str):
        return cell(value)
    return plain_dollars(value) if kind is Kind.MONEY else str(value)


class GridData(TypedDict):
    """A table of figures."""

    title: str
    rows: Annotated[
        list[dict[str, Any]],
        "By column. A name ends in `_cents` for whole cents, `_at` for an instant in UTC, "
        "`_seconds` for a span; null is a figure that is not known.",
    ]
    totals: Annotated[
        dict[str, Any] | None,
        "Sums of the columns that add up, and in words what is told of all rows, such as a pace; null where there is neither.",
    ]


class ReportData(TypedDict):
    """A report: the answers, the tables, how the figures were made."""

    name: str
    title: str
    room: str
    period: str
    sentence: Annotated[str, "What answers the report's question, in a sentence; empty of what answers none."]
    answers: dict[str, Any]
    grids: dict[str, GridData]
    notes: list[str]


def data_of(document: ReportDocument) -> ReportData:
    """Serialize the document to plain data: money in cents, instants in UTC, null for unknown values."""
    return {
        "name": document.name,
        "title": document.title,
        "room": document.room,
        "period": document.period,
        "sentence": document.sentence.text if document.sentence else "",
        "answers": {answer.name: plain(answer.value) for answer in document.answers},
        "grids": {
            grid.name: {
                "title": grid.title,
                "rows": [{name: plain(value) for name, value in row.values.items()} for row in grid.rows],
                "totals": grid.footer,
            }
            for grid in document.grids
        },
        "notes": list(document.notes),
    }


def json_of(document: ReportDocument) -> str:
    """Return `data_of` as JSON text."""
    return json.dumps(data_of(document), ensure_ascii=False, indent=2)


def xlsx_of(document: ReportDocument) -> bytes:
    """Return an XLSX workbook: the answers first, then the grids. The same document gives the same bytes.

    Grids of one part share a worksheet; of a document with a summary those of no part are under the answers.

    Every cell is a value, none a formula, so that every program shows the same cents. Instants are in the room's local
    time, since a spreadsheet knows no zones; the heading names the zone, and a column beside says which of its clocks it
    was (PDT, PST): in the night when clocks go back an hour comes twice. Headings stay in sight and have filters.
    """
    file = io.BytesIO()
    book = xlsxwriter.Workbook(
        file,
        {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "remove_timezone": True},
    )
    book.set_properties(
        {"title": document.title, "subject": f"{document.room}, {document.period}", "created": _BEGINNING}
    )
    writer = _Workbook(book, document)
    writer.write()
    book.close()
    return file.getvalue()


#: The file's creation date: a constant, since the same figures must give the same bytes.
_BEGINNING: Final = datetime.datetime(2000, 1, 1)  # noqa: DTZ001  # the format has no zones


class _Workbook:
    def __init__(self, book: xlsxwriter.Workbook, document: ReportDocument) -> None:
        self._book, self._document = book, document
        self._bold = book.add_format({"bold": True})
        self._title = book.add_format({"bold": True, "font_size": 14})
        self._head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"})
        self._kinds = {kind: book.add_format({"num_format": code}) for kind, code in _FORMATS.items()}
        self._sums = {
            kind: book.add_format({"num_format": code, "bold": True, "top": 1})
            for kind, code in _FORMATS.items()
        }
        self._figures: dict[str, Any] = {}
        self._names: set[str] = set()

    def write(self) -> None:
        document = self._document
        sheet = self._book.add_worksheet(self._name_for("Summary"))
        sheet.write_string(0, 0, document.title, self._title)
        sheet.write_string(1, 0, f"{document.room} · {document.period}")
        at = 3
        if document.sentence:
            sheet.write_string(2, 0, document.sentence.text, self._bold)
            at = 4
        for answer in document.answers:
            sheet.write_string(at, 0, answer.label, self._bold)
            self._put(sheet, (at, 1), answer.value, answer.kind, self._kinds[answer.kind])
            if answer.text:
                sheet.write_string(at, 2, answer.text)
            at += 1
        sheet.set_column(0, 0, 44)
        sheet.set_column(1, 3, 24)
        if document.has_summary:
            for grid in document.first_grids:
                at = self._titled(sheet, at + 1, grid)
        else:
            self._notes(sheet, at + 1)
        for name, grids in self._sheets().items():
            self._sheet(name, grids)
        if document.has_summary:
            self._notes(sheet, at + 1)

    def _notes(self, sheet: Any, at: int) -> None:
        for line, note in enumerate(self._document.notes):
            sheet.write_string(at + line, 0, note)

    def _sheets(self) -> dict[str, list[Grid]]:
        """The tables of each worksheet after the first: those of a part together, and any other on one of its own."""
        sheets: dict[str, list[Grid]] = {}
        for grid in self._document.grids:
            if grid.part or not self._document.has_summary:
                sheets.setdefault(grid.part or grid.name, []).append(grid)
        return {grids[0].part or self._name_for(grids[0].title): grids for grids in sheets.values()}

    def _sheet(self, name: str, grids: Sequence[Grid]) -> None:
        """Tables on a worksheet: one that has it to itself begins in its first line, others each under their title.

        A worksheet scrolls under one heading and has one filter: several tables are made tables of Excel, which have
        filters of their own, and whose headings take the letters' place as they are scrolled through.
        """
        sheet = self._book.add_worksheet(name)
        if not grids[0].part:
            sheet.freeze_panes(1, 0)
            self._grid(sheet, 0, grids[0])
            if grids[0].rows:
                sheet.autofilter(0, 0, len(grids[0].rows), len(self._headings(grids[0])) - 1)
        else:
            at = 0
            for grid in grids:
                self._as_table(sheet, at + 1, grid)
                at = self._titled(sheet, at, grid) + 1
        for at, width in self._widths(grids).items():
            sheet.set_column(at, at, width)

    def _as_table(self, sheet: Any, line: int, grid: Grid) -> None:
        if not grid.rows:
            return
        headings = self._headings(grid)
        columns = [{"header": heading, "header_format": self._head} for heading in headings]
        options = {"columns": columns, "style": None}
        sheet.add_table(line, 0, line + len(grid.rows), len(headings) - 1, options)

    def _titled(self, sheet: Any, at: int, grid: Grid) -> int:
        """Write a table under its title from line `at` on; answer with the line after it."""
        sheet.write_string(at, 0, grid.title, self._bold)
        if grid.rows:
            return self._grid(sheet, at + 1, grid)
        sheet.write_string(at + 1, 0, grid.empty)
        return at + 2

    def _widths(self, grids: Sequence[Grid]) -> dict[int, int]:
        """The width of each column in letters: that of its longest heading or value."""
        widths: dict[int, int] = {}
        for grid in grids:
            at = 0
            for column in grid.columns:
                texts = [cell_text(row, column, self._document.zone) for row in grid.rows[:200]]
                longest = max(len(text) + 2 for text in [self._headings_of(column)[0][:24], *texts])
                widths[at] = min(60, max(10, widths.get(at, 0), longest))
                at += len(self._headings_of(column))
        return widths

    def _headings(self, grid: Grid) -> list[str]:
        """The headings of a table, no two alike: a table of Excel finds its columns by them."""
        headings: dict[str, str] = {}
        for heading in (each for column in grid.columns for each in self._headings_of(column)):
            apart, number = heading, 2
            while apart.casefold() in headings:
                apart = f"{heading} {number}"
                number += 1
            headings[apart.casefold()] = apart
        return list(headings.values())

    def _headings_of(self, column: Column) -> list[str]:
        """The headings over a column's cells: an instant has two, its local time and which of the zone's clocks it was."""
        if column.kind is not Kind.INSTANT:
            return [column.heading]
        return [f"{column.heading} ({self._document.zone})", f"{column.heading}: clock"]

    def _grid(self, sheet: Any, line: int, grid: Grid) -> int:
        """Write heading, rows and totals from a line on; answer with the line after them."""
        for at, heading in enumerate(self._headings(grid)):
            sheet.write_string(line, at, heading, self._head)
        line += 1
        for row in grid.rows:
            at = 0
            for column in grid.columns:
                value = row.values[column.name]
                self._put(sheet, (line, at), value, column.kind, self._kinds[column.kind])
                if isinstance(value, datetime.datetime):
                    sheet.write_string(line, at + 1, value.astimezone(self._document.zone).strftime("%Z"))
                at += len(self._headings_of(column))
            line += 1
        if (totals := grid.footer) is None:
            return line
        at = 0
        for column in grid.columns:
            if column.name in totals:
                self._put(sheet, (line, at), totals[column.name], column.kind, self._sums[column.kind])
            else:
                for beside in range(len(self._headings_of(column))):
                    sheet.write_string(
                        line, at + beside, "Total" if at + beside == 0 else "", self._sums[Kind.TEXT]
                    )
            at += len(self._headings_of(column))
        return line + 1

    def _put(self, sheet: Any, cell: tuple[int, int], value: Value, kind: Kind, form: Any) -> None:
        if value is None or value == "":
            sheet.write_blank(*cell, None, form)
        elif isinstance(value, datetime.datetime):
            # Whole seconds, truncated as on a page: a spreadsheet would round.
            at = value.astimezone(self._document.zone).replace(microsecond=0, tzinfo=None)
            sheet.write_datetime(*cell, at, form)
        elif isinstance(value, datetime.date):
            sheet.write_datetime(*cell, value, form)
        elif isinstance(value, str):
            if kind is Kind.FIGURE and (found := NUMBER.fullmatch(value)):
                self._put_figure(sheet, cell, found)
            else:
                sheet.write_string(*cell, value, form)
        elif kind is Kind.SPAN:
            sheet.write_number(*cell, value / 86_400, form)
        else:
            # The nearest double to a whole number of cents: it prints, and rounds back, as that number of cents.
            sheet.write_number(*cell, value / 100 if kind is Kind.MONEY else value, form)

    def _put_figure(self, sheet: Any, cell: tuple[int, int], found: re.Match[str]) -> None:
        """Write a figure in words as the number that it is, shown with the places and signs that it was written with."""
        minus, dollar, part, percent = found.group("minus", "dollar", "part", "percent")
        number = number_of(found)
        shown = ('"$"' if dollar else "") + "#,##0" + ("." + "0" * (len(part) - 1) if part else "") + percent
        code = f"+{shown};-{shown}" if minus == "+" else shown
        if code not in self._figures:
            self._figures[code] = self._book.add_format({"num_format": code})
        sheet.write_number(*cell, number / 100 if percent else number, self._figures[code])

    def _name_for(self, title: str) -> str:
        """A worksheet's name: the title without what Excel forbids, cut after a whole word."""
        plain = " ".join("".join(" " if sign in "[]:*?/\\'" else sign for sign in title).split())
        if len(plain) > _NAME_LENGTH:
            plain = plain[: _NAME_LENGTH + 1].rpartition(" ")[0] or plain[:_NAME_LENGTH]
        plain = plain.rstrip(" ,")
        name, number = plain, 2
        while name.lower() in self._names:
            name = f"{plain[: _NAME_LENGTH - 4]} {number}"
            number += 1
        self._names.add(name.lower())
        return name
