"""Writing game filings: draft, edit, discard, file, withdraw. Whether the actor may is the caller's question."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.people.models import Staff
from cardroom.rooms.filing import tomorrow, way_for
from cardroom.rooms.models import Room
from games.refusal import Refusal
from games.rotation import PROFILES, why_not_play_by
from games.rulebook import RULEBOOKS, load_rulebook
from games.terms import read_options

from .errors import GameConflict, GameError
from .models import GameFiling

_STATUS = GameFiling.Status
#: Before any round that a demo room plays.
_DEMO_EFFECTIVE_FROM = datetime.date(2025, 1, 1)
#: Options of the rulebooks that a game filing does not answer: they are filed by themselves.
COLLECTED = {
    "fee_schedule": "Fee schedules are filed by themselves; a table is set to one beside its game.",
}


def game_draft(
    *,
    room: Room,
    number: int,
    rulebook: str,
    by: Staff,
    options: Mapping[str, Any] | None = None,
    rotation: str = "",
    title: str = "",
    effective_from: datetime.date | None = None,
    state_reference: str = "",
) -> GameFiling:
    """Draft the next version of game `number` of `room`. `effective_from` and `state_reference` are what is planned.

    `options` are the round sheet's without the fee schedule, `rotation` is the id of a profile, empty for the
    rulebook's own. Raises GameConflict when the number has a draft already (edit that one), GameError for a rulebook
    that is unknown or may not be filed in the room's jurisdiction, a number below 1, a profile that is not in force, or
    options that the rulebook does not know.
    """
    if rulebook not in RULEBOOKS:
        raise GameError(
            "unknown_rulebook",
            f"There is no rulebook {rulebook!r}; known are {', '.join(RULEBOOKS)}.",
            path="rulebook",
        )
    _check_jurisdiction(room, rulebook, None)
    if number < 1:
        raise GameError("bad_number", f"A game's number counts from 1; {number} does not.", path="number")
    draft = GameFiling(
        room=room,
        rulebook=rulebook,
        number=number,
        title=title.strip() or load_rulebook(rulebook).name,
        options=_checked(rulebook, options or {}),
        rotation=_rotation(rulebook, rotation, effective_from or _today(room)),
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


def game_edit(
    *,
    game: GameFiling,
    by: Staff,
    options: Mapping[str, Any],
    title: str,
    rotation: str = "",
    effective_from: datetime.date | None = None,
    state_reference: str = "",
) -> GameFiling:
    """Replace what a draft says. Raises GameConflict once it is filed, GameError for what it may not say."""
    with transaction.atomic():
        draft, _ = _locked(game)
        _ask_for_draft(draft)
        draft.options = _checked(draft.rulebook, options)
        draft.rotation = _rotation(draft.rulebook, rotation, effective_from or _today(draft.room))
        draft.title = title.strip() or draft.book.name
        draft.effective_from, draft.state_reference = effective_from, state_reference
        return _saved(draft, by, "edited")


def game_discard(*, game: GameFiling, by: Staff) -> None:
    """Delete a draft, which is no fact yet; its history keeps what it said. Raises GameConflict once it is filed."""
    with transaction.atomic():
        draft, _ = _locked(game)
        _ask_for_draft(draft)
        draft._history_user = by  # type: ignore[attr-defined]  # read by simple_history
        draft._change_reason = "discarded"  # type: ignore[attr-defined]  # read by simple_history
        draft.delete()


def game_file(
    *,
    game: GameFiling,
    by: Staff,
    effective_from: datetime.date,
    state_reference: str,
    approved_by: Staff | None = None,
) -> GameFiling:
    """File a draft: from `effective_from` on it is in force, and the version before it no longer.

    Days are taken as for fee schedules: a first filing may lie in the past, a version that takes another's place
    starts tomorrow at the earliest. `approved_by` is the second person who signed; that there is one is the caller's
    question, that it is another person the database's too. Raises GameConflict when it is no draft any more or would
    overlap another, and GameError without the state's reference, for a rulebook or a rotation profile that may not be
    filed on that day, and for options that the rulebook no longer knows.
    """
    if not state_reference.strip():
        raise GameError(
            "state_reference_missing",
            "A filing needs the Bureau's number of it: fill in state_reference.",
            path="state_reference",
        )
    with transaction.atomic():
        draft, versions = _locked(game)
        _ask_for_draft(draft)
        _checked(draft.rulebook, draft.options)
        # What begins in the past goes on today: it must be permitted now as well.
        first = max(effective_from, _today(draft.room))
        _check_jurisdiction(draft.room, draft.rulebook, first)
        _rotation(draft.rulebook, draft.rotation, first)
        closing, overlap = way_for(draft, versions, effective_from, tomorrow=tomorrow(draft.room))
        if overlap is not None:
            raise GameConflict(*overlap, path="effective_from")
        if closing is not None:
            closing.status, closing.effective_to = _STATUS.SUPERSEDED, effective_from
            _saved(closing, by, f"superseded by version {draft.version}")
        draft.status = _STATUS.FILED
        draft.effective_from = effective_from
        draft.state_reference = state_reference.strip()
        draft.filed_at = timezone.now()
        draft.filed_by, draft.approved_by = by, approved_by
        return _saved(draft, by, "filed")


def game_withdraw(
    *, game: GameFiling, by: Staff, effective_to: datetime.date | None = None, reason: str
) -> GameFiling:
    """Close a filed version without another in its place; `effective_to` is the first day without it.

    Default and earliest is tomorrow, or the day on which a coming version would have started. Raises GameConflict
    when the version is not filed (any more) or the day is too early, GameError without a reason.
    """
    if not reason.strip():
        raise GameError("reason_missing", "A withdrawal needs a reason.", path="reason")
    with transaction.atomic():
        filed, _ = _locked(game)
        if filed.status != _STATUS.FILED or filed.effective_from is None:
            raise GameConflict("not_filed", f"{filed} is {filed.status}: only a filed version is withdrawn.")
        earliest = max(tomorrow(filed.room), filed.effective_from)
        if effective_to is not None and effective_to < earliest:
            raise GameConflict(
                "too_early",
                f"{filed} can be withdrawn from {earliest} on, not from {effective_to}.",
                path="effective_to",
            )
        filed.status, filed.effective_to = _STATUS.WITHDRAWN, effective_to or earliest
        return _saved(filed, by, reason.strip())


def _check_jurisdiction(room: Room, rulebook: str, day: datetime.date | None) -> None:
    if why := room.rules_of.why_not(rulebook, day):
        raise GameError("rulebook_of_another_jurisdiction", why, path="rulebook")


def _rotation(rulebook: str, profile: str, day: datetime.date) -> str:
    """Return the profile by which a game rotates, which may be played by on `day`."""
    book = load_rulebook(rulebook)
    if profile and profile not in PROFILES:
        raise GameError(
            "unknown_rotation",
            f"There is no rotation profile {profile!r}. There are {', '.join(PROFILES)}.",
            path="rotation",
        )
    if why := why_not_play_by(profile, book, day):
        raise GameError("rotation_not_in_force", why, path="rotation")
    return profile


def _today(room: Room) -> datetime.date:
    return timezone.localdate(timezone=room.zone)


def games_seed(room: Room, by: Staff, *, rulebook: str = "california") -> GameFiling:
    """File `rulebook` with its options as they are as a demo room's game 1; one that is filed already stays."""
    found = GameFiling.objects.filter(room=room, number=1).exclude(status=_STATUS.DRAFT).first()
    return found or game_seed(room, by, 1, rulebook=rulebook)


