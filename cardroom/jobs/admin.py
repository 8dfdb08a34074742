"""Admin pages of jobs: shown, never edited."""

from __future__ import annotations

from django.contrib import admin

from cardroom.people.admin_access import FactAdmin

from .models import Job


@admin.register(Job)
class JobAdmin(FactAdmin):
    list_display = ("__str__", "room", "state", "tries", "done", "asked_by", "asked_at")
    list_filter = ("room", "kind", "state")
    list_select_related = ("room", "asked_by")
