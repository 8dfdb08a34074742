"""Forms of the procedures at a table: decks, stub counts, irregularities, recuts and progressive wins."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardroom.floor.commands.decks import dealing_set, deck_choices
from cardroom.floor.commands.incidents import MOST_TIMES
from cardroom.floor.commands.second_person import REASON_LENGTH
from cardroom.floor.commands.stub import MOST_CARDS, cards_out
from cardroom.floor.models import Procedure, Table
from games.phrases import Phrase
from games.procedures.dealing import SHUFFLER
from games.procedures.irregularities import irregularity_ids

from ..parts.cards import hand_of
from ..parts.forms.command import CommandForm
from ..parts.forms.fields import words_field
from ..parts.forms.signed import SignedForm, SupervisedForm, right_to_sign
from ..parts.languages import format_choices


def _count(
    label: Any, *, required: bool = True, least: int = 0, most: int = MOST_CARDS
) -> forms.IntegerField:
    return forms.IntegerField(
        required=required,
        min_value=least,
        max_value=most,
        label=label,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )


class InspectForm(SupervisedForm):
    """Who has looked a deck over. The floor's own look is the floor's to record, or to sign."""

    signed_when = f"by:{Procedure.Inspector.FLOOR.value}"
    deck_id = forms.TypedChoiceField(coerce=int, label=_("Deck"))
    by = forms.ChoiceField(label=_("Inspected by"))

    def build(self) -> None:
        self.fields["deck_id"].choices = format_choices(deck_choices(self.state))  # type: ignore[attr-defined]
        rule = self.state.procedure_rules.inspection
        known = [Procedure.Inspector(by) for by in rule.by]
        if rule.pre_shuffled_clause is not None:
            known.append(Procedure.Inspector.PRE_SHUFFLED)
        self.fields["by"].choices = format_choices((by.value, by.label) for by in known)  # type: ignore[attr-defined]
        super().build()
        for name in ("approver", "approver_pin"):
            if name in self.fields:
                self.fields[name].required = False
                self.fields[name].label = _("%(label)s, for the floor's look") % {
                    "label": self.fields[name].label
                }

    def arguments(self) -> dict[str, Any]:
        values = {"deck_id": self.cleaned_data["deck_id"], "by": self.cleaned_data["by"]}
        if self.must_sign and self.cleaned_data["approver"]:
            return {**values, "approver": self.signature()}
        return values


class DealingForm(SignedForm):
    """How the table shuffles and deals, and which machines have left it.

    Where the rules ask for a shuffler, a table without one takes a reason and a second person's signature.
    """

    right = right_to_sign(dealing_set)
    signed_when = f"shuffler:{Table.Shuffler.NONE.value}"
    shuffler = forms.ChoiceField(label=_("Shuffling"))
    dealing = forms.ChoiceField(label=_("Dealt"), required=False)
    removed = forms.MultipleChoiceField(
        label=_("Taken off the table"), required=False, widget=forms.CheckboxSelectMultiple
    )
    reason = words_field(REASON_LENGTH, _("Why there is no shuffler"), required=False)

    def build(self) -> None:
        methods = self.state.procedure_rules.methods
        setup, table = self.state.procedures.setup, self.state.table
        self.fields["shuffler"].choices = format_choices(Table.Shuffler.choices)  # type: ignore[attr-defined]
        self.fields["shuffler"].initial = table.shuffler
        self.fields["dealing"].initial = setup.method
        ways = format_choices((way.id, Phrase(way.name)) for way in methods.values())
        self.fields["dealing"].choices = ways  # type: ignore[attr-defined]
        machines = format_choices(
            (way.id, Phrase(way.name)) for way in methods.values() if way.device and way.id == setup.method
        )
        if setup.shuffler:
            machines.insert(0, (SHUFFLER, str(_("the shuffler"))))
        self.fields["removed"].choices = machines  # type: ignore[attr-defined]
        if not methods:
            del self.fields["dealing"]
        if self.state.procedure_rules.removal_clause is None or not machines:
            del self.fields["removed"]
        super().build()
        if self.state.procedure_rules.shuffler_clause is None:
            for name in ("reason", *SignedForm.base_fields):
                self.fields.pop(name, None)
            return
        for name in ("approver", "approver_pin"):
            self.fields[name].required = False
            self.fields[name].label = _("%(label)s, for no shuffler") % {"label": self.fields[name].label}

    def arguments(self) -> dict[str, Any]:
        values = {key: value for key, value in self.cleaned_data.items() if key not in SignedForm.base_fields}
        return {**values, "approver": self.signature()} if self.cleaned_data.get("approver") else values


class StubForm(CommandForm):
    """How many cards are left when the round is dealt."""

    stub = _count(_("Cards in the stub"))
    dealt = _count(_("Cards on the table"), required=False)
    misdealt = forms.BooleanField(required=False, label=_("A hand has too many or too few cards"))

    def build(self) -> None:
        self.fields["dealt"].initial = cards_out(self.state)
        if self.state.game.deal(self.state.terms).decks > 1:
            self.fields["dealt"].label = _("Cards on the table and in the discard rack")


class CardUpForm(CommandForm):
    """The card of the bank that is turned up."""

    card = words_field(5, _("Card"), placeholder="kh")

    def clean_card(self) -> str:
        return hand_of(self.cleaned_data["card"])


class IrregularityForm(CommandForm):
    """Something went wrong in the round: what, how often, and a word about it."""

    irregularity = forms.ChoiceField(label=_("What happened"), widget=forms.RadioSelect)
    times = _count(_("How often"), required=False, least=1, most=MOST_TIMES)
    note = words_field(REASON_LENGTH, _("In your words"), required=False)

    def build(self) -> None:
        rules = self.state.procedure_rules
        first = {item.id: item.name for item in reversed(rules.irregularities)}
        named = format_choices((key, Phrase(first[key])) for key in irregularity_ids(rules))
        self.fields["irregularity"].choices = named  # type: ignore[attr-defined]
        self.fields["times"].initial = 1

    def arguments(self) -> dict[str, Any]:
        return {**self.cleaned_data, "times": self.cleaned_data["times"] or 1}
