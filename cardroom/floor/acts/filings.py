"""What a room files, by act: fee schedules and games are drafted, changed, discarded, filed and withdrawn.

What a draft may say and when a version may begin is for `cardroom.filings`; here are the lock, the right, the second
person and the journal, by five functions that every kind of filing shares. Filings move nothing on the floor: any
version of the room is taken.
"""

from __future__ import annotations

import contextlib
import datetime
import unicodedata
from collections.abc import Iterator
from typing import Annotated, Any, Final, TypedDict, TypeVar

from cardroom.core.acts import Id, Json, OneOf, Reason, Text, Whole
from cardroom.filings import services
from cardroom.filings.errors import FilingConflict, FilingError
from cardroom.filings.models import FeeSchedule, Filing, GameFiling, StateFiling
from cardroom.people.approval import Approval
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from games.rotation import PROFILES

from ..errors import BadInput, NotFound, NotNow
from .commands import AtRoom, room_act
from .second_person import check_second_person

F = TypeVar("F", bound=Filing)

TITLE_LENGTH: Final = 80
REFERENCE_LENGTH: Final = 80
MOST_NUMBER: Final = 999

#: Inputs that every kind takes. Numbers beyond those that there are: the act says which.
Number = Annotated[int, Whole(1, 32_767)]
Title = Annotated[str, Text(TITLE_LENGTH, blank=True)]
RulebookId = Annotated[str, Text(40)]
PlannedDay = Annotated[datetime.date | None, "The first day in force that is planned."]
PlannedReference = Annotated[str, Text(REFERENCE_LENGTH, blank=True), "The state's number, once known."]
FirstDay = Annotated[datetime.date, "First day in force."]
Reference = Annotated[str, Text(REFERENCE_LENGTH), "The state's number of the filing."]
LastDay = Annotated[datetime.date | None, "First day without it; else as soon as may be."]
Status = Annotated[str, OneOf(Filing.Status)]
ScheduleDocument = Annotated[
    dict[str, Any], Json(), "Table limit, lines and waivers, in whole cents; it may be illegal yet."
]
GameOptions = Annotated[
    dict[str, Any] | None,
    Json(),
    "The room's choices, as in the round sheet, a house rake too; the fee schedule is filed by itself.",
]
Rotation = Annotated[
    str,
    OneOf(("", *PROFILES)),
    "Profile by which the bank rotates, one that is in force; empty for the rulebook's own.",
]

_TAG: Final = "Filings"
_NO_CHECK: Final = "it depends on the version that is named: cardroom.filings.services"
_FILE: Final = {"effective_from": "2027-01-01", "state_reference": "BGC 12-345"}
_WITHDRAW: Final = {"reason": "no longer offered"}


class ScheduleAnswer(TypedDict):
    """A schedule was drafted, changed, filed or withdrawn."""

    schedule: int
    status: Status


class ScheduleGone(TypedDict):
    """A schedule's draft was discarded."""

    schedule: int


class GameAnswer(TypedDict):
    """A game was drafted, changed, filed or withdrawn."""

    game: int
    status: Status


class GameGone(TypedDict):
    """A game's draft was discarded."""

    game: int


@room_act(
    "POST schedules/versions",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="Draft the next version of a fee schedule",
    tag=_TAG,
    example={
        "number": 3,
        "rulebook": "california",
        "document": {
            "clause": "california:fees.s1",
            "ante_min_cents": 500,
            "ante_max_cents": None,
            "lines": [{"payer": "player", "per": "ante", "fee_cents": 100}],
        },
    },
)
def schedule_draft(
    at: AtRoom,
    *,
    number: Number,
    rulebook: RulebookId,
    document: ScheduleDocument,
    title: Title = "",
    effective_from: PlannedDay = None,
    state_reference: PlannedReference = "",
) -> ScheduleAnswer:
    """Of a new number, or of one that has no draft."""
    new = FeeSchedule(
        room=at.room,
        number=number,
        rulebook=rulebook,
        document=document,
        title=title,
        effective_from=effective_from,
        state_reference=state_reference,
    )
    return _schedule(drafted(at, new))


@room_act(
    "PUT schedules/versions/{schedule_id}",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="Change the draft of a fee schedule",
    tag=_TAG,
    example={"document": {"ante_max_cents": None, "lines": []}},
)
def schedule_edit(
    at: AtRoom,
    *,
    schedule_id: Id,
    document: ScheduleDocument,
    title: Title = "",
    effective_from: PlannedDay = None,
    state_reference: PlannedReference = "",
) -> ScheduleAnswer:
    """The whole of it. A filed version is never changed: draft the next one."""
    draft = version_of(at, FeeSchedule, schedule_id)
    return _schedule(
        edited(
            at,
            draft,
            document=document,
            title=title.strip() or draft.title,
            effective_from=effective_from,
            state_reference=state_reference,
        )
    )


