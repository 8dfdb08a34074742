"""API reads: what a table charges, its fee waivers, and collections of seat time."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.models import Table
from cardroom.floor.reads.access import get_table_for
from cardroom.floor.reads.charges import (
    ChargesRecord,
    CollectionRow,
    WaiverRow,
    charges_record,
    collection_row,
    collections_at,
    waiver_row,
    waivers_at,
)
from cardroom.floor.reads.table_state import read_table
from cardroom.people.rights import Right

from ..base import Before, Limit, SignedInView, page, versioned
from ..operations import page_of, reads

_TAG = "Fees"


class Charges(SignedInView):
    @reads(
        "Read what a table charges",
        ChargesRecord,
        etag=True,
        description="Every fee of its schedule, the published waivers and those of the round in play, and "
        "the time that each seat owes.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: Table) -> Response:
        return versioned(charges_record(read_table(table)))


class Waivers(SignedInView):
    @reads(
        "List the waivers of a table",
        page_of(WaiverRow),
        description="Fees that were let go by a published rule, withdrawn waivers too: the rule, how much, why, and who recorded it.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: Table, *, before: Before = None, limit: Limit = 50) -> Response:
        return page(
            request,
            waivers_at(table),
            waiver_row,
            key="id",
            before=before,
            limit=limit,
        )


class TimeCollections(SignedInView):
    @reads(
        "List the collections of time at a table",
        page_of(CollectionRow),
        description="Fees by time, each with the seats that paid; one that takes another back has its sums below 0.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: Table, *, before: Before = None, limit: Limit = 50) -> Response:
        return page(
            request,
            collections_at(table),
            collection_row,
            key="id",
            before=before,
            limit=limit,
            names=True,
        )
