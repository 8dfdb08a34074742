"""Renders a grid of a document as an HTML table: page by page, sorted, filtered, or only the rows that stand out.

All of it is in the page's address, under the grid's name (`rounds-page=2&rounds-sort=-drop_cents`): it works without
script, can be sent to a colleague, and leaves the other grids of a page as they are. Files have every grid whole.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Iterator, Mapping, Sequence

from django.core.paginator import Page, Paginator
from django.http import QueryDict

from cardroom.documents.document import Column, Grid, Mark, Row, Shade, Value
from cardroom.documents.formatting import NUMBER, cell_text, formatted, number_of

from .grid_columns import FIGURES, layout_of, width_of

#: Rows of a grid on one page, the first unless another is chosen; and of a grid whose rows have a second line.
SIZES = (25, 100, 500)
SIZES_OF_TWO_LINES = (15, *SIZES)
#: A grid of more rows has a field to filter it.
FEW = 10
_SETTINGS = ("page", "sort", "find", "only", "size")
_DIGITS = re.compile(r"([0-9]+)")


@dataclasses.dataclass(frozen=True)
class Cell:
    """A value in words; `link` opens what made it, `is_figure` puts it at the right, `width` is one of `grid_columns.WIDTHS`.

    `label` is the heading of its column, which stands beside it where rows are stacked; a figure of 0 that is one of many
    `is_nothing` there.
    """

    text: str
    is_figure: bool
    label: str = ""
    link: str = ""
    is_known: bool = True
    width: str = ""
    shade: Shade | None = None
    is_nothing: bool = False

    @property
    def shade_class(self) -> str:
        """The class of a shaded cell (document.css); empty of another."""
        return "" if self.shade is None else f"shade-{self.shade.name.lower().replace('_', '-')}"

    @property
    def shade_words(self) -> str:
        """How it stands against its usual, in words."""
        return "" if self.shade is None else f"{self.shade.name.lower().replace('_', ' ')} its usual:"


@dataclasses.dataclass(frozen=True)
class Head:
    """A heading; `link` sorts by its column, and turns the order round where it is sorted: `order` is as in aria-sort."""

    text: str
    is_figure: bool
    link: str = ""
    order: str = ""


@dataclasses.dataclass(frozen=True)
class Line:
    """A row of a grid; `beneath` are the cells of its second line that say something."""

    cells: list[Cell]
    mark: Mark
    beneath: list[Cell] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Order:
    """One order of a table's rows: the value of its setting, what a choice says of it, and whether it is the one on show."""

    value: str
    text: str
    is_chosen: bool


