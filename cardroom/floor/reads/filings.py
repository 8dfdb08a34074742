"""What a room has filed, as plain data: fee schedules and games, version by version."""

from __future__ import annotations

import datetime
from typing import Any, TypeVar

from cardroom.core.dates import utc_text
from cardroom.filings.models import FeeSchedule, Filing, GameFiling
from cardroom.filings.selectors import changes_since, version_before, versions
from cardroom.people.models import Staff
from cardroom.people.rights import Right, may
from cardroom.rooms.models import Room
from fees.cliffs import cliffs

from ..errors import NotFound
from .access import get_room_for

F = TypeVar("F", bound=Filing)


def get_versions_for(kind: type[F], staff: Staff, room_id: int) -> list[F]:
    """Return every version of a kind of filing in a room; drafts for those alone who file."""
    room = get_room_for(staff, room_id)
    return [version for version in versions(kind, room) if _shown(version, staff, room)]


def get_version_for(kind: type[F], staff: Staff, room_id: int, pk: int) -> F:
    """Return one version, under the same conditions."""
    room = get_room_for(staff, room_id)
    found = versions(kind, room).filter(pk=pk).first()
    if found is None or not _shown(found, staff, room):
        raise NotFound("not_found", f"There is no {kind._meta.verbose_name} {pk} in this room.")
    return found


def schedule_row(version: FeeSchedule, on: datetime.date) -> dict[str, Any]:
    """Return one version of a schedule as it stands in a list; `on` is the gaming day that `in_force` speaks of."""
    return {
        "id": version.pk,
        "number": version.number,
        "version": version.version,
        "rulebook": version.rulebook,
        "title": version.title,
        **_filed(version, on),
    }


def schedule_record(version: FeeSchedule, on: datetime.date) -> dict[str, Any]:
    """Return the same with its document, what the checker has against it, its jumps, and what it changed."""
    found = version.problems
    before = version_before(version)
    changed = None if before is None else changes_since(before, version)
    return {
        **schedule_row(version, on),
        "document": version.document,
        "problems": [problem._asdict() for problem in found],
        "cliffs": [] if found else [cliff.sentence for cliff in cliffs(version.schedule)],
        "follows": None if before is None else before.pk,
        "changes": None
        if changed is None
        else [
            {"what": change.what, "before": change.before, "after": change.after, "kind": change.kind}
            for change in changed
        ],
    }


def game_row(version: GameFiling, on: datetime.date) -> dict[str, Any]:
    """Return one version of a game; `on` is the gaming day that `in_force` speaks of."""
    return {
        "id": version.pk,
        "number": version.number,
        "version": version.version,
        "rulebook": version.rulebook,
        "title": version.title,
        "options": version.options,
        "rotation": version.profile_id,
        **_filed(version, on),
    }


def _filed(version: FeeSchedule | GameFiling, on: datetime.date) -> dict[str, Any]:
    return {
        "status": version.status,
        "in_force": version.in_force(on),
        "effective_from": None if version.effective_from is None else version.effective_from.isoformat(),
        "effective_to": None if version.effective_to is None else version.effective_to.isoformat(),
        "state_reference": version.state_reference,
        "filed_at": utc_text(version.filed_at),
        "filed_by": None if version.filed_by is None else str(version.filed_by),
        "approved_by": None if version.approved_by is None else str(version.approved_by),
        "revision": version.revision,
        "edited_by": None if version.edited_by is None else str(version.edited_by),
        "digest": version.digest,
    }


def _shown(version: Filing, staff: Staff, room: Room) -> bool:
    return version.status != Filing.Status.DRAFT or may(staff, Right.FILE_SCHEDULES, room)
