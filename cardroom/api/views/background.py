"""The work in the background, and having what failed tried again."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.acts.errands import errand_try_again
from cardroom.floor.reads.reach import room_in_reach
from cardroom.floor.reads.records import utc
from cardroom.people.rights import Right
from cardroom.reports.background import Asked, Shown, background_of
from cardroom.reports.emails import letter_try_again

from .. import background
from ..base import HouseView, done
from ..forms import Nothing, read
from ..headers import envelope, signed_in
from ..operations import command, reads

_TAG = "Background"
_AT_ONCE = (
    "At once, whether it waits or was given up; its failures are counted anew. Any version of the room is taken, and it "
    "stays as it is."
)


class Background(HouseView):
    @reads(
        "Read what the background does",
        background.BackgroundState,
        description="Who works there, what waits, what is under way, what failed and why, what was done last.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = room_in_reach(signed_in(request), room_id, Right.SEE_REPORTS)
        found = background_of(room, timezone.now())
        return Response(
            {
                "at": utc(found.at),
                "checks": found.checks,
                "messages": found.messages,
                "oldest_at": utc(found.oldest_at),
                "open": [_job(job) for job in found.open],
                "ended": [_job(job) for job in found.ended],
                "asked": [_asked(each) for each in found.asked],
            }
        )


class ErrandTryAgain(HouseView):
    @command(
        "Have an errand that failed tried again",
        None,
        background.ErrandAnswer,
        description=_AT_ONCE,
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, errand_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(errand_try_again(given, room_id, errand_id=errand_id))


class LetterTryAgain(HouseView):
    @command(
        "Have a letter that was not sent tried again",
        None,
        background.LetterAnswer,
        description=f"{_AT_ONCE} Its subscriber may have ended the subscription meanwhile: it is sent nevertheless.",
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, letter_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(letter_try_again(given, room_id, letter_id=letter_id))


def _job(job: Shown) -> dict[str, Any]:
    return {
        "kind": job.kind,
        "id": job.pk,
        "what": job.what,
        "about": job.about,
        "link": job.link,
        "cause": job.cause,
        "state": job.state.value,
        "asked_at": utc(job.asked_at),
        "began_at": utc(job.began_at),
        "ended_at": utc(job.ended_at),
        "next_at": utc(job.next_at),
        "tries": job.tries,
        "error": job.error,
        "done": job.done,
        "total": job.total,
        "may_be_tried_again": job.may_be_tried_again,
        "may_be_cancelled": job.may_be_cancelled,
    }


def _asked(asked: Asked) -> dict[str, Any]:
    last = asked.last
    return {
        "task": asked.task,
        "says": asked.says,
        "every_seconds": asked.every_seconds,
        "began_at": None if last is None else utc(last.began_at),
        "ended_at": None if last is None else utc(last.ended_at),
        "error": "" if last is None else last.error,
    }
