"""Report of the fee audit: every round of a period, not a sample, against the version of the schedule that charged it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.models import Round, Shift
from cardroom.people.rights import Right

from ..queries.query import InPieces, Report, ReportQuery
from ..queries.rounds_in_scope import round_address
from ..verification.fee_audit import MOST_FOUND, Outcome, audit_fees, outcomes_joined

#: Rounds that are computed while a user waits: some two seconds.
AT_ONCE = 30_000

_NOTES = (
    "Every round whose bets were closed is computed again, voids and corrections too: nothing is sampled.",
    "What it owes is quoted from its wagers, its waivers and the version of the schedule by which it was charged.",
    "Compared are the fee of each payer, their sums, the band, total table action, the jackpot and what was waived.",
    "A fee on a wager of which the approval lets none come is a difference, though the schedule has a line for it.",
    "A house rake is computed by settling the round again; a round without schedule and rake owes nothing.",
    "A correction may keep the fees as they were dropped: they are then those of the record that it corrects.",
)


def fee_audit(query: ReportQuery) -> ReportDocument:
    """Compute the fees of every round of the period again."""
    return _document(query, _audited(query, query.shifts))


def _audited(query: ReportQuery, shifts: Sequence[Shift]) -> Outcome:
    rounds = Round.objects.all() if query.table is None else Round.objects.filter(table=query.table)
    told = 0

    def heard(done: int) -> None:
        nonlocal told
        if query.on_progress is not None:
            query.on_progress(done - told)
        told = done

    return audit_fees(rounds, [shift.pk for shift in shifts], heard)


def _document(query: ReportQuery, made: Outcome) -> ReportDocument:
    return query.document(
        "fee-audit",
        "Fee audit",
        answers=_answers(made),
        grids=_grids(made),
        notes=_NOTES,
    )


def _work(query: ReportQuery, shifts: Sequence[Shift]) -> dict[str, Any]:
    return dataclasses.asdict(_audited(query, shifts))


def _put_together(query: ReportQuery, parts: Sequence[Mapping[str, Any]]) -> ReportDocument:
    return _document(query, outcomes_joined(Outcome(**part) for part in parts))


def _answers(made: Outcome) -> list[Answer]:
    """The answers: how many rounds there were, and how many differ, which must be none."""
    return [
        Answer("rounds", "Rounds audited", made.rounds, Kind.COUNT),
        Answer(
            "differing",
            "Rounds that differ (must be none)",
            made.differing,
            Kind.COUNT,
            Mark.STOP if made.differing else Mark.DONE,
        ),
        Answer("kept", "Corrections that kept the fees as dropped", made.kept, Kind.COUNT),
    ]


def _grids(made: Outcome) -> list[Grid]:
    """The differences, and what each version of a schedule came to."""
    cut = f"The first {MOST_FOUND:,} are listed." if len(made.found) >= MOST_FOUND else ""
    return [
        Grid(
            "differences",
            "Differences",
            (
                Column("round", "Round"),
                Column("table", "Table", Kind.COUNT),
                Column("figure", "Figure"),
                Column("recorded", "As recorded"),
                Column("computed", "As computed"),
            ),
            [
                Row(
                    {
                        "round": each["name"],
                        **{name: each[name] for name in ("table", "figure", "recorded", "computed")},
                    },
                    {"round": round_address(each["round"])},
                    Mark.STOP,
                )
                for each in made.found
            ],
            text=cut,
            empty="None: every round was charged what its schedule says.",
        ),
        Grid(
            "schedules",
            "By version of the schedule",
            (
                Column("schedule", "Schedule"),
                Column("rounds", "Rounds", Kind.COUNT, adds=True),
                Column("recorded_cents", "As recorded", Kind.MONEY, adds=True),
                Column("computed_cents", "As computed", Kind.MONEY, adds=True),
            ),
            [
                Row(
                    {
                        "schedule": f"{each['number']}, version {each['version']}"
                        if each["number"]
                        else "none",
                        "rounds": each["rounds"],
                        "recorded_cents": each["recorded_cents"],
                        "computed_cents": each["computed_cents"],
                    },
                    mark=Mark.NONE if each["recorded_cents"] == each["computed_cents"] else Mark.STOP,
                )
                for each in made.charged
            ],
            text="What the rounds put into drop and jackpot boxes, before refunds.",
            empty="No round was charged in this time.",
        ),
    ]


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("rounds"):
        return f"{figures.several('rounds', 'round').capitalize()} was charged in this time"
    if figures.number("differing"):
        return f"{figures.text('differing')} of {figures.several('rounds', 'round')} differ from what their schedule says"
    return f"Each of {figures.several('rounds', 'round')} was charged what its schedule says"


FEE_AUDIT = Report(
    name="fee-audit",
    title="Fee audit",
    text="Was every round charged what its version of the schedule says? Every round, computed again.",
    right=Right.SEE_REPORTS,
    make=fee_audit,
    answer=_answer,
    at_once=AT_ONCE,
    by_shift=True,
    of="players",
    in_pieces=InPieces(_work, _put_together),
)
