"""Shifts of a room, and the report of a closed one."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.floor.errors import NotFound
from cardroom.floor.reads.access import get_room_for, get_shift_for
from cardroom.floor.reads.records import shift_row, shifts_of
from cardroom.people.rights import Right
from cardroom.reports.stored.selectors import reports_of

from .. import answers, bodies
from ..base import SignedInView, page
from ..forms import read_query
from ..headers import signed_in
from ..operations import reads

_TAG = "Shifts"


class Shifts(SignedInView):
    @reads("List the shifts of a room", answers.page_of(answers.Shift), query=bodies.Page, tag=_TAG)
    def get(self, request: Request, room_id: int) -> Response:
        room = get_room_for(signed_in(request), room_id)
        wanted = read_query(bodies.Page, request)
        return page(
            request,
            shifts_of(room),
            shift_row,
            key="id",
            before=wanted.get("before"),
            limit=wanted["limit"],
        )


class ShiftReport(SignedInView):
    @reads(
        "Read the report of a shift",
        answers.ShiftReportAnswer,
        description="404 `no_report` until it has been made: a report is made once its shift is closed and the last "
        "round of it has ended. When a round of it is corrected later, or its drop is counted, it is restated: the last "
        "`revision` stands, and `changes` says what differs from the one before. `?revision=0` reads the first.",
        query=bodies.Revision,
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, shift_id: int) -> Response:
        shift = get_shift_for(signed_in(request), shift_id, Right.SEE_REPORTS)
        if shift.room_id != room_id:
            raise NotFound("not_found", f"There is no shift {shift_id} in this room.")
        wanted = read_query(bodies.Revision, request).get("revision")
        made = reports_of(shift)
        if wanted is not None and made and wanted > made[-1].revision:
            raise NotFound("no_report", f"The last report of {shift} is revision {made[-1].revision}.")
        report = made[-1 if wanted is None else wanted] if made else None
        if report is None:
            what = "is still open" if shift.closed_at is None else "is closed, and its report is being made"
            raise NotFound("no_report", f"There is no report yet: {shift} {what}.")
        return Response(
            {
                "shift": shift.pk,
                "made_at": utc_text(report.made_at),
                "revision": report.revision,
                "superseded": report.revision != made[-1].revision,
                "changes": report.changes,
                "figures": report.figures,
                "sections": report.sections,
                "inputs_hash": report.inputs_hash,
                "content_hash": report.content_hash,
                "heads": report.heads,
            }
        )