@dataclasses.dataclass(frozen=True)
class Asked:
    """What an address asks of one grid. What it cannot be asked is left out: an old address still shows the grid."""

    grid: Grid
    query: QueryDict

    def _value(self, setting: str) -> str:
        return self.query.get(self.field(setting), "")

    def field(self, setting: str) -> str:
        """The key of a setting in the address."""
        return f"{self.grid.name}-{setting}"

    @property
    def is_any(self) -> bool:
        """Whether anything is asked of this grid."""
        return any(self.field(setting) in self.query for setting in _SETTINGS)

    def size(self, sizes: Sequence[int]) -> int:
        """Rows on a page: one of `sizes`."""
        return next((size for size in sizes if str(size) == self._value("size")), sizes[0])

    @property
    def words(self) -> list[str]:
        """The words that a row has to have."""
        return [_plain(word) for word in self._value("find")[:200].split()]

    @property
    def find(self) -> str:
        """The words as they were typed."""
        return self._value("find")[:200]

    @property
    def only(self) -> bool:
        """Whether only the rows that stand out are shown."""
        return bool(self._value("only"))

    @property
    def page(self) -> str:
        """The page as it was asked for; a paginator makes a number of it."""
        return self._value("page")

    @property
    def is_descending(self) -> bool:
        """Whether the greatest comes first."""
        return self._value("sort").startswith("-")

    @property
    def sort(self) -> Column | None:
        """The column that it is sorted by; None: in the order of the report."""
        name = self._value("sort").removeprefix("-")
        return next((column for column in self.grid.columns if column.name == name), None)

    def is_sorted(self, column: Column, sign: str) -> bool:
        """Whether it is sorted by this column, from the greatest on where the `sign` is "-"."""
        return self.sort is column and self.is_descending is (sign == "-")

    def address(self, **settings: object) -> str:
        """The address of this page with other settings of this grid, from its first page on; "" takes one out."""
        query = self.query.copy()
        for setting, value in {"page": "", **settings}.items():
            query.pop(self.field(setting), None)
            if value:
                query[self.field(setting)] = str(value)
        return f"?{query.urlencode()}#{self.grid.name}"

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What a form has to send along, as it has no field for it."""
        own = {self.field(setting) for setting in ("page", "find", "only", "size", "sort")}
        return [(key, value) for key, values in self.query.lists() if key not in own for value in values]


@dataclasses.dataclass(frozen=True)
class Table:
    """A grid as a table, as far as a page shows it: `of` is how many rows there are before it was filtered.

    `only` is what the box for the rows that stand out says; empty without any, or where all of them do. `same` are the
    columns that say one thing in every row, with what they say, and `unused` those without anything: they stand above the table. `needs` are the pixels of its
    columns, one of `grid_columns.STEPS`. `orders` are what it may be sorted by where its rows are stacked and have no headings.
    """

    grid: Grid
    asked: Asked
    page: Page[Row]
    heads: list[Head]
    lines: list[Line]
    totals: list[list[Cell]]
    only: str
    same: list[tuple[str, str]]
    unused: list[str]
    needs: int
    orders: list[Order]
    sizes: Sequence[int] = SIZES

    @property
    def size(self) -> int:
        return self.page.paginator.per_page

    @property
    def of(self) -> int:
        return len(self.grid.rows)

    @property
    def found(self) -> int:
        """Rows that are left of it after filtering."""
        return self.page.paginator.count

    @property
    def is_filtered(self) -> bool:
        return self.asked.only or bool(self.asked.words)

    @property
    def has_tools(self) -> bool:
        """Whether there is so much of it that it is filtered; a filter that is set can be taken off."""
        return self.is_long or self.is_filtered

    @property
    def is_long(self) -> bool:
        return self.of > FEW

    @property
    def has_sizes(self) -> bool:
        """Whether it is more than a page of the smallest size."""
        return self.of > self.sizes[0]

    @property
    def first_page(self) -> str:
        return self.asked.address()

    @property
    def last_page(self) -> str:
        return self.asked.address(page=self.page.paginator.num_pages)

    @property
    def earlier(self) -> str:
        return self.asked.address(page=self.page.number - 1) if self.page.has_previous() else ""

    @property
    def later(self) -> str:
        return self.asked.address(page=self.page.number + 1) if self.page.has_next() else ""

    @property
    def unfiltered(self) -> str:
        """The address that shows all rows again."""
        return self.asked.address(find="", only="")


def table_of(grid: Grid, zone: datetime.tzinfo, query: QueryDict) -> Table:
    """Arrange a grid as the address's `query` asks."""
    asked = Asked(grid, query)
    differences = [column.name for column in grid.columns if column.is_difference]
    standing_out = [row for row in grid.rows if _stands_out(row, differences)]
    rows = standing_out if asked.only else list(grid.rows)
    if asked.words:
        rows = [row for row in rows if _has(row, grid.columns, zone, asked.words)]
    is_filtered = len(rows) < len(grid.rows)
    in_order = _sorted(rows, asked)
    page = Paginator(in_order, asked.size(SIZES)).get_page(asked.page or 1)
    texts = [{column.name: cell_text(row, column, zone) for column in grid.columns} for row in page]
    sums = grid.footer or {}
    letters = {
        column.name: max(
            [len(formatted(sums[column.name], column.kind, zone)) if column.name in sums else 0]
            + [len(text[column.name]) for text in texts]
        )
        for column in grid.columns
    }
    layout = layout_of(grid.columns, rows, letters, kept=() if asked.sort is None else {asked.sort.name})
    sizes = SIZES_OF_TWO_LINES if layout.beneath else SIZES
    page = Paginator(in_order, asked.size(sizes)).get_page(asked.page or 1)
    only = "Only differences" if differences else "Only what is marked"
    return Table(
        grid=grid,
        asked=asked,
        page=page,
        heads=[_head(column, asked) for column in layout.beside],
        lines=[
            Line(
                [_cell_of(row, column, zone, letters[column.name]) for column in layout.beside],
                row.mark,
                [
                    cell
                    for column in layout.beneath
                    if (cell := _cell_of(row, column, zone, letters[column.name])).text
                ],
            )
            for row in page
        ],
        totals=list(_totals(grid, layout.beside, rows if is_filtered else None, zone)),
        only=only if asked.only or 0 < len(standing_out) < len(grid.rows) else "",
        same=[
            (column.heading, cell_text(rows[0], column, zone))
            for column in layout.same
            if rows[0].values[column.name]
        ],
        unused=[column.heading for column in layout.same if not rows[0].values[column.name]],
        needs=layout.needs,
        sizes=sizes,
        orders=[
            Order(f"{sign}{column.name}", f"{column.heading} {arrow}", asked.is_sorted(column, sign))
            for column in layout.beside
            for sign, arrow in (("", "↑"), ("-", "↓"))
        ],
    )


