"""The section on tips: its figures, made of the pool's sheet, drawn as answers and tables, and added up over shifts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from django.urls import reverse

from cardroom.core.dates import utc_text
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, Row
from cardroom.documents.stored import instant_read
from cardroom.tips.reads.pools import DealerLine, DownLine, Pool, pool_of, pool_sheet_of

from ..queries.query import ReportQuery
from .figure_types import DealerTips, DownTips, TipsFigures
from .section import Drawn, Span, added_up

_DEALERS: Final = (
    Column("dealer", "Dealer"),
    Column("won_cents", "Won", Kind.MONEY, adds=True),
    Column("handed_cents", "Handed in", Kind.MONEY, adds=True),
    Column("brought_cents", "Pooled", Kind.MONEY, adds=True),
    Column("worked_seconds", "Worked", Kind.SPAN, adds=True),
    Column("share_cents", "Share", Kind.MONEY, adds=True),
    Column("text", "Excluded because"),
)
_DOWNS: Final = (
    Column("table", "Table", Kind.COUNT),
    Column("dealer", "Dealer"),
    Column("begins_at", "From", Kind.INSTANT),
    Column("ends_at", "To", Kind.INSTANT),
    Column("worked_seconds", "Worked", Kind.SPAN, adds=True),
    Column("won_cents", "Won", Kind.MONEY, adds=True),
    Column("handed_cents", "Handed in", Kind.MONEY, adds=True),
)


def tips_read(query: ReportQuery) -> TipsFigures:
    """Read the figures of the shift asked about."""
    [shift] = query.shifts
    return tips_figures(pool_of(shift, query.now), is_closed=pool_sheet_of(shift) is not None)


def tips_figures(pool: Pool, *, is_closed: bool) -> TipsFigures:
    """Return the figures of the pool's sheet of a shift."""
    return {
        "dealers": [_dealer(pool.shift, line) for line in pool.dealers],
        "downs": [down_tips(line) for line in pool.downs],
        "support_cents": pool.support_cents,
        "sheets_closed": int(is_closed),
        "sheets_open": int(not is_closed),
    }


def _dealer(shift: int, line: DealerLine) -> DealerTips:
    return {
        "shift": shift,
        "staff": line.staff,
        "name": line.name,
        "won_cents": line.won_cents,
        "handed_cents": line.handed_cents,
        "worked_seconds": line.seconds,
        "share_cents": line.share_cents,
        "why_not": line.why_not,
    }


def down_tips(line: DownLine) -> DownTips:
    """Return the figures of a down."""
    return {
        "table": line.table_number,
        "name": line.name,
        "begins_at": utc_text(line.begins_at),
        "ends_at": utc_text(line.ends_at),
        "worked_seconds": line.seconds,
        "won_cents": line.won_cents,
        "handed_cents": line.handed_cents,
    }


def tips_added(several: Sequence[TipsFigures], span: Span) -> TipsFigures:
    """Add the figures of shifts up, by dealer. A day lists their downs."""
    dealers = [each for figures in several for each in figures["dealers"]]
    sums = ("won_cents", "handed_cents", "worked_seconds", "share_cents")
    by_dealer = sorted(added_up(dealers, ("staff",), sums), key=lambda each: each["name"])
    return {
        "dealers": cast("list[DealerTips]", [{**each, "shift": None} for each in by_dealer]),
        "downs": None if span.is_month else [each for figures in several for each in figures["downs"] or []],
        "support_cents": sum(figures["support_cents"] for figures in several),
        "sheets_closed": sum(figures["sheets_closed"] for figures in several),
        "sheets_open": sum(figures["sheets_open"] for figures in several),
    }


def tips_cents(figures: TipsFigures) -> int:
    """Return what was won and handed in."""
    return sum(each["won_cents"] + each["handed_cents"] for each in figures["dealers"])


def tips_drawn(figures: TipsFigures) -> Drawn:
    """Draw the section."""
    total = tips_cents(figures)
    shared = sum(each["share_cents"] for each in figures["dealers"]) + figures["support_cents"]
    mark = Mark.STOP if total - shared else Mark.DONE
    closed = Mark.LOOK if figures["sheets_open"] else Mark.DONE
    answers = [
        Answer("total_cents", "Tips won and handed in", total, Kind.MONEY),
        Answer("shared_cents", "Shared out", shared, Kind.MONEY),
        Answer("held_cents", "Left over", total - shared, Kind.MONEY, mark),
        Answer("state", "Sheet", _format_sheets(figures), mark=closed),
    ]
    grids = [dealers_grid(figures["dealers"])]
    if figures["downs"] is not None:
        grids.append(downs_grid(figures["downs"], empty="Nobody had a down."))
    return Drawn(answers, grids)


def _format_sheets(figures: TipsFigures) -> str:
    """Return whether the sheet of a shift is closed, or how many of several are: "closed (2), not closed (1)"."""
    sheets = {"closed": figures["sheets_closed"], "not closed": figures["sheets_open"]}
    found = {state: count for state, count in sheets.items() if count}
    if found in ({"closed": 1}, {"not closed": 1}):
        return next(iter(found))
    return ", ".join(f"{state} ({count})" for state, count in found.items()) or "none"


def dealers_grid(dealers: Sequence[DealerTips]) -> Grid:
    """Draw the dealers, each with the way to the sheet of their own."""
    rows = [
        Row(
            {
                "dealer": each["name"],
                "won_cents": each["won_cents"],
                "handed_cents": each["handed_cents"],
                "brought_cents": each["won_cents"] + each["handed_cents"],
                "worked_seconds": each["worked_seconds"],
                "share_cents": each["share_cents"],
                "text": each["why_not"],
            },
            {"dealer": reverse("web:tip_person", args=[each["shift"], each["staff"]])}
            if each["shift"] is not None
            else {},
            Mark.LOOK if each["why_not"] else Mark.NONE,
        )
        for each in dealers
    ]
    return Grid("dealers", "Dealers", _DEALERS, rows, empty="Nobody dealt or handed tips in.")


def downs_grid(downs: Sequence[DownTips], *, empty: str) -> Grid:
    """Draw downs one by one."""
    rows = [
        Row(
            {
                "table": each["table"],
                "dealer": each["name"],
                "begins_at": instant_read(each["begins_at"]),
                "ends_at": instant_read(each["ends_at"]),
                "worked_seconds": each["worked_seconds"],
                "won_cents": each["won_cents"],
                "handed_cents": each["handed_cents"],
            }
        )
        for each in downs
    ]
    return Grid("downs", "Downs", _DOWNS, rows, empty=empty)
