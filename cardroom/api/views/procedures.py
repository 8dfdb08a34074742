"""Procedures of a table: its decks, inspections, stub counts, recuts, irregularities and progressive wins."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.errors import NotFound
from cardroom.floor.reads.access import get_table_for
from cardroom.floor.reads.meters import meter_record
from cardroom.floor.reads.procedures import procedure_row, procedures_at, procedures_record
from cardroom.floor.reads.records import movement_row, movements_at
from cardroom.floor.reads.table_state import read_table

from .. import answers, bodies
from .. import procedures as forms
from ..base import SignedInView, page, versioned
from ..forms import read_query
from ..headers import signed_in
from ..operations import reads

_TAG = "Procedures"


class TableProcedures(SignedInView):
    @reads(
        "Read a table's decks, counts and reminders",
        forms.TableProcedures,
        etag=True,
        description="Which decks serve, which is due, whether a stub count is, and what the table is reminded of. A "
        "reminder `blocks` where a command is refused until it is answered.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        return versioned(procedures_record(read_table(get_table_for(signed_in(request), table_id))))


class Procedures(SignedInView):
    @reads(
        "List what was done at a table beside the money",
        answers.page_of(forms.ProcedureRow),
        query=bodies.Page,
        description="Inspections, decks dealt, fees dropped, counts, recuts and irregularities with what followed.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = get_table_for(signed_in(request), table_id)
        wanted = read_query(bodies.Page, request)
        before, limit = wanted.get("before"), wanted["limit"]
        return page(request, procedures_at(table), procedure_row, key="id", before=before, limit=limit)


class Meter(SignedInView):
    @reads(
        "Read the progressive meter of a table",
        answers.MeterState,
        description="What it shows now, and the tables that play for it.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = get_table_for(signed_in(request), table_id)
        state = meter_record(table)
        if state is None:
            raise NotFound("no_progressive", f"The game of {table} has no progressive meter.")
        return Response(state)


class MeterMovements(SignedInView):
    @reads(
        "List the movements of the progressive meter of a table",
        answers.page_of(answers.MeterMovementRow),
        query=bodies.Page,
        description="Those that come from linked tables too, the latest first.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = get_table_for(signed_in(request), table_id)
        wanted = read_query(bodies.Page, request)
        before, limit = wanted.get("before"), wanted["limit"]
        return page(request, movements_at(table), movement_row, key="id", before=before, limit=limit)
