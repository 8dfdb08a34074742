"""The five steps that commands on every kind of filing share: draft, edit, discard, file and withdraw.

What a draft may say and when a version may begin is for `cardroom.filings`; here are the lock, the right, the second
person and the journal. Filings move nothing on the floor: any version of the room is taken. The commands that call these
are in `schedules`, `games` and, for the rules on tips, `cardroom.tips.commands.rules`.
"""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator
from typing import Annotated, Any, Final, TypeVar

from cardroom.core.json_types import Digest, OneOf, Text, Whole
from cardroom.filings import services
from cardroom.filings.errors import FilingConflict, FilingError
from cardroom.filings.models import Filing, StateFiling
from cardroom.people.models import Staff
from cardroom.people.rights import Right

from ..errors import BadInput, Forbidden, NotFound, NotNow, Stale
from ..transactions import RoomTransaction
from .second_person import check_second_person

F = TypeVar("F", bound=Filing)

TITLE_LENGTH: Final = 80
REFERENCE_LENGTH: Final = 80
MOST_NUMBER: Final = 999

#: Inputs that every kind takes. Numbers beyond those that there are: the command says which.
Number = Annotated[int, Whole(1, 32_767)]
Title = Annotated[str, Text(TITLE_LENGTH, blank=True)]
RulebookId = Annotated[str, Text(40)]
PlannedDay = Annotated[datetime.date | None, "The first day in force that is planned."]
PlannedReference = Annotated[str, Text(REFERENCE_LENGTH, blank=True), "The state's number, once known."]
FirstDay = Annotated[datetime.date, "First day in force."]
Reference = Annotated[str, Text(REFERENCE_LENGTH), "The state's number of the filing."]
LastDay = Annotated[datetime.date | None, "First day without it; else as soon as may be."]
Status = Annotated[str, OneOf(Filing.Status)]
#: The digest of the version that was read (`Filing.digest`).
Read = Annotated[str, Digest()]

FILINGS_TAG: Final = "Filings"
NO_FILING_CHECK: Final = "it depends on the version that is named: cardroom.filings.services"
FILE_EXAMPLE: Final = {"effective_from": "2027-01-01", "state_reference": "BGC 12-345"}
WITHDRAW_EXAMPLE: Final = {"reason": "no longer offered"}


def version_of(tx: RoomTransaction, kind: type[F], pk: int) -> F:
    """Return one version of a kind of filing in the room; NotFound for another room's too."""
    found = kind._default_manager.filter(pk=pk, room=tx.room).first()
    if found is None:
        raise NotFound("not_found", f"There is no {kind._meta.verbose_name} {pk} in this room.")
    return found


def read_version(tx: RoomTransaction, kind: type[F], pk: int, digest: str) -> F:
    """Return one version as it was read: `digest` is what its reader has seen. Stale where it says something else now."""
    found = version_of(tx, kind, pk)
    if found.digest != digest:
        by = f" by {found.edited_by}" if found.edited_by is not None else ""
        raise Stale(
            "filing_changed",
            f"{found} is not what was read: it is {found.status}, and its text number {found.revision} was "
            f"written{by}. Read it again, and decide on that.",
            extra={
                "state": {
                    "id": found.pk,
                    "status": found.status,
                    "revision": found.revision,
                    "digest": found.digest,
                }
            },
        )
    return found


def drafted(tx: RoomTransaction, new: F) -> F:
    """Save the next version of a number as a draft."""
    _check_text(new)
    if new.number > MOST_NUMBER:
        raise BadInput("bad_number", f"Numbers go from 1 to {MOST_NUMBER}, not {new.number}.", path="number")
    with refused_by_the_floor():
        draft = services.draft(new, by=tx.actor, now=tx.now)
    tx.journal(f"{draft.word}_draft", {**_version_data(draft), "after": draft.content()})
    return draft


def edited(tx: RoomTransaction, draft: F, **columns: Any) -> F:
    """Replace what a draft says."""
    before = draft.content()
    _check_text(type(draft)(**columns))
    with refused_by_the_floor():
        draft = services.edit(draft, by=tx.actor, **columns)
    tx.journal(f"{draft.word}_edit", {**_version_data(draft), "before": before, "after": draft.content()})
    return draft


def discarded(tx: RoomTransaction, draft: Filing) -> None:
    """Delete a draft."""
    named, before = _version_data(draft), draft.content()
    with refused_by_the_floor():
        services.discard(draft, by=tx.actor)
    tx.journal(f"{draft.word}_discard", {**named, "before": before})


def filed(
    tx: RoomTransaction, draft: F, approver: Staff, effective_from: datetime.date, *, state_reference: str
) -> F:
    """File a draft that a second person signs."""
    check_second_person(tx, approver, Right.APPROVE_FILING, "files")
    if draft.edited_by_id == approver.pk:
        raise Forbidden(
            "edited_by_signer",
            f"{approver} wrote what this draft says now, and may not sign it: let somebody else sign who has read it.",
            path="approver",
        )
    _check_text(type(draft)(state_reference=state_reference))
    with refused_by_the_floor():
        draft = services.file(
            draft,
            by=tx.actor,
            effective_from=effective_from,
            approved_by=approver,
            now=tx.now,
            state_reference=state_reference,
        )
    tx.journal(
        f"{draft.word}_file", {**_version_data(draft), **_period_data(draft), **_approver_data(approver)}
    )
    return draft


def withdrawn(
    tx: RoomTransaction, version: F, approver: Staff | None, reason: str, effective_to: datetime.date | None
) -> F:
    """Withdraw a filed version; a second person signs what two have filed."""
    if approver is not None:
        check_second_person(tx, approver, Right.APPROVE_FILING, "withdraws a filing")
    with refused_by_the_floor():
        version = services.withdraw(
            version, by=tx.actor, effective_to=effective_to, reason=reason, now=tx.now
        )
    tx.journal(
        f"{version.word}_withdraw",
        {**_version_data(version), **_period_data(version), **_approver_data(approver)},
        reason=reason.strip(),
    )
    return version


@contextlib.contextmanager
def refused_by_the_floor() -> Iterator[None]:
    """Turn the refusals of filings into those that a command answers with."""
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


def _version_data(version: Filing) -> dict[str, Any]:
    return {
        "id": version.pk,
        "number": version.number,
        "version": version.version,
        "revision": version.revision,
        "digest": version.digest,
    }


def _period_data(version: Filing) -> dict[str, Any]:
    period = {"effective_from": _day(version.effective_from), "effective_to": _day(version.effective_to)}
    if isinstance(version, StateFiling):
        period["state_reference"] = version.state_reference
    return period


def _approver_data(approver: Staff | None) -> dict[str, Any]:
    return {} if approver is None else {"approved_by": {"id": approver.pk, "name": str(approver)}}


def _day(day: datetime.date | None) -> str | None:
    return None if day is None else day.isoformat()
