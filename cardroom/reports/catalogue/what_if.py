"""Report on another rotation rule: the rounds played, reviewed under a rotation profile of one's choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.documents.formatting import formatted
from cardroom.floor.reads.rotation_days import TableDays
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from games.rotation.profile import PROFILES as EVERY_PROFILE
from games.rotation.profile import Profile, load_profile
from games.rotation.record import RULES, Deviation

from ..queries.query import Option, Report, ReportQuery
from ..queries.rounds_in_scope import report_address
from ..sections.rotation import EXCEPTIONS
from .rotation import (
    PROFILES,
    exception_rows,
    format_in_force,
    format_rules,
    profile_row,
    stretches_of,
    tables_reviewed,
)

#: Breaches that are listed one by one; all of them are counted.
MOST_LISTED = 1_000
#: Rounds that are read twice while a user waits: some two seconds, by what a shift takes (docs/measured/benchmarks-reports.md).
AT_ONCE = 20_000
#: The rule that is looked at unless another one is chosen: the one that has been argued about last.
_FIRST = "forty_minutes"

_NOTES = (
    (
        "The facts are those on record: who sat where, every offer and answer, turns and rounds. They are read twice, once by the "
        "rules that they were played by and once as if all had been played by the other one."
    ),
    (
        "An offer or a new turn that came sooner than the other rule asks breaks nothing. Where it asks for a stop of the "
        "game, any time as long between two rounds at the table counts as one."
    ),
    (
        "Each round, turn, offer or seat that a rule does not allow counts once. A game that should have ended is counted in every "
        "round that was dealt all the same."
    ),
    (
        "What is shown is counted from the room's own record. Which rule holds is for the law, and its courts, to say; the "
        "dates here are those that the rule was entered with. A table can be set to a rule in force alone."
    ),
)


def what_if(query: ReportQuery) -> ReportDocument:
    """Review the rounds under the profile that is chosen, beside the rules that they were played by."""
    chosen = load_profile(query.options["profile"])
    stretches = stretches_of(query)
    tables: list[Row] = []
    listed: list[Row] = []
    as_played: Counter[str] = Counter()
    supposed: Counter[str] = Counter()
    for each in tables_reviewed(query, stretches, under=chosen.id):
        found = each.under(chosen.id)
        as_played.update(deviation.kind for deviation in each.exceptions)
        supposed.update(deviation.kind for deviation in found)
        tables.append(_table_row(query, each, found))
        room_left = MOST_LISTED - len(listed)
        listed += exception_rows(query, each, found[:room_left], Mark.NONE)
    rules = [kind for kind in RULES if as_played[kind] or supposed[kind]]
    text = ""
    if supposed.total() > len(listed):
        text = f"The first {len(listed):,} of {supposed.total():,}; ask for one table or fewer days to see the others."
    return query.document(
        "what-if",
        "Rule comparison",
        answers=list(_answers(query, chosen, tables, as_played.total(), supposed.total())),
        grids=[
            Grid(
                "tables",
                "Table by table, side by side",
                _tables_columns(chosen),
                tables,
                text=f"As it was played, and under “{chosen.name}” ({chosen.clause}). {format_standing(chosen)}",
            ),
            Grid(
                "rules",
                "Rule by rule, side by side",
                (
                    Column("rule", "Rule"),
                    Column("as_played", "Exceptions as played", Kind.COUNT, adds=True),
                    Column("supposed", "Breaches under the other rule", Kind.COUNT, adds=True),
                ),
                [
                    Row({"rule": RULES[kind], "as_played": as_played[kind], "supposed": supposed[kind]})
                    for kind in rules
                ],
                empty="Nothing deviates from either.",
            ),
            Grid(
                "breaches",
                "Breaches under the other rule",
                EXCEPTIONS,
                listed,
                text=text,
                empty=f"None: what was played would have kept “{chosen.name}”.",
            ),
            Grid(
                "profiles",
                "The rules to choose from",
                PROFILES,
                [profile_row(load_profile(name), _mark_of(name, chosen)) for name in EVERY_PROFILE],
            ),
        ],
        notes=_NOTES,
    )


def format_standing(profile: Profile) -> str:
    """Return when a profile was in force, and what else there is to know of that, in words."""
    known = f" {profile.note}." if profile.note else ""
    return f"In force: {format_in_force(profile)}.{known}"


def _answers(
    query: ReportQuery, chosen: Profile, tables: Sequence[Row], as_played: int, supposed: int
) -> Iterator[Answer]:
    broken = sum(1 for row in tables if row.values["supposed"])
    yield Answer(
        "breaches",
        f"Breaches under “{chosen.name}”",
        supposed,
        Kind.COUNT,
        Mark.LOOK if supposed else Mark.DONE,
    )
    yield Answer(
        "exceptions",
        "Exceptions under the rules played by",
        as_played,
        Kind.COUNT,
        Mark.STOP if as_played else Mark.DONE,
        link=report_address(query, "rotation"),
    )
    yield Answer("tables", "Tables that would have broken it", f"{broken} of {len(tables)}")
    in_force = chosen.in_force(query.first) and chosen.in_force(query.last)
    yield Answer(
        "in_force",
        "This rule, on these days, was",
        "in force" if in_force else "not in force",
        Kind.TEXT,
        Mark.NONE if in_force else Mark.LOOK,
    )


def _tables_columns(chosen: Profile) -> Sequence[Column]:
    return (
        Column("table", "Table", Kind.COUNT),
        Column("rule", "Rule played by"),
        Column("rounds", "Rounds settled", Kind.COUNT, adds=True),
        Column("as_played", "Exceptions as played", Kind.COUNT, adds=True),
        Column("supposed", "Breaches under the other rule", Kind.COUNT, adds=True),
        Column("first", "First of these"),
        Column("players", "By whom"),
    )


def _table_row(query: ReportQuery, days: TableDays, found: Sequence[Deviation]) -> Row:
    by_player = Counter(each.player for each in found)
    most = [f"{player} {count}" for player, count in by_player.most_common(4)]
    if len(by_player) > 4:
        most.append(f"{len(by_player) - 4} others")
    return Row(
        {
            "table": days.table.number,
            "rule": format_rules(profile for day in days.days for profile in day.profiles),
            "rounds": days.figures.rounds,
            "as_played": len(days.exceptions),
            "supposed": len(found),
            "first": formatted(found[0].at, Kind.INSTANT, query.room.zone) if found else "none",
            "players": ", ".join(most),
        },
        links={
            "table": report_address(
                query, "what-if", table=days.table.number, profile=query.options["profile"]
            )
        },
        mark=Mark.LOOK if found else Mark.DONE,
    )


def _mark_of(name: str, chosen: Profile) -> Mark:
    return Mark.LOOK if name == chosen.id else Mark.NONE


def _profiles(_: Room) -> Sequence[tuple[str, str]]:
    ordered = [_FIRST, *(name for name in EVERY_PROFILE if name != _FIRST)]
    return [(name, load_profile(name).name) for name in ordered]


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.rows("tables"):
        return "Nothing was played in this time that another rule could have broken"
    played = f"as it was played there is {figures.several('exceptions', 'exception')}"
    if "exceptions" in figures and figures.number("exceptions") > 1:
        played = played.replace("there is", "there are")
    if not figures.number("breaches"):
        return f"The other rule would have been kept: {figures.several('breaches', 'breach')}; {played}"
    times = figures.several("breaches", "time")
    return f"The other rule would have been broken {times}, at {figures.text('tables')} tables; {played}"


WHAT_IF = Report(
    name="what-if",
    title="Rule comparison",
    text="Had another rule of rotation held, what of this would have broken it?",
    right=Right.SEE_REPORTS,
    make=what_if,
    answer=_answer,
    options=(Option("profile", "Rule", _profiles),),
    by_shift=True,
    at_once=AT_ONCE,
    of="players",
)
