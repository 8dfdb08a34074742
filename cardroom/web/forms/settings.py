"""The form of what is played and charged at a table."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from cardroom.floor.checks import why_not_rulebook
from cardroom.floor.models import Table
from cardroom.offered.models import GameFiling
from games.rotation import PROFILES, load_profile
from games.rulebook import RULEBOOKS, load_rulebook

from ..options import RAKE_MODES, option_label, option_value
from ..spots import wager_spots
from .command import CommandForm
from .fields import DollarsField

#: The options that a room chooses here (rulings 6, 7, 9 and 19). Others of the table's options stay as they are.
OPTIONS = ("coverage", "forfeits", "pair_plus_requires_win", "six_card_bonus_table")
_NONE = "none"
#: Before the id of a filed game, among the games that may be chosen.
_FILED = "game:"


class SettingsForm(CommandForm):
    """Game, what is charged, options and limits. Another game begins with its own options at their defaults."""

    rulebook = forms.ChoiceField(label="Game")
    rake_mode = forms.ChoiceField(required=False, label="House rake, in place of a schedule")
    rake_cents = DollarsField(required=False, label="Each of them pays a round")
    schedule_id = forms.TypedChoiceField(coerce=int, empty_value=None, required=False, label="Fee schedule")
    rotation = forms.ChoiceField(required=False, label="The bank rotates")
    recording = forms.ChoiceField(required=False, label="What is recorded", choices=Table.Recording.choices)

    def __init__(
        self,
        *args: Any,
        schedules: list[tuple[int, str]] | None = None,
        games: list[GameFiling] | None = None,
        today: datetime.date | None = None,
        **kwargs: Any,
    ) -> None:
        self.schedules, self.today, self.games = schedules or [], today, games or []
        super().__init__(*args, **kwargs)

    def build(self) -> None:
        table, rulebook = self.view.table, self.view.rulebook
        game = self.fields["rulebook"]
        game.choices = [*self._filed_games(), *_games()]  # type: ignore[attr-defined]
        game.initial = table.rulebook if table.game_id is None else f"{_FILED}{table.game_id}"
        rake = self.fields["rake_mode"]
        rake.choices = [("", "none"), *RAKE_MODES.items()]  # type: ignore[attr-defined]
        rake.initial, self.fields["rake_cents"].initial = table.rake_mode, table.rake_cents
        schedule = self.fields["schedule_id"]
        schedule.choices = [*self.schedules, ("", "none: no fee is collected")]  # type: ignore[attr-defined]
        schedule.initial = table.schedule_id or ""
        rotation = self.fields["rotation"]
        rotation.choices = self._rotations()  # type: ignore[attr-defined]
        rotation.initial = table.rotation
        self.fields["recording"].initial = table.recording
        self.options: dict[str, dict[str, Any]] = {}
        for name in OPTIONS:
            rule = rulebook.options.get(name)
            values = [] if rule is None else [*([None] if rule.may_be_null else []), *rule.values]
            # The options of a filed game are filed with it.
            if rule is None or len(values) < 2 or table.game_id is not None:
                continue
            self.options[name] = {_typed(value): value for value in values}
            self.fields[name] = forms.ChoiceField(
                choices=[(_typed(value), option_value(rulebook, name, value)) for value in values],
                label=option_label(name),
                initial=_typed(table.options.get(name, rule.default)),
                required=False,
            )
        # Where a schedule is in force, the ante's limits are the schedule's.
        charged = table.schedule_id is not None
        self.limited = [
            spot for spot in wager_spots(rulebook, table.options) if not (charged and spot.id == "ante")
        ]
        for spot in self.limited:
            least, most = table.wager_limits.get(spot.id, (None, None))
            self.fields[f"least-{spot.id}"] = DollarsField(
                required=False, label=f"{spot.name} from", initial=least
            )
            self.fields[f"most-{spot.id}"] = DollarsField(required=False, label="to", initial=most)

    def _filed_games(self) -> list[tuple[str, str]]:
        """The filed games in force that the floor runs, and the table's even where it no longer is."""
        own = [] if self.view.table.game is None else [self.view.table.game]
        filed = [game for game in self.games if why_not_rulebook(game.rulebook) is None]
        return [
            (f"{_FILED}{game.pk}", f"{game}, {game.book.document.jurisdiction} ({game.state_reference})")
            for game in [*filed, *(game for game in own if game not in filed)]
        ]

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
        if cleaned.get("rake_mode") and not cleaned.get("rake_cents"):
            self.add_error("rake_cents", "Write how much each of them pays a round.")
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
        limits = {**kept, **given}
        if self.cleaned_data["schedule_id"] is not None:
            limits.pop("ante", None)  # the schedule's own take their place
        return {
            **self._game_given(),
            "schedule_id": self.cleaned_data["schedule_id"],
            "rake": {"mode": self.cleaned_data["rake_mode"], "cents": self.cleaned_data["rake_cents"]}
            if self.cleaned_data["rake_mode"]
            else None,
            "wager_limits": limits,
            "rotation": self.cleaned_data["rotation"],
            "recording": self.cleaned_data["recording"] or None,
        }

    def _game_given(self) -> dict[str, Any]:
        """What is played: a filed game, or a rulebook with the options chosen here."""
        chosen = self.cleaned_data["rulebook"]
        if chosen.startswith(_FILED):
            return {"game_id": int(chosen.removeprefix(_FILED))}
        return {"rulebook": chosen, "options": self._options_given()}

    def _options_given(self) -> dict[str, Any]:
        """The table's options with those chosen here; another game begins with none of them."""
        table = self.view.table
        if self.cleaned_data["rulebook"] != table.rulebook or table.game_id is not None:
            return {}
        chosen = {
            name: values[self.cleaned_data[name]]
            for name, values in self.options.items()
            if self.cleaned_data[name] in values
        }
        return {**table.options, **chosen}

    def field_at(self, path: str) -> str | None:
        if path.startswith("wager_limits."):
            return f"most-{path.removeprefix('wager_limits.')}"
        if path == "rake":
            return "rake_mode"
        if path == "game_id":
            return "rulebook"
        return super().field_at(path.removeprefix("options."))

    @property
    def _limited_ids(self) -> set[str]:
        return {spot.id for spot in self.limited}


def _games() -> list[tuple[str, str]]:
    """The games that the floor runs, each by its name and whose rules they are."""
    books = [load_rulebook(rulebook) for rulebook in RULEBOOKS if why_not_rulebook(rulebook) is None]
    return [(book.id, f"{book.name}, {book.document.jurisdiction}") for book in books]


def _typed(value: Any) -> str:
    """An option's value as a form sends it."""
    return _NONE if value is None else str(value)
