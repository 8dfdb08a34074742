"""The form of a rulebook's choices: what a room may choose, from which its rules page and placard are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from fees.printed import printed_schedules
from fees.rake import OPTION
from fees.rates import Schedule, read_schedule
from games.approval import APPROVAL
from games.odds import Situation
from games.refusal import Refusal
from games.registry import read_options
from games.rulebook import OptionRule, Rulebook
from games.terms import MOST_LETTERS, Terms

from ..parts.forms.fields import DollarsField
from ..parts.money import typed_of
from ..parts.options import option_label, option_value

_NONE = "none"


class ChoicesForm(forms.Form):
    """One field an option, the limits of each wager, and what odds depend on besides; what is left out is default.

    A form made of this one may leave out options that are no choice of its own.

    After `is_valid`, `options`, `terms`, `schedule`, `limits`, `situation` and `players` are what was chosen.
    """

    leaves_out: frozenset[str] = frozenset()

    def __init__(self, rulebook: Rulebook, chosen: Mapping[str, str]) -> None:
        self.rulebook = rulebook
        self.offered = {
            name: rule
            for name, rule in rulebook.options.items()
            # A table that the document prints is no choice.
            if name not in self.leaves_out and not rule.printed
        }
        self.terms: Terms | None = None
        self.options: dict[str, Any] = {}
        super().__init__(
            {**{self.add_prefix(name): value for name, value in _defaults(rulebook).items()}, **chosen}
        )
        for name, rule in self.offered.items():
            self._add_option(name, rule)
        self.limited = [
            wager
            for wager in rulebook.wagers.values()
            if wager.id in rulebook.placed and wager.equals is None
        ]
        for wager in self.limited:
            self.fields[f"least-{wager.id}"] = DollarsField(required=False, label=f"{wager.name} from")
            self.fields[f"most-{wager.id}"] = DollarsField(required=False, label="to")
        if rulebook.payout_columns:
            numbers = [(count, count) for count in rulebook.payout_columns]
            self.fields["players"] = forms.ChoiceField(
                choices=[("", "all columns"), *numbers], required=False, label="Players in the round"
            )
        if rulebook.meter is not None:
            self.fields["meter"] = DollarsField(required=False, label="Meter")

    def _add_option(self, name: str, rule: OptionRule) -> None:
        if rule.own_table:
            for line in rule.own_lines:
                self.fields[f"own-{line.id}"] = forms.IntegerField(
                    required=False, min_value=1, max_value=100_000, label=line.name
                )
            return
        if rule.text:
            self.fields[name] = forms.CharField(
                max_length=MOST_LETTERS, required=False, label=option_label(self.rulebook, name)
            )
            return
        choices = [(str(value), option_value(self.rulebook, name, value)) for value in rule.values]
        if rule.may_be_null:
            choices.insert(0, (_NONE, option_value(self.rulebook, name, None)))
        if rule.follows is not None:
            choices.insert(0, ("", f"as the {rule.follows} has it"))
        self.fields[name] = forms.ChoiceField(
            choices=choices, label=option_label(self.rulebook, name), required=False
        )
        if rule.modes:
            self.fields[f"{name}-cents"] = DollarsField(required=False, label="Each of them pays")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for wager in self.limited:
            least, most = cleaned.get(f"least-{wager.id}"), cleaned.get(f"most-{wager.id}")
            if least is not None and most is not None and most < least:
                self.add_error(f"most-{wager.id}", "The greatest is below the least.")
        if self.errors:
            return cleaned
        self.options = options = self._options(cleaned)
        if not self._whole(options):
            return cleaned
        try:
            self.terms = read_options(self.rulebook, options)
        except Refusal as refusal:
            name = refusal.path.removeprefix("options.")
            why = refusal.message.rpartition(": ")[2]
            lines = self.offered[name].own_lines if name in self.offered else ()
            self.add_error(f"own-{lines[0].id}" if lines else name, f"{why[:1].upper()}{why[1:]}")
        return cleaned

    def _whole(self, options: Mapping[str, Any]) -> bool:
        """Whether nothing is half given: a rake without its amount, a paytable without one of its hands."""
        rake = options.get(OPTION)
        if rake is not None and not rake["cents"]:
            self.add_error(f"{OPTION}-cents", "Write how much each of them pays a round.")
        for name, rule in self.offered.items():
            missing = [
                line for line in rule.own_lines if line.required and line.id not in options.get(name, {})
            ]
            if name in options and missing:
                may_lack = " and ".join(line.name.lower() for line in rule.own_lines if not line.required)
                self.add_error(
                    f"own-{missing[0].id}",
                    f"A table has odds for each of these hands; only the {may_lack} may be left out.",
                )
        return not self.errors

    def _options(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """What was chosen, as the round sheet has it."""
        options: dict[str, Any] = {}
        for name, rule in self.offered.items():
            if rule.own_table:
                own = {
                    line.id: odds
                    for line in rule.own_lines
                    if (odds := cleaned[f"own-{line.id}"]) is not None
                }
                options |= {name: own} if own else {}
                continue
            if rule.text:
                options |= {name: cleaned[name]} if cleaned[name] else {}
                continue
            value = next((value for value in rule.values if str(value) == cleaned[name]), None)
            if rule.modes and value is not None:
                value = {"mode": value, "cents": cleaned[f"{name}-cents"] or 0}
            if value is not None or cleaned[name] == _NONE:
                options[name] = value
        return options

    @property
    def schedule(self) -> Schedule | None:
        """The printed fee schedule that was chosen."""
        number = self.terms.options.get("fee_schedule") if self.terms is not None else None
        return next((each for each in schedules_of(self.rulebook) if each.number == number), None)

    @property
    def limits(self) -> dict[str, list[int | None]]:
        """Least and greatest wager in cents where either was given."""
        given = {
            wager.id: [self.cleaned_data[f"least-{wager.id}"], self.cleaned_data[f"most-{wager.id}"]]
            for wager in self.limited
        }
        return {wager: bounds for wager, bounds in given.items() if bounds != [None, None]}

    @property
    def situation(self) -> Situation:
        return Situation(meter_cents=self.cleaned_data.get("meter"))

    @property
    def players(self) -> int | None:
        return int(self.cleaned_data.get("players") or 0) or None

    def option_fields(self) -> list[BoundField]:
        """The fields of the options, a rake's amount after its form."""
        names = [name for name, rule in self.offered.items() if not rule.own_table]
        wanted = [each for name in names for each in (name, f"{name}-cents") if each in self.fields]
        return [
            self[name] for name in (*wanted, *(each for each in ("players", "meter") if each in self.fields))
        ]

    def own_fields(self) -> list[BoundField]:
        """The fields of the room's own paytable."""
        return [self[f"own-{line.id}"] for rule in self.offered.values() for line in rule.own_lines]

    def limit_fields(self) -> Iterator[tuple[BoundField, BoundField]]:
        for wager in self.limited:
            yield self[f"least-{wager.id}"], self[f"most-{wager.id}"]


