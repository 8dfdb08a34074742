"""The form by which a supervisor lets a person play or deal on an expired badge or permit."""

from __future__ import annotations

from typing import Any

from django import forms

from cardroom.core.dates import day_text
from cardroom.floor.acts.expiry import expired_people
from cardroom.floor.acts.second_person import REASON_LENGTH
from cardroom.people.rights import Right

from .signed import SupervisedForm


class ExpiryOverrideForm(SupervisedForm):
    """Choose whose badge or permit is overridden for this gaming day, and why."""

    right = Right.OVERRIDE_EXPIRY

    person = forms.ChoiceField(label="Expired")
    reason = forms.CharField(
        max_length=REASON_LENGTH, label="Why", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def build(self) -> None:
        self.fields["person"].choices = [  # type: ignore[attr-defined]
            (
                expiry.subject,
                f"{expiry.person}: {expiry.what} {expiry.number}, valid through {day_text(expiry.expires)}",
            )
            for expiry in expired_people(self.reading.table.room, self.reading.now)
        ]
        super().build()

    def arguments(self) -> dict[str, Any]:
        values = super().arguments()
        kind, _, pk = values.pop("person").partition(":")
        return {**values, "player_id" if kind == "player" else "dealer_id": int(pk)}

    def field_at(self, path: str) -> str | None:
        return "person" if path in ("player_id", "dealer_id") else super().field_at(path)
