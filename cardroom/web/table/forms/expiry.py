"""The form by which a supervisor lets a person play or deal on an expired badge or permit."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardroom.core.dates import day_text
from cardroom.floor.commands.expiry import expired_people
from cardroom.floor.commands.second_person import REASON_LENGTH
from cardroom.people.rights import Right

from ...parts.forms.signed import SupervisedForm
from ...parts.languages import translated


class ExpiryOverrideForm(SupervisedForm):
    """Choose whose badge or permit is overridden for this gaming day, and why."""

    right = Right.OVERRIDE_EXPIRY

    person = forms.ChoiceField(label=_("Expired"))
    reason = forms.CharField(
        max_length=REASON_LENGTH, label=_("Why"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def build(self) -> None:
        self.fields["person"].choices = [  # type: ignore[attr-defined]
            (
                expiry.subject,
                _("%(person)s: %(what)s %(number)s, valid through %(day)s")
                % {
                    "person": expiry.person,
                    "what": translated(expiry.what),
                    "number": expiry.number,
                    "day": day_text(expiry.expires),
                },
            )
            for expiry in expired_people(self.state.table.room, self.state.now)
        ]
        super().build()

    def arguments(self) -> dict[str, Any]:
        values = super().arguments()
        kind, _, pk = values.pop("person").partition(":")
        return {**values, "player_id" if kind == "player" else "dealer_id": int(pk)}

    def field_at(self, path: str) -> str | None:
        return "person" if path in ("player_id", "dealer_id") else super().field_at(path)
