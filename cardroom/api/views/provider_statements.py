"""API reads: statements of providers of player-dealers, the same documents as on pages and in files."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.documents.export import ReportData, data_of
from cardroom.floor.reads.access import get_room_for
from cardroom.floor.reads.table_record import NamedRow
from cardroom.people.firms import providers_within
from cardroom.people.models import Provider, Staff
from cardroom.people.rights import Right
from cardroom.reports.background.limits import draw
from cardroom.reports.providers.statement import get_provider_for, statement_report
from cardroom.reports.queries.parser import report_query_of
from cardroom.rooms.models import Room

from ..base import SignedInView
from ..headers import signed_in
from ..operations import reads
from .reports import First, Last, PeriodShift, TableNumber

_TAG = "Reports"


class ProviderName(NamedRow):
    contract_number: str
    is_active: bool


def provider_for(staff: Staff, room_id: int, provider_id: int, *, right: Right) -> tuple[Room, Provider]:
    """Return the room and the provider whose statement `staff` may draw there."""
    room = get_room_for(staff, room_id, right)
    return room, get_provider_for(staff, room, provider_id)


class Statements(SignedInView):
    @reads(
        "List the providers whose statements you may draw",
        ProviderName,
        many=True,
        description="A provider lead has their own firm's alone.",
        access=get_room_for,
        right=Right.SEE_STATEMENTS,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room) -> Response:
        return Response(
            [
                {
                    "id": provider.pk,
                    "name": provider.name,
                    "contract_number": provider.contract_number,
                    "is_active": provider.is_active,
                }
                for provider in providers_within(signed_in(request), room)
            ]
        )


class Statement(SignedInView):
    @reads(
        "Draw the statement of a provider",
        ReportData,
        description="What its players banked, won, lost and paid on the gaming days `from` to `to`, both included; without "
        "them, on the gaming day of the last shift. The room's own record, not the provider's playing book.",
        access=provider_for,
        right=Right.SEE_STATEMENTS,
        tag=_TAG,
    )
    def get(
        self,
        request: Request,
        found: tuple[Room, Provider],
        *,
        first: First = None,
        last: Last = None,
        table: TableNumber = None,
        shift: PeriodShift = None,
    ) -> Response:
        room, provider = found
        report = statement_report(provider)
        asked = report_query_of(
            report,
            room,
            signed_in(request),
            timezone.now(),
            first=first,
            last=last,
            table=table,
            shift=shift,
        )
        return Response(data_of(draw(report, asked)))
