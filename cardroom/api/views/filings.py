"""What a room files: fee schedules and games, drafted, changed, discarded, filed and withdrawn."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.acts import filings as services
from cardroom.floor.reads.filings import (
    game_in_reach,
    game_summary,
    games_in_reach,
    schedule_in_reach,
    schedule_record,
    schedule_summary,
    schedules_in_reach,
)
from cardroom.floor.reads.reach import room_in_reach
from cardroom.people.approval import approver_authenticate
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day

from .. import filings
from ..base import HouseView, done
from ..forms import Nothing, read
from ..headers import envelope, signed_in
from ..operations import RESTING, command, reads

_TAG = "Filings"
_ANY_VERSION = "Any version of the room is taken, and it stays as it is."
_DRAFTS = "Drafts are listed for those alone who file."
_ONCE_FILED = "A filed version is never deleted: withdraw it."
_APPROVER = {"username": "…", "password": "…"}
_FILE = {"effective_from": "2027-01-01", "state_reference": "BGC 12-345", "approver": _APPROVER}
_WITHDRAW = {"reason": "no longer offered", "approver": _APPROVER}
_SIGNED = "A second person who may file signs it."


class ScheduleVersions(HouseView):
    @reads(
        "List every version of a room's fee schedules",
        filings.Schedule,
        many=True,
        description=f"By number, the newest version first. {_DRAFTS}",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        found = schedules_in_reach(signed_in(request), room_id)
        return Response([schedule_summary(each, gaming_day(each.room, timezone.now())) for each in found])

    @command(
        "Draft the next version of a fee schedule",
        filings.ScheduleDraft,
        filings.ScheduleAnswer,
        description=f"Of a new number, or of one that has no draft. {_ANY_VERSION}",
        example={
            "number": 3,
            "rulebook": "california",
            "document": {
                "clause": "california:fees.s1",
                "ante_min_cents": 500,
                "ante_max_cents": None,
                "lines": [{"payer": "player", "per": "ante", "fee_cents": 100}],
            },
        },
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int) -> Response:
        return done(
            services.schedule_draft(envelope(request), room_id, **read(filings.ScheduleDraft, request))
        )


class ScheduleVersion(HouseView):
    @reads(
        "Read one version of a fee schedule",
        filings.ScheduleRecord,
        description="With its document, what the checker has against it, where its fees jump, and what it says "
        "otherwise than the version before it.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, schedule_id: int) -> Response:
        found = schedule_in_reach(signed_in(request), room_id, schedule_id)
        return Response(schedule_record(found, gaming_day(found.room, timezone.now())))

    @command(
        "Change the draft of a fee schedule",
        filings.ScheduleEdit,
        filings.ScheduleAnswer,
        description=f"The whole of it. A filed version is never changed: draft the next one. {_ANY_VERSION}",
        on_room=True,
        tag=_TAG,
    )
    def put(self, request: Request, room_id: int, schedule_id: int) -> Response:
        said = read(filings.ScheduleEdit, request)
        return done(services.schedule_edit(envelope(request), room_id, schedule_id=schedule_id, **said))

    @command(
        "Discard the draft of a fee schedule",
        None,
        filings.ScheduleGone,
        description=f"The journal keeps what it said. {_ONCE_FILED} {_ANY_VERSION}",
        on_room=True,
        tag=_TAG,
    )
    def delete(self, request: Request, room_id: int, schedule_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(services.schedule_discard(given, room_id, schedule_id=schedule_id))


class ScheduleFile(HouseView):
    @command(
        "File the draft of a fee schedule",
        filings.File,
        filings.ScheduleAnswer,
        description="In force from its first day on, in the place of the version before it, tomorrow at the earliest. An "
        f"illegal one is refused with every problem. {_SIGNED} {_ANY_VERSION}",
        example=_FILE,
        further_errors=RESTING,
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, schedule_id: int) -> Response:
        given, said = envelope(request), read(filings.File, request)
        approver = _signed(given.actor, room_id, said.pop("approver"))
        return done(
            services.schedule_file(given, room_id, schedule_id=schedule_id, approver=approver, **said)
        )


class ScheduleWithdraw(HouseView):
    @command(
        "Withdraw a filed fee schedule",
        filings.Withdraw,
        filings.ScheduleAnswer,
        description=f"Without another in its place. {_SIGNED} {_ANY_VERSION}",
        example=_WITHDRAW,
        further_errors=RESTING,
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, schedule_id: int) -> Response:
        given, said = envelope(request), read(filings.Withdraw, request)
        approver = _signed(given.actor, room_id, said.pop("approver"))
        return done(
            services.schedule_withdraw(given, room_id, schedule_id=schedule_id, approver=approver, **said)
        )


class Games(HouseView):
    @reads(
        "List every version of the games that a room files",
        filings.Game,
        many=True,
        description=f"By number, the newest version first. {_DRAFTS}",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        found = games_in_reach(signed_in(request), room_id)
        return Response([game_summary(each, gaming_day(each.room, timezone.now())) for each in found])

    @command(
        "Draft the next version of a game",
        filings.GameDraft,
        filings.GameAnswer,
        description="Rulebook, options, paytables, rotation profile and house rake. The fee schedule is filed by itself. "
        f"{_ANY_VERSION}",
        example={"number": 1, "rulebook": "california", "options": {"coverage": "gross"}},
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int) -> Response:
        return done(services.game_draft(envelope(request), room_id, **read(filings.GameDraft, request)))


class Game(HouseView):
    @reads("Read one version of a game", filings.Game, tag=_TAG)
    def get(self, request: Request, room_id: int, game_id: int) -> Response:
        found = game_in_reach(signed_in(request), room_id, game_id)
        return Response(game_summary(found, gaming_day(found.room, timezone.now())))

    @command(
        "Change the draft of a game",
        filings.GameEdit,
        filings.GameAnswer,
        description=f"The whole of it. A filed version is never changed: draft the next one. {_ANY_VERSION}",
        example={"title": "3 Card Poker", "options": {"coverage": "net"}},
        on_room=True,
        tag=_TAG,
    )
    def put(self, request: Request, room_id: int, game_id: int) -> Response:
        said = read(filings.GameEdit, request)
        return done(services.game_edit(envelope(request), room_id, game_id=game_id, **said))

    @command(
        "Discard the draft of a game",
        None,
        filings.GameGone,
        description=f"The journal keeps what it said. {_ONCE_FILED} {_ANY_VERSION}",
        on_room=True,
        tag=_TAG,
    )
    def delete(self, request: Request, room_id: int, game_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(services.game_discard(given, room_id, game_id=game_id))


class GameFile(HouseView):
    @command(
        "File the draft of a game",
        filings.File,
        filings.GameAnswer,
        description="In force from its first day on, in the place of the version before it, tomorrow at the earliest. "
        f"{_SIGNED} {_ANY_VERSION}",
        example=_FILE,
        further_errors=RESTING,
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, game_id: int) -> Response:
        given, said = envelope(request), read(filings.File, request)
        approver = _signed(given.actor, room_id, said.pop("approver"))
        return done(services.game_file(given, room_id, game_id=game_id, approver=approver, **said))


class GameWithdraw(HouseView):
    @command(
        "Withdraw a filed game",
        filings.Withdraw,
        filings.GameAnswer,
        description=f"Without another in its place. {_SIGNED} {_ANY_VERSION}",
        example=_WITHDRAW,
        further_errors=RESTING,
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, game_id: int) -> Response:
        given, said = envelope(request), read(filings.Withdraw, request)
        approver = _signed(given.actor, room_id, said.pop("approver"))
        return done(services.game_withdraw(given, room_id, game_id=game_id, approver=approver, **said))


def _signed(actor: Staff, room_id: int, signature: dict[str, str]) -> Staff:
    """Return who signed. A person who may not file here learns nothing about passwords."""
    room_in_reach(actor, room_id, Right.FILE_SCHEDULES)
    return approver_authenticate(**signature)
