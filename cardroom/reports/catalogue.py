"""Every report that a compliance officer can draw, in the order in which they are listed."""

from __future__ import annotations

from .asked import Report

_LISTED: tuple[Report, ...] = ()

REPORTS: dict[str, Report] = {report.name: report for report in _LISTED}
