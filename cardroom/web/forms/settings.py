"""The form of what is played and charged at a table."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from cardroom.floor.models import Table
from games.rotation import PROFILES, load_profile

from ..spots import wager_spots
from .command import CommandForm
from .fields import DollarsField

#: The options that a room chooses here, with what each value means (rulings 6, 7 and 9). Others of the table's
#: options stay as they are.
OPTIONS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "coverage": (
        "Coverage",
        [
            ("gross", "gross: every dollar paid or taken uses up the bank's wager"),
            ("net", "net: what the bank takes covers more of what it pays"),
        ],
    ),
    "forfeits": (
        "Folded wagers are settled",
        [("in_turn", "at their seat's turn"), ("first", "before all others")],
    ),
}


class SettingsForm(CommandForm):
    """Fee schedule, options and limits. The game itself is set where the room's games are kept."""

    schedule_id = forms.TypedChoiceField(coerce=int, empty_value=None, required=False, label="Fee schedule")
    rotation = forms.ChoiceField(required=False, label="The bank rotates")
    recording = forms.ChoiceField(required=False, label="What is recorded", choices=Table.Recording.choices)

    def __init__(
        self,
        *args: Any,
        schedules: list[tuple[int, str]] | None = None,
        today: datetime.date | None = None,
        **kwargs: Any,
    ) -> None:
        self.schedules, self.today = schedules or [], today
        super().__init__(*args, **kwargs)

    def build(self) -> None:
        table, rulebook = self.view.table, self.view.rulebook
        schedule = self.fields["schedule_id"]
        schedule.choices = [*self.schedules, ("", "none: no fee is collected")]  # type: ignore[attr-defined]
        schedule.initial = table.schedule_id or ""
        rotation = self.fields["rotation"]
        rotation.choices = self._rotations()  # type: ignore[attr-defined]
        rotation.initial = table.rotation
        self.fields["recording"].initial = table.recording
        self.options = {name: choice for name, choice in OPTIONS.items() if name in rulebook.options}
        for name, (label, choices) in self.options.items():
            chosen = table.options.get(name, rulebook.options[name].default)
            offered = [choice for choice in choices if choice[0] in rulebook.options[name].values]
            self.fields[name] = forms.ChoiceField(choices=offered, label=label, initial=chosen)
        # The ante's limits are the schedule's.
        self.limited = [spot for spot in wager_spots(rulebook, table.options) if spot.id != "ante"]
        for spot in self.limited:
            least, most = table.wager_limits.get(spot.id, (None, None))
            self.fields[f"least-{spot.id}"] = DollarsField(
                required=False, label=f"{spot.name} from", initial=least
            )
            self.fields[f"most-{spot.id}"] = DollarsField(required=False, label="to", initial=most)

    def _rotations(self) -> list[tuple[str, str]]:
        """The rulebook's own profile, then every other in force today, and the table's even where it no longer is."""
        table, rulebook = self.view.table, self.view.rulebook
        assert rulebook.rotation is not None  # no table is set to a game that the house banks
        choices = [("", f"{load_profile(rulebook.rotation).name} (the rulebook's)")]
        for name in PROFILES:
            profile = load_profile(name)
            held = self.today is not None and profile.in_force(self.today)
            if name != rulebook.rotation and (held or name == table.rotation):
                standing = (
                    f" ({profile.standing[:1].lower()}{profile.standing[1:]})" if profile.standing else ""
                )
                choices.append((name, f"{profile.name}{standing}"))
        return choices

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for spot in self.limited:
            least, most = cleaned.get(f"least-{spot.id}"), cleaned.get(f"most-{spot.id}")
            if (least is None) != (most is None):
                self.add_error(f"most-{spot.id}", "Give both limits, or neither.")
        return cleaned

    def limit_fields(self) -> list[tuple[BoundField, BoundField]]:
        """The two fields of each limit."""
        return [(self[f"least-{spot.id}"], self[f"most-{spot.id}"]) for spot in self.limited]

    def option_fields(self) -> list[BoundField]:
        return [self[name] for name in self.options]

    def arguments(self) -> dict[str, Any]:
        table = self.view.table
        kept = {
            wager: bounds for wager, bounds in table.wager_limits.items() if wager not in self._limited_ids
        }
        given = {
            spot.id: [self.cleaned_data[f"least-{spot.id}"], self.cleaned_data[f"most-{spot.id}"]]
            for spot in self.limited
            if self.cleaned_data[f"least-{spot.id}"] is not None
        }
        return {
            "rulebook": table.rulebook,
            "options": {**table.options, **{name: self.cleaned_data[name] for name in self.options}},
            "schedule_id": self.cleaned_data["schedule_id"],
            "wager_limits": {**kept, **given},
            "rotation": self.cleaned_data["rotation"],
            "recording": self.cleaned_data["recording"] or None,
        }

    def field_at(self, path: str) -> str | None:
        if path.startswith("wager_limits."):
            return f"most-{path.removeprefix('wager_limits.')}"
        return super().field_at(path.removeprefix("options."))

    @property
    def _limited_ids(self) -> set[str]:
        return {spot.id for spot in self.limited}
