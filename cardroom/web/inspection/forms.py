"""The form that asks for a bundle for an inspector: a table and gaming days."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict

from cardroom.floor.models import Table
from cardroom.rooms.models import Room

from ..parts.forms.fields import day_field
from .archive import MOST_DAYS


class BundleForm(forms.Form):
    """The gaming days, both included, and one table or all."""

    def __init__(self, room: Room, data: QueryDict | None = None, **given: Any) -> None:
        super().__init__(data, **given)
        self.tables = list(Table.objects.filter(room=room).order_by("number"))
        numbers = [(str(table.number), f"table {table.number}") for table in self.tables]
        self.fields["table"] = forms.ChoiceField(
            label="Table", required=False, choices=[("", "all tables"), *numbers]
        )
        self.fields["first"] = day_field("From gaming day", required=True)
        self.fields["last"] = day_field("to, included", required=True)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        first, last = given.get("first"), given.get("last")
        if first and last and not 0 <= (last - first).days < MOST_DAYS:
            self.add_error(
                "last",
                f"Choose 1 to {MOST_DAYS} gaming days, the first one first. The administrator of the server writes more: "
                "manage.py evidence_bundle.",
            )
        return given

    @property
    def chosen(self) -> list[Table]:
        """The table that was chosen, or all of the room; of a valid form."""
        number = self.cleaned_data["table"]
        return [table for table in self.tables if not number or str(table.number) == number]
