"""Writing fee schedules: draft, edit, discard, file, withdraw. Whether the actor may is the caller's question."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.people.models import Staff
from cardroom.rooms.filing import tomorrow, way_for
from cardroom.rooms.models import Room
from fees.errors import FeeError, ScheduleConflict, ScheduleRefused
from fees.models import FeeSchedule
from fees.printed import printed_schedules
from fees.rates import problems
from games.rulebook import RULEBOOKS

_STATUS = FeeSchedule.Status
#: Before any round that a demo room plays.
_DEMO_EFFECTIVE_FROM = datetime.date(2025, 1, 1)


def schedule_draft(
    *,
    room: Room,
    number: int,
    document: Mapping[str, Any],
    by: Staff,
    title: str = "",
    rulebook: str = "california",
    effective_from: datetime.date | None = None,
    state_reference: str = "",
) -> FeeSchedule:
    """Draft the next version of schedule `number` of `room`. A draft may be illegal: filing checks it.

    `effective_from` and `state_reference` are what is planned. Raises ScheduleConflict when the number has a
    draft already (edit that one), FeeError for a rulebook that is unknown or may not be filed in the room's jurisdiction,
    a number below 1 or a document that is no JSON object.
    """
    if rulebook not in RULEBOOKS:
        raise FeeError(
            "unknown_rulebook", f"There is no rulebook {rulebook!r}; known are {', '.join(RULEBOOKS)}."
        )
    _check_jurisdiction(room, rulebook, None)
    if number < 1:
        raise FeeError("bad_number", f"A schedule's number counts from 1; {number} does not.")
    draft = FeeSchedule(
        room=room,
        rulebook=rulebook,
        number=number,
        title=title or f"Schedule option {number}",
        document=_storable(document),
        effective_from=effective_from,
        state_reference=state_reference,
    )
    try:
        with transaction.atomic():
            versions = _versions(draft)
            if any(version.status == _STATUS.DRAFT for version in versions):
                raise _draft_exists(number)
            draft.version = max((version.version for version in versions), default=0) + 1
            return _saved(draft, by, "drafted")
    except IntegrityError as error:
        # Another person drafted the same version between our look and our write.
        raise _draft_exists(number) from error


def schedule_edit(
    *,
    schedule: FeeSchedule,
    by: Staff,
    document: Mapping[str, Any],
    title: str,
    effective_from: datetime.date | None = None,
    state_reference: str = "",
) -> FeeSchedule:
    """Replace what a draft says. Raises ScheduleConflict once it is filed: draft the next version instead."""
    with transaction.atomic():
        draft, _ = _locked(schedule)
        _ask_for_draft(draft)
        draft.document, draft.title = _storable(document), title
        draft.effective_from, draft.state_reference = effective_from, state_reference
        return _saved(draft, by, "edited")


def schedule_discard(*, schedule: FeeSchedule, by: Staff) -> None:
    """Delete a draft, which is no fact yet; its history keeps what it said. Raises ScheduleConflict once it is filed."""
    with transaction.atomic():
        draft, _ = _locked(schedule)
        _ask_for_draft(draft)
        draft._history_user = by  # type: ignore[attr-defined]  # read by simple_history
        draft._change_reason = "discarded"  # type: ignore[attr-defined]  # read by simple_history
        draft.delete()


def schedule_file(
    *,
    schedule: FeeSchedule,
    by: Staff,
    effective_from: datetime.date,
    state_reference: str,
    approved_by: Staff | None = None,
) -> FeeSchedule:
    """File a draft: from `effective_from` on it is in force, and the version before it no longer.

    The first filing of a number may lie in the past, when a room is set up with what was filed long ago. A
    version that takes the place of another starts tomorrow at the earliest, so that a day on which rounds
    have been played keeps the schedule that they were charged by.

    Raises ScheduleRefused with every problem of an illegal document; ScheduleConflict when it is no draft any
    more, when it would begin too early to take another's place, or when its period overlaps that of a closed
    version; FeeError without the state's reference, or for a rulebook that may not be filed in the room. `approved_by` is
    the second person who signed; that there is one is the caller's question.
    """
    if not state_reference.strip():
        raise FeeError(
            "state_reference_missing", "A filing needs the Bureau's number of it: fill in state_reference."
        )
    with transaction.atomic():
        draft, versions = _locked(schedule)
        _ask_for_draft(draft)
        if found := problems(draft.document):
            raise ScheduleRefused(found)
        today = timezone.localdate(timezone=draft.room.zone)
        _check_jurisdiction(draft.room, draft.rulebook, max(effective_from, today))
        _make_way(draft, versions, effective_from, by)
        draft.status = _STATUS.FILED
        draft.effective_from = effective_from
        draft.state_reference = state_reference.strip()
        draft.filed_at = timezone.now()
        draft.filed_by, draft.approved_by = by, approved_by
        return _saved(draft, by, "filed")


def schedule_withdraw(
    *, schedule: FeeSchedule, by: Staff, effective_to: datetime.date | None = None, reason: str
) -> FeeSchedule:
    """Close a filed version without another in its place; `effective_to` is the first day without it.

    Default and earliest is tomorrow, or the day on which a coming version would have started. Raises
    ScheduleConflict when the version is not filed (any more) or the day is too early, FeeError without a
    reason.
    """
    if not reason.strip():
        raise FeeError("reason_missing", "A withdrawal needs a reason.")
    with transaction.atomic():
        filed, _ = _locked(schedule)
        if filed.status != _STATUS.FILED or filed.effective_from is None:
            raise ScheduleConflict(
                "not_filed", f"{filed} is {filed.status}: only a filed version is withdrawn."
            )
        earliest = max(tomorrow(filed.room), filed.effective_from)
        if effective_to is not None and effective_to < earliest:
            raise ScheduleConflict(
                "too_early", f"{filed} can be withdrawn from {earliest} on, not from {effective_to}."
            )
        filed.status, filed.effective_to = _STATUS.WITHDRAWN, effective_to or earliest
        return _saved(filed, by, reason.strip())


def schedules_seed(room: Room, by: Staff, *, rulebook: str = "california") -> list[FeeSchedule]:
    """File the schedules that `rulebook` prints as a demo room's own; a number it has already stays."""
    seeded = [
        schedule_seed(room, by, number, document, rulebook=rulebook)
        for number, document in printed_schedules(rulebook)
    ]
    return [filed for filed in seeded if filed is not None]


