"""The calendar of a room: what was typed and what is derived, of a span of days and with it what is overdue."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Final

from django.db.models import Q, QuerySet
from django.urls import reverse

from cardroom.floor.errors import NotFound
from cardroom.floor.reads.access import get_room_for
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import FIRST_DAY
from cardroom.rooms.models import Room

from ..models import Obligation
from ..recurrence import recurrence_text
from ..sources import DATE, SOURCES, Entry, Span

State = Obligation.State

#: What may be asked for of states beside the states themselves.
EVERY: Final = "all"
OVERDUE: Final = "overdue"
STATES_ASKED: Final = (EVERY, OVERDUE, *State.values, DATE)


@dataclasses.dataclass(frozen=True, kw_only=True)
class CalendarFilter:
    """Which lines: by kind, owner and state; `unowned`: those alone that nobody owns."""

    kind: str = ""
    owner: int | None = None
    unowned: bool = False
    state: str = EVERY

    def takes(self, entry: Entry, today: datetime.date) -> bool:
        """Tell whether a line is one of them."""
        if self.kind and entry.kind != self.kind:
            return False
        if self.owner is not None and entry.owner != self.owner:
            return False
        if self.unowned and (entry.owner is not None or not entry.is_open):
            return False
        if self.state == OVERDUE:
            return entry.is_overdue(today)
        return self.state in (EVERY, entry.state)


def calendar_of(
    room: Room,
    first: datetime.date,
    last: datetime.date,
    today: datetime.date,
    chosen: CalendarFilter | None = None,
) -> list[Entry]:
    """Return the lines of these days by day, both included. They refer to players (`cardroom.people.names`)."""
    span = Span(room, first, last, today)
    entries = [entry_of(each) for each in _typed(room).filter(due_on__range=(first, last))]
    for source in SOURCES:
        entries += source.find(span)
    chosen = chosen or CalendarFilter()
    return sorted(
        (entry for entry in entries if chosen.takes(entry, today)),
        key=lambda entry: (entry.due_on, entry.obligation is None, entry.key),
    )


def overdue_before(
    room: Room, first: datetime.date, today: datetime.date, chosen: CalendarFilter | None = None
) -> list[Entry]:
    """Return what is overdue and was due before the day `first`, the oldest first."""
    last = min(first, today) - datetime.timedelta(days=1)
    return [entry for entry in calendar_of(room, FIRST_DAY, last, today, chosen) if entry.is_overdue(today)]


def _typed(room: Room) -> QuerySet[Obligation]:
    return Obligation.objects.filter(room=room).select_related("room", "owner")


def obligations_due(room: Room, today: datetime.date) -> list[Obligation]:
    """Return the typed obligations that are open and overdue, or within their days of reminding, the first due first: one query."""
    waiting = _typed(room).filter(closed_at__isnull=True).order_by("due_on", "pk")
    return [each for each in waiting if (each.due_on - today).days <= each.remind_days]


def obligations_between(
    room: Room,
    days: tuple[datetime.date, datetime.date],
    instants: tuple[datetime.datetime, datetime.datetime],
) -> QuerySet[Obligation]:
    """Return the typed obligations that were due on these days (both included), and those that were closed in this time."""
    since, until = instants
    closed = Q(closed_at__gte=since, closed_at__lt=until)
    return _typed(room).filter(Q(due_on__range=days) | closed).order_by("due_on", "pk")


def entry_of(obligation: Obligation) -> Entry:
    """Return an obligation as a line of the calendar."""
    return Entry(
        key=f"obligation {obligation.pk}",
        due_on=obligation.due_on,
        kind=obligation.kind,
        what=obligation.title,
        rests_on=obligation.rests_on,
        owner=obligation.owner_id,
        owner_name="" if obligation.owner is None else str(obligation.owner),
        state=obligation.state,
        recurs="" if obligation.every == Obligation.Every.ONCE else recurrence_text(obligation),
        remind_days=obligation.remind_days,
        address=obligation_address(obligation),
        obligation=obligation.pk,
    )


def obligation_address(obligation: Obligation) -> str:
    """Return the address of the page of an obligation."""
    return reverse("web:obligation", args=[obligation.room.code, obligation.pk])


def get_obligation_for(
    staff: Staff, room_id: int, obligation_id: int, *, right: Right = Right.SEE_OBLIGATIONS
) -> Obligation:
    """Return an obligation of a room, with its people and document. Raises NotFound, and Forbidden for somebody without the right."""
    room = get_room_for(staff, room_id, right)
    rows = Obligation.objects.select_related(
        "room", "owner", "made_by", "closed_by", "confirmed_by", "document", "follows"
    )
    obligation = rows.filter(pk=obligation_id, room=room).first()
    if obligation is None:
        raise NotFound("not_found", f"There is no obligation {obligation_id} in this room.")
    return obligation
