"""Queries on what a room has filed, as plain data: fee schedules, games and levies, version by version."""

from __future__ import annotations

import base64
import datetime
from typing import Annotated, Any, TypedDict, TypeVar

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant, OneOf
from cardroom.filings.models import FeeSchedule, Filing, GameFiling, Levy
from cardroom.filings.selectors import approvals_of, changes_since, version_before, versions
from cardroom.people.models import Staff
from cardroom.people.rights import Right, may
from cardroom.rooms.models import Room
from fees.cliffs import cliffs

from ..errors import NotFound
from .access import get_room_for

F = TypeVar("F", bound=Filing)


def get_versions_for(kind: type[F], staff: Staff, room_id: int, right: Right) -> list[F]:
    """Return every version of a kind of filing in a room; drafts for those alone who file."""
    room = get_room_for(staff, room_id, right)
    return [version for version in versions(kind, room) if _shown(version, staff, room)]


def get_version_for(kind: type[F], staff: Staff, room_id: int, pk: int, right: Right) -> F:
    """Return one version, under the same conditions."""
    room = get_room_for(staff, room_id, right)
    found = versions(kind, room).filter(pk=pk).first()
    if found is None or not _shown(found, staff, room):
        raise NotFound("not_found", f"There is no {kind._meta.verbose_name} {pk} in this room.")
    return found


class Version(TypedDict):
    """What every version of a filing says."""

    id: int
    number: int
    version: int
    title: str
    status: Annotated[str, OneOf(Filing.Status)]
    in_force: Annotated[bool, "On today's gaming day."]
    effective_from: DayText | None
    effective_to: Annotated[DayText | None, "First day no longer in force."]
    filed_at: Instant | None
    filed_by: str | None
    approved_by: Annotated[str | None, "The second person who signed."]
    revision: Annotated[int, "Counts what the draft has said: each edit is the next."]
    edited_by: Annotated[str | None, "Who wrote it last, and may not sign it."]
    digest: Annotated[str, "Of what it says now: the ETag of one version."]


class Filed(Version):
    """What a version says that the state approves."""

    rulebook: str
    state_reference: str


class ApprovedGame(TypedDict):
    """A filed game that a schedule is approved for."""

    number: int
    title: str
    state_reference: Annotated[str, "The state's number of the game's approval."]


class ScheduleRow(Filed):
    """One version of a fee schedule."""

    games: Annotated[
        list[int], "Numbers of the filed games that it names; empty: it is for every game of its rulebook."
    ]
    approved_for: Annotated[list[ApprovedGame], "The games that it is approved for, as they are filed now."]
    limit: Annotated[str, "The table limit as printed; empty while the document is not legal yet."]


def schedule_rows(found: list[FeeSchedule], on: datetime.date) -> list[ScheduleRow]:
    """Return versions of a room's schedules for a list; `in_force` is as of the gaming day `on`."""
    approved = approvals_of(found[0].room, found) if found else {}
    return [schedule_row(each, on, approved[each.pk]) for each in found]


def schedule_row(version: FeeSchedule, on: datetime.date, approved: list[GameFiling]) -> ScheduleRow:
    """Return one version of a schedule, approved for the games `approved`."""
    return {
        **_filed(version, on),
        "games": version.games,
        "approved_for": [
            {"number": game.number, "title": game.title, "state_reference": game.state_reference}
            for game in approved
        ],
        "limit": version.limit_label,
    }


class ScheduleProblem(TypedDict):
    """What the checker has against a schedule, or a levy."""

    line: Annotated[int, "Lines count from 1; 0 is the head."]
    code: str
    message: str


class ScheduleChange(TypedDict):
    """What a version says otherwise than the one before it."""

    what: str
    before: str
    after: str
    kind: str


class ScheduleRecord(ScheduleRow):
    """One version with its document, what the checker has against it, its jumps, and what it changed."""

    document: dict[str, Any]
    problems: list[ScheduleProblem]
    cliffs: list[str]
    follows: Annotated[int | None, "The filed version that it follows."]
    changes: list[ScheduleChange] | None


def schedule_record(version: FeeSchedule, on: datetime.date) -> ScheduleRecord:
    """Return the same with its document, what the checker has against it, its jumps, and what it changed."""
    found = version.problems
    before = version_before(version)
    changed = None if before is None else changes_since(before, version)
    return {
        **schedule_row(version, on, version.approvals()),
        "document": version.document,
        "problems": [{"line": each.line, "code": each.code, "message": each.message} for each in found],
        "cliffs": [] if found else [cliff.sentence for cliff in cliffs(version.schedule)],
        "follows": None if before is None else before.pk,
        "changes": None
        if changed is None
        else [
            {"what": change.what, "before": change.before, "after": change.after, "kind": change.kind}
            for change in changed
        ],
    }


class GameRow(Filed):
    """One version of a game that the room offers."""

    options: dict[str, Any]
    rotation: Annotated[str, "The profile by which the bank rotates; empty where the house banks."]


