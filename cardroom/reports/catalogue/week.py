"""Table of the last gaming days for the compliance page: what somebody should look at, day by day.

Counts alone, from the index of rounds by shift; the report of exceptions names each of them.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections import Counter
from typing import Final

from django.db.models import Count, Q

from cardroom.floor.models import Alert, Round, Shift, Waiver
from cardroom.rooms.models import Room

#: How many gaming days are shown, the present one included.
DAYS: Final = 7


@dataclasses.dataclass(frozen=True)
class DayOfRounds:
    """A gaming day: rounds, those void, corrections, waivers of fees, and alerts raised for a broken rotation."""

    day: datetime.date
    rounds: int
    voids: int
    corrections: int
    waivers: int
    broken_rotations: int

    @property
    def is_quiet(self) -> bool:
        """Whether the day has none of what the report of exceptions lists."""
        return not (self.voids or self.corrections or self.waivers or self.broken_rotations)


def last_days(room: Room, today: datetime.date, days: int = DAYS) -> list[DayOfRounds]:
    """Return the last `days` gaming days up to `today` on which a shift was open, the latest first."""
    first = today - datetime.timedelta(days=days - 1)
    shifts = dict(
        Shift.objects.filter(room=room, gaming_day__range=(first, today)).values_list("pk", "gaming_day")
    )
    by_shift = (
        Round.objects.filter(shift__in=list(shifts))
        .order_by()
        .values_list("shift")
        .annotate(
            rounds=Count("pk", filter=Q(corrects__isnull=True)),
            voids=Count("pk", filter=Q(state=Round.State.VOID)),
            corrections=Count("pk", filter=Q(corrects__isnull=False)),
        )
    )
    rounds: Counter[datetime.date] = Counter()
    voids: Counter[datetime.date] = Counter()
    corrections: Counter[datetime.date] = Counter()
    for shift, *counted in by_shift:
        for counter, number in zip((rounds, voids, corrections), counted, strict=True):
            counter[shifts[shift]] += number
    waivers = Counter(
        Waiver.objects.filter(
            room=room, round__gaming_day__range=(first, today), withdrawn_at__isnull=True
        ).values_list("round__gaming_day", flat=True)
    )
    broken = _broken_rotations(room, list(shifts))
    return [
        DayOfRounds(day, rounds[day], voids[day], corrections[day], waivers[day], broken[day])
        for day in sorted(set(shifts.values()), reverse=True)
    ]


def _broken_rotations(room: Room, shifts: list[int]) -> Counter[datetime.date]:
    """Count the alerts of a broken rotation by the gaming day of the shift that was open when they came."""
    kept = list(Shift.objects.filter(pk__in=shifts).order_by("opened_at"))
    found: Counter[datetime.date] = Counter()
    if not kept:
        return found
    raised = Alert.objects.filter(
        room=room, kind=Alert.Kind.ROTATION_BROKEN, raised_at__gte=kept[0].opened_at
    ).values_list("raised_at", flat=True)
    for instant in raised:
        shift = next((each for each in reversed(kept) if each.opened_at <= instant), None)
        if shift is not None:
            found[shift.gaming_day] += 1
    return found
