"""Every report of the catalogue says the same on its page, as PDF, XLSX, CSV and JSON, and at the API: to the cent."""

from __future__ import annotations

import csv
import dataclasses
import datetime
import html.parser
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

import openpyxl
import pytest
import time_machine
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from cardroom.documents.document import Grid, Kind, Mark, ReportDocument, Value
from cardroom.documents.formatting import NUMBER, cell_text, formatted, number_of
from cardroom.people.names import named
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.parser import report_query_of
from tests.cast import Cast
from tests.clock import NOON
from tests.pdf_text import pages_of

from ..played_shift import FORMULA, drawn, played_cast


class Reader:
    """The compliance officer, who reads reports at noon: each as a document, and as what the site sends of it, made once."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.browser = Client()
        self.browser.force_login(cast.people["compliance"])
        self._documents: dict[str, ReportDocument] = {}
        self._answers: dict[tuple[str, ...], Any] = {}

    def drawn(self, name: str) -> ReportDocument:
        if name not in self._documents:
            with noon():
                self._documents[name] = drawn(self.cast, name)
        return self._documents[name]

    def asked(self, name: str, ending: str, grid: str = "") -> Any:
        if (name, ending, grid) not in self._answers:
            self._answers[name, ending, grid] = self.asked_anew(name, ending, grid)
        return self._answers[name, ending, grid]

    def asked_anew(self, name: str, ending: str, grid: str = "") -> Any:
        address = (
            f"/api/rooms/{self.cast.room.pk}/reports/{name}"
            if ending == "api"
            else f"/rooms/cache-slough/reports/{name}{ending}"
        )
        # Of a page all rows are asked for; its files are whole by themselves.
        asked = {f"{each.name}-size": "500" for each in self.drawn(name).grids} if ending == "/" else {}
        with noon():
            answer = self.browser.get(address, {"grid": grid} if grid else asked)
        assert answer.status_code == 200, answer.content.decode()[:2000]
        return answer


def noon() -> time_machine.travel:
    """Noon, and no later: what is still going on has lasted as long in all that is made of a report."""
    return time_machine.travel(NOON.timestamp(), tick=False)


@pytest.fixture(scope="module")
def played(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Reader]:
    """The shift as it was played, for all tests of this module; none of them writes anything.

    The officer signed in before anything is drawn, as a report lists that.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        with time_machine.travel(NOON.timestamp()):
            reader = Reader(played_cast())
        yield reader
        transaction.set_rollback(True)


@pytest.fixture
def reader(played: Reader, db: None) -> Reader:
    return played


@dataclasses.dataclass
class Table:
    """A table of figures as a page has it: its rows and totals by heading, and what is said once above it."""

    heads: list[str] = dataclasses.field(default_factory=list)
    rows: list[dict[str, str]] = dataclasses.field(default_factory=list)
    totals: list[dict[str, str]] = dataclasses.field(default_factory=list)
    same: dict[str, str] = dataclasses.field(default_factory=dict)
    unused: list[str] = dataclasses.field(default_factory=list)


