"""Days that a form takes: those between the ends that `cardroom.rooms.gaming_day` sets."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator

from cardroom.rooms.gaming_day import FIRST_DAY, LAST_DAY, why_no_day

#: Validators of a field.
DAYS = (
    MinValueValidator(FIRST_DAY, message=why_no_day(FIRST_DAY.replace(year=1))),
    MaxValueValidator(LAST_DAY, message=why_no_day(FIRST_DAY.replace(year=1))),
)
