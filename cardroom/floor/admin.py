"""Django admin of the floor: tables and everything that happens at them, shown and never edited."""

from __future__ import annotations

from django.contrib import admin

from cardroom.people.admin_access import FactAdmin

from .models import (
    BuyIn,
    ChipCall,
    Deck,
    Down,
    ExpiryOverride,
    JournalEntry,
    LineUpPlan,
    Meal,
    MeterMovement,
    Offer,
    OfflineEntry,
    Procedure,
    ProgressiveMeter,
    ProgressiveWin,
    Push,
    Relief,
    Round,
    Seating,
    Shift,
    Table,
    TabletGap,
    TimeCollection,
    Transfer,
    TraySlip,
    Turn,
    WaitingEntry,
    Waiver,
)


@admin.register(Table)
class TableAdmin(FactAdmin):
    """Tables, which commands add and set."""

    list_display = ("number", "room", "state", "rulebook", "schedule")
    fields = ("room", "number", "state", "rulebook", "options", "schedule", "wager_limits", "meter")


@admin.register(Round)
class RoundAdmin(FactAdmin):
    list_display = ("__str__", "state", "bank_player", "total_table_action_cents", "opened_at")
    list_filter = ("state", "table", "gaming_day")
    list_select_related = ("table", "bank_player")


@admin.register(Transfer)
class TransferAdmin(FactAdmin):
    list_display = ("round", "kind", "source", "target", "seat", "wager", "cents", "made_at")
    list_filter = ("kind", "table")
    list_select_related = ("round", "round__table")


@admin.register(Waiver)
class WaiverAdmin(FactAdmin):
    list_display = ("round", "title", "covers", "seat", "reason", "ordered_by", "made_at", "withdrawn_by")
    list_filter = ("rule", "table")
    list_select_related = ("round", "round__table", "ordered_by", "withdrawn_by")


@admin.register(TimeCollection)
class TimeCollectionAdmin(FactAdmin):
    list_display = ("table", "period", "periods", "cents", "made_at", "recorded_by", "reverses", "reason")
    list_filter = ("table",)


@admin.register(JournalEntry)
class JournalEntryAdmin(FactAdmin):
    list_display = ("chain", "seq", "at", "actor_name", "command", "reason")
    list_filter = ("command", "table")


@admin.register(Turn)
class TurnAdmin(FactAdmin):
    list_display = ("table", "player", "seat", "rounds", "began_at", "ended_at", "ended_why")
    list_filter = ("table",)


@admin.register(Offer)
class OfferAdmin(FactAdmin):
    list_display = ("table", "seat", "player", "answer", "answered_at", "recorded_by")
    list_filter = ("answer", "table")


@admin.register(Shift)
class ShiftAdmin(FactAdmin):
    list_display = ("room", "gaming_day", "name", "opened_at", "opened_by", "closed_at", "closed_by")


@admin.register(Down)
class DownAdmin(FactAdmin):
    list_display = ("table", "dealer", "started_at", "ended_at")
    list_filter = ("table",)


@admin.register(LineUpPlan)
class LineUpPlanAdmin(FactAdmin):
    list_display = ("room", "down_minutes", "break_minutes", "set_at", "set_by")


@admin.register(Meal)
class MealAdmin(FactAdmin):
    list_display = ("dealer", "room", "started_at", "ended_at")
    list_select_related = ("dealer", "room")


@admin.register(Push)
class PushAdmin(FactAdmin):
    list_display = ("room", "started_at", "started_by", "reversed_at", "reversed_by")


@admin.register(Relief)
class ReliefAdmin(FactAdmin):
    list_display = ("push", "table", "outgoing", "incoming", "down", "ended_at")
    list_filter = ("table",)
    list_select_related = ("push", "table", "outgoing", "incoming", "down")


@admin.register(Seating)
class SeatingAdmin(FactAdmin):
    list_display = ("table", "seat", "player", "seated_at", "left_at")
    list_filter = ("table",)


@admin.register(ExpiryOverride)
class ExpiryOverrideAdmin(FactAdmin):
    list_display = ("what", "player", "staff", "expired_on", "gaming_day", "reason", "ordered_by", "made_at")
    list_filter = ("table",)
    list_select_related = ("player", "staff", "ordered_by")


@admin.register(Deck)
class DeckAdmin(FactAdmin):
    list_display = ("table", "name", "placed_at", "retired_at", "retired_why")
    list_filter = ("table",)


@admin.register(Procedure)
class ProcedureAdmin(FactAdmin):
    list_display = ("table", "kind", "made_at", "subject", "number", "round_fate", "card_fate", "recorded_by")
    list_filter = ("kind", "table")


@admin.register(ProgressiveMeter)
class ProgressiveMeterAdmin(FactAdmin):
    list_display = ("name", "room")
    list_filter = ("room",)


@admin.register(MeterMovement)
class MeterMovementAdmin(FactAdmin):
    list_display = ("meter", "table", "kind", "cents", "shown_cents", "reserve_cents", "made_at")
    list_filter = ("meter", "table")
    list_select_related = ("meter", "table")


@admin.register(ProgressiveWin)
class ProgressiveWinAdmin(FactAdmin):
    list_display = ("table", "round", "seat", "state", "keyed_by", "answered_by")
    list_filter = ("state", "table")


@admin.register(OfflineEntry)
class OfflineEntryAdmin(FactAdmin):
    list_display = ("table", "command", "given_by", "given_at", "taken_at", "shift", "given_in")
    list_filter = ("table",)
    list_select_related = ("table", "given_by", "shift", "given_in")


@admin.register(TabletGap)
class TabletGapAdmin(FactAdmin):
    list_display = ("table", "screen", "since", "until")
    list_filter = ("table",)
    list_select_related = ("table",)


@admin.register(ChipCall)
class ChipCallAdmin(FactAdmin):
    list_display = ("table", "cents", "note", "called_at", "called_by", "answered_at", "answered_by")
    list_filter = ("table",)


@admin.register(WaitingEntry)
class WaitingEntryAdmin(FactAdmin):
    list_display = ("game", "player", "name", "added_at", "called_at", "ended_at", "ended_why", "table")
    list_filter = ("game", "ended_why")
    list_select_related = ("player", "table")


@admin.register(TraySlip)
class TraySlipAdmin(FactAdmin):
    list_display = ("number", "kind", "table", "cents", "expected_cents", "made_at", "made_by", "approved_by")
    list_filter = ("kind", "table")
    list_select_related = ("table", "made_by", "approved_by")


@admin.register(BuyIn)
class BuyInAdmin(FactAdmin):
    list_display = ("table", "seat", "player", "cents", "made_at", "recorded_by", "reverses", "reason")
    list_filter = ("table",)
    list_select_related = ("table", "player", "recorded_by")
