"""Every report that a compliance officer can draw, in the order in which they are listed."""

from __future__ import annotations

from .compliance.access import ACCESS
from .compliance.alerts import ALERTS
from .compliance.bank_time import BANK_TIME
from .compliance.collection import COLLECTION
from .compliance.corrected import CORRECTED_SINCE
from .compliance.coverage import COVERAGE
from .compliance.drop_count import DROP_COUNT
from .compliance.exceptions import EXCEPTIONS
from .compliance.irregularities import IRREGULARITIES
from .compliance.recomputed import RECOMPUTED
from .compliance.rotation import ROTATION
from .compliance.rounds import ROUNDS
from .compliance.settings import SETTINGS
from .compliance.tips import TIPS
from .compliance.what_if import WHAT_IF
from .query import Report

_LISTED: tuple[Report, ...] = (
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
"""The reports of the catalogue, a module each; every one is a function from what is asked to a document."""
