"""Admin pages of drop and count: shown, never edited. A blind count is not shown here either."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from cardroom.people.admin_access import FactAdmin

from .models import CountSheet, DropBox, VarianceCheck, VarianceNote


@admin.register(DropBox)
class DropBoxAdmin(FactAdmin):
    list_display = ("number", "table", "shift", "placed_at", "dropped_at", "counted_at")
    list_filter = ("table",)
    list_select_related = ("table", "shift")


@admin.register(CountSheet)
class CountSheetAdmin(FactAdmin):
    """Sheets of counts that stand; before that they are blind, for a superuser too."""

    list_display = ("box", "kind", "total_cents", "made_at", "made_by")
    list_filter = ("kind",)
    list_select_related = ("box", "made_by")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(box__counted_at__isnull=False)


@admin.register(VarianceCheck)
class VarianceCheckAdmin(FactAdmin):
    list_display = ("box", "expected_cents", "counted_cents", "is_over", "made_at")
    list_filter = ("is_over",)
    list_select_related = ("box",)


@admin.register(VarianceNote)
class VarianceNoteAdmin(FactAdmin):
    list_display = ("variance_check", "status", "owner", "made_by", "made_at")
    list_filter = ("status",)
    list_select_related = ("variance_check__box", "owner", "made_by")
