"""What a room files, by command: fee schedules and games. Each act has one entry in the room's journal.

What a draft may say and when a version may begin is for `fees.services` and `cardroom.filings.services`; here are the
lock, the right, the key and the journal. Filings move nothing on the floor: any version of the room is taken.
"""

from __future__ import annotations

import contextlib
import datetime
import unicodedata
from collections.abc import Iterator
from typing import Any

from cardroom.filings import services as offered
from cardroom.filings.errors import GameConflict, GameError
from cardroom.filings.models import GameFiling
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from fees import services as fees
from fees.errors import FeeError, ScheduleConflict, ScheduleRefused
from fees.models import FeeSchedule

from ..errors import BadInput, NotFound, NotNow
from .commands import Answer, AtRoom, room_command
from .second_person import check_second_person

TITLE_LENGTH = FeeSchedule._meta.get_field("title").max_length or 0
REFERENCE_LENGTH = FeeSchedule._meta.get_field("state_reference").max_length or 0
MOST_NUMBER = 999


@room_command(Right.FILE_SCHEDULES, moves=False)
def schedule_draft(
    at: AtRoom,
    *,
    number: int,
    rulebook: str,
    document: dict[str, Any],
    title: str = "",
    effective_from: datetime.date | None = None,
    state_reference: str = "",
) -> Answer:
    """Draft the next version of schedule `number`; `document` as in `fees.document`, legal or not yet."""
    _check_words(title, state_reference)
    _check_number(number)
    with _said_by_the_floor():
        draft = fees.schedule_draft(
            room=at.room,
            number=number,
            document=document,
            by=at.actor,
            title=title.strip(),
            rulebook=rulebook,
            effective_from=effective_from,
            state_reference=state_reference.strip(),
        )
    at.journal("schedule_draft", {**_named(draft), "after": _schedule_says(draft)})
    return _schedule_answer(draft)


@room_command(Right.FILE_SCHEDULES, moves=False)
def schedule_edit(
    at: AtRoom,
    *,
    schedule_id: int,
    document: dict[str, Any],
    title: str,
    effective_from: datetime.date | None = None,
    state_reference: str = "",
) -> Answer:
    """Replace what a draft says; a filed version is never edited."""
    _check_words(title, state_reference)
    draft = schedule_of(at, schedule_id)
    before = _schedule_says(draft)
    with _said_by_the_floor():
        draft = fees.schedule_edit(
            schedule=draft,
            by=at.actor,
            document=document,
            title=title.strip() or draft.title,
            effective_from=effective_from,
            state_reference=state_reference.strip(),
        )
    at.journal("schedule_edit", {**_named(draft), "before": before, "after": _schedule_says(draft)})
    return _schedule_answer(draft)


@room_command(Right.FILE_SCHEDULES, moves=False)
def schedule_discard(at: AtRoom, *, schedule_id: int) -> Answer:
    """Delete a draft; the journal keeps what it said. A filed version is withdrawn and never deleted."""
    draft = schedule_of(at, schedule_id)
    named, before = _named(draft), _schedule_says(draft)
    with _said_by_the_floor():
        fees.schedule_discard(schedule=draft, by=at.actor)
    at.journal("schedule_discard", {**named, "before": before})
    return {"schedule": schedule_id}


@room_command(Right.FILE_SCHEDULES, moves=False)
def schedule_file(
    at: AtRoom, *, schedule_id: int, effective_from: datetime.date, state_reference: str, approver: Staff
) -> Answer:
    """File a draft: in force from `effective_from` on, in the place of the version before it; `approver` signs."""
    check_second_person(at, approver, Right.APPROVE_FILING, "files")
    _check_words("", state_reference)
    with _said_by_the_floor():
        filed = fees.schedule_file(
            schedule=schedule_of(at, schedule_id),
            by=at.actor,
            effective_from=effective_from,
            state_reference=state_reference,
            approved_by=approver,
        )
    at.journal("schedule_file", {**_named(filed), **_period(filed), **_approved(approver)})
    return _schedule_answer(filed)


