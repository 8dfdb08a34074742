"""Admin pages of staff, roles, players and providers."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from .admin_access import RoomKeptAdmin, rooms_kept_by
from .models import Employment, Player, Provider, Staff

admin.site.unregister(
    Group
)  # rights come from roles in a room (rights.py); Django's groups would only mislead


@admin.register(Staff)
class StaffAdmin(UserAdmin, RoomKeptAdmin):  # type: ignore[type-arg,misc]
    """People of the rooms one keeps, and people who have no role anywhere yet."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "display_name", "badge", "licence_number", "licence_expires", "is_active")
    list_filter = ("is_active",)
    search_fields = ("username", "display_name", "badge")
    ordering = ("username",)
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("display_name", "email", "badge", "licence_number", "licence_expires")}),
        ("Account", {"fields": ("is_active", "is_staff", "is_superuser")}),
    )
    add_fieldsets = (
        (
            None,
            {"fields": ("username", "display_name", "badge", "password1", "password2"), "classes": ("wide",)},
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Staff]:
        everyone = Staff.objects.all()
        if request.user.is_superuser:
            return everyone
        kept = rooms_kept_by(request)
        # Someone who also works in a room that this manager does not keep is not theirs to change.
        elsewhere = Employment.objects.exclude(room__in=kept).values("staff")
        mine = everyone.filter(Q(employments__room__in=kept) | Q(employments__isnull=True))
        return mine.exclude(pk__in=elsewhere).exclude(is_superuser=True).distinct()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if request.user.is_superuser else ("is_staff", "is_superuser")


@admin.register(Employment)
class EmploymentAdmin(RoomKeptAdmin):
    """Roles: the one kind of row that is taken away again; its history keeps that it was held."""

    list_display = ("staff", "role", "room", "provider")
    list_filter = ("role",)
    search_fields = ("staff__username", "staff__display_name")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return rooms_kept_by(request).exists()


@admin.register(Player)
class PlayerAdmin(RoomKeptAdmin):
    list_display = ("name", "room", "provider", "is_active")
    list_filter = ("is_active", "provider")
    search_fields = ("name",)


@admin.register(Provider)
class ProviderAdmin(RoomKeptAdmin):
    list_display = ("name", "contract_number", "room", "is_active")
    search_fields = ("name", "contract_number")
