"""The work in the background, and having what failed tried again."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.floor.reads.access import get_room_for
from cardroom.people.rights import Right
from cardroom.reports.background.overview import PeriodicTask, Shown, background_of

from .. import background
from ..base import SignedInView
from ..headers import signed_in
from ..operations import reads

_TAG = "Background"


class Background(SignedInView):
    @reads(
        "Read what the background does",
        background.BackgroundState,
        description="Who works there, what waits, what is under way, what failed and why, what was done last.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = get_room_for(signed_in(request), room_id, Right.SEE_REPORTS)
        found = background_of(room, timezone.now())
        return Response(
            {
                "at": utc_text(found.at),
                "checks": found.checks,
                "messages": found.messages,
                "oldest_at": utc_text(found.oldest_at),
                "open": [_job(each) for each in found.open],
                "ended": [_job(each) for each in found.ended],
                "asked": [_asked(each) for each in found.asked],
            }
        )


def _job(each: Shown) -> dict[str, Any]:
    job, begun = each.job, each.job.claimed_at is not None
    return {
        "kind": job.kind,
        "id": job.pk,
        **each.labels._asdict(),
        "state": job.state,
        "asked_at": utc_text(job.asked_at),
        "began_at": utc_text(job.claimed_at),
        "ended_at": utc_text(job.ended_at),
        "next_at": utc_text(job.next_at),
        "tries": job.tries,
        "error": job.error,
        "done": job.done if begun and job.total else None,
        "total": job.total if begun and job.total else None,
        "may_be_tried_again": each.may_be_tried_again,
        "may_be_cancelled": each.may_be_cancelled,
    }


def _asked(asked: PeriodicTask) -> dict[str, Any]:
    last = asked.last
    return {
        "task": asked.task,
        "text": asked.text,
        "every_seconds": asked.every_seconds,
        "began_at": None if last is None else utc_text(last.claimed_at),
        "ended_at": None if last is None else utc_text(last.ended_at),
        "error": "" if last is None else last.error,
    }
