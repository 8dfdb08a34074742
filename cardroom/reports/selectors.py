"""Reading reports, and what the database says is due."""

from __future__ import annotations

import datetime

from django.db.models import Exists, OuterRef

from cardroom.floor.errors import WhyNot
from cardroom.floor.models import Errand, Round, Shift

from .models import ShiftReport


def report_of(shift: Shift) -> ShiftReport | None:
    """Return the report of a shift that stands, restated or not, or None while it has not been made."""
    return ShiftReport.objects.filter(shift=shift).order_by("-revision").first()


def reports_of(shift: Shift) -> list[ShiftReport]:
    """Return every report of a shift as made, the first first; all but the last are superseded."""
    return list(ShiftReport.objects.filter(shift=shift).select_related("shift", "room").order_by("revision"))


def reports_due(now: datetime.datetime) -> list[int]:
    """Return the ids of shifts closed by `now` without a report or a round still in play, oldest first.

    Left out are those whose errand has failed: when that is tried again, it says itself.
    """
    in_play = Round.objects.filter(shift=OuterRef("pk"), state=Round.State.DEALT)
    failed = Errand.objects.filter(shift=OuterRef("pk"), done_at__isnull=True, tries__gt=0)
    due = Shift.objects.filter(closed_at__lte=now, reports__isnull=True)
    due = due.exclude(Exists(in_play)).exclude(Exists(failed))
    return list(due.order_by("closed_at", "pk").values_list("pk", flat=True))


def why_not_report(shift: Shift) -> WhyNot | None:
    """A report is made of a closed shift whose rounds have all ended."""
    if shift.closed_at is None:
        return WhyNot("shift_open", f"{shift} is open. Its report is made when it has been closed.")
    in_play = (
        Round.objects.filter(shift=shift, state=Round.State.DEALT)
        .select_related("table")
        .order_by("table", "pk")
        .first()
    )
    if in_play is not None:
        return WhyNot(
            "rounds_in_play",
            f"{in_play} is still in play and belongs to {shift}. Settle it or void it first.",
        )
    return None
