"""API reads: versions of fee schedules, of filed games and of levies. The commands at these addresses are declared."""

from __future__ import annotations

from functools import partial

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.filings.models import FeeSchedule, GameFiling, Levy
from cardroom.floor.reads.filings import (
    GameDocumentRecord,
    GameRecord,
    GameRow,
    LevyRecord,
    LevyRow,
    ScheduleRecord,
    ScheduleRow,
    game_document_record,
    game_record,
    game_row,
    get_version_for,
    get_versions_for,
    levy_record,
    levy_row,
    schedule_record,
    schedule_rows,
)
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day

from ..base import SignedInView, versioned
from ..operations import reads

_TAG = "Filings"
_DRAFTS = "Drafts are listed for those alone who file."


def _schedule_for(staff: Staff, room_id: int, schedule_id: int, *, right: Right) -> FeeSchedule:
    return get_version_for(FeeSchedule, staff, room_id, schedule_id, right)


def _game_for(staff: Staff, room_id: int, game_id: int, *, right: Right) -> GameFiling:
    return get_version_for(GameFiling, staff, room_id, game_id, right)


def _levy_for(staff: Staff, room_id: int, levy_id: int, *, right: Right) -> Levy:
    return get_version_for(Levy, staff, room_id, levy_id, right)


class ScheduleVersions(SignedInView):
    @reads(
        "List every version of a room's fee schedules",
        ScheduleRow,
        many=True,
        description=f"By number, the newest version first. {_DRAFTS}",
        access=partial(get_versions_for, FeeSchedule),
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, found: list[FeeSchedule]) -> Response:
        return Response(schedule_rows(found, gaming_day(found[0].room, timezone.now())) if found else [])


class ScheduleVersion(SignedInView):
    @reads(
        "Read one version of a fee schedule",
        ScheduleRecord,
        description="With its document, what the checker has against it, where its fees jump, and what it says "
        "otherwise than the version before it.",
        etag=True,
        access=_schedule_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, found: FeeSchedule) -> Response:
        return versioned(schedule_record(found, gaming_day(found.room, timezone.now())), "digest")


class Games(SignedInView):
    @reads(
        "List every version of the games that a room files",
        GameRow,
        many=True,
        description=f"By number, the newest version first. {_DRAFTS}",
        access=partial(get_versions_for, GameFiling),
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, found: list[GameFiling]) -> Response:
        return Response([game_row(each, gaming_day(each.room, timezone.now())) for each in found])


class Game(SignedInView):
    @reads(
        "Read one version of a game",
        GameRecord,
        description="With its approval and every term of the whole: what the rulebook says, what holds, and the clause.",
        etag=True,
        access=_game_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, found: GameFiling) -> Response:
        return versioned(game_record(found, gaming_day(found.room, timezone.now())), "digest")


class GameDocument(SignedInView):
    @reads(
        "Read the document of a version of a game",
        GameDocumentRecord,
        description="The PDF of the room's approval that is kept with the version, in Base64, and what it is.",
        access=_game_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, found: GameFiling) -> Response:
        return Response(game_document_record(found))


class Levies(SignedInView):
    @reads(
        "List every version of the levies on a room",
        LevyRow,
        many=True,
        description=f"What a city or the state takes of the room's own collections. By number, the newest version first. {_DRAFTS}",
        access=partial(get_versions_for, Levy),
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, found: list[Levy]) -> Response:
        return Response([levy_row(each, gaming_day(each.room, timezone.now())) for each in found])


class LevyVersion(SignedInView):
    @reads(
        "Read one version of a levy",
        LevyRecord,
        description="With its document and what the checker has against it.",
        etag=True,
        access=_levy_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, found: Levy) -> Response:
        return versioned(levy_record(found, gaming_day(found.room, timezone.now())), "digest")
