"""API reads: exceptions of a room as items, the latest found first, and one with its evidence and steps."""

from __future__ import annotations

import datetime
from typing import Annotated

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.json_types import Id, Key, OneOf, Text
from cardroom.floor.reads.access import get_room_for
from cardroom.inbox.models import Item as ItemOfRoom
from cardroom.inbox.reads.items import OPEN_STATES, STATES_ASKED, ItemFilter, get_item_for
from cardroom.inbox.reads.records import ItemRecord, ItemRow, item_record, item_row
from cardroom.people.names import named
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..base import Before, Limit, SignedInView, page
from ..operations import page_of, reads

_TAG = "Exceptions"


class Items(SignedInView):
    @reads(
        "List the exceptions of a room",
        page_of(ItemRow),
        description="Each was found once, and is open, explained, referred or closed. Without a state, those that are not closed.",
        access=get_room_for,
        right=Right.SEE_ITEMS,
        tag=_TAG,
        name="rooms_items_list",
    )
    def get(
        self,
        request: Request,
        room: Room,
        *,
        state: Annotated[str, OneOf(STATES_ASKED)] = OPEN_STATES,
        kind: Annotated[str, Text(20, blank=True), "Of this kind alone."] = "",
        table: Annotated[Id | None, "About this table alone."] = None,
        person: Annotated[Id | None, "Who owns it, or whom it is about."] = None,
        first: Annotated[datetime.date | None, Key("from"), "First gaming day."] = None,
        last: Annotated[datetime.date | None, Key("to"), "Last gaming day."] = None,
        before: Before = None,
        limit: Limit = 50,
    ) -> Response:
        chosen = ItemFilter(state=state, kind=kind, table=table, person=person, first=first, last=last)
        return page(
            request,
            chosen.items(room, timezone.now()).order_by("-pk"),
            item_row,
            key="id",
            before=before,
            limit=limit,
            names=True,
        )


class Item(SignedInView):
    @reads(
        "Read an exception",
        ItemRecord,
        description="With the ids of what is on record about it, and each step of working it off.",
        access=get_item_for,
        right=Right.SEE_ITEMS,
        tag=_TAG,
    )
    def get(self, request: Request, item: ItemOfRoom) -> Response:
        return Response(named(item_record(item)))
