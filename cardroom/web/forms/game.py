"""The form of a game's draft: the options of its rulebook and the house's own paytable, without what is collected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.forms.boundfield import BoundField

from cardroom.floor.services.filings import REFERENCE_LENGTH, TITLE_LENGTH
from cardroom.offered.models import GameFiling
from cardroom.offered.services import COLLECTED
from games.rulebook import Rulebook

from .choices import ChoicesForm, choices_of
from .schedule import day_field, words_field

_HEAD = ("title", "effective_from", "state_reference")


class GameForm(ChoicesForm):
    """A whole draft: what is planned of its filing, and one field an option."""

    leaves_out = frozenset(COLLECTED)

    def __init__(self, rulebook: Rulebook, chosen: Mapping[str, str]) -> None:
        super().__init__(rulebook, chosen)
        for name in [name for name in self.fields if name.startswith(("least-", "most-"))]:
            del self.fields[name]  # limits are a table's
        for name in ("players", "meter"):
            self.fields.pop(name, None)
        self.limited = []
        self.fields["title"] = words_field(TITLE_LENGTH, "Title")
        self.fields["effective_from"] = day_field("Planned first day in force")
        self.fields["state_reference"] = words_field(REFERENCE_LENGTH, "State's number of the filing")

    def head_fields(self) -> list[BoundField]:
        return [self[name] for name in _HEAD]

    def arguments(self) -> dict[str, Any]:
        """What the services take, from valid input."""
        return {"options": self.options, **{name: self.cleaned_data[name] for name in _HEAD}}


def typed_game(draft: GameFiling) -> dict[str, str]:
    """What the form of a draft holds as it stands."""
    return {
        **choices_of(draft.options, {}),
        "title": draft.title,
        "effective_from": "" if draft.effective_from is None else draft.effective_from.isoformat(),
        "state_reference": draft.state_reference,
    }