@room_act(
    "DELETE schedules/versions/{schedule_id}",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="Discard the draft of a fee schedule",
    tag=_TAG,
)
def schedule_discard(at: AtRoom, *, schedule_id: Id) -> ScheduleGone:
    """The journal keeps what it said. A filed version is never deleted: withdraw it."""
    discarded(at, version_of(at, FeeSchedule, schedule_id))
    return {"schedule": schedule_id}


@room_act(
    "POST schedules/versions/{schedule_id}/file",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="File the draft of a fee schedule",
    tag=_TAG,
    example=_FILE,
)
def schedule_file(
    at: AtRoom,
    *,
    schedule_id: Id,
    effective_from: FirstDay,
    state_reference: Reference,
    approver: Approval,
) -> ScheduleAnswer:
    """In force from its first day on, in the place of the version before it, on the next gaming day at the earliest.

    An illegal one is refused with every problem. A second person who may file signs it.
    """
    draft = version_of(at, FeeSchedule, schedule_id)
    return _schedule(filed(at, draft, approver, effective_from, state_reference=state_reference))


@room_act(
    "POST schedules/versions/{schedule_id}/withdraw",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="Withdraw a filed fee schedule",
    tag=_TAG,
    example=_WITHDRAW,
)
def schedule_withdraw(
    at: AtRoom, *, schedule_id: Id, reason: Reason, approver: Approval, effective_to: LastDay = None
) -> ScheduleAnswer:
    """Without another in its place. A second person who may file signs it."""
    return _schedule(withdrawn(at, version_of(at, FeeSchedule, schedule_id), approver, reason, effective_to))


@room_act(
    "POST games",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="Draft the next version of a game",
    tag=_TAG,
    example={"number": 1, "rulebook": "california", "options": {"coverage": "gross"}},
)
def game_draft(
    at: AtRoom,
    *,
    number: Number,
    rulebook: RulebookId,
    options: GameOptions = None,
    rotation: Rotation = "",
    title: Title = "",
    effective_from: PlannedDay = None,
    state_reference: PlannedReference = "",
) -> GameAnswer:
    """Rulebook, options, paytables, rotation profile and house rake. The fee schedule is filed by itself."""
    new = GameFiling(
        room=at.room,
        number=number,
        rulebook=rulebook,
        options=options or {},
        rotation=rotation,
        title=title,
        effective_from=effective_from,
        state_reference=state_reference,
    )
    return _game(drafted(at, new))


@room_act(
    "PUT games/{game_id}",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="Change the draft of a game",
    tag=_TAG,
    example={"title": "3 Card Poker", "options": {"coverage": "net"}},
)
def game_edit(
    at: AtRoom,
    *,
    game_id: Id,
    options: GameOptions = None,
    rotation: Rotation = "",
    title: Title = "",
    effective_from: PlannedDay = None,
    state_reference: PlannedReference = "",
) -> GameAnswer:
    """The whole of it. A filed version is never changed: draft the next one."""
    return _game(
        edited(
            at,
            version_of(at, GameFiling, game_id),
            options=options or {},
            rotation=rotation,
            title=title,
            effective_from=effective_from,
            state_reference=state_reference,
        )
    )


@room_act(
    "DELETE games/{game_id}",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="Discard the draft of a game",
    tag=_TAG,
)
def game_discard(at: AtRoom, *, game_id: Id) -> GameGone:
    """The journal keeps what it said. A filed version is never deleted: withdraw it."""
    discarded(at, version_of(at, GameFiling, game_id))
    return {"game": game_id}


@room_act(
    "POST games/{game_id}/file",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="File the draft of a game",
    tag=_TAG,
    example=_FILE,
)
def game_file(
    at: AtRoom, *, game_id: Id, effective_from: FirstDay, state_reference: Reference, approver: Approval
) -> GameAnswer:
    """In force from its first day on, in the place of the version before it, on the next gaming day at the earliest.

    A second person who may file signs it.
    """
    draft = version_of(at, GameFiling, game_id)
    return _game(filed(at, draft, approver, effective_from, state_reference=state_reference))


@room_act(
    "POST games/{game_id}/withdraw",
    Right.FILE_SCHEDULES,
    bumps_version=False,
    no_check=_NO_CHECK,
    title="Withdraw a filed game",
    tag=_TAG,
    example=_WITHDRAW,
)
def game_withdraw(
    at: AtRoom, *, game_id: Id, reason: Reason, approver: Approval, effective_to: LastDay = None
) -> GameAnswer:
    """Without another in its place. A second person who may file signs it."""
    return _game(withdrawn(at, version_of(at, GameFiling, game_id), approver, reason, effective_to))


