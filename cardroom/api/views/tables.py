"""API reads: the present state of a table (its version is the ETag), and its journal."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.reads.access import get_table_for
from cardroom.floor.reads.records import EntryRow, entry_row, journal_of
from cardroom.floor.reads.table_record import TableRecord, table_record
from cardroom.floor.reads.table_state import read_table
from cardroom.people.rights import Right

from ..base import Before, Limit, SignedInView, page, versioned
from ..headers import signed_in
from ..operations import page_of, reads

_TAG = "Tables"


class Table(SignedInView):
    @reads(
        "Read a table as it stands",
        TableRecord,
        etag=True,
        description="Everything that a table screen shows: seats, the turn at the bank, who must be offered it next and "
        "why, the live round, and for each command why it may not be done now.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        return versioned(table_record(read_table(get_table_for(signed_in(request), table_id))))


class Journal(SignedInView):
    @reads(
        "Read the journal of a table",
        page_of(EntryRow),
        description="Every command, the latest first. Each entry's hash covers the entry and the hash before it.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int, *, before: Before = None, limit: Limit = 50) -> Response:
        table = get_table_for(signed_in(request), table_id, Right.SEE_REPORTS)
        return page(
            request,
            journal_of(table),
            entry_row,
            key="seq",
            before=before,
            limit=limit,
        )
