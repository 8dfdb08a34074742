"""Admin pages of reports: shown, never edited."""

from __future__ import annotations

from django.contrib import admin

from cardroom.people.admin_access import FactAdmin

from .models import LongReport, Recomputation, RollUp, ShiftReport


@admin.register(ShiftReport)
class ShiftReportAdmin(FactAdmin):
    list_display = ("__str__", "room", "made_at", "inputs_hash")
    list_filter = ("room",)
    list_select_related = ("shift", "room")


@admin.register(RollUp)
class RollUpAdmin(FactAdmin):
    list_display = ("__str__", "room", "kind", "made_at", "inputs_hash")
    list_filter = ("room", "kind")
    list_select_related = ("room",)


@admin.register(Recomputation)
class RecomputationAdmin(FactAdmin):
    list_display = ("__str__", "room", "state", "done", "differing", "asked_by", "asked_at")
    list_filter = ("room", "state")
    list_select_related = ("room", "asked_by")


@admin.register(LongReport)
class LongReportAdmin(FactAdmin):
    list_display = ("__str__", "room", "state", "done", "asked_by", "asked_at")
    list_filter = ("room", "report", "state")
    list_select_related = ("room", "asked_by")
