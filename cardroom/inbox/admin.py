"""Admin pages of the inbox: shown, never edited."""

from __future__ import annotations

from django.contrib import admin

from cardroom.people.admin_access import FactAdmin

from .models import Dispute, Item, ItemPerson, ItemStep


@admin.register(Dispute)
class DisputeAdmin(FactAdmin):
    list_display = ("table", "round", "seat", "opened_at", "outcome")
    list_filter = ("outcome",)
    list_select_related = ("table", "round")


@admin.register(Item)
class ItemAdmin(FactAdmin):
    list_display = ("kind", "room", "table", "happened_at", "state", "owner")
    list_filter = ("state", "kind")
    list_select_related = ("room", "table", "owner")


@admin.register(ItemPerson)
class ItemPersonAdmin(FactAdmin):
    list_display = ("item", "staff", "player")
    list_select_related = ("item", "staff", "player")


@admin.register(ItemStep)
class ItemStepAdmin(FactAdmin):
    list_display = ("item", "what", "before", "after", "made_by", "made_at")
    list_filter = ("what",)
    list_select_related = ("item", "made_by")
