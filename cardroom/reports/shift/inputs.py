"""Reads the inputs of a shift report from the database in a fixed number of queries, and hashes them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from cardroom.core.canonical import canonical_hash
from cardroom.core.dates import utc_text
from cardroom.floor.journal import Head
from cardroom.floor.models import Offer, Round, Shift, Table, Turn
from games.rotation.profile import HOUSE_BANKS

from ..stored.figure_types import GameFees
from ..stored.game_fees import game_fees_read
from ..stored.late_corrections import Correction, corrections_made_in, corrections_of
from .consecutive_rounds import Run, runs_over_limit
from .tie_out import Fault, TieOutSums, ways_read
from .trays import contributions_read, trays_read


@dataclasses.dataclass(frozen=True, kw_only=True)
class Inputs:
    """Everything that a report's figures are made from, as plain data in a fixed order.

    Names of people, rooms and tables are left out: they may change, and what was added up does not depend on
    them. `corrections` were made in the shift, `later` in other shifts of rounds of this one.
    """

    shift: dict[str, Any]
    rounds: list[dict[str, Any]]
    bank_fees: list[dict[str, Any]]
    games: list[GameFees]
    corrections: list[dict[str, Any]]
    later: list[dict[str, Any]]
    turns: list[dict[str, Any]]
    offers: list[dict[str, Any]]
    ways: list[TieOutSums]
    faults: list[Fault]
    runs: list[Run]
    trays: list[dict[str, Any]]
    contributions: list[dict[str, Any]]


def inputs_read(shift: Shift) -> Inputs:
    """Read what the figures of `shift` are made from, in a fixed number of queries."""
    played = Round.objects.filter(shift=shift)
    ways, faults = ways_read(shift.pk)
    return Inputs(
        shift={
            "id": shift.pk,
            "room": shift.room_id,
            "gaming_day": shift.gaming_day.isoformat(),
            "opened_at": utc_text(shift.opened_at),
            "closed_at": utc_text(shift.closed_at),
        },
        rounds=_rows(
            played.order_by("table")
            .values("table")
            .annotate(
                settled=Count("id", filter=Q(state=Round.State.SETTLED, corrects__isnull=True)),
                played=Count("id"),
                house_banked=Count("id", filter=Q(rotation=HOUSE_BANKS)),
                settled_by_eye=Count(
                    "id",
                    filter=Q(
                        state=Round.State.SETTLED, corrects__isnull=True, recording=Table.Recording.FEES
                    ),
                ),
                corrections=Count("id", filter=Q(corrects__isnull=False)),
                voids_before_deal=Count("id", filter=Q(state=Round.State.VOID, dealt_at__isnull=True)),
                voids_after_deal=Count("id", filter=Q(state=Round.State.VOID, dealt_at__isnull=False)),
                # As for the money: a correction counts as what it changes.
                exhausted=Count("id", filter=Q(state=Round.State.SETTLED, exhausted=True))
                - Count("id", filter=Q(corrects__exhausted=True)),
            ),
        ),
        bank_fees=_bank_fees(played, Round.objects.filter(correction__shift=shift)),
        games=game_fees_read(shift.pk),
        corrections=[_correction(each) for each in corrections_made_in(shift.pk)],
        later=[_correction(each) for each in corrections_of([shift.pk]).later],
        turns=_counts(
            Turn.objects.filter(shift=shift)
            .exclude(ended_why=Turn.Ended.MISTAKE)
            .order_by("table")
            .values("table")
        ),
        offers=_counts(
            Offer.objects.filter(shift=shift, withdrawal__isnull=True)
            .order_by("table", "answer")
            .values("table", "answer"),
        ),
        ways=ways,
        faults=faults,
        runs=runs_over_limit(shift.pk),
        trays=[
            {"table": key.table, **dataclasses.asdict(tray)} for key, tray in trays_read([shift.pk]).items()
        ],
        contributions=[
            {"table": key.table, "cents": cents}
            for key, cents in sorted(contributions_read([shift.pk]).items())
        ],
    )


def _bank_fees(played: QuerySet[Round], corrected: QuerySet[Round]) -> list[dict[str, Any]]:
    """Fees of player-dealers by table and band of `played`, less those of the rounds that were corrected there."""
    columns = (
        *("table", "schedule__number", "schedule_version", "bank_fee_cents", "bank_fee_band", "schedule"),
    )
    sums: dict[tuple[Any, ...], dict[str, Any]] = {}
    for sign, rounds in ((1, played), (-1, corrected)):
        by_band = rounds.filter(schedule__isnull=False).order_by().values(*columns)
        for row in by_band.annotate(rounds=Count("id"), cents=Sum("bank_fee_cents")):
            key = tuple(row[column] for column in columns)
            found = sums.setdefault(
                key, {**{column: row[column] for column in columns}, "rounds": 0, "cents": 0}
            )
            found["rounds"] += sign * row["rounds"]
            found["cents"] += sign * int(row["cents"])
    return [sums[key] for key in sorted(sums) if sums[key]["rounds"] or sums[key]["cents"]]


def _correction(made: Correction) -> dict[str, Any]:
    """A correction as plain data: where it was made, what it corrects, and by how much it changes each figure."""
    round_: Any = made.round
    return {
        "table": round_.table_id,
        "id": round_.pk,
        "gaming_day": round_.gaming_day.isoformat(),
        "number": round_.number,
        "revision": round_.revision,
        "shift": round_.shift_id,
        "corrects": round_.corrects_id,
        "corrects_shift": round_.corrects_shift,
        "round_shift": made.round_shift,
        "reason": round_.correction_reason,
        "changed": dict(made.changed),
    }


def inputs_hash(inputs: Inputs, heads: Iterable[Head]) -> str:
    """Return the hex SHA-256 of `inputs` and chain heads as canonical JSON (sorted keys, no blanks).

    Left out is what was corrected later: it restates a report, and does not make the one before it untrue.
    """
    hashed = {name: value for name, value in dataclasses.asdict(inputs).items() if name != "later"}
    return canonical_hash({"inputs": hashed, "heads": [dataclasses.asdict(head) for head in heads]})


def _counts(rows: QuerySet[Any, Any]) -> list[dict[str, Any]]:
    return _rows(rows.annotate(count=Count("id")))


def _rows(rows: Iterable[Any]) -> list[dict[str, Any]]:
    """Fetch the rows of a `values` query."""
    return list(rows)
