"""A shift report as it is read: first the answer, then the tables, then how the figures were made.

Shows `cardroom.reports.figures.Figures` as stored and computes nothing: what is null is shown as not known.
"""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any

from cardroom.reports.figures import WAYS, Difference, Figures, OverLimit, Sums, TableFigures
from cardroom.reports.models import ShiftReport

#: The figures of the table of figures, in the order in which they are read: name in `Sums`, heading, whether money.
ROWS: tuple[tuple[str, str, bool], ...] = (
    ("rounds_settled", "Rounds settled", False),
    ("rounds_by_eye", "of these by eye", False),
    ("corrections", "Corrections made", False),
    ("voids_before_deal", "Voids before the deal", False),
    ("voids_after_deal", "Voids after the deal", False),
    ("total_table_action_cents", "Total table action", True),
    ("player_fees_cents", "Player fees", True),
    ("bank_fees_cents", "Player-dealer fees", True),
    ("time_fees_cents", "Time collected", True),
    ("rake_cents", "House rake", True),
    ("fees_waived_cents", "Fees waived", True),
    ("fees_refunded_cents", "Fees given back", True),
    ("drop_expected_cents", "Drop expected", True),
    ("jackpot_expected_cents", "Jackpot expected", True),
    ("tips_cents", "Tips into the toke box", True),
    ("taken_cents", "Wagers taken by banks", True),
    ("paid_cents", "Winnings paid by banks", True),
    ("uncovered_cents", "Returned uncovered", True),
    ("exhausted_banks", "Banks exhausted", False),
    ("turns_begun", "Turns at the bank", False),
    ("runs_over_limit", "Runs of rounds over the limit", False),
)
ANSWERS = (
    ("accepted", "accepted"),
    ("declined", "declined"),
    ("absent", "away from the table"),
    ("ineligible", "may not bank"),
)
WAY_NAMES = {
    "transfers": "money moved",
    "rounds": "columns of the rounds",
    "settlements": "lines of the settlements",
    "quotes": "fees as quoted, rake as paid",
    "bets": "wagers as they lay",
}


@dataclasses.dataclass(frozen=True)
class Row:
    """A figure for every table and in total, in cents where `money`; None is not known."""

    name: str
    money: bool
    values: list[int | None]
    total: int | None
    strong: bool


@dataclasses.dataclass(frozen=True)
class Fault:
    """A difference: its table, the figure by its heading, and what each way of adding up gives (name, cents)."""

    difference: Difference
    heading: str
    ways: list[tuple[str, int]]


@dataclasses.dataclass
class Report:
    """A stored report, arranged for the page."""

    stored: ShiftReport
    figures: Figures
    tables: list[TableFigures]
    total: Sums
    rows: list[Row]
    offer_rows: list[Row]
    faults: list[Fault]
    over_limit: list[OverLimit]
    ways: list[tuple[str, str]]

    @property
    def opened_at(self) -> datetime.datetime:
        return datetime.datetime.fromisoformat(self.figures["subject"]["opened_at"])

    @property
    def closed_at(self) -> datetime.datetime:
        return datetime.datetime.fromisoformat(self.figures["subject"]["closed_at"])

    @property
    def hours(self) -> str:
        """How long the shift was: "8 h 5 min"."""
        minutes = int((self.closed_at - self.opened_at).total_seconds()) // 60
        return f"{minutes // 60} h {minutes % 60} min"


def arranged(stored: ShiftReport) -> Report:
    """Arrange a stored report for the page."""
    figures = stored.sums
    tables, total = figures["tables"], figures["total"]
    headings = {figure: heading for figure, heading, _ in ROWS}
    return Report(
        stored=stored,
        figures=figures,
        tables=tables,
        total=total,
        rows=[
            Row(
                heading,
                money,
                [_of(t, figure) for t in tables],
                _of(total, figure),
                figure == "drop_expected_cents",
            )
            for figure, heading, money in ROWS
        ],
        offer_rows=[
            Row(
                f"Offers: {name}",
                False,
                [_of(t["offers"], answer) for t in tables],
                _of(total["offers"], answer),
                False,
            )
            for answer, name in ANSWERS
        ],
        faults=[
            Fault(
                difference,
                headings.get(difference["figure"], difference["figure"]),
                [(WAY_NAMES.get(way, way), cents) for way, cents in difference["ways"].items()],
            )
            for difference in figures["differences"]
        ],
        over_limit=figures["over_limit"],
        ways=[
            (headings[figure], " · ".join(WAY_NAMES[way] for way in ways)) for figure, ways in WAYS.items()
        ],
    )


def _of(figures: Any, name: str) -> int | None:
    # A report that was made before there was such a figure does not know it.
    value: int | None = figures.get(name)
    return value
