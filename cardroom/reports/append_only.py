"""Reports stay as they were made, as triggers in the database."""

from __future__ import annotations

from fees.triggers import Trigger, refuse


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
    table = "reports_recomputation"
    return [
        *refuse(
            table,
            events=("UPDATE",),
            when="OLD.ended_at IS NOT NULL",
            message=f"{table}: a recomputation that has ended stays as it came out",
            truncate=False,
            vendor=vendor,
        ),
        *refuse(
            table, events=("DELETE",), message=f"{table}: a recomputation is never deleted", vendor=vendor
        ),
    ]
