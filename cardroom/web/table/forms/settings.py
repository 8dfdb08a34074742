"""The form of what is played and charged at a table: a choice among what is filed, and the limits by wager."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from cardroom.filings.models import GameFiling
from cardroom.floor.checks.limits import Limited, limited_wagers, limits_proposed
from cardroom.floor.models import Table
from games.terms import DECKS, MOST_DECKS

from ...parts.forms.command import CommandForm
from ...parts.forms.fields import DollarsField
from ...parts.languages import format_choices, translated
from ...parts.options import format_rake


class SettingsForm(CommandForm):
    """A filed game and a filed fee schedule, both in force, limits for every wager, and what is recorded."""

    game_id = forms.TypedChoiceField(
        coerce=int,
        label=_("Game as filed"),
        error_messages={
            "required": _("Choose a filed game. Compliance or the room's manager files one first.")
        },
    )
    schedule_id = forms.TypedChoiceField(
        coerce=int, empty_value=None, required=False, label=_("Fee schedule as filed")
    )
    recording = forms.ChoiceField(required=False, label=_("What is recorded"))

    def __init__(
        self,
        *args: Any,
        schedules: list[tuple[int, str]] | None = None,
        games: list[GameFiling] | None = None,
        **kwargs: Any,
    ) -> None:
        self.schedules = schedules or []
        self.games = games or []
        super().__init__(*args, **kwargs)

    def build(self) -> None:
        table = self.state.table
        games = self._choosable()
        game = self.fields["game_id"]
        game.choices = [(each.pk, _format_game(each)) for each in games]  # type: ignore[attr-defined]
        game.initial = table.game_id
        schedule = self.fields["schedule_id"]
        schedule.choices = [*self.schedules, ("", _("none: a house rake, or the house banks"))]  # type: ignore[attr-defined]
        schedule.initial = table.schedule_id or (
            self.schedules[0][0] if self.schedules and self._is_charged(games) else ""
        )
        self.fields["recording"].choices = format_choices(Table.Recording.choices)  # type: ignore[attr-defined]
        self.fields["recording"].initial = table.recording
        if any(_leaves_decks(each) for each in games):
            self.fields["decks"] = forms.IntegerField(
                required=False,
                min_value=1,
                max_value=MOST_DECKS,
                label=_("Decks in use"),
                initial=table.options.get(DECKS),
            )
        self.limited = _limited(games)
        filed = None if table.schedule is None else table.schedule.schedule
        proposed = limits_proposed(self.limited, filed)
        for each in self.limited:
            least, most = table.wager_limits.get(each.key, proposed[each.key])
            self.fields[f"least-{each.key}"] = DollarsField(
                required=False, label=_("%(name)s from") % {"name": translated(each.name)}, initial=least
            )
            self.fields[f"most-{each.key}"] = DollarsField(required=False, label=_("to"), initial=most)

    def _is_charged(self, games: list[GameFiling]) -> bool:
        """Whether the table's game is charged by a schedule; before it has one, whether any that may be chosen is."""
        own = self.state.table.game
        return any(game.charged_by_schedule for game in ([own] if own is not None else games))

    def _choosable(self) -> list[GameFiling]:
        """The filed games in force that the floor runs, and the table's even where it no longer is."""
        own = self.state.table.game
        return [*self.games, *([own] if own is not None and own not in self.games else [])]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for each in self.limited:
            least, most = cleaned.get(f"least-{each.key}"), cleaned.get(f"most-{each.key}")
            if (least is None) != (most is None):
                self.add_error(f"most-{each.key}", _("Give both limits, or neither."))
        return cleaned

    def limit_fields(self) -> list[tuple[BoundField, BoundField]]:
        """The two fields of each limit."""
        return [(self[f"least-{each.key}"], self[f"most-{each.key}"]) for each in self.limited]

    def arguments(self) -> dict[str, Any]:
        [game] = [each for each in self._choosable() if each.pk == self.cleaned_data["game_id"]]
        # The form has a pair of fields for each wager of any game; those of the chosen one are meant.
        wagers = {each.key for each in _limited([game])}
        return {
            "game_id": self.cleaned_data["game_id"],
            "schedule_id": self.cleaned_data["schedule_id"],
            "wager_limits": {
                each.key: [self.cleaned_data[f"least-{each.key}"], self.cleaned_data[f"most-{each.key}"]]
                for each in self.limited
                if each.key in wagers and self.cleaned_data[f"least-{each.key}"] is not None
            },
            "recording": self.cleaned_data["recording"] or None,
            **({"decks": self.cleaned_data.get("decks")} if _leaves_decks(game) else {}),
        }

    def field_at(self, path: str) -> str | None:
        if path.startswith("wager_limits."):
            return f"most-{path.removeprefix('wager_limits.')}"
        return super().field_at(path)


def _leaves_decks(game: GameFiling) -> bool:
    """Whether a filed game leaves the number of decks in use to the table."""
    rule = game.book.options.get(DECKS)
    return rule is not None and rule.at_table


def _format_game(game: GameFiling) -> str:
    named = {"game": translated(str(game)), "reference": game.state_reference}
    if game.rake is None:
        return _("%(game)s (%(reference)s)") % named
    return _("%(game)s, house rake %(rake)s (%(reference)s)") % {**named, "rake": format_rake(game.rake)}


def _limited(games: list[GameFiling]) -> list[Limited]:
    """The wagers that any of the games has limits for, in the order of their layouts."""
    wagers: dict[str, Limited] = {}
    for game in games:
        for each in limited_wagers(game.rulebook, game.options, main_by_schedule=game.charged_by_schedule):
            wagers.setdefault(each.key, each)
    return list(wagers.values())
