"""Which rows of the floor may never change again, as triggers in the database (the second guard after the services)."""

from __future__ import annotations

from fees.triggers import Trigger, changed, refuse

_CORRECT = "facts are append-only; a correction is a new act"


def alert_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of the alerts: one that is over and answered stays as it is, and none goes away."""
    return [
        *refuse(
            "floor_alert",
            events=("UPDATE",),
            when="OLD.cleared_at IS NOT NULL AND OLD.acknowledged_at IS NOT NULL",
            message="floor_alert: an alert that is over and answered never changes",
            truncate=False,
            vendor=vendor,
        ),
        *refuse(
            "floor_alert", events=("DELETE",), message="floor_alert: an alert is never deleted", vendor=vendor
        ),
    ]


def expiry_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of overrides of expired badges and permits: facts."""
    return refuse("floor_expiryoverride", message=f"floor_expiryoverride: {_CORRECT}", vendor=vendor)


def pause_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of the stops that a rotation profile asks for: facts like offers."""
    return refuse("floor_pause", message=f"floor_pause: {_CORRECT}", vendor=vendor)


def errand_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of the outbox: what is done stays done, and nothing is taken out undone."""
    done = "floor_errand: an errand that is done never changes, and none is deleted"
    return [
        *refuse(
            "floor_errand",
            events=("UPDATE",),
            when="OLD.done_at IS NOT NULL",
            message=done,
            truncate=False,
            vendor=vendor,
        ),
        *refuse("floor_errand", events=("DELETE",), message=done, vendor=vendor),
    ]


def conduct_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of what is kept of conduct: facts, decks once retired, progressive wins once answered."""
    ends = {
        "floor_deck": ("OLD.retired_at IS NOT NULL", "a deck that was retired never changes"),
        "floor_progressivewin": ("OLD.state <> 'pending'", "a win that was answered never changes"),
    }
    triggers = [
        trigger
        for table in ("floor_procedure", "floor_metermovement")
        for trigger in refuse(table, message=f"{table}: {_CORRECT}", vendor=vendor)
    ]
    for table, (ended, says) in ends.items():
        triggers += refuse(
            table, events=("UPDATE",), when=ended, message=f"{table}: {says}", truncate=False, vendor=vendor
        )
        triggers += refuse(table, events=("DELETE",), message=f"{table}: {_CORRECT}", vendor=vendor)
    return triggers


def withdrawal_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of withdrawn answers: facts like the answers themselves."""
    return refuse("floor_withdrawal", message=f"floor_withdrawal: {_CORRECT}", vendor=vendor)


def collection_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of time collections, which are facts, and of waivers: all of one stays but its withdrawal."""
    said = (
        *("id", "room_id", "table_id", "round_id", "schedule_id", "rule", "title", "covers", "seat"),
        *("reason", "made_at", "recorded_by_id", "ordered_by_id"),
    )
    return [
        *refuse("floor_timecollection", message=f"floor_timecollection: {_CORRECT}", vendor=vendor),
        *refuse(
            "floor_waiver",
            events=("UPDATE",),
            when=f"OLD.withdrawn_at IS NOT NULL OR {changed(*said, vendor=vendor)}",
            message="floor_waiver: a waiver never changes; it is withdrawn once, before the first card",
            truncate=False,
            vendor=vendor,
        ),
        *refuse("floor_waiver", events=("DELETE",), message=f"floor_waiver: {_CORRECT}", vendor=vendor),
    ]


def floor_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of the floor's tables for `vendor` (`sqlite` or `postgresql`)."""
    whole = [
        trigger
        for table in ("floor_transfer", "floor_journalentry", "floor_offer")
        for trigger in refuse(table, message=f"{table}: {_CORRECT}", vendor=vendor)
    ]
    return [
        *whole,
        *refuse(
            "floor_round",
            events=("UPDATE",),
            when="OLD.state IN ('settled', 'void')",
            message="floor_round: a settled or void round never changes",
            truncate=False,
            vendor=vendor,
        ),
        *refuse(
            "floor_round", events=("DELETE",), message="floor_round: a round is never deleted", vendor=vendor
        ),
        *refuse(
            "floor_turn",
            events=("UPDATE",),
            when="OLD.ended_at IS NOT NULL",
            message="floor_turn: a turn that has ended never changes",
            truncate=False,
            vendor=vendor,
        ),
        *refuse(
            "floor_turn", events=("DELETE",), message="floor_turn: a turn is never deleted", vendor=vendor
        ),
    ]


def filing_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers that keep play on what is filed: tables open, and rounds begin, on a filed game.

    A round that is recorded as ended may lack one: rounds from elsewhere and of older times are such, and stand in the
    exception report. That a filing is in force on the day is for the services to check.
    """
    collects = "(NEW.schedule_id IS NOT NULL OR NEW.rake_mode <> '')"
    return [
        *refuse(
            "floor_table",
            events=("UPDATE",),
            when=f"OLD.state <> 'open' AND NEW.state = 'open' AND NOT (NEW.game_id IS NOT NULL AND {collects})",
            message="floor_table: a table opens on a filed game, and on a filed fee schedule or the game's rake",
            truncate=False,
            vendor=vendor,
        ),
        *refuse(
            "floor_round",
            events=("INSERT",),
            when="NEW.ended_at IS NULL AND NEW.game_id IS NULL",
            message="floor_round: a round begins on a filed game",
            truncate=False,
            vendor=vendor,
        ),
    ]
