"""Views of games on file: options, paytables with exact odds, and where each is played."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from cardroom.filings.models import GameFiling
from cardroom.floor.commands.filings import games
from cardroom.floor.reads.filing_tables import filing_tables
from games.approval import APPROVAL
from games.approved_terms import COMMON
from games.approved_whole import grouped, is_shown
from games.registry import game_of, load_rulebook
from games.rotation.profile import load_profile

from ..parts.access import Permissions
from ..parts.options import format_options
from ..placards.forms import choices_of
from ..placards.placard import rules_placard
from ..placards.wagers import shown_wagers
from .approval_fields import ADD, ROTATION, first_typed, posted, typed_approval
from .approval_form import ApprovalForm
from .filed_game_form import FiledGameForm, typed_options
from .game_files import ApprovalUploadForm, DocumentForm, GameFilePages
from .game_form import ApprovedGameForm, GameForm, typed_game


class GamePages(GameFilePages):
    """The pages of games."""

    commands = games
    heading = "Games offered"
    text = "what is played"
    lead = (
        "A table plays one of them at a time, by the version in force on the gaming day. What was filed stays as it was "
        "filed."
    )
    none_filed = "Compliance drafts and files one; until then no table opens."
    offered = True
    listed_with = ("tables__schedule",)

    def page_context(self, version: GameFiling) -> dict[str, Any]:
        placard = rules_placard(version.terms)
        # The fee schedule is filed by itself, and no option of a game.
        options = {
            name: value for name, value in version.terms.options.items() if name not in GameForm.leaves_out
        }
        return {
            **approved_context(version),
            "document": DocumentForm(auto_id="document-%s"),
            "for_tables": filing_tables(version, timezone.now()),
            "choices": [
                *format_options(version.book, options),
                ("The bank rotates", load_profile(version.profile_id).name),
            ],
            "placard": placard,
            "rulebook": version.book,
            # Limits are a table's, and not filed with its game.
            "wagers": [dataclasses.replace(shown, limit=None) for shown in shown_wagers(placard)],
            "prefix": f"{version.rulebook}:",
        }

    def empty_of(self, rulebook: str) -> dict[str, Any]:
        return {"options": game_of(rulebook).first_options()}

    def form_of(self, draft: GameFiling) -> GameForm | FiledGameForm:
        if game_of(draft.rulebook).from_filing:
            return FiledGameForm(draft.book, typed_game(draft, typed_options(draft.options)))
        typed = typed_game(draft, choices_of(draft.book, draft.options, {}))
        if not game_of(draft.rulebook).approved_terms():
            return GameForm(draft.book, typed)
        base = load_rulebook(draft.rulebook)
        said, differs = typed_approval(base, draft.options.get(APPROVAL, {}))
        return ApprovedGameForm(ApprovalForm(base, {**said, ROTATION: draft.rotation}, differs), typed)

    def form_typed(self, draft: GameFiling, request: HttpRequest) -> GameForm | FiledGameForm:
        game = game_of(draft.rulebook)
        if game.from_filing:
            return FiledGameForm(draft.book, request.POST.dict())
        if not game.approved_terms():
            return GameForm(draft.book, request.POST.dict())
        base = load_rulebook(draft.rulebook)
        typed, differs = posted(request.POST)
        if typed.get("more") == ADD:
            typed = {**first_typed(base, typed.get(ADD, "")), **typed}
        return ApprovedGameForm(ApprovalForm(base, typed, differs), typed, other=draft.book)

    def draft_context(self, draft: GameFiling, form: Any) -> dict[str, Any]:
        if not isinstance(form, ApprovedGameForm):
            return {"lacking": lacking_of(draft)}
        return {
            "approval": form.approval,
            "upload": ApprovalUploadForm(auto_id="upload-%s"),
            **approval_context(form.approval),
        }

    def show_draft(
        self, request: HttpRequest, permissions: Permissions, draft: GameFiling, form: Any, **more: Any
    ) -> HttpResponse:
        if request.htmx and isinstance(form, ApprovedGameForm):  # type: ignore[attr-defined]  # django-htmx sets it
            now = request.headers.get("HX-Trigger-Name", "")
            return render(request, "web/filings/approval_typed.html", approval_context(form.approval, now))
        return super().show_draft(request, permissions, draft, form, **more)


def approved_context(version: GameFiling) -> dict[str, Any]:
    """The whole of a version with an approval, term by term, and what stops its filing; nothing without one.

    Of a game that is filed by its spots, what stops it alone: its options are all there is.
    """
    if version.approval is None:
        return {}
    if game_of(version.rulebook).from_filing:
        lacking = lacking_of(version)
        return {"lacking": lacking, "stopped": _stopped(len(lacking))}
    base, whole = load_rulebook(version.rulebook), version.whole
    missing = len(version.approval.without_clause)
    return {
        "approval": version.approval,
        "whole": grouped(whole),
        "said": [each for each in whole if each.said],
        "differing": len(version.approval.changed),
        "as_base": sum(not each.said and not each.follows for each in whole if is_shown(each)),
        "base": base,
        "missing": missing,
        "stopped": _stopped(missing),
    }


def _stopped(missing: int) -> str:
    return f"{missing} clause{'s' * (missing > 1)} missing" if missing else ""


def lacking_of(version: GameFiling) -> list[str]:
    """What a game that is filed by its spots says without the clause of the room's document, with the word of its lines of clauses."""
    if version.approval is None:
        return []
    called = {term.key: term.label for term in COMMON} | dict(game_of(version.rulebook).option_words.labels)
    return [f"{called.get(name, name)} ({name})" for name in version.approval.without_clause]


def approval_context(approval: ApprovalForm, now: str = "") -> dict[str, Any]:
    """The differences, the whole and their counts, as a draft's page shows them; `now`: the field typed last."""
    return {
        "differences": approval.differences(now),
        "differing": len(approval.differs),
        "whole": approval.whole,
        "missing": approval.missing,
        "as_base": approval.as_base,
        "refused_elsewhere": approval.refused_elsewhere,
        "base": approval.base,
    }


PAGES = GamePages()