@room_command(Right.FILE_SCHEDULES, moves=False)
def schedule_withdraw(
    at: AtRoom, *, schedule_id: int, reason: str, approver: Staff, effective_to: datetime.date | None = None
) -> Answer:
    """Close a filed version without another in its place; `effective_to` is the first day without it; `approver` signs."""
    check_second_person(at, approver, Right.APPROVE_FILING, "withdraws a filing")
    with _said_by_the_floor():
        closed = fees.schedule_withdraw(
            schedule=schedule_of(at, schedule_id), by=at.actor, effective_to=effective_to, reason=reason
        )
    at.journal(
        "schedule_withdraw",
        {**_named(closed), **_period(closed), **_approved(approver)},
        reason=reason.strip(),
    )
    return _schedule_answer(closed)


@room_command(Right.FILE_SCHEDULES, moves=False)
def game_draft(
    at: AtRoom,
    *,
    number: int,
    rulebook: str,
    options: dict[str, Any],
    rotation: str = "",
    title: str = "",
    effective_from: datetime.date | None = None,
    state_reference: str = "",
) -> Answer:
    """Draft the next version of game `number`; `options` as in the round sheet, without the fee schedule."""
    _check_words(title, state_reference)
    _check_number(number)
    with _said_by_the_floor():
        draft = offered.game_draft(
            room=at.room,
            number=number,
            rulebook=rulebook,
            by=at.actor,
            options=options,
            rotation=rotation,
            title=title,
            effective_from=effective_from,
            state_reference=state_reference.strip(),
        )
    at.journal("game_draft", {**_named(draft), "after": _game_says(draft)})
    return _game_answer(draft)


@room_command(Right.FILE_SCHEDULES, moves=False)
def game_edit(
    at: AtRoom,
    *,
    game_id: int,
    options: dict[str, Any],
    title: str,
    rotation: str = "",
    effective_from: datetime.date | None = None,
    state_reference: str = "",
) -> Answer:
    """Replace what a draft says; a filed version is never edited."""
    _check_words(title, state_reference)
    draft = game_of(at, game_id)
    before = _game_says(draft)
    with _said_by_the_floor():
        draft = offered.game_edit(
            game=draft,
            by=at.actor,
            options=options,
            rotation=rotation,
            title=title,
            effective_from=effective_from,
            state_reference=state_reference.strip(),
        )
    at.journal("game_edit", {**_named(draft), "before": before, "after": _game_says(draft)})
    return _game_answer(draft)


@room_command(Right.FILE_SCHEDULES, moves=False)
def game_discard(at: AtRoom, *, game_id: int) -> Answer:
    """Delete a draft; the journal keeps what it said. A filed version is withdrawn and never deleted."""
    draft = game_of(at, game_id)
    named, before = _named(draft), _game_says(draft)
    with _said_by_the_floor():
        offered.game_discard(game=draft, by=at.actor)
    at.journal("game_discard", {**named, "before": before})
    return {"game": game_id}


@room_command(Right.FILE_SCHEDULES, moves=False)
def game_file(
    at: AtRoom, *, game_id: int, effective_from: datetime.date, state_reference: str, approver: Staff
) -> Answer:
    """File a draft: in force from `effective_from` on, in the place of the version before it; `approver` signs."""
    check_second_person(at, approver, Right.APPROVE_FILING, "files")
    _check_words("", state_reference)
    with _said_by_the_floor():
        filed = offered.game_file(
            game=game_of(at, game_id),
            by=at.actor,
            effective_from=effective_from,
            state_reference=state_reference,
            approved_by=approver,
        )
    at.journal("game_file", {**_named(filed), **_period(filed), **_approved(approver)})
    return _game_answer(filed)


