"""Every report that a compliance officer can draw, in the order in which they are listed."""

from __future__ import annotations

from cardroom.rooms.models import Room

from .banking import banking_of_room
from .compliance.access import ACCESS
from .compliance.alerts import ALERTS
from .compliance.bank_time import BANK_TIME
from .compliance.collection import COLLECTION
from .compliance.corrected import CORRECTED_SINCE
from .compliance.coverage import COVERAGE
from .compliance.drop_count import DROP_COUNT
from .compliance.exceptions import EXCEPTIONS
from .compliance.house_win import HOUSE_WIN
from .compliance.irregularities import IRREGULARITIES
from .compliance.recomputed import RECOMPUTED
from .compliance.rotation import ROTATION
from .compliance.rounds import ROUNDS
from .compliance.settings import SETTINGS
from .compliance.tips import TIPS
from .compliance.what_if import WHAT_IF
from .query import Report

_LISTED: tuple[Report, ...] = (
    HOUSE_WIN,
    COLLECTION,
    DROP_COUNT,
    TIPS,
    RECOMPUTED,
    EXCEPTIONS,
    IRREGULARITIES,
    CORRECTED_SINCE,
    COVERAGE,
    ROUNDS,
    ROTATION,
    BANK_TIME,
    WHAT_IF,
    ALERTS,
    ACCESS,
    SETTINGS,
)

REPORTS: dict[str, Report] = {report.name: report for report in _LISTED}


def listed_in(room: Room) -> list[Report]:
    """Return the reports that answer anything in a room, where players bank, the house, or both; each may be asked for."""
    banking = banking_of_room(room)
    return [report for report in _LISTED if not report.of or getattr(banking, report.of)]


"""The reports of the catalogue, a module each; every one is a function from what is asked to a document."""
