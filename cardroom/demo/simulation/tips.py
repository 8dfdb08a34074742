"""Simulates the tips of a shift: what dealers hand in, a runner's hours, and the sheet by which it is shared out."""

from __future__ import annotations

import datetime
import random

from cardroom.demo.tips import TIP_RULE
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Down, Shift
from cardroom.people.models import Staff
from cardroom.rooms.models import Room
from cardroom.tips.commands.entries import hours_enter, tips_hand_in
from cardroom.tips.commands.rules import pool_rule_set
from cardroom.tips.commands.sheets import pool_close
from cardroom.tips.models import PoolRule
from cardroom.tips.reads.pools import pool_made

from .people import People

#: What a dealer is given by hand in a down, in dollars: mostly little.
_DOLLARS = (0, 0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 22)
_RUNNER_MINUTES = (180, 240, 300, 360, 420)


class TipBox:
    """Who hands in tips in a room, and who shares them out. Commands are given at instants that only go on."""

    def __init__(self, room: Room, people: People, chance: random.Random) -> None:
        self.room = room
        self.people = people
        self.chance = chance

    def agree(self, day: datetime.date, now: datetime.datetime) -> None:
        """Let the demo's rule hold from `day` on; one that stands stays."""
        if PoolRule.objects.filter(room=self.room).exists():
            return
        pool_rule_set.run(
            RoomTransaction.at_instant(self.room, self.people.room_manager, now),
            **TIP_RULE,
            effective_from=day,
        )

    def hand_in(self, shift: Shift, now: datetime.datetime, floor: Staff) -> None:
        """Hand in what the dealers of the shift were given in their downs, and enter the runner's hours."""
        downs = Down.objects.filter(
            room=self.room, started_at__gte=shift.opened_at, started_at__lt=now
        ).exclude(dealer=floor)
        for down in downs.order_by("started_at", "pk"):
            if dollars := self.chance.choice(_DOLLARS):
                tips_hand_in.run(
                    RoomTransaction.at_instant(self.room, floor, now),
                    shift_id=shift.pk,
                    dealer_id=down.dealer_id,
                    cents=100 * dollars,
                    down_id=down.pk,
                )
        hours_enter.run(
            RoomTransaction.at_instant(self.room, floor, now),
            shift_id=shift.pk,
            staff_id=self.people.runner.pk,
            minutes=self.chance.choice(_RUNNER_MINUTES),
            work="chip runner",
        )

    def share_out(self, shift: Shift, now: datetime.datetime) -> None:
        """Close the sheet of a shift that is over."""
        shift.refresh_from_db()
        total_cents = pool_made(shift, now).total_cents
        pool_close.run(
            RoomTransaction.at_instant(self.room, self.people.manager, now),
            shift_id=shift.pk,
            total_cents=total_cents,
        )