@room_command(Right.FILE_SCHEDULES, moves=False)
def game_withdraw(
    at: AtRoom, *, game_id: int, reason: str, approver: Staff, effective_to: datetime.date | None = None
) -> Answer:
    """Close a filed version without another in its place; `effective_to` is the first day without it; `approver` signs."""
    check_second_person(at, approver, Right.APPROVE_FILING, "withdraws a filing")
    with _said_by_the_floor():
        closed = offered.game_withdraw(
            game=game_of(at, game_id), by=at.actor, effective_to=effective_to, reason=reason
        )
    at.journal(
        "game_withdraw",
        {**_named(closed), **_period(closed), **_approved(approver)},
        reason=reason.strip(),
    )
    return _game_answer(closed)


def schedule_of(at: AtRoom, schedule_id: int) -> FeeSchedule:
    """Return one version of a schedule of the room; NotFound for another room's too."""
    found = FeeSchedule.objects.filter(pk=schedule_id, room=at.room).first()
    if found is None:
        raise NotFound("not_found", f"There is no fee schedule {schedule_id} in this room.")
    return found


def game_of(at: AtRoom, game_id: int) -> GameFiling:
    """Return one version of a game of the room; NotFound for another room's too."""
    found = GameFiling.objects.filter(pk=game_id, room=at.room).first()
    if found is None:
        raise NotFound("not_found", f"There is no game filing {game_id} in this room.")
    return found


@contextlib.contextmanager
def _said_by_the_floor() -> Iterator[None]:
    """Say with the floor's errors what fees and games refuse with their own."""
    try:
        yield
    except ScheduleRefused as refused:
        raise BadInput(refused.code, refused.message, path="document") from refused
    except (ScheduleConflict, GameConflict) as conflict:
        raise NotNow(conflict.code, conflict.message) from conflict
    except GameError as refused:
        raise BadInput(refused.code, refused.message, path=refused.path) from refused
    except FeeError as refused:
        raise BadInput(refused.code, refused.message) from refused


def _check_words(title: str, state_reference: str) -> None:
    for path, words, most in (
        ("title", title, TITLE_LENGTH),
        ("state_reference", state_reference, REFERENCE_LENGTH),
    ):
        if len(words.strip()) > most:
            raise BadInput("too_long", f"At most {most} characters, not {len(words.strip())}.", path=path)
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in words):
            raise BadInput("bad_text", "Text may not hold control characters.", path=path)


def _check_number(number: int) -> None:
    if number > MOST_NUMBER:
        raise BadInput("bad_number", f"Numbers go from 1 to {MOST_NUMBER}, not {number}.", path="number")


def _named(filing: FeeSchedule | GameFiling) -> dict[str, Any]:
    return {"id": filing.pk, "number": filing.number, "version": filing.version}


def _period(filing: FeeSchedule | GameFiling) -> dict[str, Any]:
    return {
        "effective_from": _day(filing.effective_from),
        "effective_to": _day(filing.effective_to),
        "state_reference": filing.state_reference,
    }


def _planned(filing: FeeSchedule | GameFiling) -> dict[str, Any]:
    return {
        "title": filing.title,
        "effective_from": _day(filing.effective_from),
        "state_reference": filing.state_reference,
    }


def _approved(approver: Staff) -> dict[str, Any]:
    return {"approved_by": {"id": approver.pk, "name": str(approver)}}


def _schedule_says(schedule: FeeSchedule) -> dict[str, Any]:
    return {**_planned(schedule), "document": schedule.document}


def _game_says(game: GameFiling) -> dict[str, Any]:
    return {**_planned(game), "options": game.options, "rotation": game.rotation}


def _schedule_answer(schedule: FeeSchedule) -> Answer:
    return {"schedule": schedule.pk, "status": schedule.status}


def _game_answer(game: GameFiling) -> Answer:
    return {"game": game.pk, "status": game.status}


def _day(day: datetime.date | None) -> str | None:
    return None if day is None else day.isoformat()
