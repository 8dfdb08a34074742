"""What a demo room has filed: schedules and games, in force since before any round of a demo."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from cardroom.filings import services
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.people.models import Staff
from cardroom.rooms.models import Room
from fees.printed import printed_schedules

_EFFECTIVE_FROM = datetime.date(2025, 1, 1)


def schedules_seed(room: Room, by: Staff, *, rulebook: str = "california") -> list[FeeSchedule]:
    """File the schedules that `rulebook` prints as a demo room's own; a number it has already stays."""
    seeded = [
        schedule_seed(room, by, number, document, rulebook=rulebook)
        for number, document in printed_schedules(rulebook)
    ]
    return [filed for filed in seeded if filed is not None]


def schedule_seed(
    room: Room,
    by: Staff,
    number: int,
    document: dict[str, Any],
    *,
    rulebook: str = "california",
    title: str = "",
) -> FeeSchedule | None:
    """File `document` as a demo room's own schedule of that number; None where the room has the number already."""
    if FeeSchedule.objects.filter(room=room, number=number).exists():
        return None
    return services.file_at_once(
        FeeSchedule(room=room, number=number, document=document, rulebook=rulebook, title=title),
        by=by,
        effective_from=_EFFECTIVE_FROM,
        state_reference=f"demo option {number}",
    )


def games_seed(room: Room, by: Staff, *, rulebook: str = "california") -> GameFiling:
    """File `rulebook` with its options as they are as a demo room's game 1; one that is filed already stays."""
    filed = GameFiling.objects.filter(room=room, number=1).exclude(status=GameFiling.Status.DRAFT)
    return filed.first() or game_seed(room, by, 1, rulebook=rulebook)


def game_seed(
    room: Room,
    by: Staff,
    number: int,
    *,
    rulebook: str = "california",
    options: Mapping[str, Any] | None = None,
    rotation: str = "",
    title: str = "",
) -> GameFiling:
    """File a game as a demo room's own of that number."""
    new = GameFiling(
        room=room, number=number, rulebook=rulebook, options=options or {}, rotation=rotation, title=title
    )
    return services.file_at_once(
        new, by=by, effective_from=_EFFECTIVE_FROM, state_reference=f"demo game {number}"
    )
