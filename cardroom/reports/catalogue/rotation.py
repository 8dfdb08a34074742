"""Report on the rotation of the bank over gaming days: turns, offers and answers, and what the rule did not allow."""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import cast
from urllib.parse import urlencode

from django.urls import reverse

from cardroom.core.dates import day_text, utc_text
from cardroom.documents.answering import Told
from cardroom.documents.document import Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.models import Table
from cardroom.floor.reads.rotation import Figures
from cardroom.floor.reads.rotation_days import (
    DayAtTable,
    Stretch,
    TableDays,
    day_stretches,
    room_days,
    shift_stretches,
)
from cardroom.people.rights import Right
from games.rotation.profile import Profile
from games.rotation.record import Deviation

from ..queries.banking import tables_of_the_house
from ..queries.query import Report, ReportQuery
from ..sections.figure_types import RotationException, RotationFigures, TableRotation
from ..sections.rotation import COUNTS, exception_row, rotation_drawn

#: Rounds that are reviewed while a user waits: some two seconds, by what a shift takes (docs/measured/benchmarks-reports.md).
AT_ONCE = 30_000

_DAYS = (Column("gaming_day", "Gaming day", Kind.DAY), Column("table", "Table", Kind.COUNT), *COUNTS)
PROFILES = (
    Column("profile", "Rule"),
    Column("clause", "Clause"),
    Column("in_force", "In force"),
    Column("note", "What else there is to know"),
)

_RULES = (*PROFILES, Column("tables", "At tables"))

_NOTES = (
    (
        "Turns are turns that began, renewed those of them that the last bank took anew; banks are the players who banked a "
        "settled round. Accepted, declined, absent and ineligible are the answers to offers; undone are answers that were withdrawn."
    ),
    "A turn, an offer and a round count on the gaming day in which they began, were answered and were opened.",
    "Turns and answers that were recorded by mistake and withdrawn count as answers withdrawn, and as nothing else.",
    (
        "Every turn, offer and round of the time is checked against the rule that was noted with it as it was played. Rounds "
        "that were corrected count as corrected."
    ),
    "Whoever banked on several days or at several tables is one of the banks of each: their number has no sum.",
    "Each table's own page of a day shows every offer with its answer and who recorded it, as a timeline and in words.",
)


@dataclasses.dataclass
class _Reviewed:
    """What a review found: the figures, the days of each table, and by the name of a rule the days and the tables that played by it."""

    figures: RotationFigures
    days: list[tuple[Table, DayAtTable]] = dataclasses.field(default_factory=list)
    played: dict[str, list[tuple[Profile, Stretch]]] = dataclasses.field(
        default_factory=lambda: defaultdict(list)
    )
    at_tables: dict[str, list[Table]] = dataclasses.field(default_factory=lambda: defaultdict(list))


def rotation_read(query: ReportQuery) -> RotationFigures:
    """Read the figures of the section on the rotation."""
    return _reviewed(query, stretches_of(query)).figures


def _reviewed(query: ReportQuery, stretches: Sequence[Stretch]) -> _Reviewed:
    figures: RotationFigures = {"tables": [], "exceptions": [], "out_of_force": 0}
    reviewed = _Reviewed(figures)
    for each in tables_reviewed(query, stretches):
        counts = cast("TableRotation", {"table": each.table.number, **_counts(each.figures)})
        figures["tables"].append(counts)
        figures["exceptions"] += exceptions_at(query, each, each.exceptions)
        for name in sorted({profile.name for day in each.days for profile in day.profiles}):
            reviewed.at_tables[name].append(each.table)
        for day in each.days:
            if any(dataclasses.asdict(day.figures).values()):
                reviewed.days.append((each.table, day))
            for profile in day.profiles:
                reviewed.played[profile.name].append((profile, day.stretch))
                figures["out_of_force"] += not profile.in_force(day.stretch.day)
    return reviewed


def rotation(query: ReportQuery) -> ReportDocument:
    """Tell how the bank went round: by table, by day, and every exception."""
    stretches = stretches_of(query)
    reviewed = _reviewed(query, stretches)
    drawn = rotation_drawn(reviewed.figures, query)
    grids = list(drawn.grids)
    if len(stretches) > 1:
        days = sorted(reviewed.days, key=lambda row: (row[1].stretch.day, row[0].number))
        grids.append(Grid("days", "By gaming day and table", _DAYS, [_day_row(query, *row) for row in days]))
    rules = [
        _played_row(played, reviewed.at_tables[name]) for name, played in sorted(reviewed.played.items())
    ]
    grids.append(Grid("rules", "Rules that were played by", _RULES, rules, empty="Nothing was played."))
    return query.document(
        "rotation",
        "Rotation of the bank",
        answers=drawn.answers,
        grids=grids,
        notes=_NOTES,
    )


