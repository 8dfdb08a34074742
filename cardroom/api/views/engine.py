"""API reads: a round sheet in the request, settled by the rules engine alone; no table, no room, nothing recorded."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.settling.round_documents import SHEET, SHEET_EXAMPLE, Settlement
from games.engine import settle_json

from ..base import SignedInView
from ..operations import computes
from ..reading import read_sheet


class SettleSheet(SignedInView):
    @computes(
        "Settle a sheet",
        SHEET.group,
        Settlement,
        description="What a round of any rulebook comes to, line by line, with the clause and the reason of each. "
        "A sheet that is refused answers with the place of the mistake.",
        example=SHEET_EXAMPLE,
        tag="The rules engine",
    )
    def post(self, request: Request) -> Response:
        return Response(settle_json(read_sheet(request)))
