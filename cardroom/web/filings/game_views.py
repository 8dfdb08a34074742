"""Views of games on file: options, paytables with exact odds, and where each is played."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.http import HttpRequest

from cardroom.filings.models import GameFiling
from cardroom.floor.commands.filings import games
from games.registry import game_of
from games.rotation.profile import load_profile

from ..parts.options import format_options
from ..placards.forms import choices_of
from ..placards.placard import rules_placard
from ..placards.wagers import shown_wagers
from .filed_game_form import FiledGameForm, typed_options
from .game_form import GameForm, typed_game
from .views import FilingPages


class GamePages(FilingPages[GameFiling]):
    """The pages of games."""

    commands = games
    heading = "Games offered"
    text = "what is played"
    lead = (
        "A table plays one of them at a time, by the version in force on the gaming day. What was filed stays as it was "
        "filed."
    )
    none_filed = "Compliance drafts and files one; until then no table opens."

    def page_context(self, version: GameFiling) -> dict[str, Any]:
        placard = rules_placard(version.terms)
        # The fee schedule is filed by itself, and no option of a game.
        options = {
            name: value for name, value in version.terms.options.items() if name not in GameForm.leaves_out
        }
        return {
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
        return GameForm(draft.book, typed_game(draft, choices_of(draft.book, draft.options, {})))

    def form_typed(self, draft: GameFiling, request: HttpRequest) -> GameForm | FiledGameForm:
        form = FiledGameForm if game_of(draft.rulebook).from_filing else GameForm
        return form(draft.book, request.POST.dict())


PAGES = GamePages()
