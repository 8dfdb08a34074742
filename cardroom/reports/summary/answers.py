"""Computes the key figures of a stored report as answers, each with its value in the earlier time.

Everything is read from the stored record, and from that of the earlier time: page, PDF and workbook show the same, and
each figure is one of the detail beneath.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.documents.document import Answer, Grid, Kind, Mark
from cardroom.documents.formatting import several
from games.money import dollars

from ..shift.trays import format_hold
from ..stored.ladders import held_of, jackpot_held_of
from ..stored.reading import Report, house_banks, players_bank
from ..stored.verdict import verdict_of
from .comparison import Comparison, Earlier
from .key_figures import KeyFigures, format_hours, key_figures_of


def key_answers(report: Report, earlier: Earlier, to_look_at: Grid) -> Iterator[Answer]:
    """The key figures of a report, each with what it was in the earlier time."""
    now = key_figures_of(report)
    was = None if earlier.report is None else key_figures_of(earlier.report)
    against = Comparison(earlier.short)
    players, house = players_bank(report), house_banks(report)
    verdict = verdict_of(report)
    yield Answer("verdict", "Result", verdict.word, Kind.TEXT, verdict.mark, text=verdict.text)
    if players:
        text = against.money(now.drop_cents, None if was is None else was.drop_cents)
        yield Answer("drop_expected_cents", "Drop expected", now.drop_cents, Kind.MONEY, text=text)
    if house:
        yield from _house_answers(report, now, was, against)
    yield _over_short(report)
    yield from _jackpot(report)
    if now.table_seconds is not None:
        text = f"{several(now.rounds, 'round')}, {format_hours(now.table_seconds)} of table time"
        then = None if was is None else was.rounds_an_hour
        text += f"; {then} {earlier.short}" if then else ""
        yield Answer("rounds_an_hour", "Rounds an hour", now.rounds_an_hour or "none", Kind.FIGURE, text=text)
    else:
        text = against.count(now.rounds, None if was is None else was.rounds)
        yield Answer("rounds_settled", "Rounds settled", now.rounds, Kind.COUNT, text=text)
    text = _joined(
        f"{dollars(now.tips_handed_cents)} of it handed in" if now.tips_handed_cents else "",
        against.money(now.tips_cents, None if was is None else was.tips_cents),
    )
    yield Answer("tips_cents", "Tips", now.tips_cents, Kind.MONEY, text=text)
    yield _exceptions(to_look_at)


def _house_answers(
    report: Report, now: KeyFigures, was: KeyFigures | None, against: Comparison
) -> Iterator[Answer]:
    """What the house won by its slips and held of the cash; while a tray is not closed, that is not known."""
    open_ = report.figures["total"].get("trays_not_closed")
    mark = Mark.LOOK if open_ else Mark.NONE
    text = f"{several(open_, 'tray')} not closed" if open_ else ""
    text = text or against.money(now.win_cents, None if was is None else was.win_cents)
    yield Answer("win_by_slips_cents", "House win", now.win_cents, Kind.MONEY, mark, text=text)
    then = None if was is None else format_hold(was.win_cents, was.buy_ins_cents)
    text = f"of {dollars(now.buy_ins_cents or 0)} bought in" + (f"; {then} {against.short}" if then else "")
    hold = format_hold(now.win_cents, now.buy_ins_cents)
    yield Answer("hold", "Hold", hold, Kind.FIGURE, text=text)


def _over_short(report: Report) -> Answer:
    """The drop counted less what was expected in its boxes: the jackpot is in neither."""
    held = held_of(report)
    known = held.over_short_cents
    if known is not None and held.expected_cents is not None:
        boxes = f"{held.boxes:,} box{'' if held.boxes == 1 else 'es'}"
        text = f"counted {dollars(held.counted_cents or 0)} of {dollars(held.expected_cents)} in {boxes}, {_state(known)}"
    else:
        waiting = held.waiting
        text = f"{waiting} box{'' if waiting == 1 else 'es'} not counted" if waiting else "no box was hung"
    mark = Mark.LOOK if known is None else Mark.STOP if known else Mark.DONE
    return Answer("count_difference_cents", "Over / (short)", known, Kind.MONEY, mark, text=text)


def _jackpot(report: Report) -> Iterator[Answer]:
    """What was collected for a jackpot, beside the drop; nothing where none was."""
    cents, held = report.typed_figures["total"]["jackpot_expected_cents"], jackpot_held_of(report)
    if held is None:
        return
    known = held.over_short_cents
    text = "in boxes of its own, "
    text += "not counted" if known is None else f"counted {dollars(held.counted_cents or 0)}, {_state(known)}"
    mark = Mark.LOOK if known is None else Mark.STOP if known else Mark.DONE
    yield Answer("jackpot_cents", "Jackpot", cents, Kind.MONEY, mark, text=text)


def _state(cents: int) -> str:
    return "even" if not cents else f"{dollars(abs(cents))} {'over' if cents > 0 else 'short'}"


def _exceptions(to_look_at: Grid) -> Answer:
    """How many lines need attention, the first of them named."""
    lines = [row for row in to_look_at.rows if row.mark in (Mark.STOP, Mark.LOOK)]
    marks = {row.mark for row in lines}
    mark = Mark.STOP if Mark.STOP in marks else Mark.LOOK if lines else Mark.DONE
    first = [str(row.values["what"]) for row in sorted(lines, key=lambda row: row.mark is not Mark.STOP)]
    text = ", ".join(first[:2]) + (f" and {len(first) - 2} more" if len(first) > 2 else "")
    return Answer("to_look_at", "Exceptions", len(lines), Kind.COUNT, mark, text=text)


def _joined(*text: str) -> str:
    return "; ".join(each for each in text if each)
