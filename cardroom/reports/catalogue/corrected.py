"""Report on rounds that were corrected after their shift had closed: what they come to now.

This lists which rounds were not as recorded, and by how much; `cardroom.reports.stored.late_corrections` decides where it counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from cardroom.documents.answering import Told
from cardroom.documents.document import Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.people.rights import Right

from ..queries.banking import players_banked
from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import round_address, round_name
from ..sections.listed import CountAnswer, count_answers
from ..stored.late_corrections import CHANGES, CHANGES_OF_PLAYERS, Correction, corrections_of

CORRECTED_ANSWERS = (CountAnswer("corrected", "Rounds corrected since", if_any=Mark.LOOK),)
_COLUMNS = (
    Column("round", "Round"),
    Column("table", "Table", Kind.COUNT),
    Column("corrected_at", "Corrected", Kind.INSTANT),
    Column("shift", "Counts in"),
    Column("reason", "Reason"),
    Column("people", "By, approved by"),
)
_NOTES = (
    "Amounts are what the corrections change: new less old.",
    (
        "What was moved (fees, jackpot, wagers taken and paid, tips) counts in the shift in which the correction was made. "
        "Table action, waived fees and what was not covered count with the round, as it is on record now."
    ),
)


def corrected_since(query: ReportQuery) -> ReportDocument:
    """List the corrections that were made in later shifts, of rounds of the shifts asked about."""
    corrections = corrections_of((shift.pk for shift in query.shifts), query.table)
    later = [each for each in corrections.of_rounds if each.is_late]
    collects = players_banked(query.room, query.shifts)
    figures = [name for name in CHANGES if collects or name not in CHANGES_OF_PLAYERS]
    rows = [_row(each, figures) for each in later]
    changed = (
        Column(
            name,
            f"{CHANGES[name][0]} changes by",
            Kind.MONEY if name.endswith("_cents") else Kind.COUNT,
            adds=True,
        )
        for name in figures
    )
    columns = (*_COLUMNS, *changed)
    return query.document(
        "corrected-since",
        "Rounds corrected after their shift",
        answers=count_answers(CORRECTED_ANSWERS, {"corrected": len(rows)}),
        grids=[Grid("corrected", "Corrections made in later shifts", columns, rows)],
        notes=_NOTES,
    )


def _row(correction: Correction, figures: Iterable[str]) -> Row:
    made = correction.round
    values: dict[str, Value] = {
        "round": round_name(made.gaming_day, made.number, made.revision),
        "table": made.table.number,
        "corrected_at": made.corrected_at,
        "shift": str(made.shift),
        "reason": made.correction_reason,
        "people": f"{made.corrected_by}, {made.correction_approved_by}",
        **{name: correction.changed[name] for name in figures},
    }
    return Row(values, {"round": round_address(made.pk)}, Mark.LOOK)


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("corrected"):
        return (
            f"{figures.several('corrected', 'round').capitalize()} of this time was corrected after its shift"
        )
    name = "corrected.drop_expected_cents"
    drop = f", which changed the drop by {figures.text(name)}" if name in figures else ""
    return f"{figures.several('corrected', 'round')} corrected after the shift{drop}"


CORRECTED_SINCE = Report(
    name="corrected-since",
    title="Rounds corrected after their shift",
    text="Which rounds were not as recorded, and what changed after their shift had been reported?",
    right=Right.SEE_REPORTS,
    make=corrected_since,
    answer=_answer,
    by_shift=True,
)
