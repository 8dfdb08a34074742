"""Rounds of a time that were corrected after their shift had closed: what they come to now.

A correction counts in the shift in which it was made, as what it changes. So the sums of the shift in which a round was
recorded stay; this tells beside them which of its rounds were not as recorded, and by how much.
"""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef

from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.models import Round
from cardroom.people.rights import Right

from ..banking import players_banked
from ..query import Report, ReportQuery
from ..rounds_in_scope import round_address, round_name

#: What a correction changes: name, heading, and the column of the round.
_FIGURES = (
    ("total_table_action_cents", "Table action", "total_table_action_cents"),
    ("player_fees_cents", "Player fees", "player_fees_cents"),
    ("bank_fees_cents", "Bank's fees", "bank_fee_cents"),
    ("taken_cents", "Taken", "taken_cents"),
    ("paid_cents", "Paid", "paid_cents"),
    ("uncovered_cents", "Uncovered", "uncovered_cents"),
    ("tips_cents", "Tips", "tokes_cents"),
)
#: Those that no round has where the house banks.
_OF_PLAYERS = frozenset({"player_fees_cents", "bank_fees_cents", "uncovered_cents"})
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
    "They count in the shift in which each was made, and in no sum of the shift in which the round was recorded.",
)


def corrected_since(query: ReportQuery) -> ReportDocument:
    """List the corrections that were made in later shifts, of rounds of the shifts asked about."""
    shifts = [shift.pk for shift in query.shifts]
    # By the ids of what was corrected: through a join, SQLite would walk through all rounds there are.
    corrected = Round.objects.filter(Exists(Round.objects.filter(corrects=OuterRef("pk"))), shift__in=shifts)
    ids = list(corrected.order_by().values_list("pk", flat=True))
    later = Round.objects.filter(corrects__in=ids).exclude(shift=F("corrects__shift"))
    if query.table is not None:
        later = later.filter(table=query.table)
    collects = players_banked(query.room, query.shifts)
    figures = [figure for figure in _FIGURES if collects or figure[0] not in _OF_PLAYERS]
    changes = {f"d_{name}": F(column) - F(f"corrects__{column}") for name, _, column in figures}
    rows = [
        Row(
            {
                "round": round_name(made.gaming_day, made.number, made.revision),
                "table": made.table.number,
                "corrected_at": made.corrected_at,
                "shift": str(made.shift),
                "reason": made.correction_reason,
                "people": f"{made.corrected_by}, {made.correction_approved_by}",
                **{name: getattr(made, f"d_{name}") for name, _, _ in figures},
            },
            {"round": round_address(made.pk)},
            Mark.LOOK,
        )
        for made in later.annotate(**changes)
        .select_related("table", "shift", "corrected_by", "correction_approved_by")
        .order_by("corrected_at", "pk")
    ]
    changed = (Column(name, f"{heading} changes by", Kind.MONEY, adds=True) for name, heading, _ in figures)
    columns = (*_COLUMNS, *changed)
    return query.document(
        "corrected-since",
        "Rounds corrected after their shift",
        answers=[
            Answer(
                "corrected", "Rounds corrected since", len(rows), Kind.COUNT, Mark.LOOK if rows else Mark.NONE
            )
        ],
        grids=[Grid("corrected", "Corrections made in later shifts", columns, rows)],
        notes=_NOTES,
    )


CORRECTED_SINCE = Report(
    name="corrected-since",
    title="Rounds corrected after their shift",
    says="Which rounds were not as recorded, and what changed after their shift had been reported?",
    right=Right.SEE_REPORTS,
    make=corrected_since,
    by_shift=True,
)
