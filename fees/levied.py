"""Computes what is due by a levy on a base and a number of tables: exactly, in whole cents, each line rounded once.

A percentage is cents times basis points over 10,000, a fraction of whole numbers; it is rounded to a cent line by line, as the
levy says, so that the lines of a statement add up to what it asks.
"""

from __future__ import annotations

import calendar
import datetime
from dataclasses import dataclass

from games.money import dollars

from .levy import (
    DOWN,
    EACH_PERIOD,
    GREATEST,
    LEAST,
    LOWER,
    OVER,
    PART,
    PERIODS,
    SUM,
    TABLES,
    TABLES_BY_BASE,
    UP,
    WHOLE,
    WHOLE_BP,
    Levy,
    Tier,
    percent_text,
)


@dataclass(frozen=True, slots=True)
class LineDue:
    """What one line takes: `of_cents` is what its percentage is of, `tables` what it counts; `applies` where it is met."""

    tier: Tier
    applies: bool
    of_cents: int
    tables: int
    due_cents: int

    @property
    def text(self) -> str:
        """How it is worked, in words: "8% of $100,000", "$750 and 5% of $2,000", "6 tables at $300"."""
        tier = self.tier
        if not self.applies:
            return "not met"
        if tier.per in (TABLES, TABLES_BY_BASE):
            tables = "1 table" if self.tables == 1 else f"{self.tables} tables"
            return f"{tables} at {dollars(tier.fixed_cents)}"
        if tier.per == EACH_PERIOD:
            return dollars(tier.fixed_cents)
        percent = f"{percent_text(tier.basis_points)} of {dollars(self.of_cents)}"
        return f"{dollars(tier.fixed_cents)} and {percent}" if tier.fixed_cents else percent


@dataclass(frozen=True, slots=True)
class Due:
    """What a levy takes of a period. `scales` are the sums by `per`; `counted` are those that are due.

    `bounded_cents` is what minimum or maximum add or take away: the counted scales and it come to `due_cents`.
    """

    base_cents: int
    tables: int
    lines: tuple[LineDue, ...]
    scales: dict[str, int]
    counted: tuple[str, ...]
    bounded_cents: int
    due_cents: int


def levied(levy: Levy, base_cents: int, tables: int = 0) -> Due:
    """Return what is due; of a base below nothing, which a time with more refunds than collection has, as of none."""
    base = max(0, base_cents)
    lines = tuple(_line_due(levy, tier, base, tables) for tier in levy.tiers)
    scales = {
        per: sum(line.due_cents for line in lines if line.tier.per == per and line.applies)
        for per in levy.scales
    }
    counted = _counted(levy.combine, scales)
    added = sum(scales[per] for per in counted)
    bounded = max(added, levy.minimum_cents)
    if levy.maximum_cents is not None:
        bounded = min(bounded, levy.maximum_cents)
    return Due(base, tables, lines, scales, counted, bounded - added, bounded)


def percentage_cents(cents: int, basis_points: int, rounding: str) -> int:
    """Return so many basis points of an amount of 0 or more, rounded to a cent."""
    product = cents * basis_points
    if rounding == DOWN:
        return product // WHOLE_BP
    if rounding == UP:
        return -(-product // WHOLE_BP)
    return (2 * product + WHOLE_BP) // (2 * WHOLE_BP)


def period_with(levy: Levy, day: datetime.date) -> tuple[datetime.date, datetime.date]:
    """Return the first and the last day of the levy's period in which a day lies."""
    months = PERIODS[levy.period]
    within = (day.month - levy.year_begins) % 12 % months
    began = day.year * 12 + day.month - 1 - within
    ends = began + months - 1
    first = datetime.date(began // 12, began % 12 + 1, 1)
    year, month = ends // 12, ends % 12 + 1
    return first, datetime.date(year, month, calendar.monthrange(year, month)[1])


def _line_due(levy: Levy, tier: Tier, base: int, tables: int) -> LineDue:
    if tier.per == PART:
        upper = base if tier.upper is None else min(base, tier.upper)
        part = max(0, upper - tier.lower)
        return LineDue(tier, part > 0, part, 0, percentage_cents(part, tier.basis_points, levy.rounding))
    if tier.per == EACH_PERIOD:
        return LineDue(tier, True, 0, 0, tier.fixed_cents)
    applies = _holds_tables(tier, tables) if tier.per == TABLES else _holds_base(levy, tier, base)
    if not applies:
        return LineDue(tier, False, 0, 0, 0)
    if tier.per in (TABLES, TABLES_BY_BASE):
        return LineDue(tier, True, 0, tables, tier.fixed_cents * tables)
    of = base - tier.lower if tier.per == OVER else base
    assert tier.per in (OVER, WHOLE)
    return LineDue(
        tier, True, of, 0, tier.fixed_cents + percentage_cents(of, tier.basis_points, levy.rounding)
    )


def _holds_tables(tier: Tier, tables: int) -> bool:
    return tier.lower <= tables and (tier.upper is None or tables <= tier.upper)


def _holds_base(levy: Levy, tier: Tier, base: int) -> bool:
    """Whether a base lies in a tier; one of exactly a bound in the tier below it, or above. Nothing lies in the first."""
    if levy.at_bound == LOWER:
        above = tier.lower < base or tier.lower == 0
        return above and (tier.upper is None or base <= tier.upper)
    return tier.lower <= base and (tier.upper is None or base < tier.upper)


def _counted(combine: str, scales: dict[str, int]) -> tuple[str, ...]:
    """The scales that are due: all of them, or the first of the greatest or the least."""
    if combine == SUM or not scales:
        return tuple(scales)
    assert combine in (GREATEST, LEAST)
    pick = max if combine == GREATEST else min
    return (pick(scales, key=lambda per: scales[per]),)
