"""Where a player-dealer's wager did not cover every wager: exhausted banks, and what went back uncovered or was paid short."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.documents.document import Answer, Column, Grid, Kind, ReportDocument, Row
from cardroom.floor.models import Round
from cardroom.floor.models.rounds import is_current
from cardroom.people.rights import Right

from ..query import Report, ReportQuery
from ..rounds_in_scope import round_address, round_name, rounds_of

_NOTES = (
    "An exhausted bank is a round in which some wager was not covered in full, or the bank had nothing left.",
    "Where the bank covers a hand at a time by its funds, it is one with a dead hand; hands after it may have been covered.",
    "Listed is the record that stands: a round that was corrected is left out, and its correction counts.",
    "Uncovered is the stake that went back because nothing was left to cover it.",
    "Short is what a winning wager was owed and not paid, because less was left.",
)


def coverage(query: ReportQuery) -> ReportDocument:
    """List the rounds and their wagers."""
    # A wager goes back uncovered when the bank is exhausted (or, by its funds, a hand dead) and at no other time.
    rounds = list(
        rounds_of(query)
        .filter(is_current(), state=Round.State.SETTLED, exhausted=True)
        .select_related("table", "bank_player")
        .defer("bets", "fees", "sheet")
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
        says="In the order in which they were settled, tip wagers among them.",
        empty="Every wager was covered.",
    )
    totals = wagers.totals or {}
    return query.document(
        "coverage",
        "Exhausted banks and uncovered wagers",
        answers=[
            Answer("exhausted", "Exhausted banks", len(rounds), Kind.COUNT),
            Answer("uncovered_cents", "Returned uncovered", totals["uncovered_cents"], Kind.MONEY),
            Answer("short_cents", "Paid short", totals["short_cents"], Kind.MONEY),
        ],
        grids=[_banks(rounds), wagers],
        notes=_NOTES,
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
                "bank": "" if round_.bank_player is None else round_.bank_player.name,
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


def _wagers(round_: Round) -> Iterator[Row]:
    for line in (round_.settlement or {}).get("lines", []):
        if line["uncovered"] or line["short"]:
            yield Row(
                {
                    "round": round_name(round_.gaming_day, round_.number, round_.revision),
                    "table": round_.table.number,
                    "seat": str(line["seat"]),
                    "player": line["player"],
                    "wager": line["wager"].replace("_", " ") + ("" if line["for"] == "player" else " (tip)"),
                    "stake_cents": line["stake"],
                    "uncovered_cents": line["uncovered"],
                    "short_cents": line["short"],
                },
                {"round": round_address(round_.pk)},
            )


COVERAGE = Report(
    name="coverage",
    title="Exhausted banks and uncovered wagers",
    says="Where did a bank run out, and which wagers went back or were paid short because of it?",
    right=Right.SEE_REPORTS,
    make=coverage,
    by_shift=True,
    of="players",
)
