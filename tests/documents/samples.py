"""Documents made by hand, for every kind of value and for what is seldom: nothing, what is not known, below nothing, long."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Sequence
from typing import Any

from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row, Value

ZONE = zoneinfo.ZoneInfo("America/Los_Angeles")
AT = datetime.datetime(2026, 11, 21, 5, 14, 5, tzinfo=datetime.UTC)
COLUMNS = (
    Column("who", "Who"),
    Column("rounds", "Rounds", Kind.COUNT, adds=True),
    Column("drop_cents", "Into the drop", Kind.MONEY, adds=True),
    Column("since_at", "Since", Kind.INSTANT),
    Column("day", "Gaming day", Kind.DAY),
    Column("bank_seconds", "At the bank", Kind.SPAN, adds=True),
)


def row(who: str = "Ana", **values: Value) -> Row:
    """One line of `COLUMNS`."""
    usual: dict[str, Value] = {
        "rounds": 1240,
        "drop_cents": 124050,
        "since_at": AT,
        "day": datetime.date(2026, 11, 20),
        "bank_seconds": 3900,
    }
    return Row({"who": who, **usual, **values})


def grid(*rows: Row, columns: Sequence[Column] = COLUMNS, **more: Any) -> Grid:
    return Grid(more.pop("name", "people"), more.pop("title", "By person"), columns, rows, **more)


def document(*grids: Grid, answers: Sequence[Answer] = (), **more: Any) -> ReportDocument:
    fields = {"name": "drop", "title": "The drop", "room": "Alder Creek", "period": "gaming day 2026-11-20"}
    return ReportDocument(zone=ZONE, answers=answers, grids=grids, **{**fields, **more})


ANSWERS = (
    Answer("drop_cents", "Into the drop", -750, Kind.MONEY, Mark.STOP),
    Answer("counted_cents", "Counted", None, Kind.MONEY, Mark.LOOK),
    Answer("rounds", "Rounds", 12, Kind.COUNT, Mark.DONE),
)