def choices_of(
    rulebook: Rulebook, options: Mapping[str, Any], limits: Mapping[str, Sequence[int]]
) -> dict[str, str]:
    """What a user would choose in the form to have a table's options and limits (cents by wager)."""
    chosen: dict[str, str] = {}
    for name, value in options.items():
        if name == APPROVAL:  # its terms are the rulebook's
            continue
        if name == OPTION and value is not None:
            chosen |= {name: value["mode"], f"{name}-cents": typed_of(value["cents"])}
        elif isinstance(value, Mapping):
            chosen |= {f"own-{line}": str(number) for line, number in value.items()}
        elif rulebook.options[name].text:
            chosen[name] = value or ""
        elif not rulebook.options[name].own_table:
            # The id of an own table says that the printed one is in force: that is what empty fields say.
            chosen[name] = _NONE if value is None else str(value)
    for wager, (least, most) in limits.items():
        chosen |= {f"least-{wager}": typed_of(least), f"most-{wager}": typed_of(most)}
    return chosen


def schedules_of(rulebook: Rulebook) -> list[Schedule]:
    """The fee schedules that a rulebook prints."""
    return [
        read_schedule(document, number=number, title=f"Schedule option {number}")
        for number, document in printed_schedules(rulebook.id)
    ]


def _defaults(rulebook: Rulebook) -> dict[str, str]:
    return {
        name: _NONE if rule.default is None else str(rule.default)
        for name, rule in rulebook.options.items()
        if not rule.own_table and not rule.text and rule.follows is None
    }
