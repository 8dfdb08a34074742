"""What a room has filed, as plain data: fee schedules and games, version by version."""

from __future__ import annotations

import datetime
from typing import Any

from cardroom.filings.models import FeeSchedule, Filing, GameFiling
from cardroom.filings.selectors import changes_since, version_before, versions
from cardroom.people.models import Staff
from cardroom.people.rights import Right, may
from cardroom.rooms.models import Room
from fees.cliffs import cliffs
from fees.rates import problems

from ..errors import NotFound
from .reach import room_in_reach
from .records import utc


def schedules_in_reach(staff: Staff, room_id: int) -> list[FeeSchedule]:
    """Return every version of a room's schedules; drafts for those alone who file."""
    room = room_in_reach(staff, room_id)
    return [version for version in versions(FeeSchedule, room) if _shown(version, staff, room)]


def games_in_reach(staff: Staff, room_id: int) -> list[GameFiling]:
    """Return every version of a room's games; drafts for those alone who file."""
    room = room_in_reach(staff, room_id)
    return [version for version in versions(GameFiling, room) if _shown(version, staff, room)]


def schedule_in_reach(staff: Staff, room_id: int, schedule_id: int) -> FeeSchedule:
    """Return one version of a room's schedules, under the same conditions."""
    room = room_in_reach(staff, room_id)
    found = versions(FeeSchedule, room).filter(pk=schedule_id).first()
    if found is None or not _shown(found, staff, room):
        raise NotFound("not_found", f"There is no fee schedule {schedule_id} in this room.")
    return found


def game_in_reach(staff: Staff, room_id: int, game_id: int) -> GameFiling:
    """Return one version of a room's games, under the same conditions."""
    room = room_in_reach(staff, room_id)
    found = versions(GameFiling, room).filter(pk=game_id).first()
    if found is None or not _shown(found, staff, room):
        raise NotFound("not_found", f"There is no game filing {game_id} in this room.")
    return found


def schedule_summary(version: FeeSchedule, on: datetime.date) -> dict[str, Any]:
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
    found = problems(version.document)
    before = version_before(version)
    changed = None if before is None else changes_since(before, version)
    return {
        **schedule_summary(version, on),
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


def game_summary(version: GameFiling, on: datetime.date) -> dict[str, Any]:
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
        "filed_at": utc(version.filed_at),
        "filed_by": None if version.filed_by is None else str(version.filed_by),
        "approved_by": None if version.approved_by is None else str(version.approved_by),
    }


def _shown(version: Filing, staff: Staff, room: Room) -> bool:
    return version.status != Filing.Status.DRAFT or may(staff, Right.FILE_SCHEDULES, room)
