"""Reports stay as they were made, as triggers in the database."""

from __future__ import annotations

from fees.triggers import Trigger, changed, refuse


def reports_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of the reports' table for `vendor` (`sqlite` or `postgresql`)."""
    return refuse(
        "reports_shiftreport",
        message="reports_shiftreport: a shift report stays as it was made",
        vendor=vendor,
    )


def roll_up_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of roll-ups."""
    return refuse("reports_rollup", message="reports_rollup: a roll-up stays as it was made", vendor=vendor)


def recomputation_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of recomputations: once ended they never change, and none goes away."""
    return _run_triggers("reports_recomputation", "recomputation", vendor)


def long_report_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of reports that a worker draws: once ended they never change, and none goes away."""
    return _run_triggers("reports_longreport", "long report", vendor)


def _run_triggers(table: str, what: str, vendor: str) -> list[Trigger]:
    return [
        *refuse(
            table,
            events=("UPDATE",),
            when="OLD.ended_at IS NOT NULL",
            message=f"{table}: a {what} that has ended stays as it came out",
            truncate=False,
            vendor=vendor,
        ),
        *refuse(table, events=("DELETE",), message=f"{table}: a {what} is never deleted", vendor=vendor),
    ]


def letter_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of what is sent: a subscription is ended once and a letter sent once, and none goes away."""
    said = ("id", "room_id", "what", "staff_id", "address", "restatements", "made_at", "made_by_id")
    subscriptions, letters = "reports_subscription", "reports_letter"
    return [
        *refuse(
            subscriptions,
            events=("UPDATE",),
            when=f"OLD.ended_at IS NOT NULL OR {changed(*said, vendor=vendor)}",
            message=f"{subscriptions}: a subscription never changes; end it and make another",
            truncate=False,
            vendor=vendor,
        ),
        *refuse(
            subscriptions,
            events=("DELETE",),
            message=f"{subscriptions}: a subscription is never deleted; end it",
            vendor=vendor,
        ),
        *refuse(
            letters,
            events=("UPDATE",),
            when="OLD.done_at IS NOT NULL",
            message=f"{letters}: a letter that was sent never changes",
            truncate=False,
            vendor=vendor,
        ),
        *refuse(letters, events=("DELETE",), message=f"{letters}: a letter is never deleted", vendor=vendor),
    ]
