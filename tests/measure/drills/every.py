"""All drills, in the order in which `make drills` runs them."""

from __future__ import annotations

from . import accident, company, failover, point_in_time, upgrade
from .drill import Drill

DRILLS: tuple[Drill, ...] = (
    point_in_time.DRILL,
    accident.DRILL,
    failover.DRILL,
    company.DRILL,
    upgrade.DRILL,
)
