"""Report on coverage: exhausted banks, and what went back uncovered or was paid short."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, cast

from cardroom.documents.answering import Told
from cardroom.documents.document import Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.floor.models import Round
from cardroom.floor.places import Place, place_in, place_of, places_of
from cardroom.people.rights import Right
from games.ran_out import Laid, gone_back, laid_at, read_ran_out

from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import round_address, round_name
from ..sections.listed import CountAnswer, SummedTable, count_answers
from ..stored.late_corrections import Corrections, corrections_of, format_since, standing_rounds

COVERAGE_ANSWERS = (
    CountAnswer("exhausted", "Exhausted banks"),
    CountAnswer("uncovered_cents", "Returned uncovered", kind=Kind.MONEY),
    CountAnswer("short_cents", "Paid short", kind=Kind.MONEY),
)
EXHAUSTED_BY_TABLE = SummedTable(
    "tables",
    "Exhausted banks by table",
    (
        Column("table", "Table", Kind.COUNT),
        Column("banks", "Exhausted banks", Kind.COUNT, adds=True),
        Column("taken_cents", "Taken", Kind.MONEY, adds=True),
        Column("paid_cents", "Paid", Kind.MONEY, adds=True),
        Column("uncovered_cents", "Returned uncovered", Kind.MONEY, adds=True),
    ),
    by=("table",),
    empty="No bank was exhausted.",
)
_NOTES = (
    "An exhausted bank is a round in which some wager was not covered in full, or the bank had nothing left.",
    "Where the bank covers a hand at a time by its funds, it is one with a dead hand; hands after it may have been covered.",
    "Listed is the current record of each round of this time: a correction takes its place, whenever it was made.",
    "Uncovered is the stake that went back because nothing was left to cover it.",
    "Of a round that is not carded it is what the record says of the seat where the bank ran out, and all behind it.",
    "Short is what a winning wager was owed and not paid, because less was left.",
)


def coverage(query: ReportQuery) -> ReportDocument:
    """List the rounds and their wagers."""
    # A wager goes back uncovered when the bank is exhausted (or, by its funds, a hand dead) and at no other time.
    corrections = corrections_of((shift.pk for shift in query.shifts), query.table)
    rounds = list(
        standing_rounds(corrections, query.table)
        .filter(state=Round.State.SETTLED, exhausted=True)
        .select_related("table", "bank_player")
        .defer("fees", "sheet")
        .order_by("gaming_day", "table__number", "number")
    )
    wagers = Grid(
        "wagers",
        "Wagers that were not covered in full",
        (
            Column("round", "Round"),
            Column("table", "Table", Kind.COUNT),
            Column("seat", "Seat"),
            Column("player", "Player"),
            Column("wager", "Wager"),
            Column("stake_cents", "Stake", Kind.MONEY, adds=True),
            Column("uncovered_cents", "Returned uncovered", Kind.MONEY, adds=True),
            Column("short_cents", "Paid short", Kind.MONEY, adds=True),
        ),
        [row for round_ in rounds for row in _wagers(round_)],
        text="In the order in which they were settled, tip wagers among them.",
        empty="Every wager was covered.",
    )
    totals = wagers.totals or {}
    short = _short_since(corrections)
    counts = {"exhausted": len(rounds), **{name: totals[name] for name in ("uncovered_cents", "short_cents")}}
    since = {
        "exhausted": corrections.in_words("exhausted_banks"),
        "uncovered_cents": corrections.in_words("uncovered_cents"),
        "short_cents": format_since("short_cents", sum(short.values())),
    }
    return query.document(
        "coverage",
        "Exhausted banks and uncovered wagers",
        answers=[
            dataclasses.replace(answer, text=since[answer.name])
            for answer in count_answers(COVERAGE_ANSWERS, counts)
        ],
        grids=[
            EXHAUSTED_BY_TABLE.drawn(_by_table(rounds)),
            _banks(rounds),
            wagers,
            *_since(corrections, short),
        ],
        notes=_NOTES,
    )


def _short_since(corrections: Corrections) -> dict[int, int]:
    """By how many cents each later correction, by its id, changes what was paid short, read from the settlements."""
    later = [each.round for each in corrections.later]
    ids = {round_.pk for round_ in later} | {cast("int", round_.corrects_id) for round_ in later}
    short = {
        pk: sum(line["short"] for line in (settlement or {}).get("lines", []))
        for pk, settlement in Round.objects.filter(pk__in=ids).values_list("pk", "settlement")
    }
    return {round_.pk: short[round_.pk] - short[cast("int", round_.corrects_id)] for round_ in later}


def _since(corrections: Corrections, short: Mapping[int, int]) -> Iterator[Grid]:
    """What later corrections changed of the figures above; no table where there is none."""
    columns = (
        Column("round", "Round"),
        Column("table", "Table", Kind.COUNT),
        Column("corrected_at", "Corrected", Kind.INSTANT),
        Column("reason", "Reason"),
        Column("banks", "Banks exhausted change by", Kind.COUNT, adds=True),
        Column("uncovered_cents", "Returned uncovered changes by", Kind.MONEY, adds=True),
        Column("short_cents", "Paid short changes by", Kind.MONEY, adds=True),
    )
    rows = []
    for each in corrections.later:
        made, changed = each.round, each.changed
        changes = {
            "banks": changed["exhausted_banks"],
            "uncovered_cents": changed["uncovered_cents"],
            "short_cents": short[made.pk],
        }
        if any(changes.values()):
            name = round_name(made.gaming_day, made.number, made.revision)
            values: dict[str, Value] = {
                "round": name,
                "table": made.table.number,
                "corrected_at": made.corrected_at,
                "reason": made.correction_reason,
                **changes,
            }
            rows.append(Row(values, {"round": round_address(made.pk)}, Mark.LOOK))
    if rows:
        text = "Corrections made in other shifts of rounds of this time: new less old. They are in the figures above."
        yield Grid("since", "Changed since", columns, rows, text=text)


def _by_table(rounds: list[Round]) -> list[dict[str, Any]]:
    return EXHAUSTED_BY_TABLE.added(
        {
            "table": round_.table.number,
            "banks": 1,
            "taken_cents": round_.taken_cents,
            "paid_cents": round_.paid_cents,
            "uncovered_cents": round_.uncovered_cents,
        }
        for round_ in rounds
    )


def _banks(rounds: list[Round]) -> Grid:
    columns = (
        Column("round", "Round"),
        Column("table", "Table", Kind.COUNT),
        Column("settled_at", "Settled", Kind.INSTANT),
        Column("bank", "Player-dealer"),
        Column("bank_wager_cents", "Wager of the bank", Kind.MONEY),
        Column("taken_cents", "Taken", Kind.MONEY, adds=True),
        Column("paid_cents", "Paid", Kind.MONEY, adds=True),
        Column("uncovered_cents", "Returned uncovered", Kind.MONEY, adds=True),
    )
    rows = [
        Row(
            {
                "round": round_name(round_.gaming_day, round_.number, round_.revision),
                "table": round_.table.number,
                "settled_at": round_.ended_at,
                "bank": "" if round_.bank_player is None else round_.bank_player.ref,
                "bank_wager_cents": round_.bank_wager_cents,
                "taken_cents": round_.taken_cents,
                "paid_cents": round_.paid_cents,
                "uncovered_cents": round_.uncovered_cents,
            },
            {"round": round_address(round_.pk)},
        )
        for round_ in rounds
    ]
    return Grid("banks", "Exhausted banks", columns, rows, empty="No bank was exhausted.")


def _wagers_by_eye(round_: Round) -> Iterator[Row]:
    """What went back in a round that is not carded: at the place where the bank ran out, and all behind it (ruling 55)."""
    if round_.ran_out is None:
        return
    said, laid = read_ran_out(round_.ran_out), round_.laid_in_order
    stopped = laid_at(laid, said)
    at = Laid(said.seat, said.behind, said.spot, sum(each.cents for each in stopped))
    players = {place_of(bet): bet.get("player", "") for bet in round_.bets}
    for wager, uncovered in ((at, said.returned), *((each, each.cents) for each in gone_back(laid, said))):
        if uncovered:
            place = Place(wager.seat, wager.behind)
            yield Row(
                {
                    "round": round_name(round_.gaming_day, round_.number, round_.revision),
                    "table": round_.table.number,
                    "seat": str(place),
                    "player": players.get(place, ""),
                    "wager": wager.spot.replace("_", " ") or "all",
                    "stake_cents": wager.cents,
                    "uncovered_cents": uncovered,
                    "short_cents": 0,
                },
                {"round": round_address(round_.pk)},
            )


def _wagers(round_: Round) -> Iterator[Row]:
    yield from _wagers_by_eye(round_)
    places = places_of(round_.bets)
    for line in (round_.settlement or {}).get("lines", []):
        if line["uncovered"] or line["short"]:
            yield Row(
                {
                    "round": round_name(round_.gaming_day, round_.number, round_.revision),
                    "table": round_.table.number,
                    "seat": str(place_in(places, line)),
                    "player": line["player"],
                    "wager": line["wager"].replace("_", " ") + ("" if line["for"] == "player" else " (tip)"),
                    "stake_cents": line["stake"],
                    "uncovered_cents": line["uncovered"],
                    "short_cents": line["short"],
                },
                {"round": round_address(round_.pk)},
            )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("exhausted"):
        return f"{figures.several('exhausted', 'bank').capitalize()} ran out: every wager was covered in full"
    short = f", {figures.text('short_cents')} was paid short" if figures.number("short_cents") else ""
    ran = f"{figures.several('exhausted', 'bank')} ran out"
    return f"{ran}; {figures.text('uncovered_cents')} of wagers went back uncovered{short}"


COVERAGE = Report(
    name="coverage",
    title="Exhausted banks and uncovered wagers",
    text="Where did a bank run out, and which wagers went back or were paid short because of it?",
    right=Right.SEE_REPORTS,
    make=coverage,
    answer=_answer,
    by_shift=True,
    of="players",
)
