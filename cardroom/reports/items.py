"""Kinds of items that reports compute: rounds that were not played on what is filed, and rounds settled that the rules void."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cardroom.floor.commands.watch import clock_account
from cardroom.floor.models import Round
from cardroom.inbox.kinds import Finding, ItemKind, Stretch

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
            figures={"first": each.first, "last": each.last, "rounds": each.rounds, "why": each.why},
            evidence={"round": each.first_id},
        )


def _off_file_says(figures: Mapping[str, Any]) -> str:
    first, last, rounds = figures["first"], figures["last"], figures["rounds"]
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
    day = stretch.shift.gaming_day
    return ReportQuery(
        room=stretch.room,
        first=day,
        last=day,
        shift=stretch.shift,
        staff=clock_account(),
        now=stretch.until,
    )


REPORT_ITEMS: Final = (
    ItemKind(code="off_file", name="Off file", find=_off_file, says=_off_file_says, by_shift=True),
    ItemKind(
        code="settled_void",
        name="Settled though void",
        find=_settled_void,
        says=_settled_void_says,
        by_shift=True,
    ),
)
