"""What a filed fee schedule keeps for good, as triggers: the second guard after the services."""

from __future__ import annotations

from .triggers import Trigger, changed, refuse

_TABLE = "fees_feeschedule"
_FILED = "OLD.status <> 'draft'"
#: What a filed version says.
_SAID = (
    "id",
    "room_id",
    "rulebook",
    "number",
    "version",
    "title",
    "document",
    "effective_from",
    "state_reference",
    "filed_at",
    "filed_by_id",
    "created_at",
)
_SINCE_APPROVED = ("approved_by_id",)


def fee_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of fee schedules for `vendor` (`sqlite` or `postgresql`)."""
    return _triggers(vendor, _SINCE_APPROVED)


def first_fee_triggers(vendor: str) -> list[Trigger]:
    """Return the same for the table as it was made first, for the migrations of that time."""
    return _triggers(vendor, ())


def _triggers(vendor: str, since: tuple[str, ...]) -> list[Trigger]:
    """Return the triggers; `since` are columns that the table got later.

    Once filed, a version never says anything else and is never deleted; closing it is all that can still
    happen, once.
    """
    said = changed(*_SAID, *since, vendor=vendor)
    state = changed("status", "effective_to", vendor=vendor)
    closing = "(OLD.status = 'filed' AND NEW.status IN ('superseded', 'withdrawn'))"
    return [
        *refuse(
            _TABLE,
            events=("UPDATE",),
            when=f"{_FILED} AND ({said} OR ({state} AND NOT {closing}))",
            message=f"{_TABLE}: a filed version stays as it was filed; draft the next version",
            truncate=False,
            vendor=vendor,
        ),
        *refuse(
            _TABLE,
            events=("DELETE",),
            when=_FILED,
            message=f"{_TABLE}: a filed version is never deleted; withdraw it",
            vendor=vendor,
        ),
    ]
