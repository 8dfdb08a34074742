"""The bank: offers, answers and turns."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.reads.access import get_table_for
from cardroom.floor.reads.records import offer_row, offers_of

from .. import answers, bodies
from ..base import SignedInView, page
from ..forms import read_query
from ..headers import signed_in
from ..operations import reads

_TAG = "The bank"


class Offers(SignedInView):
    @reads(
        "List the offers of the bank at a table",
        answers.page_of(answers.OfferRow),
        query=bodies.Page,
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = get_table_for(signed_in(request), table_id)
        wanted = read_query(bodies.Page, request)
        return page(
            request,
            offers_of(table),
            offer_row,
            key="id",
            before=wanted.get("before"),
            limit=wanted["limit"],
        )
