"""The default form of a declared command (`cardroom.core.commands`): one field an input, as its annotation says."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardroom.core import json_types
from cardroom.core.commands import Declaration
from cardroom.core.json_types import Field

from ..languages import format_choices, translated
from .command import CommandForm
from .fields import DollarsField
from .signed import Signed, name_field, pin_field

_NO_HINTS = {"autocomplete": "off"}


class DeclaredForm(CommandForm, Signed):
    """The form of `command`. An input of the address is hidden, unless the command says what there is to pick from.

    `must_sign`: whether this person needs a second one's signature.
    """

    command: Declaration

    def __init__(self, *args: Any, must_sign: bool = True, **kwargs: Any) -> None:
        self.must_sign = must_sign
        super().__init__(*args, **kwargs)

    def build(self) -> None:
        signed = self.command.signature
        for each in self.command.inputs:
            if each is not signed:
                self.fields[each.name] = self._field(each)
        if signed is not None and self.must_sign:
            assert isinstance(signed.kind, json_types.Signature)
            if signed.kind.held is not None:
                self.right = signed.kind.held
            approves = signed.required
            self.fields["approver"] = name_field(
                _("Approver's user name or badge") if approves else _("Supervisor's user name or badge")
            )
            self.fields["approver_pin"] = pin_field(
                _("Approver's PIN") if approves else _("Supervisor's PIN")
            )

    def arguments(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for each in self.command.inputs:
            if each is self.command.signature:
                continue
            value = self.cleaned_data[each.name]
            if value in (None, "") and not each.required:
                continue  # what was left empty is left out, so that the command's own default holds
            values[each.name] = 0 if value is None and isinstance(each.kind, json_types.Money) else value
        if self.command.signature is not None and self.must_sign:
            values[self.command.signature.name] = self.signature()
        return values

    def _field(self, each: Field) -> forms.Field:
        common: dict[str, Any] = {"label": translated(each.label), "required": each.required}
        if each.pick is not None:
            return self._picked(each, common)
        match each.kind:
            case json_types.Money():
                return DollarsField(**common)
            case json_types.Whole(least, most):
                widget = forms.TextInput(attrs={"inputmode": "numeric", **_NO_HINTS})
                return forms.IntegerField(
                    min_value=least,
                    max_value=most,
                    widget=forms.HiddenInput() if each.name in self.command.in_path else widget,
                    **common,
                )
            case json_types.Text(most):
                return forms.CharField(max_length=most, widget=forms.TextInput(attrs=_NO_HINTS), **common)
            case json_types.OneOf():
                return forms.ChoiceField(choices=format_choices(each.kind.pairs), **common)
            case json_types.Flag():
                return forms.BooleanField(label=translated(each.label), required=False)
        raise TypeError(f"{self.command.name} has a form of its own: {each.name} is {each.kind}")

    def _picked(self, each: Field, common: dict[str, Any]) -> forms.Field:
        assert each.pick is not None
        choices = format_choices(each.pick(self.state))
        coerce: Any = int if isinstance(each.kind, json_types.Whole) else str
        if isinstance(each.kind, json_types.Many):
            return forms.TypedMultipleChoiceField(
                coerce=int,
                choices=choices,
                initial=[value for value, words in choices],
                widget=forms.CheckboxSelectMultiple,
                label=translated(each.label),
            )
        return forms.TypedChoiceField(coerce=coerce, empty_value=None, choices=choices, **common)


def form_of(command: Declaration) -> type[DeclaredForm]:
    """Return the default form of a command."""
    return type(f"{command.name}_form", (DeclaredForm,), {"command": command, "__doc__": command.title})
