"""Report on irregularities at the tables: what happened, what the rules make of it, and what became of the round."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q

from cardroom.documents.answering import Told
from cardroom.documents.document import Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.models import Procedure, Round
from cardroom.floor.reads.table_procedures import VOIDING, voiding_of
from cardroom.people.rights import Right
from games.procedures.rules import IN_PLAY, RESHUFFLE, RETIRE_DECK, ROUND_VOID, SET_ASIDE

from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import round_address, round_name, rounds_of
from ..sections.listed import CountAnswer, SummedTable, count_answers

SETTLED_THOUGH_VOID = CountAnswer(
    "settled_though_void", "Rounds settled that the rules void", if_any=Mark.STOP, if_none=Mark.DONE
)
IRREGULARITY_ANSWERS = (
    CountAnswer("irregularities", "Irregularities"),
    CountAnswer("void_by_rule", "of them void the round"),
    CountAnswer("withdrawn", "Withdrawn as mistakes"),
    CountAnswer(
        "without_shuffler", "Times without the automatic shuffler", if_any=Mark.LOOK, if_none=Mark.DONE
    ),
    SETTLED_THOUGH_VOID,
)
_KINDS = (
    Column("irregularity", "Irregularity"),
    Column("times", "Entries", Kind.COUNT, adds=True),
    Column("void_by_rule", "Void by the rules", Kind.COUNT, adds=True),
    Column("withdrawn", "Withdrawn", Kind.COUNT, adds=True),
)
IRREGULARITIES_BY_KIND = SummedTable("kinds", "Irregularities by kind", _KINDS, by=("irregularity",))
_LIST = (
    Column("made_at", "When", Kind.INSTANT),
    Column("table", "Table", Kind.COUNT),
    Column("round", "Round"),
    Column("irregularity", "Irregularity"),
    Column("times", "Times in the round", Kind.COUNT),
    Column("deck", "Deck"),
    Column("rules", "By the rules"),
    Column("clause", "Clause"),
    Column("became", "Became of the round"),
    Column("note", "In words"),
    Column("recorded_by", "Recorded by"),
    Column("approved_by", "Approved by"),
)
_WITHOUT_SHUFFLER = (
    Column("began_at", "Since", Kind.INSTANT),
    Column("ended_at", "Until", Kind.INSTANT),
    Column("table", "Table", Kind.COUNT),
    Column("reason", "Reason"),
    Column("clause", "Clause"),
    Column("recorded_by", "Recorded by"),
    Column("approved_by", "Approved by"),
)
_WITHDRAWN = (
    Column("made_at", "When", Kind.INSTANT),
    Column("table", "Table", Kind.COUNT),
    Column("round", "Round"),
    Column("irregularity", "Irregularity"),
    Column("reason", "Reason"),
    Column("withdrawn_by", "Withdrawn by"),
    Column("approved_by", "Approved by"),
)
_STOOD = (
    Column("round", "Round"),
    Column("table", "Table", Kind.COUNT),
    Column("irregularity", "Irregularity"),
    Column("clause", "Clause"),
    Column("settled_at", "Settled", Kind.INSTANT),
    Column("taken_cents", "Wagers taken", Kind.MONEY, adds=True),
    Column("paid_cents", "Winnings paid", Kind.MONEY, adds=True),
)
_NOTES = (
    "An entry is listed as the rules answered it when it was made; one of a round is listed in the round's shift.",
    "A wrong count of the stub, and a deck that the shuffler reports as wrong, are listed beside what dealers report.",
    "One deck dealt twice in a row is listed with its reason, where two take turns; so is each time without a shuffler.",
    "A round that the rules void is voided and nothing else; an entry by mistake is withdrawn with a second signature.",
)
_CARDS = {
    IN_PLAY: "cards in play",
    SET_ASIDE: "card set aside",
    RESHUFFLE: "reshuffle",
    RETIRE_DECK: "deck retired",
}
_KIND = Procedure.Kind


def irregularities(query: ReportQuery) -> ReportDocument:
    """Report every irregularity of the time asked about."""
    found = _found(query)
    withdrawals = {fact.withdraws_id: fact for fact in found if fact.kind == _KIND.WITHDRAWN}
    entries = [fact for fact in found if fact.kind != _KIND.WITHDRAWN]
    stood, shufflers = settled_though_void(query), _without_shuffler(query)
    counts = {
        "irregularities": len(entries),
        "void_by_rule": sum(fact.round_fate == ROUND_VOID and fact.pk not in withdrawals for fact in entries),
        "withdrawn": len(withdrawals),
        "without_shuffler": len(shufflers),
        "settled_though_void": len(stood),
    }
    return query.document(
        "irregularities",
        "Irregularities",
        answers=count_answers(IRREGULARITY_ANSWERS, counts),
        grids=[
            IRREGULARITIES_BY_KIND.drawn(_by_kind(entries, withdrawals)),
            Grid(
                "irregularities",
                "Irregularity log",
                _LIST,
                [_row(fact, fact.pk in withdrawals) for fact in entries],
                empty="None.",
            ),
            Grid(
                "withdrawn",
                "Withdrawn",
                _WITHDRAWN,
                [_withdrawn_row(fact) for fact in withdrawals.values()],
                empty="No entry was withdrawn.",
            ),
            Grid(
                "without_shuffler",
                "Without the automatic shuffler that the rules ask for",
                _WITHOUT_SHUFFLER,
                shufflers,
                empty="None.",
            ),
            stood_grid(stood),
        ],
        notes=_NOTES,
    )


def settled_though_void(query: ReportQuery) -> list[tuple[Round, Procedure]]:
    """Return the settled rounds asked about that the rules void, each with what voids it.

    The floor settles none; older data, and rows that were written past it, may hold some.
    """
    settled = rounds_of(query).filter(state=Round.State.SETTLED, corrects__isnull=True).values("pk")
    # By what voids first: that is rare, and found by its index; rounds are not.
    void = Procedure.objects.filter(
        table__in=_tables(query), kind__in=VOIDING, round_fate=ROUND_VOID, round__in=settled
    )
    rounds = list(void.order_by().values_list("round", flat=True).distinct())
    facts = Procedure.objects.filter(round__in=rounds, kind__in=VOIDING).select_related("round__table")
    by_round: dict[int, list[Procedure]] = {}
    for fact in facts.order_by("round__gaming_day", "round__table__number", "round__number", "id"):
        assert fact.round_id is not None  # it was asked for by its round
        by_round.setdefault(fact.round_id, []).append(fact)
    void_by = [voiding_of(of_round) for of_round in by_round.values()]
    return [(by.round, by) for by in void_by if by is not None and by.round is not None]


def stood_grid(stood: Iterable[tuple[Round, Procedure]]) -> Grid:
    """Return the grid of rounds that were settled although the rules void them."""
    rows = [
        Row(
            {
                "round": round_name(round_.gaming_day, round_.number),
                "table": round_.table.number,
                "irregularity": fact.text,
                "clause": fact.clause,
                "settled_at": round_.ended_at,
                "taken_cents": round_.taken_cents,
                "paid_cents": round_.paid_cents,
            },
            {"round": round_address(round_.pk)},
            Mark.STOP,
        )
        for round_, fact in stood
    ]
    return Grid("settled_though_void", "Settled although the rules void them", _STOOD, rows, empty="None.")


def _found(query: ReportQuery) -> list[Procedure]:
    """The entries of the rounds asked about, of rounds still in play, and those between rounds by their time."""
    wanted = Q(round__shift__in=[shift.pk for shift in query.shifts])
    for shift in query.shifts:
        wanted |= Q(
            round__isnull=True, made_at__gte=shift.opened_at, made_at__lt=shift.closed_at or query.now
        )
        if shift.closed_at is None:
            wanted |= Q(round__shift__isnull=True, round__ended_at__isnull=True, round__isnull=False)
    kinds = (
        Q(kind__in=[_KIND.IRREGULARITY, _KIND.WITHDRAWN, _KIND.DEVICE_COUNT])
        | Q(kind=_KIND.STUB_COUNT, card_fate=RETIRE_DECK)
        | Q(kind=_KIND.DECK_CHOSEN, ordered_by__isnull=False)  # one deck twice in a row
    )
    facts = Procedure.objects.filter(kinds, wanted, table__in=_tables(query))
    people = facts.select_related("table", "round", "deck", "withdraws", "recorded_by", "ordered_by")
    return list(people.order_by("made_at", "pk"))


def _without_shuffler(query: ReportQuery) -> list[Row]:
    """The times asked about in which a table played without the shuffler that its rules ask for, those that last too."""
    kinds = (_KIND.NO_SHUFFLER, _KIND.SHUFFLER_BACK)
    facts = Procedure.objects.filter(table__in=_tables(query), kind__in=kinds, made_at__lt=query.until)
    people = facts.select_related("table", "recorded_by", "ordered_by")
    rows: list[tuple[Procedure, datetime.datetime | None]] = []
    lasting: dict[int, Procedure] = {}
    for fact in people.order_by("pk"):
        if (before := lasting.pop(fact.table_id, None)) is not None:
            rows.append((before, fact.made_at))
        if fact.kind == _KIND.NO_SHUFFLER:
            lasting[fact.table_id] = fact
    rows += [(fact, None) for fact in lasting.values()]
    return [
        Row(
            {
                "began_at": fact.made_at,
                "ended_at": until,
                "table": fact.table.number,
                "reason": fact.reason,
                "clause": fact.clause,
                "recorded_by": str(fact.recorded_by),
                "approved_by": str(fact.ordered_by),
            },
            mark=Mark.LOOK,
        )
        for fact, until in sorted(rows, key=lambda row: row[0].pk)
        if until is None or until >= query.since
    ]


def _tables(query: ReportQuery) -> list[int]:
    if query.table is not None:
        return [query.table.pk]
    return list(query.room.tables.order_by("pk").values_list("pk", flat=True))


def _by_kind(entries: Sequence[Procedure], withdrawals: dict[int | None, Procedure]) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, int]] = {}
    for fact in entries:
        row = rows.setdefault(_name(fact), {"times": 0, "void_by_rule": 0, "withdrawn": 0})
        row["times"] += 1
        if fact.pk in withdrawals:
            row["withdrawn"] += 1
        elif fact.round_fate == ROUND_VOID:
            row["void_by_rule"] += 1
    return [{"irregularity": name, **row} for name, row in sorted(rows.items())]


def _row(fact: Procedure, withdrawn: bool) -> Row:
    round_ = fact.round
    void = fact.round_fate == ROUND_VOID
    stood = void and not withdrawn and round_ is not None and round_.state == Round.State.SETTLED
    # A wrong count that a further count put right voids nothing any more: the grid of settled rounds has the others.
    mark = Mark.STOP if stood and fact.kind == _KIND.IRREGULARITY else Mark.LOOK if void else Mark.NONE
    return Row(
        {
            "made_at": fact.made_at,
            "table": fact.table.number,
            "round": "" if round_ is None else round_name(round_.gaming_day, round_.number, round_.revision),
            "irregularity": _name(fact),
            "times": fact.number if fact.kind == _KIND.IRREGULARITY else None,
            "deck": "" if fact.deck is None else str(fact.deck),
            "rules": f"{'round void' if void else 'play on'}, {_CARDS.get(fact.card_fate, fact.card_fate)}",
            "clause": fact.clause,
            "became": _became(round_, withdrawn),
            "note": fact.reason,
            "recorded_by": str(fact.recorded_by),
            "approved_by": "" if fact.ordered_by is None else str(fact.ordered_by),
        },
        {} if round_ is None else {"round": round_address(round_.pk)},
        mark,
    )


def _withdrawn_row(fact: Procedure) -> Row:
    round_, entry = fact.round, fact.withdraws
    assert round_ is not None  # the database sees to both
    assert entry is not None
    return Row(
        {
            "made_at": fact.made_at,
            "table": fact.table.number,
            "round": round_name(round_.gaming_day, round_.number, round_.revision),
            "irregularity": _name(entry),
            "reason": fact.reason,
            "withdrawn_by": str(fact.recorded_by),
            "approved_by": str(fact.ordered_by),
        },
        {"round": round_address(round_.pk)},
        Mark.LOOK,
    )


def _name(fact: Procedure) -> str:
    """What happened, in the rules' own words; of a count, what it found."""
    return f"{fact.text[:1].upper()}{fact.text[1:]}"


def _became(round_: Round | None, withdrawn: bool) -> str:
    if round_ is None:
        return "between rounds"
    end = "in play" if round_.is_live else round_.get_state_display()
    if round_.state == Round.State.VOID:
        end = f"void: {round_.void_reason}"
    return f"entry withdrawn; {end}" if withdrawn else end


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    found = figures.number("irregularities")
    wrong = figures.number("settled_though_void")
    stood = (
        f"; {figures.several('settled_though_void', 'round')} settled that the rules void" if wrong else ""
    )
    hand = figures.number("without_shuffler")
    bare = f"; {figures.several('without_shuffler', 'time')} without the automatic shuffler" if hand else ""
    if not found:
        return f"Nothing went wrong with cards, decks and devices{stood}{bare}"
    return f"{figures.several('irregularities', 'irregularity')}, {figures.several('void_by_rule', 'round')} void by the rules{stood}{bare}"


IRREGULARITIES = Report(
    name="irregularities",
    title="Irregularities",
    text="What went wrong with cards, decks and devices, what do the rules make of it, and what became of the round?",
    right=Right.SEE_REPORTS,
    make=irregularities,
    answer=_answer,
    by_shift=True,
)
