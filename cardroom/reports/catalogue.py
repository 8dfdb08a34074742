"""Every report that a compliance officer can draw, in the order in which they are listed."""

from __future__ import annotations

from .asked import Report
from .compliance.rounds import ROUNDS

_LISTED: tuple[Report, ...] = (ROUNDS,)

REPORTS: dict[str, Report] = {report.name: report for report in _LISTED}
"""The reports of the catalogue, a module each; every one is a function from what is asked to a paper."""
