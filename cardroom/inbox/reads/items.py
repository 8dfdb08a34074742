"""Queries on items: what is not closed, what is old, and what a filter leaves."""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from django.db.models import Count, Min, Q, QuerySet
from django.urls import reverse

from cardroom.floor.errors import NotFound
from cardroom.floor.models import Alert, Round
from cardroom.floor.reads.access import get_room_for
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..floor_kinds import BADGE, CLOCK, alert_key
from ..kinds import kind_of
from ..models import Item
from ..models.items import NOT_CLOSED

#: What a filter of states takes beside the states themselves.
OPEN_STATES: Final = "not_closed"
EVERY: Final = "all"


#: What may be asked for of states.
STATES_ASKED: Final = (OPEN_STATES, *Item.State.values, EVERY)


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


@dataclasses.dataclass(frozen=True)
class KindWaiting:
    """The items of a kind that are not closed: how many in each state, how many are old, and since when the oldest waits."""

    code: str
    name: str
    open: int
    explained: int
    referred: int
    old: int
    oldest_at: datetime.datetime

    @property
    def not_closed(self) -> int:
        return self.open + self.explained + self.referred


def items_by_kind(room: Room, now: datetime.datetime) -> list[KindWaiting]:
    """Return what is not closed of each kind, however old, that which waits longest first: one query."""
    waiting = Item.objects.filter(NOT_CLOSED, room=room).order_by().values("kind")
    counted = waiting.annotate(
        open=Count("pk", filter=Q(state=Item.State.OPEN)),
        explained=Count("pk", filter=Q(state=Item.State.EXPLAINED)),
        referred=Count("pk", filter=Q(state=Item.State.REFERRED)),
        old=Count("pk", filter=Q(happened_at__lt=_old_before(room, now))),
        oldest_at=Min("happened_at"),
    )
    rows: list[KindWaiting] = []
    for row in counted:
        kind = kind_of(row["kind"])
        name = row["kind"] if kind is None else kind.name
        counts = {column: row[column] for column in ("open", "explained", "referred", "old", "oldest_at")}
        rows.append(KindWaiting(row["kind"], name, **counts))
    return sorted(rows, key=lambda each: each.oldest_at)


def all_kinds(kinds: Sequence[KindWaiting]) -> KindWaiting:
    """Add up what waits of each kind; there is at least one."""
    return KindWaiting(
        code="",
        name="All kinds",
        open=sum(each.open for each in kinds),
        explained=sum(each.explained for each in kinds),
        referred=sum(each.referred for each in kinds),
        old=sum(each.old for each in kinds),
        oldest_at=min(each.oldest_at for each in kinds),
    )


def items_of_round(round_: Round) -> list[Item]:
    """Return the items that name a round or another revision of it, closed ones too: one query of its table and gaming day."""
    revisions = Round.objects.filter(
        table=round_.table_id, gaming_day=round_.gaming_day, number=round_.number
    ).values_list("pk", flat=True)
    of_table = Item.objects.filter(
        room=round_.room_id, table=round_.table_id, evidence__round__in=list(revisions)
    )
    return list(of_table.order_by("happened_at", "pk"))


#: The kind of the item that an alert becomes, which has the alert's own key; of a variance the alert names its key as `subject`.
_OF_ALERTS: Final = {
    Alert.Kind.PERMIT_EXPIRED: BADGE.code,
    Alert.Kind.CLOCK_BACK: CLOCK.code,
    Alert.Kind.VARIANCE_OVERDUE: "variance",
}


def items_of_alerts(room: Room, alerts: Iterable[Alert]) -> dict[int, Item]:
    """Return the items that tell of alerts, by the ids of these; an alert that is no exception is left out."""
    keys = {
        alert.pk: (kind, alert.subject if kind == "variance" else alert_key(alert))
        for alert in alerts
        if (kind := _OF_ALERTS.get(Alert.Kind(alert.kind))) is not None
    }
    items = items_by_key(room, keys.values())
    return {alert: items[key] for alert, key in keys.items() if key in items}


def items_by_key(room: Room, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Item]:
    """Return items by their kind and what they are about (`Finding.key`): one query for each kind that is asked about."""
    of_kinds: dict[str, set[str]] = defaultdict(set)
    for kind, key in keys:
        of_kinds[kind].add(key)
    found: dict[tuple[str, str], Item] = {}
    for kind, wanted in of_kinds.items():
        items = Item.objects.filter(room=room, kind=kind, key__in=wanted).select_related("room")
        found |= {(kind, item.key): item for item in items}
    return found


def item_address(item: Item) -> str:
    """Return the address of the page that opens an item."""
    return f"{reverse('web:inbox', args=[item.room.code])}?item={item.pk}"


def get_item_for(staff: Staff, room_id: int, item_id: int, *, right: Right = Right.SEE_ITEMS) -> Item:
    """Return an item of a room, with its table and owner. Raises NotFound, and Forbidden for somebody without the right."""
    room = get_room_for(staff, room_id, right)
    items = Item.objects.select_related("room", "table", "shift", "owner", "explained_by")
    item = items.filter(pk=item_id, room=room).first()
    if item is None:
        raise NotFound("not_found", f"There is no item {item_id} in this room.")
    return item
