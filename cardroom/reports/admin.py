"""Django admin of reports: shown, never edited."""

from __future__ import annotations

from django.contrib import admin

from cardroom.people.admin_access import FactAdmin

from .models import DayExport, PeriodReport, ShiftReport


@admin.register(ShiftReport)
class ShiftReportAdmin(FactAdmin):
    list_display = ("__str__", "room", "made_at", "inputs_hash")
    list_filter = ("room",)
    list_select_related = ("shift", "room")


@admin.register(PeriodReport)
class PeriodReportAdmin(FactAdmin):
    list_display = ("__str__", "room", "kind", "made_at", "inputs_hash")
    list_filter = ("room", "kind")
    list_select_related = ("room",)


@admin.register(DayExport)
class DayExportAdmin(FactAdmin):
    list_display = ("__str__", "room", "made_at", "schema", "manifest_hash")
    list_filter = ("room",)
    list_select_related = ("room",)
