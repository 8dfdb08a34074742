"""A stored shift report as a paper: its figures table by table, its sections as stored, and what proves it.

Everything comes from the stored record; the shift of a week before is compared from its own report. What is not in an
older record is not known, and never 0.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cardroom.floor.models import Shift
from cardroom.papers.paper import Answer, Column, Grid, Kind, Mark, Paper, Row, Value
from cardroom.papers.stored import answer_read, chart_read, grid_read
from cardroom.papers.words import UNKNOWN, money

from .figures import WAYS
from .models import ShiftReport
from .played import round_address
from .restating import Change
from .selectors import report_of

#: Who signs the printed report.
SIGNED_BY = ("Shift manager", "Manager on duty")

#: The figures by grid: name in `Sums` and heading. Whatever ends in `_cents` is money.
_FIGURES: Final[tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]] = (
    (
        "fees",
        "Fees and drop, by table",
        (
            ("rounds_settled", "Rounds"),
            ("total_table_action_cents", "Table action"),
            ("player_fees_cents", "Player fees"),
            ("bank_fees_cents", "Player-dealer fees"),
            ("time_fees_cents", "Time"),
            ("rake_cents", "House rake"),
            ("fees_waived_cents", "Waived"),
            ("fees_refunded_cents", "Given back"),
            ("drop_expected_cents", "Drop expected"),
            ("jackpot_expected_cents", "Jackpot expected"),
        ),
    ),
    (
        "coverage",
        "Bank coverage and tips, by table",
        (
            ("taken_cents", "Taken by banks"),
            ("paid_cents", "Paid by banks"),
            ("uncovered_cents", "Returned uncovered"),
            ("exhausted_banks", "Banks exhausted"),
            ("tips_cents", "Tips"),
        ),
    ),
    (
        "conduct",
        "Turns, offers, voids and corrections, by table",
        (
            ("turns_begun", "Turns"),
            ("accepted", "Accepted"),
            ("declined", "Declined"),
            ("absent", "Away"),
            ("ineligible", "May not bank"),
            ("runs_over_limit", "Runs over the limit"),
            ("voids_before_deal", "Voids before the deal"),
            ("voids_after_deal", "Voids after it"),
            ("corrections", "Corrections"),
            ("rounds_by_eye", "Rounds by eye"),
        ),
    ),
)
#: What is held against the shift of a week before.
_COMPARED: Final = (
    ("rounds_settled", "Rounds settled"),
    ("total_table_action_cents", "Total table action"),
    ("drop_expected_cents", "Drop expected"),
    ("tips_cents", "Tips"),
    ("uncovered_cents", "Returned uncovered"),
    ("exhausted_banks", "Banks exhausted"),
    ("turns_begun", "Turns at the bank"),
)
_CHANGES = (
    Column("where", "Where"),
    Column("what", "What"),
    Column("was", "Was"),
    Column("now", "Is now"),
)
_DIFFERENCES = (
    Column("table", "Table", Kind.COUNT),
    Column("figure", "Figure"),
    Column("ways", "Ways of adding up"),
    Column("rounds", "Rounds at fault"),
)
_OVER_LIMIT = (
    Column("table", "Table", Kind.COUNT),
    Column("player", "Player"),
    Column("limit", "Limit", Kind.COUNT),
    Column("rounds", "Rounds"),
)
_HEADS = (Column("chain", "Chain"), Column("seq", "Entries", Kind.COUNT), Column("hash", "Hash of the last"))
_WEEK = datetime.timedelta(days=7)


def shift_paper(report: ShiftReport) -> Paper:
    """Return a stored report as a paper."""
    figures = report.sums
    subject = figures["subject"]
    restated = f", restatement {report.revision}" if report.revision else ""
    sections = report.sections
    return Paper(
        name="shift-report",
        title=f"Shift report{restated}" + (" (superseded)" if report.is_superseded else ""),
        room=subject["room_name"],
        zone=report.room.zone,
        period=f"{subject['shift_name']} shift, gaming day {subject['gaming_day']}",
        answers=list(_answers(report)),
        charts=[chart_read(chart) for section in sections for chart in section["charts"]],
        grids=[*_grids(report), *_section_grids(sections), _heads(report)],
        notes=list(_notes(report)),
    )


def _answers(report: ShiftReport) -> Iterator[Answer]:
    figures = report.sums
    total = figures["total"]
    yield Answer("drop_expected_cents", "Drop expected", total["drop_expected_cents"], Kind.MONEY)
    count = {answer["name"]: answer for answer in _answers_of(report, "count")}
    if difference := count.get("difference_cents"):
        answer = answer_read(difference)
        waiting = count["waiting"]["value"]
        value = None if waiting else answer.value
        mark = Mark.LOOK if waiting else answer.mark
        yield Answer("count_difference_cents", "Drop counted less expected", value, Kind.MONEY, mark)
    faults = len(figures["differences"])
    yield Answer(
        "differences", "Differences between ways of adding up", faults, Kind.COUNT, _bad(faults, Mark.STOP)
    )
    rotation = {answer["name"]: answer for answer in _answers_of(report, "rotation")}
    broken: Value = rotation["exceptions"]["value"] if rotation else len(figures["over_limit"])
    yield Answer(
        "exceptions", "Exceptions in the rotation", broken, Kind.COUNT, _bad(int(str(broken)), Mark.STOP)
    )
    exhausted = total["exhausted_banks"]
    yield Answer("exhausted_banks", "Banks exhausted", exhausted, Kind.COUNT)
    alerts = {answer["name"]: answer for answer in _answers_of(report, "alerts")}
    if alerts:
        waiting = alerts["unanswered"]["value"]
        yield Answer("unanswered", "Alerts not answered", waiting, Kind.COUNT, _bad(waiting, Mark.LOOK))


def _answers_of(report: ShiftReport, section: str) -> list[dict[str, Any]]:
    return next((each["answers"] for each in report.sections if each["name"] == section), [])


def _bad(count: int, mark: Mark) -> Mark:
    return mark if count else Mark.DONE


def _grids(report: ShiftReport) -> Iterator[Grid]:
    figures = report.sums
    if report.changes:
        yield Grid(
            "changes",
            "What this restatement changes",
            _CHANGES,
            [_change(change) for change in report.changes],
            says=f"Against the report made {_clock(report, report.restates)}, which stays as it was made.",
        )
    if figures["differences"]:
        yield Grid(
            "differences",
            "Figures that do not tie out",
            _DIFFERENCES,
            [
                Row(
                    {
                        "table": each["number"],
                        "figure": each["figure"].removesuffix("_cents").replace("_", " "),
                        "ways": ", ".join(f"{way} {money(cents)}" for way, cents in each["ways"].items()),
                        "rounds": ", ".join(f"{ref['gaming_day']}/{ref['number']}" for ref in each["rounds"]),
                    },
                    {"rounds": round_address(each["rounds"][0]["id"])} if each["rounds"] else {},
                    Mark.STOP,
                )
                for each in figures["differences"]
            ],
            says="This report is not to be relied on before these are explained.",
        )
    if figures["over_limit"]:
        yield Grid(
            "over_limit",
            "Rounds in a row over the limit",
            _OVER_LIMIT,
            [
                Row(
                    {
                        "table": run["number"],
                        "player": run["player_name"],
                        "limit": run["limit"],
                        "rounds": ", ".join(f"{ref['gaming_day']}/{ref['number']}" for ref in run["rounds"]),
                    },
                    {"rounds": round_address(run["rounds"][0]["id"])} if run["rounds"] else {},
                    Mark.STOP,
                )
                for run in figures["over_limit"]
            ],
            says="Counted from the rounds themselves, without what the floor counted: rounds of one player without offers "
            "to all others between.",
        )
    for name, title, columns in _FIGURES:
        yield Grid(
            name,
            title,
            (Column("table", "Table", Kind.COUNT), *(_column(*column) for column in columns)),
            [_table(table, columns) for table in figures["tables"]],
        )
    yield _bands(report)
    yield _week_before(report)


def _column(name: str, heading: str) -> Column:
    return Column(name, heading, Kind.MONEY if name.endswith("_cents") else Kind.COUNT, adds=True)


def _table(table: Mapping[str, Any], columns: Sequence[tuple[str, str]]) -> Row:
    values = {**table["offers"], **table}
    return Row({"table": table["number"], **{name: values.get(name) for name, _ in columns}})


def _bands(report: ShiftReport) -> Grid:
    return Grid(
        "bands",
        "Player-dealer fees by band",
        (
            Column("schedule", "Schedule"),
            Column("band", "Band"),
            Column("fee_cents", "Fee a round", Kind.MONEY),
            Column("rounds", "Rounds", Kind.COUNT, adds=True),
            Column("collected_cents", "Collected", Kind.MONEY, adds=True),
        ),
        [
            Row(
                {
                    "schedule": f"{fees['number']}, version {fees['version']}",
                    "band": fees["band"],
                    "fee_cents": fees["fee_cents"],
                    "rounds": fees["rounds"],
                    "collected_cents": fees["cents"],
                }
            )
            for fees in report.sums["total"]["bank_fees"]
        ],
        empty="No fee of a player-dealer was collected.",
    )


def _words(name: str) -> str:
    return name.removesuffix("_cents").replace("_", " ").capitalize()


def _week_before(report: ShiftReport) -> Grid:
    """Hold the totals against the shift of the same name a week before, as its report says them now."""
    shift = report.shift
    before = Shift.objects.filter(
        room=shift.room_id, name=shift.name, gaming_day=shift.gaming_day - _WEEK
    ).first()
    other = None if before is None else report_of(before)
    was: Mapping[str, Any] = {} if other is None else other.figures["total"]
    now: Mapping[str, Any] = report.figures["total"]
    return Grid(
        "week_before",
        "The same shift a week before",
        (
            Column("figure", "Figure"),
            Column("now", "This shift"),
            Column("before", "A week before"),
            Column("change", "Change"),
        ),
        [
            Row(
                {
                    "figure": heading,
                    "now": _said(name, now.get(name)),
                    "before": _said(name, was.get(name)),
                    "change": UNKNOWN
                    if name not in was
                    else ("+" if now[name] > was[name] else "") + _said(name, now[name] - was[name]),
                }
            )
            for name, heading in _COMPARED
        ],
        says=f"{shift.name} of {shift.gaming_day - _WEEK}"
        + (": there is no report of it." if other is None else "."),
    )


def _said(name: str, value: int | None) -> str:
    if value is None:
        return UNKNOWN
    return money(value) if name.endswith("_cents") else f"{value:,}".replace("-", "−")


def _section_grids(sections: Sequence[Mapping[str, Any]]) -> Iterator[Grid]:
    """The grids of every section, each under the name of its section, so that no two have the same."""
    for section in sections:
        for data in section["grids"]:
            grid = grid_read(data)
            title = (
                grid.title if grid.title.startswith(section["title"]) else f"{section['title']}: {grid.title}"
            )
            yield Grid(
                f"{section['name']}_{grid.name}",
                title,
                grid.columns,
                grid.rows,
                says=grid.says,
                empty=grid.empty,
            )


def _change(change: Change) -> Row:
    return Row(
        {
            "where": change["where"],
            "what": change["what"],
            "was": _change_said(change, change["was"]),
            "now": _change_said(change, change["now"]),
        },
        mark=Mark.LOOK,
    )


def _change_said(change: Change, value: str | int | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, int):
        return money(value) if change["kind"] == Kind.MONEY else f"{value:,}"
    return value


def _heads(report: ShiftReport) -> Grid:
    return Grid(
        "heads",
        "Heads of the journal's chains",
        _HEADS,
        [Row({"chain": head.chain, "seq": head.seq, "hash": head.hash}) for head in report.chain_heads],
        says="As they stood when the report was made; `manage.py verify` walks every chain and compares.",
    )


def _notes(report: ShiftReport) -> Iterator[str]:
    subject = report.sums["subject"]
    opened, closed = (datetime.datetime.fromisoformat(subject[at]) for at in ("opened_at", "closed_at"))
    zone = report.room.zone
    yield (
        f"Made {_clock(report, report)} from the stored facts alone, when the shift had closed and its last round had "
        f"ended. Opened {opened.astimezone(zone):%Y-%m-%d %H:%M %Z} by {subject['opened_by']}, closed "
        f"{closed.astimezone(zone):%Y-%m-%d %H:%M %Z} by {subject['closed_by']}."
    )
    yield (
        "A round belongs to the shift that was open when its bets closed. Fees of rounds voided later are in the fees and, "
        "where they went back, in what was given back. A correction counts in the shift in which it was made."
    )
    ways = "; ".join(f"{_words(figure).lower()}: {', '.join(names)}" for figure, names in WAYS.items())
    yield f"Every figure of money is added up in these ways, which must agree to the cent: {ways}."
    yield f"Hash of what it was made from: {report.inputs_hash}. Hash of what it says: {report.content_hash or 'none'}."


def _clock(report: ShiftReport, made: ShiftReport | None) -> str:
    assert made is not None
    return f"{made.made_at.astimezone(report.room.zone):%Y-%m-%d %H:%M:%S %Z}"
