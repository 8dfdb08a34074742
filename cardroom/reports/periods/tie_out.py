"""Reconciles a period report: compares each shift report that it sums up with the rows of its shift."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from ..models import ShiftReport
from ..shift.tie_out import ROW_WAYS, row_sums, ways_read
from ..stored.figure_types import MOST_ROUNDS, WAYS, Difference, RoundRef

#: What the report says, as a way of adding up.
REPORT_WAY: Final = "shift report"


def differences_with_rows(report: ShiftReport) -> list[Difference]:
    """Return the figures in which a report and the rows of its shift differ, and those in which its own ways did.

    Each names the shift, and the rounds whose rows contradict each other: a row that is gone, or that was changed in
    every way at once, is named by nothing but its shift and table.
    """
    figures = report.typed_figures
    own = {(each["table"], each["figure"]): each for each in figures["differences"]}
    reported: dict[int, Mapping[str, Any]] = {table["table"]: table for table in figures["tables"]}
    numbers = {table["table"]: table["number"] for table in figures["tables"]}
    rows = _rows(report.shift_id)
    differing: dict[tuple[int, str], dict[str, int]] = {}
    for table in sorted({*reported, *rows}, key=lambda pk: (numbers.get(pk, 0), pk)):
        for figure, ways in WAYS.items():
            in_report = reported.get(table, {}).get(figure, 0)
            by_way = {way: rows[table].get((figure, way), 0) for way in ways if way in ROW_WAYS}
            if in_report is not None and set(by_way.values()) != {in_report}:
                differing[table, figure] = {REPORT_WAY: in_report, **by_way}
    at_fault: defaultdict[tuple[int, str], list[RoundRef]] = defaultdict(list)
    if differing:
        _, faults = ways_read(report.shift_id)
        for fault in faults:
            at_fault[fault["table"], fault["figure"]].append(
                {"id": fault["round"], "gaming_day": fault["gaming_day"], "number": fault["number"]}
            )
    found = dict(own)
    for (table, figure), by_way in differing.items():
        rounds = at_fault[table, figure]
        found[table, figure] = {
            "table": table,
            "number": numbers.get(table, 0),
            "figure": figure,
            "ways": by_way,
            "rounds": rounds[:MOST_ROUNDS],
            "rounds_at_fault": len(rounds),
        }
    return [{**each, "shift": report.shift_id, "shift_name": str(report.shift)} for each in found.values()]


def _rows(shift_id: int) -> defaultdict[int, dict[tuple[str, str], int]]:
    """Cents by table, figure and way, from the rows as they are now."""
    sums: defaultdict[int, dict[tuple[str, str], int]] = defaultdict(dict)
    for row in row_sums(shift_id):
        for figure, cents in row["cents"].items():
            sums[row["table"]][figure, row["way"]] = cents
    return sums
