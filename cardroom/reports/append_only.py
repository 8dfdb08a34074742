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
