"""Queries on filings: which versions a room has filed, and which are in force, of one kind such as `FeeSchedule`."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import TypeVar

from django.db.models import Q, QuerySet
from django.utils.text import capfirst

from cardroom.rooms.models import Room
from fees.diff import Change, changes
from fees.errors import ScheduleRefused

from .errors import NotInForce
from .models import FeeSchedule, Filing, GameFiling

F = TypeVar("F", bound=Filing)


def in_force(kind: type[F], room: Room, on: datetime.date) -> QuerySet[F]:
    """Return the versions in force in `room` on the gaming day `on`, by number: at most one of each."""
    filed = kind._default_manager.exclude(status=Filing.Status.DRAFT)
    return filed.filter(
        Q(effective_to__isnull=True) | Q(effective_to__gt=on), room=room, effective_from__lte=on
    ).order_by("number")


def version_in_force(kind: type[F], room: Room, number: int, on: datetime.date) -> F:
    """Return the version of `number` that is in force in `room` on the day `on`.

    Raises NotInForce before the first filing, after a withdrawal and for a number that was never filed: there is no
    such thing as a fee without a filing.
    """
    found = in_force(kind, room, on).filter(number=number).first()
    if found is None:
        raise NotInForce(
            f"no_{kind.word}_in_force",
            f"{capfirst(kind._meta.verbose_name)} {number} has no filed version in force in {room} on {on}. "
            f"Choose another {kind.word}, or have one filed that is.",
        )
    return found


def versions(kind: type[F], room: Room) -> QuerySet[F]:
    """Return every version of a kind in `room`, drafts too: by number, the newest version first."""
    return (
        kind._default_manager.filter(room=room)
        .select_related("filed_by", "approved_by", "room")
        .order_by("number", "-version")
    )


def version_before(version: F) -> F | None:
    """Return the filed version that `version` follows; None for the first."""
    filed = versions(type(version), version.room).exclude(status=Filing.Status.DRAFT)
    return filed.filter(number=version.number, version__lt=version.version).first()


def approvals_of(room: Room, schedules: Iterable[FeeSchedule]) -> dict[int, list[GameFiling]]:
    """Return the games that each schedule of a room is approved for, as they are filed now, by the schedule's id; one query."""
    filed = list(GameFiling.objects.filter(room=room, status=Filing.Status.FILED).order_by("number"))
    return {each.pk: [game for game in filed if each.is_for(game)] for each in schedules}


def changes_since(before: FeeSchedule, version: FeeSchedule) -> tuple[Change, ...] | None:
    """Return what `version` charges otherwise than `before`, and for which games; None for a draft that cannot be read yet."""
    try:
        found = changes(before.document, version.document)
    except ScheduleRefused:  # its problems are listed apart
        return None
    if before.games == version.games:
        return found
    one, other = (", ".join(map(str, each.games)) or "every one" for each in (before, version))
    return (Change("approved for games", one, other), *found)