def version_of(at: AtRoom, kind: type[F], pk: int) -> F:
    """Return one version of a kind of filing in the room; NotFound for another room's too."""
    found = kind._default_manager.filter(pk=pk, room=at.room).first()
    if found is None:
        raise NotFound("not_found", f"There is no {kind._meta.verbose_name} {pk} in this room.")
    return found


def drafted(at: AtRoom, new: F) -> F:
    """Save the next version of a number as a draft."""
    _check_text(new)
    if new.number > MOST_NUMBER:
        raise BadInput("bad_number", f"Numbers go from 1 to {MOST_NUMBER}, not {new.number}.", path="number")
    with refused_by_the_floor():
        draft = services.draft(new, by=at.actor, now=at.now)
    at.journal(f"{draft.word}_draft", {**_named(draft), "after": _says(draft)})
    return draft


def edited(at: AtRoom, draft: F, **columns: Any) -> F:
    """Replace what a draft says."""
    before = _says(draft)
    _check_text(type(draft)(**columns))
    with refused_by_the_floor():
        draft = services.edit(draft, by=at.actor, **columns)
    at.journal(f"{draft.word}_edit", {**_named(draft), "before": before, "after": _says(draft)})
    return draft


def discarded(at: AtRoom, draft: Filing) -> None:
    """Delete a draft."""
    named, before = _named(draft), _says(draft)
    with refused_by_the_floor():
        services.discard(draft, by=at.actor)
    at.journal(f"{draft.word}_discard", {**named, "before": before})


def filed(at: AtRoom, draft: F, approver: Staff, effective_from: datetime.date, *, state_reference: str) -> F:
    """File a draft that a second person signs."""
    check_second_person(at, approver, Right.APPROVE_FILING, "files")
    _check_text(type(draft)(state_reference=state_reference))
    with refused_by_the_floor():
        draft = services.file(
            draft,
            by=at.actor,
            effective_from=effective_from,
            approved_by=approver,
            now=at.now,
            state_reference=state_reference,
        )
    at.journal(f"{draft.word}_file", {**_named(draft), **_period(draft), **_approved(approver)})
    return draft


def withdrawn(
    at: AtRoom, version: F, approver: Staff | None, reason: str, effective_to: datetime.date | None
) -> F:
    """Withdraw a filed version; a second person signs what two have filed."""
    if approver is not None:
        check_second_person(at, approver, Right.APPROVE_FILING, "withdraws a filing")
    with refused_by_the_floor():
        version = services.withdraw(
            version, by=at.actor, effective_to=effective_to, reason=reason, now=at.now
        )
    at.journal(
        f"{version.word}_withdraw",
        {**_named(version), **_period(version), **_approved(approver)},
        reason=reason.strip(),
    )
    return version


@contextlib.contextmanager
def refused_by_the_floor() -> Iterator[None]:
    """Turn the refusals of filings into those that an act answers with."""
    try:
        yield
    except FilingConflict as conflict:
        raise NotNow(conflict.code, conflict.message, path=conflict.path) from conflict
    except FilingError as refused:
        raise BadInput(refused.code, refused.message, path=refused.path) from refused


def _check_text(version: Filing) -> None:
    """Text comes from pages too, which do not read it by the API's strict body."""
    for name, most in (("title", TITLE_LENGTH), ("state_reference", REFERENCE_LENGTH)):
        words = getattr(version, name, "")
        if len(words.strip()) > most:
            raise BadInput("too_long", f"At most {most} characters, not {len(words.strip())}.", path=name)
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in words):
            raise BadInput("bad_text", "Text may not hold control characters.", path=name)


def _named(version: Filing) -> dict[str, Any]:
    return {"id": version.pk, "number": version.number, "version": version.version}


def _period(version: Filing) -> dict[str, Any]:
    said = {"effective_from": _day(version.effective_from), "effective_to": _day(version.effective_to)}
    if isinstance(version, StateFiling):
        said["state_reference"] = version.state_reference
    return said


def _says(version: Filing) -> dict[str, Any]:
    """What a draft says: title, plans, and the columns of its kind."""
    said = {"title": version.title, "effective_from": _day(version.effective_from)}
    return {**said, **{name: getattr(version, name) for name in version.drafted}}


def _approved(approver: Staff | None) -> dict[str, Any]:
    return {} if approver is None else {"approved_by": {"id": approver.pk, "name": str(approver)}}


def _schedule(version: FeeSchedule) -> ScheduleAnswer:
    return {"schedule": version.pk, "status": version.status}


def _game(version: GameFiling) -> GameAnswer:
    return {"game": version.pk, "status": version.status}


def _day(day: datetime.date | None) -> str | None:
    return None if day is None else day.isoformat()