def schedule_seed(
    room: Room, by: Staff, number: int, document: dict[str, Any], *, rulebook: str = "california"
) -> FeeSchedule | None:
    """File `document` as a demo room's own schedule of that number; None where the room has the number already."""
    if FeeSchedule.objects.filter(room=room, number=number).exists():
        return None
    draft = schedule_draft(room=room, number=number, document=document, by=by, rulebook=rulebook)
    return schedule_file(
        schedule=draft, by=by, effective_from=_DEMO_EFFECTIVE_FROM, state_reference=f"demo option {number}"
    )


def _check_jurisdiction(room: Room, rulebook: str, day: datetime.date | None) -> None:
    """A schedule is filed for a game of the room's own jurisdiction alone: no other could be charged by it."""
    if why := room.rules_of.why_not(rulebook, day):
        raise FeeError("rulebook_of_another_jurisdiction", why)


def _make_way(
    draft: FeeSchedule, versions: list[FeeSchedule], effective_from: datetime.date, by: Staff
) -> None:
    """Close the filed version that ends where `draft` begins; refuse any other overlap."""
    closing, overlap = way_for(draft, versions, effective_from, tomorrow=tomorrow(draft.room))
    if overlap is not None:
        raise ScheduleConflict(*overlap)
    if closing is not None:
        closing.status, closing.effective_to = _STATUS.SUPERSEDED, effective_from
        _saved(closing, by, f"superseded by version {draft.version}")


def _versions(schedule: FeeSchedule) -> list[FeeSchedule]:
    """Lock and return all versions of a schedule, oldest first: who files one decides about all."""
    rows = FeeSchedule.objects.select_for_update(no_key=True).filter(
        room_id=schedule.room_id, number=schedule.number
    )
    return list(rows.order_by("version"))


def _locked(schedule: FeeSchedule) -> tuple[FeeSchedule, list[FeeSchedule]]:
    """Lock all versions and return `schedule` as it stands now, and all of them."""
    versions = _versions(schedule)
    for version in versions:
        if version.pk == schedule.pk:
            return version, versions
    raise ScheduleConflict("draft_gone", f"{schedule} has been deleted.")


def _ask_for_draft(schedule: FeeSchedule) -> None:
    if schedule.status != _STATUS.DRAFT:
        raise ScheduleConflict(
            "not_a_draft",
            f"{schedule} is {schedule.status} and stays as it was filed: draft the next version.",
        )


def _draft_exists(number: int) -> ScheduleConflict:
    return ScheduleConflict(
        "draft_exists", f"Schedule {number} has a draft already: edit or discard that one."
    )


def _storable(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return `document` as plain JSON that both databases can hold."""
    try:
        text = json.dumps(dict(document), allow_nan=False, ensure_ascii=False)
        text.encode()  # PostgreSQL takes no lone surrogate
    except (TypeError, ValueError) as error:
        raise FeeError("bad_json", f"A schedule's document is a JSON object: {error}.") from error
    if "\\u0000" in text:
        raise FeeError("bad_json", "A schedule's document cannot hold the character U+0000.")
    stored: dict[str, Any] = json.loads(text)
    return stored


def _saved(schedule: FeeSchedule, by: Staff, why: str) -> FeeSchedule:
    """Save, and let the history say who and why."""
    schedule._history_user = by  # type: ignore[attr-defined]  # read by simple_history
    schedule._change_reason = why  # type: ignore[attr-defined]  # read by simple_history
    schedule.save()
    return schedule
