"""The first page of a stored report: its key figures against an earlier time, what to look at, and its charts.

Everything is read from the stored record, and from that of the earlier time: page, PDF and workbook show the same, and
each figure is one of the detail beneath.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from cardroom.core.dates import day_text
from cardroom.documents.document import Answer, Chart, Column, Grid, Kind, Mark, Row, Value
from cardroom.documents.formatting import UNKNOWN, money, tenths_text
from cardroom.documents.stored import chart_read

from .ladders import held_of
from .late_corrections import standing
from .models import RollUp
from .stored_reading import (
    Report,
    answers_of,
    clock,
    house_banks,
    is_banked_by,
    players_bank,
    section_grid,
    table_seconds_of,
)
from .trays import format_hold
from .verdict import verdict_of

#: Tables of a chart: one bar alone has no shape.
_FEWEST_BARS: Final = 2
_TO_LOOK_AT: Final = (
    Column("what", "Exception"),
    Column("count", "Count", Kind.COUNT),
    Column("detail", "Detail"),
)


@dataclasses.dataclass(frozen=True)
class Earlier:
    """The time that a report is held against, and its report; None: there is none, and `missing` says so.

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
    held = held_of(report)
    seconds = table_seconds_of(report)
    pool = answers_of(report, "tips").get("total_cents")
    tips = total["tips_cents"]
    return KeyFigures(
        drop_cents=total["drop_expected_cents"],
        over_short_cents=None if held is None else held.over_short_cents,
        rounds=total["rounds_settled"],
        table_seconds=None if seconds is None else sum(seconds.values()),
        tips_cents=tips if pool is None else pool,
        tips_handed_cents=0 if pool is None else pool - tips,
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


def key_answers(report: Report, earlier: Earlier, to_look_at: Grid) -> Iterator[Answer]:
    """The key figures of a report, each with what it was in the earlier time."""
    now = key_figures_of(report)
    was = None if earlier.report is None else key_figures_of(earlier.report)
    against = _Against(earlier.short)
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
        text = f"{_several(now.rounds, 'round')}, {format_hours(now.table_seconds)} of table time"
        then = None if was is None else was.rounds_an_hour
        text += f"; {then} {earlier.short}" if then else ""
        yield Answer("rounds_an_hour", "Rounds an hour", now.rounds_an_hour or "none", Kind.FIGURE, text=text)
    else:
        text = against.count(now.rounds, None if was is None else was.rounds)
        yield Answer("rounds_settled", "Rounds settled", now.rounds, Kind.COUNT, text=text)
    text = _joined(
        f"{money(now.tips_handed_cents)} of it handed in" if now.tips_handed_cents else "",
        against.money(now.tips_cents, None if was is None else was.tips_cents),
    )
    yield Answer("tips_cents", "Tips", now.tips_cents, Kind.MONEY, text=text)
    yield _exceptions(to_look_at)


def _house_answers(
    report: Report, now: KeyFigures, was: KeyFigures | None, against: _Against
) -> Iterator[Answer]:
    """What the house won by its slips and held of the cash; while a tray is not closed, that is not known."""
    open_ = report.figures["total"].get("trays_not_closed")
    mark = Mark.LOOK if open_ else Mark.NONE
    text = f"{_several(open_, 'tray')} not closed" if open_ else ""
    text = text or against.money(now.win_cents, None if was is None else was.win_cents)
    yield Answer("win_by_slips_cents", "House win", now.win_cents, Kind.MONEY, mark, text=text)
    then = None if was is None else format_hold(was.win_cents, was.buy_ins_cents)
    text = f"of {money(now.buy_ins_cents or 0)} bought in" + (f"; {then} {against.short}" if then else "")
    hold = format_hold(now.win_cents, now.buy_ins_cents)
    yield Answer("hold", "Hold", hold, Kind.FIGURE, text=text)


def _over_short(report: Report) -> Answer:
    """The drop counted less what was expected in its boxes: the jackpot is in neither."""
    held = held_of(report)
    known = None if held is None else held.over_short_cents
    if held is not None and known is not None and held.expected_cents is not None:
        boxes = f"{held.boxes:,} box{'' if held.boxes == 1 else 'es'}"
        text = f"counted {money(held.counted_cents or 0)} of {money(held.expected_cents)} in {boxes}, {_state(known)}"
    else:
        waiting = answers_of(report, "count").get("waiting")
        text = f"{waiting} box{'' if waiting == 1 else 'es'} not counted" if waiting else "no box was hung"
    mark = Mark.LOOK if known is None else Mark.STOP if known else Mark.DONE
    return Answer("count_difference_cents", "Over / (short)", known, Kind.MONEY, mark, text=text)


def _jackpot(report: Report) -> Iterator[Answer]:
    """What was collected for a jackpot, beside the drop; nothing where none was."""
    cents, held = report.figures["total"].get("jackpot_expected_cents"), held_of(report, "jackpot_")
    if not cents and held is None:
        return
    known = None if held is None else held.over_short_cents
    text = "in boxes of its own, "
    text += (
        "not counted"
        if known is None or held is None
        else f"counted {money(held.counted_cents or 0)}, {_state(known)}"
    )
    mark = Mark.LOOK if known is None else Mark.STOP if known else Mark.DONE
    yield Answer("jackpot_cents", "Jackpot", cents, Kind.MONEY, mark, text=text)


def _state(cents: int) -> str:
    return "even" if not cents else f"{money(abs(cents))} {'over' if cents > 0 else 'short'}"


def _exceptions(to_look_at: Grid) -> Answer:
    """How many lines want to be looked at, the first of them named."""
    lines = [row for row in to_look_at.rows if row.mark in (Mark.STOP, Mark.LOOK)]
    marks = {row.mark for row in lines}
    mark = Mark.STOP if Mark.STOP in marks else Mark.LOOK if lines else Mark.DONE
    first = [str(row.values["what"]) for row in sorted(lines, key=lambda row: row.mark is not Mark.STOP)]
    text = ", ".join(first[:2]) + (f" and {len(first) - 2} more" if len(first) > 2 else "")
    return Answer("to_look_at", "Exceptions", len(lines), Kind.COUNT, mark, text=text)


def format_hours(seconds: int) -> str:
    """Return a time in hours with a tenth: "48.0 h"; below an hour in minutes."""
    if seconds < 3600:
        return f"{seconds // 60} min"
    tenths = (seconds + 180) // 360
    return f"{tenths // 10:,}.{tenths % 10} h"


def _several(count: int, word: str) -> str:
    """Return a count with its word: "1 round", "2,300 rounds"."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _joined(*text: str) -> str:
    return "; ".join(each for each in text if each)


@dataclasses.dataclass(frozen=True)
class _Against:
    """A figure against that of the earlier time, in words: "up 6% on $1,680 a week before"."""

    short: str

    def money(self, now: int | None, was: int | None) -> str:
        return "" if was is None else self._says(now, was, money(was))

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
    rounded = (abs(part) * 200 + whole) // (2 * whole)
    return rounded if part >= 0 else -rounded


def to_look_at(report: Report, grids: Collection[str]) -> Grid:
    """List what of a report wants to be looked at, what was found in order, and the table that tells more of it.

    `grids` are the names of the report's tables.
    """
    rows = [
        Row(
            {"what": what, "count": count, "detail": detail},
            {"what": f"#{grid}"} if grid in grids else {},
            mark,
        )
        for what, count, detail, mark, grid in _found(report)
    ]
    return Grid("to_look_at", "Exceptions", _TO_LOOK_AT, rows)


#: What, how often, more about it, whether it must not be, and the table that tells more.
_Found = tuple[str, int | None, str, Mark, str]


def _found(report: Report) -> Iterator[_Found]:
    figures = report.typed_figures
    stands = standing(figures)
    total = cast("Mapping[str, Any]", stands.total)
    if report.changes:
        text = "values differ from the report that this one takes the place of"
        yield "Restated", len(report.changes), text, Mark.NONE, "changes"
    faults = len(figures["differences"])
    text = "figures that do not tie out" if faults else "every way of adding up agrees"
    yield "Cross-check", faults, text, _bad(faults, Mark.STOP), "differences"
    yield from _past_days(report)
    yield from _of_the_count(report)
    if players_bank(report):
        yield from _of_the_banks(report, total)
    if house_banks(report):
        yield from _of_the_trays(total)
    yield from _of_rounds(report, total)
    alerts = answers_of(report, "alerts").get("unanswered", 0)
    if alerts:
        yield "Alerts not answered", alerts, "", Mark.LOOK, "alerts_alerts"
    yield from _offline(report)
    since = answers_of(report, "corrected_since").get("corrected", 0)
    if since:
        text = stands.in_words() or "in later shifts"
        yield "Rounds corrected since", since, text, Mark.LOOK, "corrected_since_corrected"


def _offline(report: Report) -> Iterator[_Found]:
    """What was given offline in one shift and recorded in another, and tablets that were out of touch for a day (ruling 61)."""
    offline = answers_of(report, "offline")
    if earlier := offline.get("earlier"):
        text = "they count in this one; the table says how long each waited"
        yield "Entries given in an earlier shift", earlier, text, Mark.LOOK, "offline_entries"
    if late := offline.get("late"):
        text = "they count in the later one; the table says how long each waited"
        yield "Entries recorded after the shift had closed", late, text, Mark.LOOK, "offline_entries"
    if over := offline.get("over"):
        yield "Tablets out of touch over 24 hours", over, "", Mark.STOP, "offline_tablets"


def _past_days(report: Report) -> Iterator[_Found]:
    """A shift that was open past its gaming day, and in a report of days those that ran in from an earlier one (ruling 60)."""
    subject: Mapping[str, Any] = report.typed_figures["subject"]
    ended = subject.get("day_ends_at")
    if ended and datetime.datetime.fromisoformat(subject["closed_at"]) > datetime.datetime.fromisoformat(
        ended
    ):
        text = f"its day ended {clock(report, ended)}, closed {clock(report, subject['closed_at'])}"
        yield "Open past its gaming day", 1, text, Mark.STOP, ""
    for shift in subject.get("ran_in", []):
        day = day_text(datetime.date.fromisoformat(shift["gaming_day"]))
        text = f"{shift['shift_name']}, {day}, until {clock(report, shift['closed_at'])}; its figures stand in the report of {day}"
        yield "Open from an earlier day", 1, text, Mark.STOP, ""


def _of_the_count(report: Report) -> Iterator[_Found]:
    """Boxes: those not counted, variances to explain, and what was collected without a box."""
    count = answers_of(report, "count")
    if bare := section_grid(report, "count", "without_box"):
        cents = (bare.totals or {}).get("collected_cents")
        text = "" if cents is None else f"{money(cents)} collected"
        yield "Collected without a drop box", len(bare.rows), text, Mark.STOP, "count_without_box"
    waiting, unexplained = count.get("waiting") or 0, count.get("unexplained") or 0
    if waiting:
        yield "Boxes not counted", waiting, "", Mark.LOOK, "count_boxes"
    if elsewhere := count.get("waiting_elsewhere"):
        text = "hung in another shift, with money of this one"
        yield "Boxes over a change of shift not counted", elsewhere, text, Mark.LOOK, "count_boxes"
    if unexplained:
        cents = count.get("difference_cents")
        text = "" if cents is None else f"{money(cents)} in all"
        yield "Variances to explain", unexplained, text, Mark.STOP, "count_boxes"
    if count and not waiting and not elsewhere and not unexplained:
        yield "Drop count", 0, "no box waits, no variance to explain", Mark.DONE, "count_boxes"


def _of_the_banks(report: Report, total: Mapping[str, Any]) -> Iterator[_Found]:
    """The rotation of the bank, and the banks that were exhausted."""
    rotation = answers_of(report, "rotation")
    broken = rotation.get("exceptions", len(report.typed_figures["over_limit"]))
    offers = total["offers"]
    text = f"{_several(sum(offers.values()), 'offer')}, {offers['declined']:,} declined"
    yield "Rotation exceptions", broken, text, _bad(broken, Mark.STOP), "rotation_exceptions"
    if exhausted := total["exhausted_banks"]:
        reported = report.figures["total"]
        text = f"{money(total['uncovered_cents'])} returned uncovered"
        if (exhausted, total["uncovered_cents"]) != (
            reported["exhausted_banks"],
            reported["uncovered_cents"],
        ):
            text += f"; {reported['exhausted_banks']:,} and {money(reported['uncovered_cents'])} as reported"
        yield "Banks exhausted", exhausted, text, Mark.LOOK, "coverage_banks"


def _of_the_trays(total: Mapping[str, Any]) -> Iterator[_Found]:
    """Trays that are not closed, and closers that found another sum than there should have been."""
    if open_ := total.get("trays_not_closed"):
        yield "Trays not closed", open_, "", Mark.LOOK, "house_win"
    variance = total.get("tray_variance_cents")
    if variance:
        text = f"win by slips less win by rounds {money(variance)}"
        yield "Tray variance", 1, text, Mark.LOOK, "house_win"
    elif not open_ and variance == 0:
        yield "Trays", 0, "win by slips is win by rounds", Mark.DONE, "house_win"


def _of_rounds(report: Report, total: Mapping[str, Any]) -> Iterator[_Found]:
    """Rounds that were void or corrected, and what people did with a reason."""
    answers = answers_of(report, "exceptions")
    if voids := total["voids_before_deal"] + total["voids_after_deal"]:
        refunded = answers.get("refunded_cents", total["fees_refunded_cents"])
        text = f"{total['voids_after_deal']} after the deal, {money(refunded)} refunded"
        yield "Rounds void", voids, text, Mark.LOOK, "exceptions_voids"
    if corrections := total["corrections"]:
        yield "Corrections", corrections, "", Mark.LOOK, "exceptions_corrections"
    if waived := total["fees_waived_cents"]:
        waivers = answers.get("waivers") or 0
        yield "Fees waived", waivers, money(waived), Mark.LOOK, "exceptions_waivers"
    if overrides := answers.get("overrides"):
        yield "Expired badges and permits overridden", overrides, "", Mark.LOOK, "exceptions_overrides"
    if off_file := answers.get("off_file"):
        yield "Rounds not played on what is filed", off_file, "", Mark.STOP, "exceptions_off_file"
    irregularities = answers_of(report, "irregularities")
    if stood := irregularities.get("settled_though_void"):
        yield "Rounds settled that the rules void", stood, "", Mark.STOP, "irregularities_settled_though_void"
    if found := irregularities.get("irregularities"):
        void = irregularities.get("void_by_rule") or 0
        yield "Irregularities", found, f"{void} void the round", Mark.LOOK, "irregularities_irregularities"


def _bad(count: int | None, mark: Mark) -> Mark:
    if count is None:
        return Mark.LOOK
    return mark if count else Mark.DONE


def first_charts(report: Report, earlier: Earlier) -> Iterator[Chart]:
    """The charts of a report with the earlier time as a line: collection over time, and its tables side by side."""
    was = earlier.report
    before = {chart.name: chart for chart in _charts(was)} if was is not None else {}
    for chart in _charts(report):
        joined = joined_chart(chart, before.get(chart.name), earlier.short)
        if isinstance(report, RollUp):
            yield joined
        elif len((cut := cut_chart(joined)).labels) >= _FEWEST_BARS:
            yield cut
    paces, then = _paces(report), {} if was is None else _paces(was)
    if len(paces) >= _FEWEST_BARS:
        yield Chart(
            "paces",
            "Rounds an hour, by table",
            [str(number) for number in paces],
            list(paces.values()),
            tenths=True,
            before=[then.get(number, 0) for number in paces] if then else (),
            before_name=earlier.short,
        )
    wins = _wins(report)
    if len(wins) >= _FEWEST_BARS:
        title = "House win by rounds, by table"
        yield Chart("wins", title, [str(number) for number in wins], list(wins.values()), text_money=True)


def _charts(report: Report) -> list[Chart]:
    return [chart_read(chart) for section in report.sections for chart in section["charts"]]


def joined_chart(chart: Chart, before: Chart | None, short: str) -> Chart:
    """A chart with the earlier one over it: hour over hour, and of days of two months the first over the first."""
    if before is None:
        return chart
    then = dict(zip(before.labels, before.values, strict=True))
    if not then.keys() & set(chart.labels):
        then = dict(zip(chart.labels, before.values, strict=False))
    line = [then.get(label, 0) for label in chart.labels]
    return dataclasses.replace(chart, before=line, before_name=short) if any(line) else chart


def cut_chart(chart: Chart) -> Chart:
    """A chart from the first bar or point above 0 to the last: the hours of the other shifts are left out."""
    points = [*zip(chart.values, chart.before, strict=True)] if chart.before else [(v,) for v in chart.values]
    shown = [at for at, values in enumerate(points) if any(values)]
    of = slice(shown[0], shown[-1] + 1) if shown else slice(0)
    return dataclasses.replace(
        chart,
        labels=chart.labels[of],
        values=chart.values[of],
        before=chart.before[of],
        in_part=chart.in_part[of],
    )


def _paces(report: Report) -> dict[int, int]:
    """Tenths of rounds an hour of each table at which a dealer was, by its number: as `rounds_an_hour` writes them."""
    seconds = table_seconds_of(report) or {}
    return {
        table["number"]: pace_tenths(table["rounds_settled"], spent)
        for table in report.typed_figures["tables"]
        if (spent := seconds.get(table["number"], 0))
    }


def _wins(report: Report) -> dict[int, int]:
    """What the house won by the rounds of each table that it banked, by its number."""
    return {
        table["number"]: table["house_win_cents"]
        for table in report.typed_figures["tables"]
        if is_banked_by(table, "house") and table["rounds_settled"]
    }


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


def compared_grid(report: Report, earlier: Earlier) -> Grid:
    """Hold the totals of a report against those of the earlier time."""
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


#: What is held against an earlier report; those after the first wherever players, or the house, bank.
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
        return money(value) if name.endswith("_cents") else f"{value:,}".replace("-", "−")
    return str(value)
