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
    """Rooms, whose settings a command changes; a superuser adds them, with the jurisdiction that stays."""

    room_path = "pk"  # the room itself
    list_display = ("name", "code", "jurisdiction", "licence_number", "time_zone", "gaming_day_starts")
    search_fields = ("name", "code", "licence_number")
    #: What a room is made of; the rest begins as usual, and is set on its own page.
    made_of = ("name", "code", "licence_number", "jurisdiction", "time_zone", "gaming_day_starts")

    def formfield_for_dbfield(self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the known jurisdictions as choices."""
        if db_field.name == "jurisdiction":
            choices = [(each.id, each.name) for each in jurisdictions().values()]
            return forms.ChoiceField(choices=choices, initial=CALIFORNIA, help_text=db_field.help_text)
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.made_of if obj is None else super().get_fields(request, obj)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser) or super().has_module_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser) or super().has_view_permission(request, obj)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)
