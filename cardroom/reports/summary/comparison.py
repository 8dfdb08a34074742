"""Compares a stored report with that of an earlier time: in a sentence, and as a table of its totals."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from cardroom.documents.document import Column, Grid, Kind, Row, Value
from cardroom.documents.formatting import UNKNOWN, tenths_text
from games.money import dollars

from ..shift.trays import format_hold
from ..stored.late_corrections import standing
from ..stored.reading import Report, house_banks, players_bank
from .key_figures import key_figures_of


@dataclasses.dataclass(frozen=True)
class Earlier:
    """The time that a report is compared with, and its report; None: there is none, and `missing` says so.

    `name` and `title` are those of the table that compares, `headings` of its columns of now and of then; `short` is how
    the earlier time is called in a sentence ("a week before").
    """

    report: Report | None
    name: str
    title: str
    headings: tuple[str, str]
    short: str
    missing: str


@dataclasses.dataclass(frozen=True)
class Comparison:
    """A figure against that of the earlier time, in words: "up 6% on $1,680 a week before"."""

    short: str

    def money(self, now: int | None, was: int | None) -> str:
        return "" if was is None else self._says(now, was, dollars(was))

    def count(self, now: int | None, was: int | None) -> str:
        return "" if was is None else self._says(now, was, f"{was:,}")

    def _says(self, now: int | None, was: int, words: str) -> str:
        if now is None or was <= 0:
            return f"{words} {self.short}"
        if (change := percent(now - was, was)) == 0:
            return f"as {self.short}, {words}" if now == was else f"about {words} {self.short}"
        return f"{'up' if change > 0 else 'down'} {abs(change):,}% on {words} {self.short}"


def percent(part: int, whole: int) -> int:
    """Return `part` of a `whole` above 0 as a whole per cent, halves away from 0."""
    return divided(part * 100, whole)


def percent_text(now: int, was: int) -> str:
    """Return by how much per cent, with a tenth, a figure is above an earlier one above 0: "+2.1%", "±0.0%"."""
    tenths = divided((now - was) * 1000, was)
    return f"{'−' if tenths < 0 else '+' if tenths else '±'}{tenths_text(abs(tenths))}%"


def divided(whole: int, by: int) -> int:
    """Return a quotient as a whole number, halves away from 0."""
    rounded = (2 * abs(whole) + by) // (2 * by)
    return rounded if whole >= 0 else -rounded


def compared_grid(report: Report, earlier: Earlier) -> Grid:
    """Compare the totals of a report with those of the earlier time."""
    columns = (
        Column("figure", "Figure"),
        Column("now", earlier.headings[0], Kind.FIGURE),
        Column("before", earlier.headings[1], Kind.FIGURE),
        Column("change", "Change", Kind.FIGURE),
    )
    was = earlier.report
    if was is None:
        return Grid(earlier.name, earlier.title, columns, [], empty=earlier.missing)
    rows = [
        Row(
            {
                "figure": heading,
                "now": _in_words(name, now),
                "before": _in_words(name, then),
                "change": _change(name, now, then),
            }
        )
        for name, heading, now, then in _compared(report, was)
    ]
    return Grid(earlier.name, earlier.title, columns, rows)


#: What is compared with an earlier report; those after the first wherever players, or the house, bank.
_COMPARED: Final = (
    ("drop_expected_cents", "Drop expected"),
    ("rounds_settled", "Rounds settled"),
    ("total_table_action_cents", "Total table action"),
)
_COMPARED_OF_PLAYERS: Final = (
    ("uncovered_cents", "Returned uncovered"),
    ("exhausted_banks", "Banks exhausted"),
    ("turns_begun", "Turns at the bank"),
)
_COMPARED_OF_THE_HOUSE: Final = (
    ("buy_ins_cents", "Cash bought in"),
    ("win_by_slips_cents", "House win by slips"),
    ("house_win_cents", "House win by rounds"),
    ("meter_wins_cents", "Won off meters"),
)


def _compared(report: Report, was: Report) -> Iterator[tuple[str, str, Value, Value]]:
    now_total = cast("Mapping[str, Any]", standing(report.typed_figures).total)
    was_total = cast("Mapping[str, Any]", standing(was.typed_figures).total)

    def totals(figures: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str, Value, Value]]:
        for name, heading in figures:
            yield name, heading, now_total.get(name), was_total.get(name)

    now, then = key_figures_of(report), key_figures_of(was)
    yield from totals(_COMPARED)
    yield "over_short_cents", "Over / (short)", now.over_short_cents, then.over_short_cents
    if now.table_seconds is not None:
        yield "rounds_an_hour", "Rounds an hour", now.rounds_an_hour, then.rounds_an_hour
    yield "tips_cents", "Tips", now.tips_cents, then.tips_cents
    if players_bank(report):
        yield from totals(_COMPARED_OF_PLAYERS)
    if house_banks(report):
        yield from totals(_COMPARED_OF_THE_HOUSE)
        yield (
            "hold",
            "Hold",
            format_hold(now.win_cents, now.buy_ins_cents),
            format_hold(then.win_cents, then.buy_ins_cents),
        )


def _change(name: str, now: Value, was: Value) -> str:
    """By how much a figure changed, with the per cent where it was above 0; a rate stands for itself."""
    if not isinstance(now, int) or not isinstance(was, int):
        return UNKNOWN if now is None or was is None else ""
    change = ("+" if now > was else "") + _in_words(name, now - was)
    return f"{change} ({percent(now - was, was):+}%)".replace("-", "−") if was > 0 and now != was else change


def _in_words(name: str, value: Value) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, int):
        return dollars(value) if name.endswith("_cents") else f"{value:,}".replace("-", "−")
    return str(value)
