"""Queries on items: what is not closed, what is old, and what a filter leaves."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Final

from django.db.models import Count, Q, QuerySet

from cardroom.floor.errors import NotFound
from cardroom.floor.reads.access import check_reach, row_found
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..models import Item
from ..models.items import NOT_CLOSED

#: What a filter of states takes beside the states themselves.
OPEN_STATES: Final = "not_closed"
EVERY: Final = "all"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ItemFilter:
    """Which items of a room: by state, gaming days, kind, table, a person of the staff (owner, or whom it is about), and age."""

    state: str = OPEN_STATES
    first: datetime.date | None = None
    last: datetime.date | None = None
    kind: str = ""
    table: int | None = None
    person: int | None = None
    #: Those alone that have waited for longer than the room's days.
    old: bool = False
    #: Those alone that nobody owns.
    unowned: bool = False

    def items(self, room: Room, now: datetime.datetime) -> QuerySet[Item]:
        """Return them, the oldest first."""
        items = self.in_any_state(room, now)
        if self.state == OPEN_STATES:
            return items.filter(NOT_CLOSED)
        return items if self.state == EVERY else items.filter(state=self.state)

    def in_any_state(self, room: Room, now: datetime.datetime) -> QuerySet[Item]:
        """Return them and those that the state leaves out."""
        items = Item.objects.filter(room=room)
        if self.first is not None:
            items = items.filter(gaming_day__gte=self.first)
        if self.last is not None:
            items = items.filter(gaming_day__lte=self.last)
        if self.kind:
            items = items.filter(kind=self.kind)
        if self.table is not None:
            items = items.filter(table=self.table)
        if self.person is not None:
            about = Item.objects.filter(room=room, people__staff=self.person).values("pk")
            items = items.filter(Q(owner=self.person) | Q(pk__in=about))
        if self.old:
            items = items.filter(NOT_CLOSED, happened_at__lt=_old_before(room, now))
        if self.unowned:
            items = items.filter(owner__isnull=True)
        return items


def items_not_closed(room: Room) -> int:
    """Return how many items of a room are not closed, however old: one query on an index of these alone."""
    return Item.objects.filter(NOT_CLOSED, room=room).order_by().count()


def old_items(room: Room, now: datetime.datetime) -> QuerySet[Item]:
    """Return the items that are not closed and have waited for longer than the room's days."""
    return Item.objects.filter(NOT_CLOSED, room=room, happened_at__lt=_old_before(room, now))


def _old_before(room: Room, now: datetime.datetime) -> datetime.datetime:
    return now - datetime.timedelta(days=room.item_days)


@dataclasses.dataclass(frozen=True)
class ItemCounts:
    """Items by state, and of those that are not closed the ones without an owner, those due within a week, and the old ones."""

    by_state: dict[str, int]
    unowned: int
    due: int
    old: int

    @property
    def not_closed(self) -> int:
        return self.every - self.by_state[Item.State.CLOSED]

    @property
    def every(self) -> int:
        return sum(self.by_state.values())


def item_counts(
    room: Room, items: QuerySet[Item], now: datetime.datetime, today: datetime.date
) -> ItemCounts:
    """Count items of a room: one query."""
    waits = Q(closed_at__isnull=True)
    soon = today + datetime.timedelta(days=7)
    counted = items.order_by().aggregate(
        **{str(state): Count("pk", filter=Q(state=state)) for state in Item.State},
        unowned=Count("pk", filter=waits & Q(owner__isnull=True)),
        due=Count("pk", filter=waits & Q(due_on__lte=soon)),
        old=Count("pk", filter=waits & Q(happened_at__lt=_old_before(room, now))),
    )
    by_state = {str(state): counted[str(state)] for state in Item.State}
    return ItemCounts(by_state, counted["unowned"], counted["due"], counted["old"])


def get_item_for(staff: Staff, room_id: int, item_id: int, *, right: Right = Right.SEE_ITEMS) -> Item:
    """Return an item of a room, with its table and owner. Raises NotFound, and Forbidden for somebody without the right."""
    items = Item.objects.select_related("room", "table", "shift", "owner", "explained_by")
    item = row_found(items, item_id)
    if item.room_id != room_id:
        raise NotFound("not_found", f"There is no item {item_id} in this room.")
    check_reach(staff, right, item.room, item)
    return item
