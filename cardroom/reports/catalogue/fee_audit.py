"""Fee audit: every round of a period, not a sample, against the version of the schedule that charged it."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.errors import BadInput
from cardroom.floor.models import Round
from cardroom.people.rights import Right

from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import round_address, rounds_of
from ..verification.fee_audit import MOST_FOUND, Charged, Found, charged_rounds, compute_again

#: Rounds that are computed while a user waits; more are computed in the background (`reports.recomputations`).
MOST_AT_ONCE = 30_000

NOTES = (
    "Every round whose bets were closed is computed again, voids and corrections too: nothing is sampled.",
    "What it owes is quoted from its wagers, its waivers and the version of the schedule by which it was charged.",
    "Compared are the fee of each payer, their sums, the band, total table action, the jackpot and what was waived.",
    "A fee on a wager of which the approval lets none come is a difference, though the schedule has a line for it.",
    "A house rake is computed by settling the round again; a round without schedule and rake owes nothing.",
    "A correction may keep the fees as they were dropped: they are then those of the record that it corrects.",
)


def recomputed(query: ReportQuery) -> ReportDocument:
    """Compute the fees of the period again at once; raises BadInput when it has more than `MOST_AT_ONCE` rounds."""
    shifts = [shift.pk for shift in query.shifts]
    rounds = Round.objects.all() if query.table is None else Round.objects.filter(table=query.table)
    if (count := charged_rounds(rounds_of(query)).count()) > MOST_AT_ONCE:
        raise BadInput(
            "too_many_rounds",
            f"These are {count:,} rounds, and {MOST_AT_ONCE:,} are computed while you wait. Ask for fewer days, or let "
            "them be computed in the background: Reports, Fee audit in the background.",
            path="to",
            status=400,
        )
    made = compute_again(rounds, shifts)
    return query.document(
        "recomputed",
        "Fee audit",
        answers=answers_of(made.rounds, made.differing, made.kept),
        grids=grids_of(made.found, made.charged, made.differing),
        notes=NOTES,
    )


def answers_of(rounds: int, differing: int, kept: int) -> list[Answer]:
    """Return the answers: how many rounds there were, and how many differ, which must be none."""
    return [
        Answer("rounds", "Rounds audited", rounds, Kind.COUNT),
        Answer(
            "differing",
            "Rounds that differ (must be none)",
            differing,
            Kind.COUNT,
            Mark.STOP if differing else Mark.DONE,
        ),
        Answer("kept", "Corrections that kept the fees as dropped", kept, Kind.COUNT),
    ]


def grids_of(found: Sequence[Found], charged: Sequence[Charged], differing: int) -> list[Grid]:
    """Return the differences, and what each version of a schedule came to."""
    cut = f"The first {MOST_FOUND:,} are listed." if differing and len(found) >= MOST_FOUND else ""
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
                for each in found
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
                for each in charged
            ],
            text="What the rounds put into drop and jackpot boxes, before refunds.",
            empty="No round was charged in this time.",
        ),
    ]


RECOMPUTED = Report(
    name="recomputed",
    title="Fee audit",
    text="Was every round charged what its version of the schedule says? Every round, computed again.",
    right=Right.SEE_REPORTS,
    make=recomputed,
    by_shift=True,
    of="players",
)
