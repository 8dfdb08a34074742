"""Corrects a round of the demo's last shift after its report: the report is restated, with what it showed beside what it shows now."""

from __future__ import annotations

import random

from django.utils import timezone

from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.models import Round, Shift
from cardroom.reports.shift.making import shift_report_make

from .demo_room import DemoClock, DemoRoom
from .simulation.charges import limits_of
from .simulation.correction import correction_drawn

SEED = 3


def report_restated(demo: DemoRoom) -> None:
    """Make the report of the last shift that is over, and then correct a round of it; a worker restates the report."""
    shift = Shift.objects.filter(room=demo.room, closed_at__isnull=False).order_by("closed_at").last()
    if shift is None:
        return
    shift_report_make(shift.pk)
    chance = random.Random(SEED)  # noqa: S311  # a demo's, no secret
    settled = Round.objects.filter(shift=shift, state=Round.State.SETTLED, revision=0, exhausted=False)
    for round_ in settled.select_related("table", "schedule").order_by("-ended_at"):
        if Round.objects.filter(corrects=round_).exists():
            continue
        if (mended := correction_drawn(chance, round_, limits_of(round_.table))) is not None:
            # At the instant of now: the report was made at that.
            demo.clock = DemoClock(timezone.now(), pace=0)
            demo.at(round_.table.number, "floor", round_correct, **mended, approver=demo.staff["manager"])
            return
