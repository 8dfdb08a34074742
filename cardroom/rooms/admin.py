"""Admin page of rooms."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from cardroom.people.admin_access import RoomKeptAdmin

from .models import Room


@admin.register(Room)
class RoomAdmin(RoomKeptAdmin):
    """A room's manager changes its name, clock and house rules; a new room is set up by a superuser."""

    room_path = "pk"  # the room itself
    list_display = ("name", "code", "jurisdiction", "licence_number", "time_zone", "gaming_day_starts")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The jurisdiction is given when a room is set up: what is filed and played there hangs on it."""
        return () if obj is None else ("jurisdiction",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)
