"""What a shift report is made from: read from the database in a fixed number of queries, and hashed."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum

from cardroom.core.canonical import canonical_hash
from cardroom.documents import formatting
from cardroom.floor.journal import Head
from cardroom.floor.models import Offer, Round, Shift, Table, Turn
from games.rotation.profile import HOUSE_BANKS

from .consecutive_rounds import Run, runs_over_limit
from .tie_out import Fault, TieOutSums, ways_read
from .trays import contributions_read, trays_read


@dataclasses.dataclass(frozen=True, kw_only=True)
class Inputs:
    """Everything that a report's figures are made from, as plain data in a fixed order.

    Names of people, rooms and tables are left out: they may change, and what was added up does not hang on
    them.
    """

    shift: dict[str, Any]
    rounds: list[dict[str, Any]]
    bank_fees: list[dict[str, Any]]
    corrections: list[dict[str, Any]]
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
            "opened_at": instant(shift.opened_at),
            "closed_at": instant(shift.closed_at),
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
        corrections=_corrections(played),
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


def _corrections(played: QuerySet[Round]) -> list[dict[str, Any]]:
    """The corrections among `played`, and by how many cents each changes the columns of the round it corrects."""
    columns = (
        *("total_table_action_cents", "player_fees_cents", "bank_fee_cents", "tokes_cents"),
        *("taken_cents", "paid_cents", "uncovered_cents", "rake_cents"),
    )
    rows = played.filter(corrects__isnull=False).order_by()
    named = rows.values(
        *("table", "id", "gaming_day", "number", "revision", "corrects", "corrects__shift"),
        "correction_reason",
        **{f"changed_{column}": F(column) - F(f"corrects__{column}") for column in columns},
    )
    # Not in the database's order: SQLite would walk through all rounds of a table to have it.
    in_order = sorted(named, key=itemgetter("table", "id"))
    return [{**row, "gaming_day": row["gaming_day"].isoformat()} for row in in_order]


def inputs_hash(inputs: Inputs, heads: Iterable[Head]) -> str:
    """Return the hex SHA-256 of `inputs` and chain heads as canonical JSON (sorted keys, no blanks)."""
    return canonical_hash(
        {"inputs": dataclasses.asdict(inputs), "heads": [dataclasses.asdict(head) for head in heads]}
    )


def instant(at: datetime.datetime | None) -> str | None:
    """Return an instant as a report writes it: ISO 8601, UTC, ending in `Z`."""
    return None if at is None else formatting.instant(at)


def _counts(rows: QuerySet[Any, Any]) -> list[dict[str, Any]]:
    return _rows(rows.annotate(count=Count("id")))


def _rows(rows: Iterable[Any]) -> list[dict[str, Any]]:
    """Fetch the rows of a `values` query."""
    return list(rows)
