"""API reads: e-mail subscriptions of a room."""

from __future__ import annotations

from typing import Annotated, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Instant, OneOf
from cardroom.floor.reads.access import get_room_for
from cardroom.people.rights import Right
from cardroom.reports.emails.subscriptions import subscriptions_ended, subscriptions_of, why_not_sent
from cardroom.reports.models import Subscription
from cardroom.rooms.models import Room

from ..base import SignedInView
from ..operations import reads

_TAG = "Background"


class SubscriptionRow(TypedDict):
    """A subscription to e-mails, present or past."""

    id: int
    what: Annotated[str, OneOf(Subscription.What)]
    staff: int | None
    reader: Annotated[str, "Who gets it: a name, or the address."]
    sent_to: Annotated[str, "The address now; empty for one of the staff who has none."]
    restatements: bool
    why_not: Annotated[str | None, "Why nothing is sent now."]
    made_at: Instant
    made_by: str
    ended_at: Instant | None
    ended_by: str | None


class Subscriptions(SignedInView):
    @reads(
        "List who gets what by e-mail",
        SubscriptionRow,
        description="First those that hold, then the last that were ended.",
        many=True,
        access=get_room_for,
        right=Right.SEE_REPORTS,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room) -> Response:
        return Response([_state(each) for each in [*subscriptions_of(room), *subscriptions_ended(room)]])


def _state(each: Subscription) -> SubscriptionRow:
    why = why_not_sent(each) if each.ended_at is None else None
    return {
        "id": each.pk,
        "what": each.what,
        "staff": each.staff_id,
        "reader": each.reader,
        "sent_to": each.sent_to,
        "restatements": each.restatements,
        "why_not": None if why is None else why.message,
        "made_at": utc_text(each.made_at),
        "made_by": str(each.made_by),
        "ended_at": utc_text(each.ended_at),
        "ended_by": None if each.ended_by is None else str(each.ended_by),
    }
