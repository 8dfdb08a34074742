"""API reads: offers of the bank at a table, with their answers."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.models import Table
from cardroom.floor.reads.access import get_table_for
from cardroom.floor.reads.records import OfferRow, offer_row, offers_of
from cardroom.people.rights import Right

from ..base import Before, Limit, SignedInView, page
from ..operations import page_of, reads

_TAG = "The bank"


class Offers(SignedInView):
    @reads(
        "List the offers of the bank at a table",
        page_of(OfferRow),
        description="Each with the seat that was asked, its answer, the reason of one that was passed over, and whether it was taken back.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: Table, *, before: Before = None, limit: Limit = 50) -> Response:
        return page(
            request,
            offers_of(table),
            offer_row,
            key="id",
            before=before,
            limit=limit,
            names=True,
        )
