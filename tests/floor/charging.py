"""Schedules of structures beside those of the rule document, filed in a room and set at its table."""

from __future__ import annotations

import datetime
from typing import Any

from cardroom.filings import services
from cardroom.filings.models import FeeSchedule
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Round
from tests.cast import Cast
from tests.fees.documents import band, bank, jackpot, player, timed, waiver, with_head
from tests.filing import schedule_draft, table_settings

#: Players $1, the bank by bands; three rules by which fees may be waived, and half a dollar an ante for the jackpot.
WAIVING = with_head(
    lines=[
        player(100),
        band(500, 10000, 100),
        band(10100, None, 200),
        jackpot("player", "ante", 50),
    ],
    waivers=[
        waiver("first_hand", "player", title="First hand"),
        waiver("short_handed", "all", title="Short-handed", most_positions=2),
        waiver("bank_free", "bank", title="Bank goes free"),
        waiver("promotion", "players", title="Promotion"),
        waiver("half", "bank", title="Half", portion_cents=50),
    ],
)
#: $6.50 a half hour and seat, and half a dollar a round of the bank.
TIMED = with_head(lines=[timed("half_hour", 650), bank("round", 50)])


def filed(cast: Cast, document: dict[str, Any], number: int = 9) -> FeeSchedule:
    """File `document` as schedule `number` of the room, in force since the beginning of 2025."""
    by = cast.people["room_manager"]
    draft = schedule_draft(room=cast.room, number=number, document=document, by=by)
    return services.file(draft, by=by, effective_from=datetime.date(2025, 1, 1), state_reference="test")


def charge(cast: Cast, document: dict[str, Any], number: int = 9) -> FeeSchedule:
    """File `document` and set the table to it."""
    schedule = filed(cast, document, number)
    cast.send(
        table_set,
        "floor",
        **table_settings(cast.room, rulebook="california", options={}, schedule_id=schedule.pk),
    )
    return schedule


def live() -> Round:
    return Round.objects.get(ended_at__isnull=True)
