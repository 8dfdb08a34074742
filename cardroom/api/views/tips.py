"""Tips: the rules by which they are shared, hand-ins and hours of a shift, the pool's sheet, and one's own."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.documents.export import data_of
from cardroom.floor.errors import NotFound
from cardroom.floor.models import Shift
from cardroom.floor.reads.reach import room_in_reach, shift_in_reach
from cardroom.floor.reads.records import utc
from cardroom.people.approval import approver_authenticate
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.reports.tip_documents import person_paper, pool_paper
from cardroom.rooms.gaming_day import gaming_day
from cardroom.tips.acts.entries import hand_in_reverse, hours_enter, hours_reverse, tips_hand_in
from cardroom.tips.acts.rules import pool_rule_set
from cardroom.tips.acts.sheets import pool_close
from cardroom.tips.reads.pools import HandLine, HoursLine, pool_of, sheet_of
from cardroom.tips.reads.rules import rule_in_words, rule_on, rules_of

from .. import tips
from ..base import HouseView, done
from ..forms import read
from ..headers import envelope, signed_in
from ..operations import RESTING, command, reads
from ..reports import Paper

_TAG = "Tips"
_ANY_VERSION = "Any version of the room is taken, and it stays as it is."
_REVERSAL = {"reason": "counted twice", "approver": {"username": "…", "password": "…"}}


class PoolRules(HouseView):
    @reads(
        "List the rules by which tips are shared",
        tips.Rule,
        description="The one that begins last first. Where none is in force, every dealer keeps their own.",
        many=True,
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = room_in_reach(signed_in(request), room_id, Right.SEE_OWN_TOKES)
        now = rule_on(room, gaming_day(room, timezone.now()))
        fields = ("id", "number", "title", "sharing", "support", "break_minutes", "support_bp")
        return Response(
            [
                {
                    **{field: getattr(rule, field) for field in fields},
                    "says": rule_in_words(rule),
                    "effective_from": rule.effective_from.isoformat(),
                    "in_force": rule == now,
                    "support_hourly_cents": rule.support_hourly_cents,
                    "support_roles": rule.support_roles,
                }
                for rule in rules_of(room)
            ]
        )

    @command(
        "Make a rule by which tips are shared",
        tips.RuleSet,
        tips.RuleAnswer,
        description="It holds from a gaming day that has not begun, until another one does. A supervisor among those "
        f"who share is refused (Lab. Code 351). {_ANY_VERSION}",
        example={
            "title": "House pool",
            "effective_from": "2026-12-01",
            "sharing": "hours",
            "support": "share",
            "support_bp": 1000,
            "support_roles": ["support"],
        },
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int) -> Response:
        return done(pool_rule_set(envelope(request), room_id, **read(tips.RuleSet, request)))


class HandIns(HouseView):
    @reads("List the tips handed in for a shift", tips.HandInLine, many=True, tag=_TAG)
    def get(self, request: Request, room_id: int, shift_id: int) -> Response:
        shift = _shift(signed_in(request), room_id, shift_id, Right.KEEP_TOKES)
        return Response([_line(line) for line in pool_of(shift, timezone.now()).hand_ins])

    @command(
        "Receive tips from a dealer",
        tips.HandIn,
        tips.HandInAnswer,
        description=f"You are the one who received them. {_ANY_VERSION}",
        example={"dealer_id": 4, "cents": 1250},
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, shift_id: int) -> Response:
        return done(tips_hand_in(envelope(request), room_id, shift_id=shift_id, **read(tips.HandIn, request)))


class HandInReverse(HouseView):
    @command(
        "Take a hand-in back",
        tips.Reversal,
        tips.HandInAnswer,
        description=f"Whole, by a row that names it; a second person signs. {_ANY_VERSION}",
        example=_REVERSAL,
        further_errors=RESTING,
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, hand_in_id: int) -> Response:
        given = envelope(request)
        said = _signed(given.actor, room_id, request)
        return done(hand_in_reverse(given, room_id, hand_in_id=hand_in_id, **said))


class WorkedHours(HouseView):
    @reads("List the hours of support staff in a shift", tips.HoursLine, many=True, tag=_TAG)
    def get(self, request: Request, room_id: int, shift_id: int) -> Response:
        shift = _shift(signed_in(request), room_id, shift_id, Right.KEEP_TOKES)
        return Response([_line(line) for line in pool_of(shift, timezone.now()).hours])

    @command(
        "Enter hours of one of the support staff",
        tips.Hours,
        tips.HoursAnswer,
        description=f"Of those alone who share under the rule of the shift. {_ANY_VERSION}",
        example={"staff_id": 9, "minutes": 480, "work": "chip runner"},
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, shift_id: int) -> Response:
        return done(hours_enter(envelope(request), room_id, shift_id=shift_id, **read(tips.Hours, request)))


class HoursReverse(HouseView):
    @command(
        "Take hours back",
        tips.Reversal,
        tips.HoursAnswer,
        description=f"Whole, by a row that names them; a second person signs. {_ANY_VERSION}",
        example=_REVERSAL,
        further_errors=RESTING,
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, hours_id: int) -> Response:
        given = envelope(request)
        said = _signed(given.actor, room_id, request)
        return done(hours_reverse(given, room_id, hours_id=hours_id, **said))


class PoolSheet(HouseView):
    @reads(
        "Read the pool's sheet of a shift",
        Paper,
        description="As it was closed; before that, as the facts are now.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, shift_id: int) -> Response:
        shift = _shift(signed_in(request), room_id, shift_id, Right.SEE_TOKES)
        return Response(data_of(pool_paper(shift, pool_of(shift, timezone.now()), sheet_of(shift))))


class PoolClose(HouseView):
    @command(
        "Close the pool's sheet of a shift",
        tips.PoolClose,
        tips.PoolAnswer,
        description=f"After its shift, once all of its rounds have ended. It then stands as it is. {_ANY_VERSION}",
        example={"total_cents": 48250},
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, shift_id: int) -> Response:
        return done(
            pool_close(envelope(request), room_id, shift_id=shift_id, **read(tips.PoolClose, request))
        )


class OwnTips(HouseView):
    @reads("Read your own tips of a shift", Paper, tag=_TAG)
    def get(self, request: Request, room_id: int, shift_id: int) -> Response:
        staff = signed_in(request)
        return _person(_shift(staff, room_id, shift_id, Right.SEE_OWN_TOKES), staff)


class PersonsTips(HouseView):
    @reads("Read somebody's tips of a shift", Paper, tag=_TAG)
    def get(self, request: Request, room_id: int, shift_id: int, staff_id: int) -> Response:
        shift = _shift(signed_in(request), room_id, shift_id, Right.SEE_TOKES)
        staff = Staff.objects.filter(pk=staff_id, employments__room=room_id).distinct().first()
        if staff is None:
            raise NotFound("not_found", f"Nobody with number {staff_id} works in this room.")
        return _person(shift, staff)


def _shift(staff: Staff, room_id: int, shift_id: int, right: Right) -> Shift:
    shift = shift_in_reach(staff, shift_id, right)
    if shift.room_id != room_id:
        raise NotFound("not_found", f"There is no shift {shift_id} in this room.")
    return shift


def _person(shift: Shift, staff: Staff) -> Response:
    return Response(data_of(person_paper(shift, pool_of(shift, timezone.now()), sheet_of(shift), staff)))


def _line(line: HandLine | HoursLine) -> dict[str, Any]:
    return {**dataclasses.asdict(line), "at": utc(line.at)}


def _signed(actor: Staff, room_id: int, request: Request) -> dict[str, Any]:
    """Read a reversal with who signed it. Whoever may not do the act here learns nothing about passwords."""
    said = read(tips.Reversal, request)
    room_in_reach(actor, room_id, Right.KEEP_TOKES)
    return {"reason": said["reason"], "approver": approver_authenticate(**said["approver"])}
