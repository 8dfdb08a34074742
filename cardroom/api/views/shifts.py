"""API reads: shifts of a room, and the stored report of a closed one."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Instant
from cardroom.floor.errors import NotFound
from cardroom.floor.models import Shift
from cardroom.floor.reads.access import get_room_for, get_shift_for
from cardroom.floor.reads.records import ShiftRow, shift_row, shifts_of
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.reports.stored.selectors import reports_of
from cardroom.rooms.models import Room

from ..base import Before, Limit, Revision, SignedInView, page
from ..operations import page_of, reads

_TAG = "Shifts"


class JournalHeadRow(TypedDict):
    chain: str
    seq: int
    hash: str


class ReportChange(TypedDict):
    """A value that a restatement changes; null is not known, or not there."""

    where: str
    what: str
    kind: Annotated[str, "`money` is in cents."]
    was: Any
    now: Any


class ShiftReportRecord(TypedDict):
    """The report of a closed shift, as it was made."""

    shift: int
    made_at: Instant
    revision: Annotated[int, "0 as made first; one more a restatement."]
    superseded: Annotated[bool, "Whether a later restatement replaces it."]
    changes: Annotated[list[ReportChange], "What differs from the report before."]
    figures: Annotated[dict[str, Any], "The figures by table and in total; amounts end in `_cents`."]
    sections: Annotated[dict[str, Any], "What the reports of the catalogue said of the shift, by name."]
    inputs_hash: str
    content_hash: Annotated[str, "Of figures, sections and changes; the room's journal has it too."]
    heads: Annotated[list[JournalHeadRow], "Heads of the journal's chains when the report was made."]


def shift_for(staff: Staff, room_id: int, shift_id: int, *, right: Right) -> Shift:
    """Return the shift of this room, if `staff` holds a role there and `right` with it."""
    shift = get_shift_for(staff, shift_id, right)
    if shift.room_id != room_id:
        raise NotFound("not_found", f"There is no shift {shift_id} in this room.")
    return shift


class Shifts(SignedInView):
    @reads(
        "List the shifts of a room",
        page_of(ShiftRow),
        description="Each with its gaming day, when it was opened and closed, and by whom.",
        access=get_room_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room, *, before: Before = None, limit: Limit = 50) -> Response:
        return page(
            request,
            shifts_of(room),
            shift_row,
            key="id",
            before=before,
            limit=limit,
        )


class ShiftReport(SignedInView):
    @reads(
        "Read the report of a shift",
        ShiftReportRecord,
        description="404 `no_report` until it has been made: a report is made once its shift is closed and the last "
        "round of it has ended. When a round of it is corrected later, or its drop is counted, it is restated: the last "
        "`revision` stands, and `changes` says what differs from the one before. `?revision=0` reads the first.",
        access=shift_for,
        right=Right.SEE_REPORTS,
        tag=_TAG,
    )
    def get(self, request: Request, shift: Shift, *, revision: Revision = None) -> Response:
        made = reports_of(shift)
        if revision is not None and made and revision > made[-1].revision:
            raise NotFound("no_report", f"The last report of {shift} is revision {made[-1].revision}.")
        report = made[-1 if revision is None else revision] if made else None
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
