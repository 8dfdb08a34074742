"""Kinds of items that reports compute: rounds that were not played on what is filed, and rounds settled that the rules void."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils import timezone

from cardroom.floor.commands.watch import clock_account
from cardroom.floor.models import Round, Shift
from cardroom.inbox.kinds import Finding, ItemKind, Stretch
from cardroom.inbox.models import Item

from .catalogue.irregularities import settled_though_void
from .catalogue.off_file import off_file
from .queries.query import ReportQuery


def _off_file(stretch: Stretch) -> Iterator[Finding]:
    """Runs of rounds of a shift that lack the same, by the first of them."""
    query = _query(stretch)
    found = off_file(query)
    firsts = Round.objects.select_related("dealer").in_bulk([each.first_id for each in found])
    for each in found:
        first = firsts[each.first_id]
        yield Finding(
            key=f"round {each.first_id}",
            at=first.bets_closed_at or first.opened_at,
            table=first.table_id,
            shift=first.shift_id,
            day=each.gaming_day,
            staff=(first.dealer_id,),
            figures={"first": each.first, "why": each.why},
            evidence={"round": each.first_id},
        )


def _off_file_stands(items: Sequence[Item]) -> dict[int, dict[str, Any]]:
    """How far the runs go that items are about, as they stand on record: one look at each shift."""
    of_shifts: dict[Shift, list[Item]] = defaultdict(list)
    for item in items:
        if item.shift is not None:
            of_shifts[item.shift].append(item)
    stands: dict[int, dict[str, Any]] = {}
    for shift, those in of_shifts.items():
        runs = {each.first_id: each for each in off_file(_query_of(shift, timezone.now()))}
        for item in those:
            if run := runs.get(item.evidence["round"]):
                stands[item.pk] = {"last": run.last, "rounds": run.rounds}
    return stands


def _off_file_says(figures: Mapping[str, Any]) -> str:
    first = figures["first"]
    last, rounds = figures.get("last", first), figures.get("rounds", 1)
    which = f"Round {first}" if rounds == 1 else f"{rounds} rounds, {first} to {last}"
    return f"{which} not played on what is filed: {figures['why']}."


def _settled_void(stretch: Stretch) -> Iterator[Finding]:
    for round_, fact in settled_though_void(_query(stretch)):
        yield Finding(
            key=f"round {round_.pk}",
            at=round_.ended_at or round_.opened_at,
            table=round_.table_id,
            shift=round_.shift_id,
            day=round_.gaming_day,
            staff=(round_.dealer_id, fact.recorded_by_id),
            figures={"number": round_.number, "irregularity": fact.text, "clause": fact.clause},
            evidence={"round": round_.pk},
        )


def _settled_void_says(figures: Mapping[str, Any]) -> str:
    return f"Round {figures['number']} was settled although the rules void it: {figures['irregularity']}."


def _query(stretch: Stretch) -> ReportQuery:
    assert stretch.shift is not None  # both are found by shift
    return _query_of(stretch.shift, stretch.until)


def _query_of(shift: Shift, now: datetime.datetime) -> ReportQuery:
    day = shift.gaming_day
    return ReportQuery(room=shift.room, first=day, last=day, shift=shift, staff=clock_account(), now=now)


REPORT_ITEMS: Final = (
    ItemKind(
        code="off_file",
        name="Off file",
        find=_off_file,
        says=_off_file_says,
        by_shift=True,
        stands=_off_file_stands,
    ),
    ItemKind(
        code="settled_void",
        name="Settled though void",
        find=_settled_void,
        says=_settled_void_says,
        by_shift=True,
    ),
)
