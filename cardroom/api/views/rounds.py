"""Rounds as they are on record."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.reads.access import get_round_for, get_table_for
from cardroom.floor.reads.records import round_data, round_row, rounds_of

from .. import answers, bodies
from ..base import SignedInView, page
from ..forms import read_query
from ..headers import signed_in
from ..operations import reads

_TAG = "Rounds"


class Rounds(SignedInView):
    @reads(
        "List the rounds of a table", answers.page_of(answers.RoundRow), query=bodies.RoundFilter, tag=_TAG
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = get_table_for(signed_in(request), table_id)
        wanted = read_query(bodies.RoundFilter, request)
        before, limit = wanted.pop("before", None), wanted.pop("limit")
        return page(request, rounds_of(table, **wanted), round_row, key="id", before=before, limit=limit)


class Round(SignedInView):
    @reads(
        "Read the record of a round",
        answers.RoundRecord,
        description="Its state, sheet, settlement and every transfer.",
        tag=_TAG,
    )
    def get(self, request: Request, round_id: int) -> Response:
        return Response(round_data(get_round_for(signed_in(request), round_id)))
