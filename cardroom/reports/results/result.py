"""Figures of shifts as they are compared: of one from its stored report, and of several added up."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from ..models import ShiftReport
from ..sections.count import counted_cents, expected_cents
from ..stored.ladders import held_of
from ..stored.late_corrections import standing
from ..summary.key_figures import key_figures_of, pace_tenths

#: Results that are kept; a year of three shifts a day in four rooms.
_MOST_KEPT: Final = 4400
#: What reports came to, by their content hash: none of them ever changes.
_kept: dict[str, Result] = {}


class BoxOff(NamedTuple):
    """A box that is over or short, with the shift in which it hung."""

    shift: str
    box: str
    cents: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class Result:
    """What shifts came to: cents, rounds, seconds in which dealers were at tables, and tables by number that were played.

    Over / (short) is of the counted boxes alone, None without any; `off` are those of them that differ. `win_cents` is the
    house's by slips; `differences` are figures that do not tie out. `exceptions` are the items of the inbox, `exceptions_open` those of them that are not closed: no report
    says them. What is not known is None. The jackpot is in no other figure.
    """

    shifts: int = 1
    drop_cents: int
    jackpot_cents: int
    tips_cents: int
    uncovered_cents: int
    rounds: int
    table_seconds: int
    boxes: int
    boxes_counted: int
    over_short_cents: int | None
    buy_ins_cents: int = 0
    win_cents: int | None = None
    differences: int = 0
    exceptions: int | None = None
    exceptions_open: int | None = None
    tables: frozenset[int] = frozenset()
    off: tuple[BoxOff, ...] = ()

    @property
    def boxes_open(self) -> int:
        """Boxes that are not counted."""
        return self.boxes - self.boxes_counted

    @property
    def pace(self) -> int | None:
        """Rounds an hour at a table, in tenths; None without time."""
        return pace_tenths(self.rounds, self.table_seconds) if self.table_seconds else None


_SUMS: Final = (
    *("shifts", "drop_cents", "jackpot_cents", "tips_cents", "uncovered_cents", "rounds", "table_seconds"),
    *("boxes", "boxes_counted", "over_short_cents", "buy_ins_cents", "win_cents"),
    *("differences", "exceptions", "exceptions_open"),
)


def added(several: Iterable[Result]) -> Result | None:
    """Add results up; None of nothing. A figure that one of them does not know is not known."""
    results = list(several)
    if not results:
        return None
    sums: dict[str, Any] = {}
    for name in _SUMS:
        values = [getattr(result, name) for result in results]
        known = [value for value in values if value is not None]
        # Of boxes what is counted so far; of all else nothing while a shift does not know it.
        whole = len(known) == len(values) or (name == "over_short_cents" and known)
        sums[name] = sum(known) if whole else None
    return Result(
        **sums,
        tables=frozenset().union(*(result.tables for result in results)),
        off=tuple(off for result in results for off in result.off),
    )


def results_of(shifts: Iterable[int]) -> dict[int, Result]:
    """Return what the current reports of shifts came to, by the ids of the shifts; those without a report are left out."""
    current = ShiftReport.objects.filter(shift__in=list(shifts), restatement__isnull=True).order_by()
    hashes = {pk: (shift, said) for pk, shift, said in current.values_list("pk", "shift", "content_hash")}
    found = {shift: _kept[said] for shift, said in hashes.values() if said in _kept}
    missing = [pk for pk, (shift, _) in hashes.items() if shift not in found]
    read = ShiftReport.objects.filter(pk__in=missing).select_related("shift", "room").order_by()
    for report in read.iterator(chunk_size=20):
        found[report.shift_id] = _kept[report.content_hash] = result_of(report)
    while len(_kept) > _MOST_KEPT:
        del _kept[next(iter(_kept))]
    return found


def result_of(report: ShiftReport) -> Result:
    """Return what the report of a shift says it came to."""
    figures = report.typed_figures
    total: Mapping[str, Any] = figures["total"]
    key, count, name = (
        key_figures_of(report),
        report.typed_sections["count"],
        figures["subject"]["shift_name"],
    )
    hung = count["drop"]["shifts"]
    return Result(
        drop_cents=key.drop_cents,
        jackpot_cents=total["jackpot_expected_cents"],
        tips_cents=key.tips_cents,
        uncovered_cents=standing(figures).total["uncovered_cents"],
        rounds=key.rounds,
        table_seconds=key.table_seconds or 0,
        boxes=sum(each["boxes"] for each in hung),
        boxes_counted=sum(each["counted"] for each in hung),
        over_short_cents=counted_cents(count["drop"]) - expected_cents(count["drop"])
        if any(each["counted"] for each in hung)
        else None,
        buy_ins_cents=key.buy_ins_cents or 0,
        win_cents=key.win_cents,
        differences=len(figures["differences"]),
        tables=frozenset(table["number"] for table in figures["tables"] if table["rounds_settled"]),
        off=tuple(BoxOff(name, box, cents) for box, cents in held_of(report).differing.items()),
    )
