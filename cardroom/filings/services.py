"""Services that change a filing: draft, edit, discard, file, withdraw, the same for every kind.

Whether the actor may, and whether a second person has to sign, is the caller's question (`cardroom.floor.commands.filings`).
`now` is the instant of the command, where it is not this one: simulated play gives its instants.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any, TypeVar

from django.db import IntegrityError, models, transaction
from django.utils import timezone

from cardroom.core.dates import day_text
from cardroom.people.models import Staff

from .errors import FilingConflict, FilingError
from .models import Filing
from .models.filing import today

F = TypeVar("F", bound=Filing)
_STATUS = Filing.Status


def draft(new: F, *, by: Staff, now: datetime.datetime | None = None) -> F:
    """Save `new`, which says room, number and what its kind says, as the next version of that number.

    Its `effective_from` is what is planned. Raises FilingConflict when the number has a draft already (edit that one),
    FilingError for what not even a draft may say.
    """
    new.check_draft()
    new.title = new.title.strip() or new.default_title
    try:
        with transaction.atomic():
            versions = _versions(new)
            if any(version.status == _STATUS.DRAFT for version in versions):
                raise _draft_exists(new)
            new.version = max((version.version for version in versions), default=0) + 1
            new.edited_by = by
            return _saved(new, by, "drafted", now)
    except IntegrityError as error:
        # Another person drafted the same version between our look and our write.
        raise _draft_exists(new) from error


def edit(version: F, *, by: Staff, **columns: Any) -> F:
    """Change what a draft says. Raises FilingConflict once it is filed: draft the next version instead."""
    with transaction.atomic():
        mine, _ = _locked(version)
        check_is_draft(mine)
        _set(mine, columns)
        mine.check_draft()
        mine.title = mine.title.strip() or mine.default_title
        mine.revision, mine.edited_by = mine.revision + 1, by
        return _saved(mine, by, "edited")


def discard(version: Filing, *, by: Staff) -> None:
    """Delete a draft, which is no fact yet; its history keeps what it said. Raises FilingConflict once it is filed."""
    with transaction.atomic():
        mine, _ = _locked(version)
        check_is_draft(mine)
        _explained(mine, by, "discarded").delete()


def file(
    version: F,
    *,
    by: Staff,
    effective_from: datetime.date,
    approved_by: Staff | None = None,
    now: datetime.datetime | None = None,
    **columns: Any,
) -> F:
    """File a draft: from `effective_from` on it is in force, and the version before it no longer.

    The first filing of a number may lie in the past, when a room is set up with what was filed long ago. A version that
    takes the place of another begins on the next gaming day at the earliest (`Filing.free_from`), so that a day on which
    rounds have been played keeps what they were played by. `columns` are known as it is filed, such as the state's
    number. `approved_by` is the second person who signed: the database refuses the same person.

    Raises FilingConflict when it is no draft any more, when it would begin too early to take another's place, or when
    its period overlaps that of a closed version; FilingError for what its kind may not file.
    """
    with transaction.atomic():
        mine, versions = _locked(version)
        check_is_draft(mine)
        _set(mine, columns)
        # What begins in the past goes on today: it must be permitted now as well.
        mine.check_filing(max(effective_from, today(mine, now)))
        if (closing := _closed_by(mine, versions, effective_from, now)) is not None:
            closing.status, closing.effective_to = _STATUS.SUPERSEDED, effective_from
            _saved(closing, by, f"superseded by version {mine.version}", now)
        mine.status, mine.effective_from = _STATUS.FILED, effective_from
        mine.filed_at, mine.filed_by, mine.approved_by = now or timezone.now(), by, approved_by
        return _saved(mine, by, "filed", now)


def file_at_once(
    new: F, *, by: Staff, effective_from: datetime.date, now: datetime.datetime | None = None, **columns: Any
) -> F:
    """Draft and file in one step: what was filed elsewhere, or what its kind does not draft."""
    with transaction.atomic():
        return file(draft(new, by=by, now=now), by=by, effective_from=effective_from, now=now, **columns)


def withdraw(
    version: F,
    *,
    by: Staff,
    reason: str,
    effective_to: datetime.date | None = None,
    now: datetime.datetime | None = None,
) -> F:
    """Close a filed version without another in its place; `effective_to` is the first day without it.

    Default and earliest is the next gaming day, or the day on which a coming version would have begun. Raises
    FilingConflict when the version is not filed (any more) or the day is too early, FilingError without a reason.
    """
    reason = reason.strip()
    if not reason:
        raise FilingError("reason_missing", "A withdrawal needs a reason.", path="reason")
    with transaction.atomic():
        mine, _ = _locked(version)
        if mine.status != _STATUS.FILED or mine.effective_from is None:
            raise FilingConflict("not_filed", f"{mine} is {mine.status}: only a filed version is withdrawn.")
        earliest = max(mine.free_from(today(mine, now)), mine.effective_from)
        if effective_to is not None and effective_to < earliest:
            raise FilingConflict(
                "too_early",
                f"{mine} can be withdrawn from {earliest} on, not from {effective_to}.",
                path="effective_to",
            )
        mine.status, mine.effective_to = _STATUS.WITHDRAWN, effective_to or earliest
        return _saved(mine, by, reason, now)


def _closed_by(
    mine: Filing, versions: Iterable[F], effective_from: datetime.date, now: datetime.datetime | None
) -> F | None:
    """Return the filed version that ends on `effective_from`, where `mine` begins, if there is one.

    Raises FilingConflict where `mine` cannot begin then: `too_early` or `periods_overlap`.
    """
    closing = None
    for other in versions:
        if other.pk == mine.pk or other.effective_from is None:
            continue
        if other.status == _STATUS.FILED:
            earliest = max(mine.free_from(today(mine, now)), other.effective_from)
            if effective_from < earliest:
                raise FilingConflict(
                    "too_early",
                    f"{other} is filed from {day_text(other.effective_from)}; {mine} can take its place "
                    f"from {day_text(earliest)} on, not from {day_text(effective_from)}.",
                    path="effective_from",
                )
            closing = other
        elif (
            other.effective_to is not None and max(effective_from, other.effective_from) < other.effective_to
        ):
            raise FilingConflict(
                "periods_overlap",
                f"{other} is in force until {other.effective_to}; {mine} can start that day, "
                f"not on {day_text(effective_from)}.",
                path="effective_from",
            )
    return closing


def _versions(version: F) -> list[F]:
    """Lock and return all versions of a number, oldest first: who files one decides about all."""
    rows = type(version)._default_manager.select_for_update(no_key=True)
    return list(rows.filter(room_id=version.room_id, number=version.number).order_by("version"))


def _locked(version: F) -> tuple[F, list[F]]:
    """Lock all versions and return `version` as it is now, and all of them."""
    versions = _versions(version)
    for mine in versions:
        if mine.pk == version.pk:
            return mine, versions
    raise FilingConflict("draft_gone", f"{version} has been deleted.")


def check_is_draft(version: Filing) -> None:
    """Raise FilingConflict for a version that is no draft any more."""
    if version.status != _STATUS.DRAFT:
        raise FilingConflict(
            "not_a_draft", f"{version} is {version.status} and stays as it was filed: draft the next version."
        )


def _draft_exists(version: Filing) -> FilingConflict:
    what = f"{version.word} {version.number}".capitalize()
    return FilingConflict(
        "draft_exists", f"{what} has a draft already: edit or discard that one.", path="number"
    )


def _set(version: models.Model, columns: dict[str, Any]) -> None:
    for name, value in columns.items():
        version._meta.get_field(name)
        setattr(version, name, value)


def _explained(version: F, by: Staff, why: str, now: datetime.datetime | None = None) -> F:
    """Tell the history who does it, why and when."""
    if now is not None:
        version._history_date = now  # type: ignore[attr-defined]  # read by simple_history
    version._history_user = by  # type: ignore[attr-defined]  # read by simple_history
    version._change_reason = why  # type: ignore[attr-defined]  # read by simple_history
    return version


def _saved(version: F, by: Staff, why: str, now: datetime.datetime | None = None) -> F:
    _explained(version, by, why, now).save()
    return version