def stretches_of(query: ReportQuery) -> list[Stretch]:
    """Return what is looked at, day by day: the gaming days, or the one shift."""
    if query.shift is not None:
        return shift_stretches(query.shift, query.now)
    return day_stretches(query.room, query.first, query.last)


def tables_reviewed(
    query: ReportQuery, stretches: Sequence[Stretch], *, under: str | None = None
) -> Iterator[TableDays]:
    """Give the rotation of each table asked about, as `room_days` does, and report how many rounds that were.

    Left out are tables at which the house banked and nothing went round.
    """
    house = tables_of_the_house(query)
    for each in room_days(query.room, query.table, stretches, under=under):
        if each.table.pk in house and not any(dataclasses.asdict(each.figures).values()):
            continue
        yield each
        if query.on_progress is not None:
            query.on_progress(len(each.record.rounds))


def format_rules(profiles: Iterable[Profile]) -> str:
    """Return the names of profiles, each once, in words."""
    return "; ".join(dict.fromkeys(profile.name for profile in profiles))


def rotation_address(table: Table, query: ReportQuery, stretch: Stretch) -> str:
    """Return the address of a table's rotation page for a day, or for the shift that was asked about."""
    period = {"day": stretch.day} if query.shift is None else {"shift": query.shift.pk}
    return f"{reverse('web:rotation', args=[table.pk])}?{urlencode(period)}"


def exceptions_at(
    query: ReportQuery, days: TableDays, found: Iterable[Deviation]
) -> Iterator[RotationException]:
    """Give the figures of deviations at a table, each with the day on which it happened, or the shift that was asked about."""
    begins = [day.stretch.since for day in days.days]
    for each in found:
        yield {
            "happened_at": utc_text(each.at),
            "table_id": days.table.pk,
            "table": days.table.number,
            "seat": each.seat or None,
            "player": each.player,
            "rule": each.rule,
            "text": each.text,
            "clause": each.clause,
            "round": each.round,
            "gaming_day": days.days[bisect_right(begins, each.at) - 1].stretch.day.isoformat(),
            "shift": None if query.shift is None else query.shift.pk,
        }


def exception_rows(
    query: ReportQuery, days: TableDays, found: Iterable[Deviation], mark: Mark
) -> Iterator[Row]:
    """Give a row for each deviation at a table."""
    return (exception_row(each, mark) for each in exceptions_at(query, days, found))


def profile_row(profile: Profile, mark: Mark = Mark.NONE) -> Row:
    """Return a row with what there is to know of a profile: its clause, its dates and its note."""
    return Row(
        {
            "profile": profile.name,
            "clause": profile.clause,
            "in_force": format_in_force(profile),
            "note": profile.note,
        },
        mark=mark,
    )


def format_in_force(profile: Profile) -> str:
    """Return the days of a profile as its document prints them: "from Wed Apr 1, 2026 until Thu May 21, 2026"."""
    since, until = profile.in_force_from, profile.in_force_until
    days = (
        "" if since is None else f"from {day_text(since)}",
        "" if until is None else f"until {day_text(until)}",
    )
    return " ".join(filter(None, days)) or "no date printed"


def _played_row(played: Sequence[tuple[Profile, Stretch]], tables: Sequence[Table]) -> Row:
    """A row for the rules of one name, with the clauses of every document that they were played under."""
    in_force = all(profile.in_force(stretch.day) for profile, stretch in played)
    row = profile_row(played[0][0], Mark.NONE if in_force else Mark.LOOK)
    clauses = dict.fromkeys(profile.clause for profile, _ in played)
    numbers = ", ".join(str(table.number) for table in tables)
    return Row({**row.values, "clause": "; ".join(clauses), "tables": numbers}, mark=row.mark)


def _counts(figures: Figures) -> dict[str, int]:
    return {column.name: getattr(figures, column.name) for column in COUNTS}


def _day_row(query: ReportQuery, table: Table, day: DayAtTable) -> Row:
    return Row(
        {
            "gaming_day": day.stretch.day,
            "table": table.number,
            **_counts(day.figures),
        },
        links={"gaming_day": rotation_address(table, query, day.stretch)},
        mark=Mark.STOP if day.exceptions else Mark.NONE,
    )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("rounds") and not figures.number("offers"):
        return "The bank went round nowhere in this time: no round was settled"
    offers = f"{figures.several('offers', 'offer')} and {figures.several('rounds', 'round')}"
    if figures.number("exceptions"):
        return f"{figures.several('exceptions', 'exception')} to the rule in {offers}"
    return f"The bank went round by the rule at every table: no exception in {offers}"


ROTATION = Report(
    name="rotation",
    title="Rotation of the bank",
    text="Was the bank offered round as the rule asks, at every table?",
    right=Right.SEE_REPORTS,
    make=rotation,
    answer=_answer,
    by_shift=True,
    at_once=AT_ONCE,
    of="players",
)
