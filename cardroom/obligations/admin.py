"""Admin pages of obligations: shown, never edited."""

from __future__ import annotations

from django.contrib import admin

from cardroom.people.admin_access import FactAdmin

from .models import Obligation, ObligationStep


@admin.register(Obligation)
class ObligationAdmin(FactAdmin):
    list_display = ("title", "room", "kind", "due_on", "state", "owner")
    list_filter = ("state", "kind")
    list_select_related = ("room", "owner")


@admin.register(ObligationStep)
class ObligationStepAdmin(FactAdmin):
    list_display = ("obligation", "what", "before", "after", "made_by", "made_at")
    list_filter = ("what",)
    list_select_related = ("obligation", "made_by")