def game_seed(
    room: Room,
    by: Staff,
    number: int,
    *,
    rulebook: str = "california",
    options: Mapping[str, Any] | None = None,
    rotation: str = "",
    title: str = "",
) -> GameFiling:
    """File a game as a demo room's own of that number, in force since before any round of a demo."""
    draft = game_draft(
        room=room,
        number=number,
        rulebook=rulebook,
        by=by,
        options=options,
        rotation=rotation,
        title=title,
    )
    return game_file(
        game=draft, by=by, effective_from=_DEMO_EFFECTIVE_FROM, state_reference=f"demo game {number}"
    )


def _checked(rulebook: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options that the rulebook knows, none of them about what is collected."""
    for name, why in COLLECTED.items():
        if name in options:
            raise GameError("collected_elsewhere", why, path=f"options.{name}")
    try:
        read_options(load_rulebook(rulebook), options)
    except Refusal as refusal:
        raise GameError(refusal.code, refusal.message, path=refusal.path) from refusal
    return dict(options)


def _versions(game: GameFiling) -> list[GameFiling]:
    """Lock and return all versions of a game, oldest first: who files one decides about all."""
    rows = GameFiling.objects.select_for_update(no_key=True).filter(room_id=game.room_id, number=game.number)
    return list(rows.order_by("version"))


def _locked(game: GameFiling) -> tuple[GameFiling, list[GameFiling]]:
    """Lock all versions and return `game` as it stands now, and all of them."""
    versions = _versions(game)
    for version in versions:
        if version.pk == game.pk:
            return version, versions
    raise GameConflict("draft_gone", f"{game} has been deleted.")


def _ask_for_draft(game: GameFiling) -> None:
    if game.status != _STATUS.DRAFT:
        raise GameConflict(
            "not_a_draft", f"{game} is {game.status} and stays as it was filed: draft the next version."
        )


def _draft_exists(number: int) -> GameConflict:
    return GameConflict(
        "draft_exists", f"Game {number} has a draft already: edit or discard that one.", path="number"
    )


def _saved(game: GameFiling, by: Staff, why: str) -> GameFiling:
    """Save, and let the history say who and why."""
    game._history_user = by  # type: ignore[attr-defined]  # read by simple_history
    game._change_reason = why  # type: ignore[attr-defined]  # read by simple_history
    game.save()
    return game
