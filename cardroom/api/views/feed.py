"""API reads: the journal of a room as a feed."""

from __future__ import annotations

from typing import Annotated, TypedDict

from django.utils.http import urlencode
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.json_types import Text, group_of
from cardroom.floor.reads.access import get_room_for
from cardroom.floor.reads.feed import MOST_OF_POSITION, ChainHead, FeedEntry, feed_read
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..base import Limit, SignedInView
from ..errors import Error
from ..operations import Errors, reads, responses

_TAG = "Programs"
After = Annotated[
    str | None,
    Text(MOST_OF_POSITION),
    "`position` of the answer before, as it is; `latest` to begin at the end, and nothing to begin at the first entry.",
]
_GONE: Errors = {
    410: (
        "The journal is not the one that the position was read from: the database was restored to an earlier time.",
        "position_gone",
        "The journal here is not the one that this position was read from: entry 532 of room:5 is not there, or is another one. …",
        "after",
    )
}


class Feed(TypedDict):
    """Entries of the journal after a position."""

    results: list[FeedEntry]
    position: Annotated[
        str, "Where this answer ends: keep it with what you have read, and send it as `after` next."
    ]
    next: Annotated[str, "The address to ask next, which has that position."]
    more: Annotated[bool, "Whether there was more already: ask again at once. Else ask again in a while."]
    heads: Annotated[
        list[ChainHead], "The last entry of each chain as it is now, with which the entries read must end up."
    ]


class PositionGoneError(Error):
    """The journal is not the one that the position was read from."""

    chain: str
    seq: Annotated[int, "The entry that is not there, or is another one."]


class RoomFeed(SignedInView):
    @reads(
        "Read the journal of a room as a feed",
        Feed,
        description="Every command in the room and at its tables, in order, from the first one or after a position: those of a chain "
        "each once and without gaps, also while others are written. Between chains the order is that of their instants, as far as "
        "they were there. Each entry comes with all that its hash covers, so that a reader can check the chains.",
        access=get_room_for,
        right=Right.SEE_REPORTS,
        tag=_TAG,
        more_errors=responses(_GONE, group_of(PositionGoneError)),
    )
    def get(self, request: Request, room: Room, *, after: After = None, limit: Limit = 100) -> Response:
        page = feed_read(room, after, limit)
        following = urlencode([("after", page.position), ("limit", str(limit))])
        return Response(
            {
                "results": page.entries,
                "position": page.position,
                "next": f"{request.path}?{following}",
                "more": page.more,
                "heads": page.heads,
            }
        )
