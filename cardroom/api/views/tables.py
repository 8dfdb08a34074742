"""API reads: the present state of a table (its version is the ETag), and its journal."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.models import Table as TableModel
from cardroom.floor.reads.access import get_table_for
from cardroom.floor.reads.records import EntryRow, entry_row, journal_of
from cardroom.floor.reads.table_record import TableRecord, table_record
from cardroom.floor.reads.table_state import read_table
from cardroom.people.rights import Right

from ..base import Before, Limit, SignedInView, page, versioned
from ..operations import page_of, reads

_TAG = "Tables"


class Table(SignedInView):
    @reads(
        "Read the state of a table",
        TableRecord,
        etag=True,
        description="Everything that a table screen shows: seats, the turn at the bank, who must be offered it next and "
        "why, the live round, and for each command why it may not be done now.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: TableModel) -> Response:
        return versioned(table_record(read_table(table)))


class Journal(SignedInView):
    @reads(
        "Read the journal of a table",
        page_of(EntryRow),
        description="Every command, the latest first. Each entry's hash covers the entry and the hash before it.",
        access=get_table_for,
        right=Right.SEE_REPORTS,
        tag=_TAG,
    )
    def get(
        self, request: Request, table: TableModel, *, before: Before = None, limit: Limit = 50
    ) -> Response:
        return page(
            request,
            journal_of(table),
            entry_row,
            key="seq",
            before=before,
            limit=limit,
        )