class GameDocument(TypedDict):
    """The room's own document of a game."""

    name: str
    sha256: str
    size: Annotated[int, "Its bytes."]


class GameDocumentRecord(GameDocument):
    """The same with its content."""

    content: Annotated[str, "The bytes of the PDF in Base64."]


class ApprovalRow(TypedDict):
    """What the room's own document is."""

    number: str
    title: str
    date: DayText | None
    based_on: Annotated[str, "The rulebook that says what the document does not."]
    differences: Annotated[list[str], "The keys of the terms that it says otherwise."]
    without_clause: Annotated[list[str], "Those whose clause is missing yet: it is not filed so."]


class WholeTermRow(TypedDict):
    """One term of the whole."""

    key: str
    label: str
    group: str
    before: Annotated[Any, "What the rulebook says; null where it says nothing."]
    now: Annotated[Any, "What holds; null where there is nothing of it."]
    clause: Annotated[str, "Its full clause; empty where none is known."]
    differs: Annotated[bool, "Whether the room's document says it."]


class GameRecord(GameRow):
    """One version of a game with its approval, its document, and every term of the whole."""

    approval: Annotated[ApprovalRow | None, "Null where the game is played by its rulebook as it stands."]
    document: GameDocument | None
    whole: Annotated[
        list[WholeTermRow], "In the order of the game's terms; empty for a game without such terms."
    ]


def game_record(version: GameFiling, on: datetime.date) -> GameRecord:
    """Return one version of a game with its approval and the whole."""
    approval, document = version.approval, version.document
    return {
        **game_row(version, on),
        "approval": None
        if approval is None
        else {
            "number": approval.number,
            "title": approval.title,
            "date": None if approval.day is None else approval.day.isoformat(),
            "based_on": version.rulebook,
            "differences": list(approval.changed),
            "without_clause": list(approval.without_clause),
        },
        "document": None
        if document is None
        else {"name": document.name, "sha256": document.sha256, "size": document.size},
        "whole": [
            {
                "key": each.term.key,
                "label": each.term.label,
                "group": each.term.group,
                "before": each.before,
                "now": each.now,
                "clause": each.clause,
                "differs": each.said,
            }
            for each in version.whole
        ],
    }


def game_document_record(version: GameFiling) -> GameDocumentRecord:
    """Return the document of a game with its content. Raises NotFound where none is attached."""
    document = version.document
    if document is None:
        raise NotFound("no_document", f"No document is attached to {version}.")
    content = base64.b64encode(bytes(document.content)).decode()
    return {"name": document.name, "sha256": document.sha256, "size": document.size, "content": content}


def game_row(version: GameFiling, on: datetime.date) -> GameRow:
    """Return one version of a game; `in_force` is as of the gaming day `on`."""
    return {
        "options": version.options,
        "rotation": version.profile_id,
        **_filed(version, on),
    }


class LevyRow(Version):
    """One version of a levy: a city's tax or a state's fee on the room's own collections."""

    levied_by: Annotated[str, "Whether a city takes it or the state; empty while the draft does not say so."]
    authority: Annotated[str, "Who takes it."]
    source: Annotated[str, "The section that says it."]


class LevyRecord(LevyRow):
    """One version with its document and what the checker has against it."""

    document: dict[str, Any]
    problems: list[ScheduleProblem]


def levy_row(version: Levy, on: datetime.date) -> LevyRow:
    """Return one version of a levy; `in_force` is as of the gaming day `on`."""
    return {
        **_version(version, on),
        "levied_by": version.levied_by,
        "authority": version.authority,
        "source": version.source,
    }


def levy_record(version: Levy, on: datetime.date) -> LevyRecord:
    """Return the same with its document and what the checker has against it."""
    problems = version.problems
    return {
        **levy_row(version, on),
        "document": version.document,
        "problems": [{"line": each.line, "code": each.code, "message": each.message} for each in problems],
    }


def _filed(version: FeeSchedule | GameFiling, on: datetime.date) -> Filed:
    return {
        **_version(version, on),
        "rulebook": version.rulebook,
        "state_reference": version.state_reference,
    }


def _version(version: Filing, on: datetime.date) -> Version:
    return {
        "id": version.pk,
        "number": version.number,
        "version": version.version,
        "title": version.title,
        "status": version.status,
        "in_force": version.in_force(on),
        "effective_from": None if version.effective_from is None else version.effective_from.isoformat(),
        "effective_to": None if version.effective_to is None else version.effective_to.isoformat(),
        "filed_at": utc_text(version.filed_at),
        "filed_by": None if version.filed_by is None else str(version.filed_by),
        "approved_by": None if version.approved_by is None else str(version.approved_by),
        "revision": version.revision,
        "edited_by": None if version.edited_by is None else str(version.edited_by),
        "digest": version.digest,
    }


def _shown(version: Filing, staff: Staff, room: Room) -> bool:
    return version.status != Filing.Status.DRAFT or may(staff, Right.FILE_SCHEDULES, room)
