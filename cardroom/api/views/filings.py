"""API reads: versions of fee schedules and of filed games. The commands at these addresses are declared."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.reads.filings import (
    GameRow,
    ScheduleRecord,
    ScheduleRow,
    game_row,
    get_version_for,
    get_versions_for,
    schedule_record,
    schedule_row,
)
from cardroom.rooms.gaming_day import gaming_day

from ..base import SignedInView, versioned
from ..headers import signed_in
from ..operations import reads

_TAG = "Filings"
_DRAFTS = "Drafts are listed for those alone who file."


class ScheduleVersions(SignedInView):
    @reads(
        "List every version of a room's fee schedules",
        ScheduleRow,
        many=True,
        description=f"By number, the newest version first. {_DRAFTS}",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        found = get_versions_for(FeeSchedule, signed_in(request), room_id)
        return Response([schedule_row(each, gaming_day(each.room, timezone.now())) for each in found])


class ScheduleVersion(SignedInView):
    @reads(
        "Read one version of a fee schedule",
        ScheduleRecord,
        description="With its document, what the checker has against it, where its fees jump, and what it says "
        "otherwise than the version before it.",
        etag=True,
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, schedule_id: int) -> Response:
        found = get_version_for(FeeSchedule, signed_in(request), room_id, schedule_id)
        return versioned(schedule_record(found, gaming_day(found.room, timezone.now())), "digest")


class Games(SignedInView):
    @reads(
        "List every version of the games that a room files",
        GameRow,
        many=True,
        description=f"By number, the newest version first. {_DRAFTS}",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        found = get_versions_for(GameFiling, signed_in(request), room_id)
        return Response([game_row(each, gaming_day(each.room, timezone.now())) for each in found])


class Game(SignedInView):
    @reads("Read one version of a game", GameRow, etag=True, tag=_TAG)
    def get(self, request: Request, room_id: int, game_id: int) -> Response:
        found = get_version_for(GameFiling, signed_in(request), room_id, game_id)
        return versioned(game_row(found, gaming_day(found.room, timezone.now())), "digest")
