"""The terms of a levy, whose document is a JSON object: what a city or the state takes of a room's own collections, in tiers.

    {"levied_by": "city",
     "authority": "City of Alder Creek",
     "source": "Alder Creek Municipal Code 5.24.080",
     "text": "Each licensee shall pay monthly …",
     "period": "month",
     "base": ["collection"],
     "lines": [
       {"per": "part", "lower_cents": 0, "upper_cents": 10000000, "basis_points": 800},
       {"per": "part", "lower_cents": 10000000, "upper_cents": null, "basis_points": 1100}],
     "minimum_cents": 250000}

It is a tax on what the house has collected, after the fact. What a patron pays is a fee schedule's (`fees.document`), and is
never a percentage.

| `per` | the amount of a line |
|---|---|
| part | `basis_points` of the part of the base that lies in this tier |
| whole | `basis_points` of the whole base, and `fixed_cents`, where the base lies in this tier |
| over | `fixed_cents`, and `basis_points` of what the base is over `lower_cents`, where the base lies in this tier |
| tables | `fixed_cents` for each table, where the number of tables lies in this tier |
| tables_by_base | `fixed_cents` for each table, where the base lies in this tier |
| period | `fixed_cents` for each period |

Lines of one `per` are a scale: tiers from nothing up, each beginning where the one before it ends, the last open above. A base
that is exactly a bound lies in the tier below it, or with `at_bound` "upper" in the tier above. `combine` says of several scales
whether they are added up (`sum`), or the greatest or the least of them is due. `minimum_cents` and `maximum_cents` bound the
whole. A line's percentage is rounded to a cent by `rounding`.

All amounts are whole cents, percentages are basis points (1250 is 12.5%). `base` names what counts (`BASES`). `period` is a month,
a quarter or a year, of which the first begins with the month `year_begins`. Tables are the number `authorized_tables`, or with
`tables` "opened" the most that were open on one day.

`fees.levy_document` reads and checks one, `fees.levied` computes what is due by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.money import dollars

CITY, STATE = "city", "state"
LEVIED_BY: Final = (CITY, STATE)
MONTH, QUARTER, YEAR = "month", "quarter", "year"
#: Months of each period.
PERIODS: Final = {MONTH: 1, QUARTER: 3, YEAR: 12}
COLLECTION, JACKPOT, HOUSE_WIN = "collection", "jackpot", "house_win"
#: What may count in the base, in the words of a statement.
BASES: Final = {
    COLLECTION: "collection dropped, less refunds",
    JACKPOT: "jackpot collection",
    HOUSE_WIN: "what the house won at tables that it banks",
}
PART, WHOLE, OVER, TABLES, TABLES_BY_BASE, EACH_PERIOD = (
    *("part", "whole", "over", "tables", "tables_by_base", "period"),
)
#: What a line is, in the words of a page.
PER: Final = {
    PART: "per cent of the part in the tier",
    WHOLE: "per cent of the whole, by tier",
    OVER: "so much, and per cent of what is over",
    TABLES: "so much a table, by number of tables",
    TABLES_BY_BASE: "so much a table, by gross revenue",
    EACH_PERIOD: "so much a period",
}
#: Those of a percentage, and those whose tiers are of the base.
PERCENTAGES: Final = (PART, WHOLE, OVER)
BY_BASE: Final = (PART, WHOLE, OVER, TABLES_BY_BASE)
SUM, GREATEST, LEAST = "sum", "greatest", "least"
COMBINE: Final = {SUM: "added up", GREATEST: "the greatest of them", LEAST: "the least of them"}
NEAREST, DOWN, UP = "nearest", "down", "up"
ROUNDING: Final = {
    NEAREST: "to the nearest cent, half a cent up",
    DOWN: "down to a cent",
    UP: "up to a cent",
}
LOWER, UPPER = "lower", "upper"
AT_BOUND: Final = {LOWER: "in the tier below the bound", UPPER: "in the tier above the bound"}
AUTHORIZED, OPENED = "authorized", "opened"
TABLES_COUNTED: Final = {
    AUTHORIZED: "as many as are authorized",
    OPENED: "the most that were open on one day",
}

#: What a document says that does not say it.
DEFAULTS: Final[Mapping[str, Any]] = {
    "text": "",
    "year_begins": 1,
    "tables": AUTHORIZED,
    "authorized_tables": 0,
    "combine": SUM,
    "rounding": NEAREST,
    "at_bound": LOWER,
    "minimum_cents": 0,
    "maximum_cents": None,
}
WHOLE_BP: Final = 10_000
MOST_TABLES: Final = 999
MOST_LINES: Final = 60


@dataclass(frozen=True, slots=True)
class Tier:
    """One line: bounds are cents of the base, or tables; `upper` None is open above."""

    number: int
    per: str
    lower: int
    upper: int | None
    basis_points: int
    fixed_cents: int

    @property
    def bounds_text(self) -> str:
        """The tier in words: "over $100,000", "$0 to $100,000", "6 to 8 tables"; nothing of a line without tiers."""
        if self.per == EACH_PERIOD:
            return ""
        if self.per == TABLES:
            if self.upper is None:
                return f"{self.lower} tables and up" if self.lower > 1 else "any number of tables"
            return f"{self.lower} to {self.upper} tables"
        if self.upper is None:
            return f"over {dollars(self.lower)}" if self.lower else "any amount"
        return f"{dollars(self.lower)} to {dollars(self.upper)}"

    @property
    def rate_text(self) -> str:
        """What the line takes, in words: "12.5% of the part in the tier", "$300 a table"."""
        percent, fixed = percent_text(self.basis_points), dollars(self.fixed_cents)
        if self.per == PART:
            return f"{percent} of the part in the tier"
        if self.per in (TABLES, TABLES_BY_BASE):
            return f"{fixed} a table"
        if self.per == EACH_PERIOD:
            return fixed
        of = "the whole" if self.per == WHOLE else f"what is over {dollars(self.lower)}"
        return f"{fixed} and {percent} of {of}" if self.fixed_cents else f"{percent} of {of}"


@dataclass(frozen=True, slots=True)
class Levy:
    """What a proper document says."""

    levied_by: str
    authority: str
    source: str
    text: str
    period: str
    year_begins: int
    base: tuple[str, ...]
    tables: str
    authorized_tables: int
    combine: str
    rounding: str
    at_bound: str
    minimum_cents: int
    maximum_cents: int | None
    tiers: tuple[Tier, ...]

    @property
    def scales(self) -> dict[str, tuple[Tier, ...]]:
        """The tiers of each `per` that it has, in the order in which they are written."""
        found = dict.fromkeys(tier.per for tier in self.tiers)
        return {per: tuple(tier for tier in self.tiers if tier.per == per) for per in found}

    @property
    def counts_tables(self) -> bool:
        """Whether the number of tables is asked for."""
        return any(tier.per in (TABLES, TABLES_BY_BASE) for tier in self.tiers)


def percent_text(basis_points: int) -> str:
    """Return a percentage as it is written: "8%", "12.5%", "0.25%"."""
    whole, rest = divmod(basis_points, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".") + "%"
