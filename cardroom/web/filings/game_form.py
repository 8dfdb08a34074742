"""The form of a game's draft: its rulebook's options, the cardroom's own paytable and rake, and the bank's rotation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils import timezone

from cardroom.filings.models import GameFiling
from cardroom.filings.models.games import COLLECTED
from cardroom.floor.commands.filings import REFERENCE_LENGTH, TITLE_LENGTH
from games.approval import APPROVAL
from games.rotation.profile import PROFILES, load_profile
from games.rulebook import Rulebook

from ..parts.forms.fields import day_field, words_field
from ..placards.forms import ChoicesForm
from .approval_fields import ASKS, ROTATION
from .approval_form import ApprovalForm

#: What is planned of every filing.
HEAD = ("title", "effective_from", "state_reference")
#: What the page calls a field whose name the envelope of its form has: the room's version, and the game's.
_ON_THE_PAGE = {"version": "game-version"}


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
        if rulebook.player_banked:
            self.fields["rotation"] = rotation_field(rulebook, chosen.get("rotation", ""))
        self.fields |= filing_fields()

    def add_prefix(self, field_name: str) -> str:
        return _ON_THE_PAGE.get(field_name, field_name)

    def option_fields(self) -> list[BoundField]:
        return [*super().option_fields(), *([self["rotation"]] if "rotation" in self.fields else [])]

    def head_fields(self) -> list[BoundField]:
        return [self[name] for name in HEAD]

    def arguments(self) -> dict[str, Any]:
        """What the services take, from valid input."""
        rotation = self.cleaned_data.get("rotation", "")
        return {
            "options": self.options,
            "rotation": rotation,
            **{name: self.cleaned_data[name] for name in HEAD},
        }


class ApprovedGameForm(GameForm):
    """A whole draft of a game of which a room's own document may say otherwise: `approval` is the form of the differences."""

    def __init__(
        self, approval: ApprovalForm, chosen: Mapping[str, str], *, other: Rulebook | None = None
    ) -> None:
        """`other`: the rulebook by which the options are shown while the differences cannot be read."""
        self.approval = approval
        readable = approval.is_valid() or other is None
        super().__init__(approval.terms.rulebook if readable else other or approval.base, chosen)
        if ROTATION in self.fields:
            self.fields[ROTATION].widget.attrs |= ASKS

    def is_valid(self) -> bool:
        return self.approval.is_valid() and super().is_valid()

    def arguments(self) -> dict[str, Any]:
        said = super().arguments()
        approval = self.approval.approval
        return {**said, "options": {**said["options"], **({APPROVAL: approval} if approval else {})}}


def filing_fields() -> dict[str, forms.Field]:
    """The fields of what is planned of a filing."""
    return {
        "title": words_field(TITLE_LENGTH, "Title", required=False),
        "effective_from": day_field("Planned first day in force"),
        "state_reference": words_field(REFERENCE_LENGTH, "State's number of the filing", required=False),
    }


def rotation_field(rulebook: Rulebook, chosen: str) -> forms.ChoiceField:
    """The field of the profile by which the bank rotates."""
    return forms.ChoiceField(choices=_rotations(rulebook, chosen), required=False, label="The bank rotates")


def typed_game(draft: GameFiling, options: Mapping[str, str]) -> dict[str, str]:
    """The initial values of the form of a draft; `options` are those of its options."""
    return {
        **{_ON_THE_PAGE.get(name, name): value for name, value in options.items()},
        "rotation": draft.rotation,
        "title": draft.title,
        "effective_from": "" if draft.effective_from is None else draft.effective_from.isoformat(),
        "state_reference": draft.state_reference,
    }


def _rotations(rulebook: Rulebook, chosen: str) -> list[tuple[str, str]]:
    """The rulebook's own profile, then every other in force today, and the draft's even where it no longer is."""
    assert rulebook.rotation is not None  # a player banks
    today = timezone.localdate()
    choices = [("", f"{load_profile(rulebook.rotation).name} (the rulebook's)")]
    for name in PROFILES:
        profile = load_profile(name)
        if name != rulebook.rotation and (profile.in_force(today) or name == chosen):
            note = f" ({profile.note[:1].lower()}{profile.note[1:]})" if profile.note else ""
            choices.append((name, f"{profile.name}{note}"))
    return choices
