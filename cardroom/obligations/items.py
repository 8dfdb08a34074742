"""Obligations that were not done by their day, as items of the inbox: each is explained, and closed by two."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db.models import Q

from cardroom.core.dates import day_text
from cardroom.inbox.kinds import Finding, ItemKind, Stretch
from cardroom.people.permits import local_day
from cardroom.rooms.models import Room

from .models import Obligation, ObligationStep

CODE: Final = "obligation"
What = ObligationStep.What


def _find(stretch: Stretch) -> Iterator[Finding]:
    """What is open and was due before the day on which the stretch ends, and what was done in it after its day."""
    room, today = stretch.room, local_day(stretch.room, stretch.until)
    late = Q(closed_at__isnull=True) | Q(
        state=Obligation.State.DONE, closed_at__gte=stretch.since, closed_at__lt=stretch.until
    )
    for each in Obligation.objects.filter(late, room=room, due_on__lt=today).order_by("due_on", "pk"):
        if each.closed_at is not None and local_day(room, each.closed_at) <= each.due_on:
            continue
        yield Finding(
            key=_key(each.pk, each.due_on.isoformat()),
            at=_over(room, each.due_on),
            day=each.due_on,
            staff=(each.owner_id,),
            figures={"title": each.title, "due_on": each.due_on.isoformat()},
            evidence={"obligation": each.pk},
        )


def _gone(stretch: Stretch) -> Iterator[str]:
    """Those whose day was moved, and those that were said not to apply."""
    steps = ObligationStep.objects.filter(
        room=stretch.room,
        what__in=(What.CHANGE, What.NOT_APPLICABLE),
        made_at__gte=stretch.since,
        made_at__lt=stretch.until,
    )
    for step in steps.select_related("obligation"):
        if step.what == What.NOT_APPLICABLE:
            yield _key(step.obligation_id, step.obligation.due_on.isoformat())
        elif "due_on" in step.changes:
            yield _key(step.obligation_id, step.changes["due_on"][0])


def _key(obligation: int, due_on: str) -> str:
    return f"{obligation} {due_on}"


def _over(room: Room, day: datetime.date) -> datetime.datetime:
    """The instant at which a day of the room's calendar is over."""
    after = day + datetime.timedelta(days=1)
    return datetime.datetime.combine(after, datetime.time(), tzinfo=room.zone).astimezone(datetime.UTC)


def _says(figures: Mapping[str, Any]) -> str:
    due = day_text(datetime.date.fromisoformat(figures["due_on"]))
    return f"“{figures['title']}” was due on {due}, and was not done by then."


OVERDUE = ItemKind(code=CODE, name="Obligation overdue", find=_find, says=_says, gone=_gone)
