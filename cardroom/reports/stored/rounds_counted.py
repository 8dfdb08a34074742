"""Counts rounds as each part of a stored report does, and says why that is not the same number everywhere."""

from __future__ import annotations

from cardroom.documents.document import Column, Grid, Kind, Row

from .figure_types import Sums
from .reading import Report, players_bank


def rounds_charged(sums: Sums) -> int:
    """How many rounds the fee bands count: those on a fee schedule, void ones too, less those that were corrected."""
    return sum(fees["rounds"] for fees in sums["bank_fees"])


def rounds_in_rotation(report: Report) -> dict[int, int]:
    """How many settled rounds the section on rotation counts, by the number of the table; empty without that section."""
    rotation = report.typed_sections.get("rotation")
    return {each["table"]: each["rounds"] for each in rotation["tables"]} if rotation else {}


def rounds_counted_grid(report: Report) -> Grid:
    """Say how many rounds each section counts, and why that is not the same number everywhere."""
    total = report.typed_figures["total"]
    before, after = total["voids_before_deal"], total["voids_after_deal"]
    rows: list[tuple[str, int, str]] = [
        (
            "Rounds settled",
            total["rounds_settled"],
            "Their bets closed in this time and they were settled. A correction is no further round.",
        ),
        (
            "Void",
            before + after,
            f"{before} before the deal, {after} after it. They are in no count of rounds settled.",
        ),
    ]
    if players_bank(report):
        rows.append(
            (
                "Player-dealer fees by band",
                rounds_charged(total),
                "Rounds on a fee schedule, void ones too: their fee was collected, and what was refunded of it is under refunded.",
            )
        )
    if in_rotation := rounds_in_rotation(report):
        rows.append(
            (
                "Rotation of the bank",
                sum(in_rotation.values()),
                (
                    "Settled rounds by when they were opened: a round that was open as the shift changed counts here in the "
                    "shift before, and everywhere else in the shift in which its bets closed."
                ),
            )
        )
    return Grid(
        "rounds_counted",
        "How rounds are counted",
        (Column("where", "Where"), Column("rounds", "Rounds", Kind.COUNT), Column("why", "What is counted")),
        [Row({"where": where, "rounds": rounds, "why": why}) for where, rounds, why in rows],
        text="Sections of one report may count different rounds: this says which.",
    )
