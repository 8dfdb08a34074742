"""Which fee schedules are in force."""

from __future__ import annotations

import datetime

from django.db.models import Q, QuerySet

from cardroom.rooms.models import Room
from fees.diff import Change, changes
from fees.errors import NoScheduleInForce, ScheduleRefused
from fees.models import FeeSchedule


def schedules_filed(room: Room, on: datetime.date) -> QuerySet[FeeSchedule]:
    """Return the versions in force in `room` on the day `on`, by number: at most one of each."""
    return (
        FeeSchedule.objects.exclude(status=FeeSchedule.Status.DRAFT)
        .filter(Q(effective_to__isnull=True) | Q(effective_to__gt=on), room=room, effective_from__lte=on)
        .order_by("number")
    )


def schedule_in_force(room: Room, number: int, on: datetime.date) -> FeeSchedule:
    """Return the version of schedule `number` that is in force in `room` on the day `on`.

    Raises NoScheduleInForce before the first filing, after a withdrawal and for a number that was never
    filed: there is no such thing as a fee that nobody filed.
    """
    found = schedules_filed(room, on).filter(number=number).first()
    if found is None:
        raise NoScheduleInForce(
            "no_schedule_in_force",
            f"Fee schedule {number} has no filed version in force in {room} on {on}. "
            "Choose another schedule, or have one filed that is.",
        )
    return found


def schedule_versions(room: Room) -> QuerySet[FeeSchedule]:
    """Return every version of every schedule of `room`, drafts too: by number, the newest version first."""
    return (
        FeeSchedule.objects.filter(room=room)
        .select_related("filed_by", "approved_by", "room")
        .order_by("number", "-version")
    )


def version_before(version: FeeSchedule) -> FeeSchedule | None:
    """Return the filed version that `version` follows; None for the first."""
    filed = schedule_versions(version.room).exclude(status=FeeSchedule.Status.DRAFT)
    return filed.filter(number=version.number, version__lt=version.version).first()


def changes_since(before: FeeSchedule, version: FeeSchedule) -> tuple[Change, ...] | None:
    """Return what `version` says otherwise than `before`; None for a draft that cannot be read yet."""
    try:
        return changes(before.document, version.document)
    except ScheduleRefused:  # its problems are told by themselves
        return None
