"""API reads: procedures of a table (decks, inspections, stub counts, irregularities, progressive wins) and progressive meters."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.errors import NotFound
from cardroom.floor.models import Table
from cardroom.floor.reads.access import get_table_for
from cardroom.floor.reads.meters import MeterRecord, meter_record
from cardroom.floor.reads.procedures import (
    ProcedureRow,
    ProceduresRecord,
    procedure_row,
    procedures_at,
    procedures_record,
)
from cardroom.floor.reads.records import MovementRow, movement_row, movements_at
from cardroom.floor.reads.table_state import read_table
from cardroom.people.rights import Right

from ..base import Before, Limit, SignedInView, page, versioned
from ..operations import page_of, reads

_TAG = "Procedures"


class TableProcedures(SignedInView):
    @reads(
        "Read a table's decks, counts and reminders",
        ProceduresRecord,
        etag=True,
        description="Which decks serve, which is due, whether a stub count is, and what the table is reminded of. A "
        "reminder `blocks` where a command is refused until it is answered.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: Table) -> Response:
        return versioned(procedures_record(read_table(table)))


class Procedures(SignedInView):
    @reads(
        "List what was done at a table beside the money",
        page_of(ProcedureRow),
        description="Inspections, decks dealt, fees dropped, counts, recuts and irregularities with what followed.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: Table, *, before: Before = None, limit: Limit = 50) -> Response:
        return page(request, procedures_at(table), procedure_row, key="id", before=before, limit=limit)


class Meter(SignedInView):
    @reads(
        "Read the progressive meter of a table",
        MeterRecord,
        description="What it shows now, and the tables that play for it.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: Table) -> Response:
        state = meter_record(table)
        if state is None:
            raise NotFound("no_progressive", f"The game of {table} has no progressive meter.")
        return Response(state)


class MeterMovements(SignedInView):
    @reads(
        "List the movements of the progressive meter of a table",
        page_of(MovementRow),
        description="Those that come from linked tables too, the latest first.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: Table, *, before: Before = None, limit: Limit = 50) -> Response:
        return page(request, movements_at(table), movement_row, key="id", before=before, limit=limit)
