"""Admin pages of filings: they show and search what a room has drafted and filed, which commands write on the room's own pages."""

from __future__ import annotations

from django.contrib import admin

from cardroom.people.admin_access import FactAdmin

from .models import FeeSchedule, GameFiling

_LISTED = (
    "title",
    "room",
    "number",
    "version",
    "status",
    "effective_from",
    "effective_to",
    "state_reference",
)


@admin.register(FeeSchedule)
class FeeScheduleAdmin(FactAdmin):
    """Fee schedules in all their versions."""

    list_display = _LISTED
    list_filter = ("status",)
    list_select_related = ("room",)
    search_fields = ("=number", "title", "state_reference")


@admin.register(GameFiling)
class GameFilingAdmin(FactAdmin):
    """Games in all their versions."""

    list_display = _LISTED
    list_filter = ("status",)
    list_select_related = ("room",)
    search_fields = ("=number", "title", "state_reference")
