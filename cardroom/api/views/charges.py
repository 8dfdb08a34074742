"""What a table charges beside its rounds' quotes: waivers, and time that is collected by the clock."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.reads.access import get_table_for
from cardroom.floor.reads.charges import (
    charges_record,
    collection_row,
    collections_at,
    waiver_row,
    waivers_at,
)
from cardroom.floor.reads.table_state import read_table

from .. import answers, bodies
from .. import charges as forms
from ..base import SignedInView, page, versioned
from ..forms import read_query
from ..headers import signed_in
from ..operations import reads

_TAG = "Fees"


class Charges(SignedInView):
    @reads(
        "Read what a table charges",
        forms.Charges,
        etag=True,
        description="Every fee of its schedule, the published waivers and those that stand in the round in play, and "
        "the time that each seat owes.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        return versioned(charges_record(read_table(get_table_for(signed_in(request), table_id))))


class Waivers(SignedInView):
    @reads("List the waivers of a table", answers.page_of(forms.WaiverRow), query=bodies.Page, tag=_TAG)
    def get(self, request: Request, table_id: int) -> Response:
        table = get_table_for(signed_in(request), table_id)
        wanted = read_query(bodies.Page, request)
        return page(
            request,
            waivers_at(table),
            waiver_row,
            key="id",
            before=wanted.get("before"),
            limit=wanted["limit"],
        )


class TimeCollections(SignedInView):
    @reads(
        "List the collections of time at a table",
        answers.page_of(forms.TimeCollectionRow),
        query=bodies.Page,
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = get_table_for(signed_in(request), table_id)
        wanted = read_query(bodies.Page, request)
        return page(
            request,
            collections_at(table),
            collection_row,
            key="id",
            before=wanted.get("before"),
            limit=wanted["limit"],
        )
