"""Draws the statement of a levy for one of its periods: tiers, revenue by day, what each line comes to, and what it ties to."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterator, Sequence
from typing import Final

from django.urls import reverse

from cardroom.core.dates import day_text
from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.filings.models import Filing, Levy
from cardroom.filings.selectors import in_force
from cardroom.rooms.models import Room
from fees.levied import Due, levied, period_with
from fees.levy import AT_BOUND, AUTHORIZED, BASES, COMBINE, HOUSE_WIN, JACKPOT, ROUNDING, TABLES_COUNTED
from fees.levy import Levy as Terms
from games.money import dollars

from ..catalogue.collection import moved_by_shift
from ..queries.query import Option, ReportQuery
from ..queries.rounds_in_scope import report_address
from .revenue import DayRevenue, PeriodRevenue, Restated, Revenue, month_revenues, period_revenue

#: Whose signatures the printed sheet has lines for.
SIGNED_BY: Final = ("Prepared by", "For the licensee")
#: Days of the longest period whose transfers are added up as a further tie: a quarter.
_MOVED_DAYS: Final = 92

_TIERS: Final = (
    Column("line", "Line"),
    Column("tier", "Tier"),
    Column("takes", "Takes"),
    Column("worked", "Worked"),
    Column("comes_to_cents", "Comes to", Kind.MONEY),
    Column("due_cents", "Due", Kind.MONEY, adds=True),
)
_SOURCE: Final = (Column("what", "What"), Column("says", "Says"))
_TIES: Final = (
    Column("what", "Figure of the statement"),
    Column("here_cents", "Here", Kind.MONEY),
    Column("where", "Found again in"),
    Column("there_cents", "There", Kind.MONEY),
    Column("difference_cents", "Difference", Kind.MONEY),
)
_RESTATED: Final = (
    Column("shift", "Shift"),
    Column("restatement", "Restatement", Kind.COUNT),
    Column("made_at", "Made", Kind.INSTANT),
    Column("first_cents", "At first", Kind.MONEY, adds=True),
    Column("now_cents", "Now", Kind.MONEY, adds=True),
    Column("difference_cents", "Difference", Kind.MONEY, adds=True),
    Column("standing", "Since"),
)
_WAITING: Final = (Column("shift", "Shift"), Column("why", "Why it is in no sum"))
_VERSIONS: Final = (Column("version", "Version"), Column("effective_from", "In force from", Kind.DAY))
_NOTES: Final = (
    "Revenue is of the current reports of shifts, by gaming day; waived fees, buy-ins, tips and wagers are in none of it.",
    "A percentage is rounded to a cent line by line; what is due is the sum of the column.",
    "Tiers are those of the version in force as the period begins, as the room has filed them.",
    "Money that is taken in without this record is not here: add it by hand.",
    "A table was open on a gaming day if a dealer stood at it.",
)


@dataclasses.dataclass(frozen=True)
class _Statement:
    """One levy for one period: the version by which it is computed, its terms, and what is due."""

    query: ReportQuery
    version: Levy
    terms: Terms
    versions: Sequence[Levy]
    revenue: PeriodRevenue
    tables: int
    due: Due

    @property
    def is_over(self) -> bool:
        return self.query.now >= self.query.until

    @property
    def standing(self) -> str:
        """What is not over or not there yet, in words; empty where all is."""
        parts = [] if self.is_over else [f"not before {day_text(self.query.last)} ends"]
        if self.revenue.waiting:
            parts.append("shifts wait for their reports")
        if HOUSE_WIN in self.terms.base and (trays := self.revenue.revenue.open_trays):
            parts.append(f"{trays} {'tray' if trays == 1 else 'trays'} not closed")
        return "; ".join(parts)

    @property
    def late(self) -> list[Restated]:
        """The reports that were made again after the period was over."""
        return [each for each in self.revenue.restated if each.made_at >= self.query.until]


def levy_option(levied_by: str) -> Option:
    """Return the choice of a levy among those that are filed by a city or by the state."""

    def choices(room: Room) -> list[tuple[str, str]]:
        filed = (
            Levy.objects.filter(room=room).exclude(status=Filing.Status.DRAFT).order_by("number", "-version")
        )
        names = {
            version.number: version.title for version in reversed(filed) if version.levied_by == levied_by
        }
        return [(str(number), f"{number} · {title}") for number, title in sorted(names.items())]

    return Option("levy", "Levy", choices)


def statement(query: ReportQuery, name: str, title: str) -> ReportDocument:
    """Return the statement of the levy that is asked about, for its period in which the last day asked about lies."""
    found = _statement(query)
    if found is None:
        text = "File its tiers under City and state levies, with the section that says them."
        grid = Grid("tiers", "What is due", _TIERS, [], text=text, empty="No levy is in force.")
        return query.document(
            name,
            title,
            answers=[Answer("standing", "Levy", "no levy is in force", mark=Mark.LOOK)],
            grids=[grid],
        )
    return found.query.document(
        name, title, answers=list(_answers(found)), grids=list(_grids(found)), notes=_NOTES
    )


def statement_answer(figures: Told) -> str:
    """Answer what is owed from the figures of a statement."""
    if "due_cents" not in figures:
        return f"In this time {figures.text('standing')}"
    due, base = figures.text("due_cents"), figures.text("base_cents")
    parts = [] if figures.text("standing") == "whole" else ["the period is not whole yet"]
    if figures.number("waiting"):
        parts.append(f"{figures.several('waiting', 'shift')} without a report")
    if figures.number("restated"):
        parts.append(f"{figures.several('restated', 'shift report')} made again after the period")
    paid_to = figures.rows("source")[0].values["says"]
    owed = f"Owed to {paid_to} is {due}, by a gross revenue of {base}"
    return "; ".join([owed, *parts])


def _statement(query: ReportQuery) -> _Statement | None:
    """The statement; None where no such levy is in force in the period."""
    number = query.options.get("levy", "")
    if not number:
        return None
    last = in_force(Levy, query.room, query.last).filter(number=int(number)).first()
    if last is None:
        return None
    first_day, last_day = period_with(last.levy, query.last)
    versions = [
        version
        for version in Levy.objects.filter(room=query.room, number=last.number)
        .exclude(status=Filing.Status.DRAFT)
        .select_related("filed_by", "approved_by")
        .order_by("effective_from")
        if _was_in_force(version, first_day, last_day)
    ]
    version = versions[0]
    terms = version.levy
    asked = dataclasses.replace(query, first=first_day, last=last_day, shift=None)
    revenue = period_revenue(asked)
    peak = revenue.peak
    tables = terms.authorized_tables if terms.tables == AUTHORIZED else (peak.tables if peak else 0)
    due = levied(terms, revenue.revenue.base(terms.base), tables)
    return _Statement(asked, version, terms, versions, revenue, tables, due)


def _was_in_force(version: Levy, first: datetime.date, last: datetime.date) -> bool:
    """Whether a version was in force on a day of a period."""
    begins, ends = version.effective_from, version.effective_to
    return begins is not None and begins <= last and (ends is None or ends > max(first, begins))


def _answers(of: _Statement) -> Iterator[Answer]:
    standing = of.standing
    mark = Mark.LOOK if standing else Mark.DONE
    yield Answer("due_cents", "Due", of.due.due_cents, Kind.MONEY, mark)
    base = of.revenue.revenue.base(of.terms.base)
    yield Answer(
        "base_cents", "Gross revenue", base, Kind.MONEY, text=", ".join(BASES[name] for name in of.terms.base)
    )
    if of.terms.counts_tables:
        yield Answer("tables", "Tables counted", of.tables, Kind.COUNT, text=TABLES_COUNTED[of.terms.tables])
        peak = of.revenue.peak
        over = (
            peak is not None and bool(of.terms.authorized_tables) and peak.tables > of.terms.authorized_tables
        )
        yield Answer(
            "peak",
            "Most tables open on a day",
            peak.tables if peak else 0,
            Kind.COUNT,
            Mark.STOP if over else Mark.NONE,
            text=f"{day_text(peak.day)}{', more than are authorized' if over else ''}" if peak else "",
        )
    yield Answer("standing", "Over", "not yet" if standing else "whole", mark=mark, text=standing)
    waiting = len(of.revenue.waiting)
    yield Answer(
        "waiting", "Shifts without a report", waiting, Kind.COUNT, Mark.LOOK if waiting else Mark.DONE
    )
    yield Answer(
        "restated",
        "Shift reports made again after the period",
        len(of.late),
        Kind.COUNT,
        Mark.LOOK if of.late else Mark.DONE,
        text="what was stated before they were differs" if of.late else "",
    )


def _grids(of: _Statement) -> Iterator[Grid]:
    yield _tiers(of)
    yield Grid("source", "By which rule", _SOURCE, [Row({"what": a, "says": b}) for a, b in _source(of)])
    if len(of.versions) > 1:
        yield Grid(
            "versions",
            "Versions within the period",
            _VERSIONS,
            [
                Row({"version": str(each), "effective_from": each.effective_from}, mark=Mark.LOOK)
                for each in of.versions
            ],
            text="More than one version was in force: the statement is by the first. Work out by hand what the section says of it.",
        )
    yield _days(of)
    yield Grid("ties", "Tied to other reports", _TIES, list(_ties(of)))
    if of.revenue.restated:
        yield _restated(of)
    if of.revenue.waiting:
        rows = [
            Row(
                {
                    "shift": str(shift),
                    "why": "it is open" if shift.closed_at is None else "its report is not made yet",
                },
                mark=Mark.LOOK,
            )
            for shift in of.revenue.waiting
        ]
        yield Grid("waiting", "Not over", _WAITING, rows)


def _tiers(of: _Statement) -> Grid:
    rows = [
        Row(
            {
                "line": str(line.tier.number),
                "tier": line.tier.bounds_text or "none",
                "takes": line.tier.rate_text,
                "worked": line.text
                if line.tier.per in of.due.counted or not line.applies
                else f"{line.text}: not due",
                "comes_to_cents": line.due_cents,
                "due_cents": line.due_cents if line.tier.per in of.due.counted else 0,
            }
        )
        for line in of.due.lines
    ]
    if of.due.bounded_cents:
        up = of.due.bounded_cents > 0
        bound = of.terms.minimum_cents if up else of.terms.maximum_cents or 0
        rows.append(
            Row(
                {
                    "line": "minimum" if up else "maximum",
                    "tier": "none",
                    "takes": f"at {'least' if up else 'most'} {dollars(bound)}",
                    "worked": f"{'up' if up else 'down'} to {dollars(bound)}",
                    "comes_to_cents": of.due.bounded_cents,
                    "due_cents": of.due.bounded_cents,
                }
            )
        )
    return Grid("tiers", "What is due", _TIERS, rows)


def _source(of: _Statement) -> Iterator[tuple[str, str]]:
    terms, version = of.terms, of.version
    yield "Paid to", terms.authority
    yield "Section", terms.source
    if terms.text:
        yield "Its words", terms.text
    yield "Filed as", f"{version} (number {version.number})"
    if version.effective_from is not None:
        yield "In force from", day_text(version.effective_from)
    signed = "" if version.approved_by is None else f", signed by {version.approved_by}"
    yield "Filed by", f"{version.filed_by}{signed}"
    yield "Gross revenue", "; ".join(BASES[name] for name in terms.base)
    yield "Percentages", f"rounded {ROUNDING[terms.rounding]}"
    if len(terms.tiers) > 1:
        yield "An amount on a bound", AT_BOUND[terms.at_bound]
    if len(terms.scales) > 1:
        yield "Several scales", COMBINE[terms.combine]


def _days(of: _Statement) -> Grid:
    shown = {
        "player_fees": "Player fees",
        "bank_fees": "Player-dealer fees",
        "time": "Time",
        "rake": "House rake",
        "refunded": "Refunded",
        "collection": "Collection",
    }
    if JACKPOT in of.terms.base:
        shown["jackpot"] = "Jackpot"
    if HOUSE_WIN in of.terms.base:
        shown["house_win"] = "House win"
    columns = (
        Column("gaming_day", "Gaming day", Kind.DAY),
        Column("shifts", "Shifts", Kind.COUNT, adds=True),
        *(Column(f"{name}_cents", heading, Kind.MONEY, adds=True) for name, heading in shown.items()),
        Column("base_cents", "Gross revenue", Kind.MONEY, adds=True),
        *([Column("tables", "Tables open", Kind.COUNT)] if of.terms.counts_tables else []),
        Column("standing", "Over"),
    )
    rows = [_day(of, each, list(shown)) for each in of.revenue.days]
    return Grid("days", "Revenue by gaming day", columns, rows, empty="No shift of this time was opened.")


def _day(of: _Statement, each: DayRevenue, shown: Sequence[str]) -> Row:
    standing = (
        "in play"
        if any(shift.closed_at is None for shift in each.shifts)
        else "in part"
        if each.waiting
        else "whole"
    )
    values: dict[str, Value] = {
        "gaming_day": each.day,
        "shifts": len(each.shifts),
        **{f"{name}_cents": getattr(each.revenue, name) for name in shown},
        "base_cents": each.revenue.base(of.terms.base),
        "standing": standing,
    }
    if of.terms.counts_tables:
        values["tables"] = each.tables
    link = reverse("web:period_report", args=[of.query.room.code, each.day.isoformat()])
    return Row(values, {"gaming_day": link}, Mark.LOOK if standing != "whole" else Mark.NONE)


def _ties(of: _Statement) -> Iterator[Row]:
    """The collection of the statement found again: in its parts, in the reports of months, in the transfers."""
    whole = of.revenue.revenue
    parts = whole.player_fees + whole.bank_fees + whole.time + whole.rake - whole.refunded
    yield _tie("Collection", whole.collection, "fees, time and rake less refunds, of the same reports", parts)
    months = month_revenues(of.query)
    for month in sorted({each.day.replace(day=1) for each in of.revenue.days}):
        days = [each.revenue for each in of.revenue.days if each.day.replace(day=1) == month]
        here = sum(days, Revenue())
        there = months.get(month)
        where = f"the report of {month:%B %Y}"
        link = reverse("web:period_report", args=[of.query.room.code, f"{month:%Y-%m}"])
        what = f"Collection of {month:%B %Y}"
        if there is None:
            yield _tie(what, here.collection, f"{where}, which is not made yet", None)
            continue
        yield _tie(what, here.collection, where, there.collection, link)
        if JACKPOT in of.terms.base:
            yield _tie(f"Jackpot of {month:%B %Y}", here.jackpot, where, there.jackpot, link)
    if (of.query.last - of.query.first).days < _MOVED_DAYS:
        waiting = {shift.pk for shift in of.revenue.waiting}
        moved = [each for pk, each in moved_by_shift(of.query).items() if pk not in waiting]
        link = report_address(of.query, "collection")
        where = "transfers into the boxes (Collection)"
        yield _tie("Collection", whole.collection, where, sum(each["drop_cents"] for each in moved), link)
        if JACKPOT in of.terms.base:
            yield _tie("Jackpot", whole.jackpot, where, sum(each["jackpot_cents"] for each in moved), link)


def _tie(what: str, here: int, where: str, there: int | None, link: str = "") -> Row:
    difference = None if there is None else here - there
    return Row(
        {
            "what": what,
            "here_cents": here,
            "where": where,
            "there_cents": there,
            "difference_cents": difference,
        },
        {"where": link} if link else {},
        Mark.STOP if difference else Mark.LOOK if there is None else Mark.DONE,
    )


def _restated(of: _Statement) -> Grid:
    base = of.terms.base
    rows = [
        Row(
            {
                "shift": str(each.shift),
                "restatement": each.times,
                "made_at": each.made_at,
                "first_cents": each.first.base(base),
                "now_cents": each.now.base(base),
                "difference_cents": each.now.base(base) - each.first.base(base),
                "standing": "after the period" if each.made_at >= of.query.until else "within the period",
            },
            {"shift": reverse("web:report", args=[each.shift.pk])},
            Mark.LOOK if each in of.late else Mark.NONE,
        )
        for each in of.revenue.restated
    ]
    text = "The statement is by what they say now. One that was drawn before such a day says what they said then."
    return Grid("restated", "Shift reports made again", _RESTATED, rows, text=text)
