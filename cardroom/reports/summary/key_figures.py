"""Computes the key figures of a stored report: drop, over / (short), rounds an hour, tips, win."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from cardroom.documents.document import Column, Grid, Kind, Row
from cardroom.documents.formatting import tenths_text

from ..sections.tips import tips_cents
from ..stored.ladders import held_of
from ..stored.reading import Report, table_seconds_of


@dataclasses.dataclass(frozen=True)
class KeyFigures:
    """What a report comes to, in cents and rounds. None is not known yet, or was not in the report."""

    drop_cents: int
    over_short_cents: int | None
    rounds: int
    table_seconds: int | None
    tips_cents: int
    tips_handed_cents: int
    buy_ins_cents: int | None
    win_cents: int | None

    @property
    def rounds_an_hour(self) -> str | None:
        """Rounds an hour of a dealer at a table."""
        return rounds_an_hour(self.rounds, self.table_seconds)


def key_figures_of(report: Report) -> KeyFigures:
    """Return the key figures of a stored report."""
    total: Mapping[str, Any] = report.figures["total"]
    seconds = table_seconds_of(report)
    tips = tips_cents(report.typed_sections["tips"])
    return KeyFigures(
        drop_cents=total["drop_expected_cents"],
        over_short_cents=held_of(report).over_short_cents,
        rounds=total["rounds_settled"],
        table_seconds=None if seconds is None else sum(seconds.values()),
        tips_cents=tips,
        tips_handed_cents=tips - total["tips_cents"],
        buy_ins_cents=total.get("buy_ins_cents"),
        win_cents=total.get("win_by_slips_cents"),
    )


def rounds_an_hour(rounds: int, seconds: int | None) -> str | None:
    """Return rounds an hour with a tenth, half a tenth up: "33.4"; None without time."""
    if not seconds:
        return None
    return tenths_text(pace_tenths(rounds, seconds))


def pace_tenths(rounds: int, seconds: int) -> int:
    """Return rounds an hour in tenths, half a tenth up."""
    return (rounds * 72_000 + seconds) // (2 * seconds)


def format_hours(seconds: int) -> str:
    """Return a time in hours with a tenth: "48.0 h"; below an hour in minutes."""
    if seconds < 3600:
        return f"{seconds // 60} min"
    return f"{tenths_text((seconds + 180) // 360)} h"


def paces_grid(report: Report) -> Grid | None:
    """Rounds an hour of each table, from the time in which a dealer was there; None where that is not in the report."""
    seconds = table_seconds_of(report)
    if seconds is None:
        return None
    rounds = report.typed_figures["total"]["rounds_settled"]
    whole = rounds_an_hour(rounds, sum(seconds.values()))
    return Grid(
        "paces",
        "Rounds an hour, by table",
        (
            Column("table", "Table", Kind.COUNT),
            Column("rounds", "Rounds", Kind.COUNT, adds=True),
            Column("table_seconds", "Table time", Kind.SPAN, adds=True),
            Column("rounds_an_hour", "Rounds an hour", Kind.FIGURE),
        ),
        [
            Row(
                {
                    "table": table["number"],
                    "rounds": table["rounds_settled"],
                    "table_seconds": seconds.get(table["number"], 0),
                    "rounds_an_hour": rounds_an_hour(table["rounds_settled"], seconds.get(table["number"], 0))
                    or "none",
                }
            )
            for table in report.typed_figures["tables"]
        ],
        text=f"Table time is the time in which a dealer was at the table; all tables together, {whole or 'no'} rounds an hour.",
    )
