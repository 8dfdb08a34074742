"""The section on the rotation of the bank: its figures drawn as answers and tables, and added up over shifts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast
from urllib.parse import urlencode

from django.urls import reverse

from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, Row
from cardroom.documents.stored import instant_read

from ..queries.query import Scope
from ..queries.rounds_in_scope import report_address, round_address
from .figure_types import RotationException, RotationFigures, TableRotation
from .section import Drawn, Span, added_up

COUNTS: Final = (
    Column("exceptions", "Exceptions", Kind.COUNT, adds=True),
    Column("turns", "Turns", Kind.COUNT, adds=True),
    Column("renewed", "renewed", Kind.COUNT, adds=True),
    Column("banks", "Banks", Kind.COUNT),
    Column("rounds", "Rounds", Kind.COUNT, adds=True),
    Column("voids", "Voids", Kind.COUNT, adds=True),
    Column("accepted", "Accepted", Kind.COUNT, adds=True),
    Column("declined", "Declined", Kind.COUNT, adds=True),
    Column("absent", "Absent", Kind.COUNT, adds=True),
    Column("ineligible", "Barred", Kind.COUNT, adds=True),
    Column("withdrawn", "Undone", Kind.COUNT, adds=True),
    Column("stops", "Stops", Kind.COUNT, adds=True),
)
EXCEPTIONS: Final = (
    Column("happened_at", "When", Kind.INSTANT),
    Column("table", "Table", Kind.COUNT),
    Column("seat", "Seat", Kind.COUNT),
    Column("player", "Player"),
    Column("rule", "Rule"),
    Column("text", "What happened"),
    Column("clause", "Clause"),
)
_SUMS: Final = tuple(column.name for column in COUNTS if column.adds)


def rotation_added(several: Sequence[RotationFigures], span: Span) -> RotationFigures:
    """Add the figures of shifts up, by table; exceptions are all listed, of a month too."""
    del span
    tables = added_up((each for figures in several for each in figures["tables"]), ("table",), _SUMS)
    tables.sort(key=lambda each: each["table"])
    return {
        "tables": cast("list[TableRotation]", [{**each, "banks": None} for each in tables]),
        "exceptions": [each for figures in several for each in figures["exceptions"]],
        "out_of_force": sum(figures["out_of_force"] for figures in several),
    }


def rotation_drawn(figures: RotationFigures, scope: Scope) -> Drawn:
    """Draw the section."""
    tables = _tables_grid(figures["tables"], scope)
    exceptions = Grid(
        "exceptions",
        "Exceptions",
        EXCEPTIONS,
        [exception_row(each, Mark.STOP) for each in figures["exceptions"]],
        empty="None: the bank went round by the rule.",
    )
    return Drawn(list(_answers(figures)), [exceptions, tables])


def _answers(figures: RotationFigures) -> Iterator[Answer]:
    tables, count, out_of_force = figures["tables"], len(figures["exceptions"]), figures["out_of_force"]
    offers = sum(each["accepted"] + each["declined"] + each["absent"] + each["ineligible"] for each in tables)
    yield Answer("exceptions", "Exceptions", count, Kind.COUNT, Mark.STOP if count else Mark.DONE)
    yield Answer("turns", "Turns at the bank", sum(each["turns"] for each in tables), Kind.COUNT)
    yield Answer("rounds", "Rounds settled", sum(each["rounds"] for each in tables), Kind.COUNT)
    yield Answer("offers", "Offers answered", offers, Kind.COUNT)
    if out_of_force:
        label = "Days at a table by a rule that was not in force"
        yield Answer("out_of_force", label, out_of_force, Kind.COUNT, Mark.LOOK)


def _tables_grid(tables: Sequence[TableRotation], scope: Scope) -> Grid:
    known = [column for column in COUNTS if all(each[column.name] is not None for each in tables)]  # type: ignore[literal-required]
    rows = [
        Row(
            {"table": each["table"], **{column.name: each[column.name] for column in known}},  # type: ignore[literal-required]
            {"table": report_address(scope, "rotation", table=each["table"])},
            Mark.STOP if each["exceptions"] else Mark.NONE,
        )
        for each in tables
    ]
    return Grid("tables", "By table", (Column("table", "Table", Kind.COUNT), *known), rows)


def exception_row(each: RotationException, mark: Mark) -> Row:
    """Draw a deviation: the round that it shows in opens, or else the rotation of its day or shift."""
    period = ("day", each["gaming_day"]) if each["shift"] is None else ("shift", str(each["shift"]))
    links = {"happened_at": f"{reverse('web:rotation', args=[each['table_id']])}?{urlencode([period])}"}
    if each["round"] is not None:
        links["text"] = round_address(each["round"])
    values = {column.name: each[column.name] for column in EXCEPTIONS[1:]}  # type: ignore[literal-required]
    return Row({"happened_at": instant_read(each["happened_at"]), **values}, links, mark)
