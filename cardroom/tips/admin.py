"""Admin pages of tips: shown, never edited."""

from __future__ import annotations

from django.contrib import admin

from cardroom.people.admin_access import FactAdmin

from .models import HandIn, PoolRule, PoolSheet, WorkedHours


@admin.register(PoolRule)
class PoolRuleAdmin(FactAdmin):
    list_display = (
        "version",
        "title",
        "sharing",
        "support",
        "status",
        "effective_from",
        "effective_to",
        "filed_by",
    )


@admin.register(HandIn)
class HandInAdmin(FactAdmin):
    list_display = ("dealer", "shift", "cents", "received_by", "made_at", "reverses")
    list_select_related = ("dealer", "shift", "received_by", "reverses__dealer")


@admin.register(WorkedHours)
class WorkedHoursAdmin(FactAdmin):
    list_display = ("staff", "shift", "work", "minutes", "made_by", "made_at")
    list_select_related = ("staff", "shift", "made_by")


@admin.register(PoolSheet)
class PoolSheetAdmin(FactAdmin):
    list_display = ("shift", "total_cents", "made_by", "made_at")
    list_select_related = ("shift", "made_by")