class Tables(html.parser.HTMLParser):
    """The tables of figures of a page, as a reader sees them: a row's second line is part of it."""

    _MARKS = ("✓", "▲", "✕", "to look at:", "wrong:", "")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tables: list[Table] = []
        self._above = self._label = ""
        self._within: list[str] = []
        self._cells: list[str] = []
        self._beneath: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        classes = (dict(attributes).get("class") or "").split()
        if tag == "p" and "same" in classes:
            self._within, self._above = ["above"], ""
        elif tag == "table" and {"list", "document"} <= set(classes):
            self.tables.append(_told_above(self._above))
            self._within, self._above = ["table"], ""
        elif self._within == ["above"]:
            self._above += "\0"
        elif self._within:
            if tag in ("thead", "tbody", "tfoot"):
                self._within[1:] = [tag]
            elif tag == "tr":
                self._within[2:] = ["beneath" if "beneath" in classes else "row"]
                self._cells, self._beneath = [], {}
            elif tag in ("td", "th") and self._within[-1] == "row":
                self._cells.append("")
            elif tag == "span" and len(self._within) > 2:
                self._within.append("shape" if "shape" in classes else "sub" if "sub" in classes else "span")
                if self._within[2:] == ["beneath", "span", "sub"] and not self._label:
                    self._within[-1] = "label"

    def handle_endtag(self, tag: str) -> None:
        if tag == "p" and self._within == ["above"]:
            self._within = []
        elif self._within == ["above"]:
            self._above += "\0"
        elif tag == "table":
            self._within = []
        elif tag == "span" and len(self._within) > 3:
            if self._within.pop() == "span":
                self._label = ""
        elif tag == "tr" and len(self._within) > 2:
            self._row_ends()

    def handle_data(self, data: str) -> None:
        if self._within == ["above"]:
            self._above += data
        elif "shape" in self._within:
            assert data.strip() in self._MARKS
        elif self._within[-1:] == ["label"]:
            self._label += data.strip()
        elif "beneath" in self._within and self._label:
            self._beneath[self._label] = self._beneath.get(self._label, "") + data
        elif "row" in self._within and self._cells:
            self._cells[-1] += data

    def _row_ends(self) -> None:
        table, (_, part, line) = self.tables[-1], self._within[:3]
        del self._within[2:]
        cells = [cell.strip() for cell in self._cells]
        if line == "beneath":
            table.rows[-1] |= {label: text.strip() for label, text in self._beneath.items()}
        elif part == "thead":
            table.heads = _apart(cells)
        else:
            row = dict(zip(table.heads, cells, strict=True))
            (table.totals if part == "tfoot" else table.rows).append(row)


def _apart(headings: Sequence[str]) -> list[str]:
    """Headings of a table, the second of a name apart from the first: trays have who counted, and when."""
    return [
        f"{heading} again" if heading in headings[:at] else heading for at, heading in enumerate(headings)
    ]


def _told_above(text: str) -> Table:
    """What stands above a table: "The same in every row: Game <b>Baccarat</b>. Nothing in any row: Rake, Reason."."""
    alike, _, nothing = text.partition("Nothing in any row: ")
    said = alike.removeprefix("The same in every row: ").split("\0")
    same = {
        heading.removeprefix(". ").strip(" ·"): value
        for heading, value in zip(said[::2], said[1::2], strict=False)
    }
    return Table(same=same, unused=nothing.removesuffix(".").split(", ") if nothing else [])


def shown(grid: Grid, document: ReportDocument) -> list[list[str]]:
    """The rows of a grid in words, and its totals."""
    lines = [[cell_text(row, c, document.zone) for c in grid.columns] for row in grid.rows]
    if (totals := grid.footer) is not None and grid.rows:
        first = grid.columns[0].name not in totals
        lines.append(
            [
                formatted(totals[c.name], c.kind, document.zone)
                if c.name in totals
                else "Total"
                if first and at == 0
                else ""
                for at, c in enumerate(grid.columns)
            ]
        )
    return lines


def page_shows(page: str, document: ReportDocument) -> None:
    """Assert that a page shows every value of every grid of a document: in its column, beneath it, or once above the table."""
    grids = [grid for grid in document.grids if grid.rows]
    for table, grid in zip(Tables(page).tables, grids, strict=True):
        assert len(table.rows) == len(grid.rows)
        headings = _apart([column.heading for column in grid.columns])
        for found, row in zip(table.rows, grid.rows, strict=True):
            for heading, column in zip(headings, grid.columns, strict=True):
                text = cell_text(row, column, document.zone)
                if heading in found:
                    assert found[heading] == text
                elif heading in table.same:
                    assert table.same[heading] == text
                elif heading in table.unused:
                    assert not row.values[column.name]
                else:
                    assert text == ""
        totals = grid.footer
        assert bool(table.totals) is (totals is not None)
        for heading, column in zip(headings, grid.columns, strict=True) if totals is not None else ():
            if column.name in totals and heading in table.heads:
                text = formatted(totals[column.name], column.kind, document.zone)
                assert table.totals[0][heading] == text
            elif column.name in totals:
                assert not totals[column.name]


@pytest.mark.postgresql
@pytest.mark.parametrize("name", REPORTS)
def test_the_page_shows_the_papers_figures(reader: Reader, name: str) -> None:
    document = reader.drawn(name)
    page = reader.asked(name, "/").content.decode()
    page_shows(page, document)
    for answer in document.answers:
        assert formatted(answer.value, answer.kind, document.zone) in page


