"""Admin page of rooms."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Field
from django.http import HttpRequest

from cardroom.people.admin_access import RoomKeptAdmin
from games.jurisdictions import CALIFORNIA, jurisdictions

from .models import Room


@admin.register(Room)
class RoomAdmin(RoomKeptAdmin):
    """A room's manager changes its name, clock and house rules; a superuser adds rooms."""

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

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)
