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
from games.rulebook import RULEBOOKS, load_rulebook
from games.terms import read_options

from .errors import GameConflict, GameError
from .models import GameFiling

_STATUS = GameFiling.Status
#: Before any round that a demo room plays.
_DEMO_EFFECTIVE_FROM = datetime.date(2025, 1, 1)
#: Options of the rulebooks that a game filing does not answer: what is collected is filed, or set, by itself.
COLLECTED = {
    "fee_schedule": "Fee schedules are filed by themselves; a table is set to one beside its game.",
    "house_rake": "A house rake is set at its table, beside the game.",
}


def game_draft(
    *,
    room: Room,
    number: int,
    rulebook: str,
    by: Staff,
    options: Mapping[str, Any] | None = None,
    title: str = "",
    effective_from: datetime.date | None = None,
    state_reference: str = "",
) -> GameFiling:
    """Draft the next version of game `number` of `room`. `effective_from` and `state_reference` are what is planned.

    Raises GameConflict when the number has a draft already (edit that one), GameError for an unknown rulebook, a
    number below 1 or options that the rulebook does not know.
    """
    if rulebook not in RULEBOOKS:
        raise GameError(
            "unknown_rulebook",
            f"There is no rulebook {rulebook!r}; known are {', '.join(RULEBOOKS)}.",
            path="rulebook",
        )
    if number < 1:
        raise GameError("bad_number", f"A game's number counts from 1; {number} does not.", path="number")
    draft = GameFiling(
        room=room,
        rulebook=rulebook,
        number=number,
        title=title.strip() or load_rulebook(rulebook).name,
        options=_checked(rulebook, options or {}),
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
    effective_from: datetime.date | None = None,
    state_reference: str = "",
) -> GameFiling:
    """Replace what a draft says. Raises GameConflict once it is filed, GameError for options that there are not."""
    with transaction.atomic():
        draft, _ = _locked(game)
        _ask_for_draft(draft)
        draft.options = _checked(draft.rulebook, options)
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
    *, game: GameFiling, by: Staff, effective_from: datetime.date, state_reference: str
) -> GameFiling:
    """File a draft: from `effective_from` on it is in force, and the version before it no longer.

    Days are taken as for fee schedules: a first filing may lie in the past, a version that takes another's place
    starts tomorrow at the earliest. Raises GameConflict when it is no draft any more or would overlap another, and
    GameError without the state's reference or for options that the rulebook no longer knows.
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
        draft.filed_by = by
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


def games_seed(room: Room, by: Staff, *, rulebook: str = "california") -> GameFiling:
    """File `rulebook` with its options as they are as a demo room's game 1."""
    return game_file(
        game=game_draft(room=room, number=1, rulebook=rulebook, by=by),
        by=by,
        effective_from=_DEMO_EFFECTIVE_FROM,
        state_reference="demo game 1",
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
    rows = GameFiling.objects.select_for_update().filter(room_id=game.room_id, number=game.number)
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
