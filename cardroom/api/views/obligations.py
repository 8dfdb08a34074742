"""API reads: the calendar of a room's obligations, and one obligation with its proof and steps."""

from __future__ import annotations

import datetime
from typing import Annotated, Final

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.json_types import Id, Key, OneOf, Text
from cardroom.floor.errors import BadInput
from cardroom.floor.reads.access import get_room_for
from cardroom.obligations.models import Obligation as ObligationOfRoom
from cardroom.obligations.reads.calendar import (
    EVERY,
    STATES_ASKED,
    CalendarFilter,
    calendar_of,
    get_obligation_for,
    overdue_before,
)
from cardroom.obligations.reads.records import (
    CalendarRecord,
    ObligationRecord,
    calendar_row,
    obligation_record,
)
from cardroom.people.names import named
from cardroom.people.permits import local_day
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..base import SignedInView
from ..operations import reads

_TAG: Final = "Obligations"
#: Days that are listed where nothing else is asked for, and at most.
_DAYS: Final = datetime.timedelta(days=92)
_MOST_DAYS: Final = datetime.timedelta(days=3 * 366)


class Obligations(SignedInView):
    @reads(
        "Read the calendar of obligations",
        CalendarRecord,
        description="What was typed, and what follows from other records: permits, contracts, filings, claims, recordings. "
        "Without days, three months from today on. `overdue` has what was due before them and is not done.",
        access=get_room_for,
        right=Right.SEE_OBLIGATIONS,
        tag=_TAG,
        name="rooms_obligations_list",
    )
    def get(
        self,
        request: Request,
        room: Room,
        *,
        state: Annotated[str, OneOf(STATES_ASKED)] = EVERY,
        kind: Annotated[str, Text(20, blank=True), "Of this kind alone."] = "",
        owner: Annotated[Id | None, "Those that this person owns."] = None,
        first: Annotated[datetime.date | None, Key("from"), "First day."] = None,
        last: Annotated[datetime.date | None, Key("to"), "Last day."] = None,
    ) -> Response:
        today = local_day(room, timezone.now())
        first = first or (today if last is None else last - _DAYS)
        last = last or first + _DAYS
        if not first <= last <= first + _MOST_DAYS:
            raise BadInput("bad_period", "Ask for days in their order, three years at most.", path="to")
        chosen = CalendarFilter(kind=kind, owner=owner, state=state)
        before = overdue_before(room, first, today, chosen)
        entries = calendar_of(room, first, last, today, chosen)
        found = {
            "today": today.isoformat(),
            "overdue": [calendar_row(entry, today) for entry in before],
            "entries": [calendar_row(entry, today) for entry in entries],
        }
        return Response(named(found))


class Obligation(SignedInView):
    @reads(
        "Read an obligation",
        ObligationRecord,
        description="With its proof, and each step of what was done about it.",
        access=get_obligation_for,
        right=Right.SEE_OBLIGATIONS,
        tag=_TAG,
    )
    def get(self, request: Request, obligation: ObligationOfRoom) -> Response:
        return Response(obligation_record(obligation))