def _stands_out(row: Row, differences: Sequence[str]) -> bool:
    return row.mark in (Mark.LOOK, Mark.STOP) or any(row.values[name] for name in differences)


def _has(row: Row, columns: Sequence[Column], zone: datetime.tzinfo, words: Sequence[str]) -> bool:
    texts = [_plain(cell_text(row, column, zone)) for column in columns]
    return all(any(word in text for text in texts) for word in words)


def _plain(text: str) -> str:
    """A text as it is compared: whoever types 1240 finds $1,240."""
    return text.casefold().replace(",", "")


def _sorted(rows: list[Row], asked: Asked) -> list[Row]:
    """The rows in the order asked for; what is not known comes last either way."""
    column = asked.sort
    if column is None:
        return rows
    known = [row for row in rows if row.values[column.name] is not None]
    unknown = [row for row in rows if row.values[column.name] is None]
    known.sort(key=lambda row: _rank(row.values[column.name]), reverse=asked.is_descending)
    return known + unknown


def _rank(value: Value) -> tuple[int, object]:
    """What a value is sorted by: a figure in words by its number, and "Table 10" after "Table 9"."""
    if isinstance(value, datetime.datetime):
        return 0, value.timestamp()
    if isinstance(value, datetime.date):
        return 0, value.toordinal()
    if not isinstance(value, str):
        return 0, value
    if found := NUMBER.fullmatch(value):
        return 0, number_of(found)
    parts = enumerate(_DIGITS.split(value.casefold()))
    # Every other part is digits, so that numbers only ever meet numbers.
    return 1, [int(part) if at % 2 else part for at, part in parts]


def _head(column: Column, asked: Asked) -> Head:
    is_figure = column.kind in FIGURES
    if len(asked.grid.rows) < 2:
        return Head(column.heading, is_figure)
    if asked.sort is not column:
        return Head(column.heading, is_figure, asked.address(sort=column.name))
    if asked.is_descending:
        return Head(column.heading, is_figure, asked.address(sort=column.name), "descending")
    return Head(column.heading, is_figure, asked.address(sort=f"-{column.name}"), "ascending")


def _totals(
    grid: Grid, columns: Sequence[Column], found: Sequence[Row] | None, zone: datetime.tzinfo
) -> Iterator[list[Cell]]:
    """The total of all rows in these columns and, where only some were `found`, theirs before it."""
    totals = grid.footer
    if totals is None or not grid.rows:
        return
    if found is not None:
        # What is exact only over all rows has no sum over some: it would be rounded row by row.
        of_found: dict[str, int | None] = dataclasses.replace(grid, rows=found, exact={}).totals or {}
        sums = {name: value for name, value in of_found.items() if name not in grid.exact}
        yield list(_total("Total of these", sums, columns, zone))
    yield list(_total("Total" if found is None else "Total of all", totals, columns, zone))


def _total(
    text: str, totals: Mapping[str, int | str | None], columns: Sequence[Column], zone: datetime.tzinfo
) -> Iterator[Cell]:
    for at, column in enumerate(columns):
        if column.name in totals:
            value = totals[column.name]
            yield Cell(
                formatted(value, column.kind, zone),
                column.kind in FIGURES,
                column.heading,
                is_known=value is not None,
            )
        else:
            yield Cell(text if at == 0 else "", column.kind in FIGURES)


def _cell_of(row: Row, column: Column, zone: datetime.tzinfo, letters: int) -> Cell:
    """The cell of a row in a column whose longest text on show has so many `letters`."""
    is_figure = column.kind in FIGURES
    return Cell(
        cell_text(row, column, zone),
        is_figure,
        column.heading,
        row.links.get(column.name, ""),
        is_known=row.values[column.name] is not None,
        width="" if is_figure else width_of(letters)[0],
        shade=row.shades.get(column.name),
        is_nothing=is_figure and row.values[column.name] == 0 and row.mark is Mark.NONE,
    )
