"""Which rows of the count may never change again, as triggers in the database."""

from __future__ import annotations

from fees.triggers import Trigger, refuse


def count_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of drop and count for `vendor` (`sqlite` or `postgresql`)."""
    whole = [
        trigger
        for table in ("count_countsheet", "count_weighing", "count_variancenote")
        for trigger in refuse(
            table, message=f"{table}: a count stays as it was written; correct it by another", vendor=vendor
        )
    ]
    return [
        *whole,
        *refuse(
            "count_dropbox",
            events=("UPDATE",),
            when="OLD.counted_at IS NOT NULL",
            message="count_dropbox: a counted box never changes",
            truncate=False,
            vendor=vendor,
        ),
        *refuse(
            "count_dropbox",
            events=("DELETE",),
            message="count_dropbox: a box is never deleted",
            vendor=vendor,
        ),
    ]
