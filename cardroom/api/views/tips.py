"""API reads: tip-pool rules, hand-ins and hours of a shift, the pool's sheet, and a person's own tips."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant, OneOf
from cardroom.documents.export import ReportData, data_of
from cardroom.floor.errors import NotFound
from cardroom.floor.models import Shift
from cardroom.floor.reads.access import get_room_for
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.reports.shift.tip_documents import person_document, pool_document
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from cardroom.tips.models import PoolRule
from cardroom.tips.reads.pools import HandLine, HoursLine, pool_of, pool_sheet_of
from cardroom.tips.reads.rules import format_rule, rule_on, rules_of

from ..base import SignedInView
from ..headers import signed_in
from ..operations import reads
from .shifts import shift_for

_TAG = "Tips"


class RuleRow(TypedDict):
    """A rule by which tips are shared, from a gaming day on."""

    id: int
    number: int
    title: str
    text: Annotated[str, "The rule in words."]
    digest: Annotated[str, "Of what it says now: If-Match of its withdrawal."]
    status: Annotated[str, OneOf(PoolRule.Status)]
    effective_from: DayText
    effective_to: Annotated[DayText | None, "First gaming day no longer in force."]
    in_force: Annotated[bool, "On the gaming day of now."]
    sharing: Annotated[str, OneOf(PoolRule.Sharing)]
    support: Annotated[str, OneOf(PoolRule.Support)]
    break_minutes: int
    support_bp: int
    support_hourly_cents: int
    support_roles: list[str]


class HandInRow(TypedDict):
    """Tips handed in; below 0 where it takes another hand-in back."""

    id: int
    at: Instant
    staff: int
    name: str
    table_number: int | None
    received_by: str
    cents: int
    reverses: int | None
    reason: str


class HoursRow(TypedDict):
    """Minutes of one of the support staff; below 0 where it takes another entry back."""

    id: int
    at: Instant
    staff: int
    name: str
    work: str
    minutes: int
    made_by: str
    reverses: int | None
    reason: str


def _person_for(
    staff: Staff, room_id: int, shift_id: int, staff_id: int, *, right: Right
) -> tuple[Shift, Staff]:
    shift = shift_for(staff, room_id, shift_id, right=right)
    person = Staff.objects.filter(pk=staff_id, employments__room=room_id).distinct().first()
    if person is None:
        raise NotFound("not_found", f"Nobody with number {staff_id} works in this room.")
    return shift, person


class PoolRules(SignedInView):
    @reads(
        "List the rules by which tips are shared",
        RuleRow,
        description="The one that begins last first. Where none is in force, every dealer keeps their own.",
        many=True,
        access=get_room_for,
        right=Right.SEE_OWN_TIPS,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room) -> Response:
        now = rule_on(room, gaming_day(room, timezone.now()))
        fields = ("id", "title", "sharing", "support", "break_minutes", "support_bp")
        return Response(
            [
                {
                    **{field: getattr(rule, field) for field in fields},
                    "number": rule.version,
                    "text": format_rule(rule),
                    "effective_from": rule.effective_from,
                    "effective_to": rule.effective_to,
                    "status": rule.status,
                    "digest": rule.digest,
                    "in_force": rule == now,
                    "support_hourly_cents": rule.support_hourly_cents,
                    "support_roles": rule.support_roles,
                }
                for rule in rules_of(room)
            ]
        )


class HandIns(SignedInView):
    @reads(
        "List the tips handed in for a shift",
        HandInRow,
        many=True,
        description="What each person handed in, and who received it; an entry that takes another back has its cents below 0.",
        access=shift_for,
        right=Right.KEEP_TIPS,
        tag=_TAG,
    )
    def get(self, request: Request, shift: Shift) -> Response:
        return Response([_line(line) for line in pool_of(shift, timezone.now()).hand_ins])


class WorkedHours(SignedInView):
    @reads(
        "List the hours of support staff in a shift",
        HoursRow,
        many=True,
        description="Minutes by which support staff share in the pool; an entry that takes another back has them below 0.",
        access=shift_for,
        right=Right.KEEP_TIPS,
        tag=_TAG,
    )
    def get(self, request: Request, shift: Shift) -> Response:
        return Response([_line(line) for line in pool_of(shift, timezone.now()).hours])


class PoolSheet(SignedInView):
    @reads(
        "Read the pool's sheet of a shift",
        ReportData,
        description="As it was closed; before that, as the facts are now.",
        access=shift_for,
        right=Right.SEE_TIPS,
        tag=_TAG,
    )
    def get(self, request: Request, shift: Shift) -> Response:
        return Response(data_of(pool_document(shift, pool_of(shift, timezone.now()), pool_sheet_of(shift))))


class OwnTips(SignedInView):
    @reads(
        "Read your own tips of a shift",
        ReportData,
        description="What whoever asks brought into the pool of a shift, and gets of it.",
        access=shift_for,
        right=Right.SEE_OWN_TIPS,
        tag=_TAG,
    )
    def get(self, request: Request, shift: Shift) -> Response:
        return _person(shift, signed_in(request))


class PersonsTips(SignedInView):
    @reads(
        "Read somebody's tips of a shift",
        ReportData,
        description="What one person brought into the pool of a shift, and what they get of it.",
        access=_person_for,
        right=Right.SEE_TIPS,
        tag=_TAG,
    )
    def get(self, request: Request, found: tuple[Shift, Staff]) -> Response:
        return _person(*found)


def _person(shift: Shift, staff: Staff) -> Response:
    return Response(
        data_of(person_document(shift, pool_of(shift, timezone.now()), pool_sheet_of(shift), staff))
    )


def _line(line: HandLine | HoursLine) -> dict[str, Any]:
    return {**dataclasses.asdict(line), "at": utc_text(line.at)}
