"""API reads: rounds of a table as they are on record, and one round."""

from __future__ import annotations

from typing import Annotated

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.json_types import OneOf
from cardroom.floor.models import Round as Facts
from cardroom.floor.models import Table
from cardroom.floor.reads.access import get_round_for, get_table_for
from cardroom.floor.reads.records import RoundRecord, RoundRow, round_data, round_row, rounds_of
from cardroom.people.rights import Right

from ..base import Before, GamingDay, Limit, ShiftId, SignedInView, page
from ..operations import page_of, reads

_TAG = "Rounds"


class Rounds(SignedInView):
    @reads(
        "List the rounds of a table",
        page_of(RoundRow),
        description="Each with its stage, its bank and its sums; what was wagered and settled is read at the round.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(
        self,
        request: Request,
        table: Table,
        *,
        before: Before = None,
        limit: Limit = 50,
        state: Annotated[str | None, OneOf(Facts.State)] = None,
        gaming_day: GamingDay = None,
        shift: ShiftId = None,
    ) -> Response:
        rows = rounds_of(table, state=state, gaming_day=gaming_day, shift=shift)
        return page(request, rows, round_row, key="id", before=before, limit=limit)


class Round(SignedInView):
    @reads(
        "Read the record of a round",
        RoundRecord,
        description="Its state, sheet, settlement and every transfer.",
        access=get_round_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, round_: Facts) -> Response:
        return Response(round_data(round_))
