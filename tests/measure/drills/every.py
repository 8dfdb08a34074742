"""All drills, in the order in which `make drills` runs them."""

from __future__ import annotations

from . import accident, company, failover, moved, operators_page, point_in_time, upgrade, wrong_database
from .drill import Drill

DRILLS: tuple[Drill, ...] = (
    operators_page.DRILL,
    point_in_time.DRILL,
    accident.DRILL,
    failover.DRILL,
    moved.DRILL,
    wrong_database.DRILL,
    company.DRILL,
    upgrade.DRILL,
)
