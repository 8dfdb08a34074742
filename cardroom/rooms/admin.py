"""Admin page of rooms."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import Field
from django.http import HttpRequest

from cardroom.people.admin_access import RoomKeptAdmin
from cardroom.people.admin_signing import SignatureFields, Signed, signature
from cardroom.people.duties import Duty
from cardroom.people.journal import journalled
from cardroom.people.models import Staff
from games.jurisdictions import CALIFORNIA, jurisdictions

from .models import Room


class RoomForm(SignatureFields, forms.ModelForm[Room]):
    """Form of a room's settings, which a second person signs."""

    signed = Signed(None)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and self.instance.pk is not None:
            self.signed = signature(self, Duty.CHANGE_ROOM, self.instance, None)
        return given


@admin.register(Room)
class RoomAdmin(RoomKeptAdmin):
    """A room's manager changes its name, clock and house rules, signed for by a second person; a superuser adds rooms."""

    form = RoomForm

    room_path = "pk"  # the room itself
    list_display = ("name", "code", "jurisdiction", "licence_number", "time_zone", "gaming_day_starts")

    def formfield_for_dbfield(self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the known jurisdictions as choices."""
        if db_field.name == "jurisdiction":
            choices = [(each.id, each.name) for each in jurisdictions().values()]
            return forms.ChoiceField(choices=choices, initial=CALIFORNIA, help_text=db_field.help_text)
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The jurisdiction is set when a room is added and read-only after: filings and rounds depend on it."""
        return () if obj is None else ("jurisdiction",)

    def save_model(self, request: HttpRequest, obj: Any, form: forms.ModelForm[Any], change: bool) -> None:
        """Save what was changed, and write it in the room's journal as it was and as it is."""
        before: dict[str, Any] = dict(Room.objects.filter(pk=obj.pk).values().first() or {})
        changed = [name for name in form.changed_data if name in before]
        if not changed:
            super().save_model(request, obj, form, change)
            return
        data: dict[str, Any] = {}
        with journalled([obj], cast(Staff, request.user), "room_set", data):
            super().save_model(request, obj, form, change)
            data["changed"] = {name: [str(before[name]), str(getattr(obj, name))] for name in changed}
            data.update(cast(RoomForm, form).signed.data)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)