@pytest.mark.parametrize("name", REPORTS)
def test_each_table_as_csv_holds_the_same_figures(reader: Reader, name: str) -> None:
    for grid in reader.drawn(name).grids:
        text = reader.asked(name, ".csv", grid=grid.name).content.decode()
        lines = list(csv.reader(io.StringIO(text)))[1:]
        wanted = [[_in_csv(row.values[c.name], c.kind) for c in grid.columns] for row in grid.rows]
        assert lines[: len(wanted)] == wanted
        if (totals := grid.footer) is not None:
            (last,) = lines[len(wanted) :]
            for column, cell in zip(grid.columns, last, strict=True):
                if column.name in totals:
                    assert cell == _in_csv(totals[column.name], column.kind)


@pytest.mark.parametrize("name", REPORTS)
def test_the_workbook_read_back_holds_the_same_figures(reader: Reader, name: str) -> None:
    document = reader.drawn(name)
    book = openpyxl.load_workbook(io.BytesIO(reader.asked(name, ".xlsx").content))
    for grid, lines in zip(document.grids, on_sheets(book, document), strict=True):
        for row, cells in zip(grid.rows, lines, strict=False):
            for column, cell in zip(grid.columns, values_of(cells, grid), strict=False):
                assert _of_sheet(cell, column.kind, document) == _on_sheet(
                    row.values[column.name], column.kind
                )
        if (totals := grid.footer) is not None and lines:
            for column, cell in zip(grid.columns, values_of(lines[len(grid.rows)], grid), strict=False):
                if column.name in totals:
                    assert _of_sheet(cell, column.kind, document) == _on_sheet(
                        totals[column.name], column.kind
                    )


def values_of(cells: tuple[Any, ...], grid: Grid) -> Iterator[Any]:
    """The cells of a line that hold its columns' values: beside an instant stands which of the zone's clocks it was."""
    rest = iter(cells)
    for column in grid.columns:
        yield next(rest)
        if column.kind is Kind.INSTANT:
            next(rest)


def on_sheets(book: Any, document: ReportDocument) -> Iterator[list[tuple[Any, ...]]]:
    """The lines of each table in a workbook below its heading; none of a table without rows under a title."""
    alone = iter([sheet for sheet in book.worksheets[1:] if sheet.title not in document.parts])
    for grid in document.grids:
        if not grid.part and not document.has_summary:
            yield list(next(alone).iter_rows(min_row=2))
            continue
        lines = list(book[grid.part or "Summary"].iter_rows())
        title = next(at for at, line in enumerate(lines) if line[0].value == grid.title and line[0].font.b)
        yield lines[title + 2 :] if grid.rows else []


@pytest.mark.parametrize("name", REPORTS)
def test_a_workbook_has_at_most_eight_sheets_with_names_of_whole_words(reader: Reader, name: str) -> None:
    document = reader.drawn(name)
    book = openpyxl.load_workbook(io.BytesIO(reader.asked(name, ".xlsx").content))
    assert 2 <= len(book.sheetnames) <= 8, book.sheetnames
    titles = " ".join(grid.part or grid.title for grid in document.grids)
    for sheet in book.sheetnames[1:]:
        assert set(sheet.split()) <= set(titles.replace("/", " ").replace(",", " ").split()) | set(
            titles.split()
        )
        assert not sheet[-1].isdigit()


@pytest.mark.parametrize("name", REPORTS)
def test_the_pdf_prints_every_row_and_every_answer(reader: Reader, name: str) -> None:
    document = reader.drawn(name)
    text = _run_on("".join(pages_of(reader.asked(name, ".pdf").content)))
    for answer in document.answers:
        assert (
            _run_on(answer.label + _sign(answer.mark) + formatted(answer.value, answer.kind, document.zone))
            in text
        )
    for grid in document.grids:
        if not grid.rows:
            assert _run_on(grid.title + grid.text + grid.empty) in text
        for row, line in zip([*grid.rows, None], shown(grid, document), strict=False):
            assert _run_on((_sign(row.mark) if row else "") + "".join(line)) in text
    for note in document.notes:
        assert _run_on(note) in text


