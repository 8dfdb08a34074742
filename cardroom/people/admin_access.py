"""Permissions in the admin: by role in a room (rights.py), not by Django's permission tables.

The admin shows and searches. A room manager sees what belongs to the rooms they manage; a superuser (made by
`createsuperuser` when a room is set up) sees every room, and adds rooms and their first two people.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from cardroom.rooms.models import Room

from .admin_words import in_words
from .models import Staff
from .rights import Right, may, rooms_of

#: Request attributes that cache the ids of the rooms that its user manages, and whether there are any.
_ROOMS, _ANY = "rooms_kept", "keeps_rooms"


def rooms_kept_by(request: HttpRequest) -> QuerySet[Room]:
    """Return the rooms that the signed-in user manages; all of them for a superuser."""
    staff = cast(Staff, request.user)
    if staff.is_superuser and staff.is_active:
        return Room.objects.all()
    if not staff.is_authenticated:
        return Room.objects.none()
    # Cached on the request: an admin page asks a hundred times, once or more for each model in its navigation.
    cache = vars(request)
    if _ROOMS not in cache:
        cache[_ROOMS] = [room.pk for room in rooms_of(staff) if may(staff, Right.SET_PEOPLE, room)]
    return Room.objects.filter(pk__in=cache[_ROOMS])


def keeps_rooms(request: HttpRequest) -> bool:
    """Tell whether the signed-in user manages any room; a yes is cached on the request, which may make the first room."""
    cache = vars(request)
    if not cache.get(_ANY) and rooms_kept_by(request).exists():
        cache[_ANY] = True
    return bool(cache.get(_ANY))


class RoomKeptAdmin(ModelAdmin):  # type: ignore[misc]  # unfold ships no types
    """Rows of a room, shown to its managers and to administrators of the site; commands alone write them."""

    #: Field lookup from the model to its room.
    room_path: ClassVar[str] = "room"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.filter(**{f"{self.room_path}__in": rooms_kept_by(request)}).distinct()

    def get_list_filter(self, request: HttpRequest) -> Sequence[Any]:
        """Limit filter choices to related rows in the list: Django's default would offer those of all rooms."""
        return [
            (name, admin.RelatedOnlyFieldListFilter)
            if isinstance(name, str) and self.opts.get_field(name).is_relation
            else name
            for name in super().get_list_filter(request)
        ]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return keeps_rooms(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return keeps_rooms(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class FactAdmin(RoomKeptAdmin):
    """The same with amounts as dollars and documents as lists."""

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return [in_words(self.model, name) for name in super().get_list_display(request)]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [in_words(self.model, name) for name in super().get_fields(request, obj)]
