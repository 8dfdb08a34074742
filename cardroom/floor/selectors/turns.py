"""Turns at the bank with the offers that led to them: the evidence that the position was offered (ruling 40)."""

from __future__ import annotations

import dataclasses

from django.db.models import Prefetch

from ..models import Offer, Round, Table, Turn


@dataclasses.dataclass
class Run:
    """One run of offers around the table, in the order made, and the turn that came of it, if one did."""

    cycle: int
    offers: list[Offer]
    turn: Turn | None = None
    #: Rounds of the turn, settled and void, the first first.
    rounds: list[Round] = dataclasses.field(default_factory=list)


def runs_of(table: Table, *, before: int | None = None, most: int = 30) -> tuple[list[Run], int | None]:
    """Return the latest runs of `table`, the latest first, at most `most` turns of them, in four queries.

    `before` reads on: only runs of cycles below it. The second value is where to read on, None at the end.
    """
    # A turn that began by mistake was none; the answer that began it stands in its run as withdrawn.
    turns = Turn.objects.filter(table=table).exclude(ended_why=Turn.Ended.MISTAKE).order_by("-cycle", "-id")
    offers = Offer.objects.filter(table=table).order_by("id")
    offers = offers.select_related("player", "recorded_by", "withdrawal__withdrawn_by")
    if before is not None:
        turns, offers = turns.filter(cycle__lt=before), offers.filter(cycle__lt=before)
    played = Round.objects.defer("sheet", "settlement", "bets").filter(corrects__isnull=True).order_by("id")
    found = list(
        turns.select_related("player").prefetch_related(Prefetch("played", queryset=played))[: most + 1]
    )
    onward = found[most - 1].cycle if len(found) > most else None
    found = found[:most]
    if onward is not None:
        offers = offers.filter(cycle__gte=onward)
    runs: dict[int, Run] = {}
    for offer in offers:
        runs.setdefault(offer.cycle, Run(offer.cycle, [])).offers.append(offer)
    for turn in found:
        run = runs.setdefault(turn.cycle, Run(turn.cycle, []))
        run.turn, run.rounds = turn, list(turn.played.all())
    return sorted(runs.values(), key=lambda run: run.cycle, reverse=True), onward