@pytest.mark.postgresql
@pytest.mark.parametrize("name", REPORTS)
def test_json_and_api_hold_the_same_cents(reader: Reader, name: str) -> None:
    document = reader.drawn(name)
    of_file = json.loads(reader.asked(name, ".json").content)
    assert of_file == reader.asked(name, "api").json()
    assert of_file["answers"] == {answer.name: _plain(answer.value) for answer in document.answers}
    for grid in document.grids:
        there = of_file["grids"][grid.name]
        assert there["rows"] == [
            {name: _plain(value) for name, value in row.values.items()} for row in grid.rows
        ]
        assert there["totals"] == grid.footer


@pytest.mark.parametrize("name", REPORTS)
def test_no_cell_is_a_formula(reader: Reader, name: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(reader.asked(name, ".xlsx").content))
    for sheet in book.worksheets:
        for line in sheet.iter_rows():
            for cell in line:
                assert cell.data_type != "f", cell.value
    for grid in reader.drawn(name).grids:
        text = reader.asked(name, ".csv", grid=grid.name).content.decode()
        for line in csv.reader(io.StringIO(text)):
            for value in line:
                assert not value.startswith(("=", "+", "@", "\t", "\r")), value
                assert not value.startswith("-") or _is_amount(value), value


def test_a_player_called_by_a_formula_is_a_name_everywhere(reader: Reader) -> None:
    assert FORMULA in [row.values["bank"] for row in reader.drawn("rounds").grids[0].rows]
    page = reader.asked("rounds", "/").content.decode()
    assert '=cmd("<b>")' not in page and "=cmd(&quot;&lt;b&gt;&quot;)" in page
    text = reader.asked("rounds", ".csv").content.decode()
    assert '"\'=cmd(""<b>"")"' in text


@pytest.mark.postgresql
@pytest.mark.parametrize("name", REPORTS)
def test_a_room_without_a_shift_gets_an_empty_report(reader: Reader, name: str) -> None:
    cast = reader.cast
    rival = report_query_of(REPORTS[name], cast.rival, cast.people["rival_compliance"], NOON)
    document = named(REPORTS[name].make(rival))
    for answer in document.answers:
        # That another rule, or a levy, was not in force wants a look whatever was played.
        assert answer.name in ("in_force", "standing") or answer.mark in (Mark.NONE, Mark.DONE)


@pytest.mark.postgresql
@pytest.mark.parametrize("name", REPORTS)
def test_the_same_rows_give_the_same_files(reader: Reader, name: str) -> None:
    for ending in (".csv", ".xlsx", ".json"):
        assert reader.asked(name, ending).content == reader.asked_anew(name, ending).content


def _in_csv(value: Value, kind: Kind) -> str:
    if value is None:
        return ""
    if kind is Kind.MONEY:
        assert isinstance(value, int)
        return f"{'-' if value < 0 else ''}{abs(value) // 100}.{abs(value) % 100:02}"
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")
    text = str(value)
    return f"'{text}" if kind is Kind.TEXT and text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _of_sheet(cell: Any, kind: Kind, document: ReportDocument) -> Any:
    """What a spreadsheet reads in a cell, as a value of a document."""
    if cell.value is None:
        return None
    if kind is Kind.MONEY:
        return round(cell.value * 100)
    if kind is Kind.SPAN:
        delta = (
            cell.value if isinstance(cell.value, datetime.timedelta) else datetime.timedelta(days=cell.value)
        )
        return round(delta.total_seconds())
    if kind is Kind.INSTANT:
        return cell.value.replace(tzinfo=document.zone).astimezone(datetime.UTC)
    return cell.value.date() if kind is Kind.DAY else cell.value


def _on_sheet(value: Value, kind: Kind) -> Any:
    """What of a value is in a spreadsheet: an empty text is an empty cell, an instant has whole seconds."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC).replace(microsecond=0)
    if kind is Kind.FIGURE and (found := NUMBER.fullmatch(str(value))):  # "23.4%" is a number there
        return number_of(found) / 100 if found["percent"] else number_of(found)
    return None if value == "" else value


def _plain(value: Value) -> Any:
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, datetime.date) else value


def _run_on(text: str) -> str:
    """Text without blanks and line breaks, which a cell of a PDF has where it is narrow, and with a plain minus."""
    return "".join(text.split()).replace("−", "-")


def _sign(mark: Mark) -> str:
    return {Mark.STOP: "(!) ", Mark.LOOK: "(*) "}.get(mark, "")


def _is_amount(text: str) -> bool:
    return text[1:].replace(".", "", 1).isdigit()
