"""The cast, whose dealers are tipped: rounds with tips, hand-ins, hours and the sheet of a shift."""

from __future__ import annotations

import datetime
from typing import Any

from django.utils import timezone

from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.seats import down_start
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Round, Shift
from cardroom.people.models import Staff
from cardroom.rooms.gaming_day import gaming_day
from cardroom.tips.commands.entries import hours_enter, tips_hand_in
from cardroom.tips.commands.rules import pool_rule_set
from cardroom.tips.commands.sheets import pool_close
from cardroom.tips.reads.earned import tips_brought
from cardroom.tips.reads.pools import Pool, pool_of
from tests.cast import BANK_HAND, HANDS, Cast


class TipRoom(Cast):
    """The cast, a second dealer and a chip runner among it."""

    @property
    def shift(self) -> Shift:
        return Shift.objects.filter(room=self.room).latest("pk")

    def tipped(self, seat: int = 5, tip_cents: int = 500, ante_cents: int = 1000) -> Round:
        """Play a round in which the tip on a seat's ante wins even money: twice the tip goes to the tip box.

        The bank at seat 3 has two of them in its turn.
        """
        answer = self.send(
            round_record,
            "floor",
            sheet={
                "rulebook": "california",
                "bank": {"seat": 3, "wager": 100_000},
                "bank_hand": BANK_HAND,
                "positions": [
                    {
                        "seat": seat,
                        "player": self.players[seat].name,
                        "hand": HANDS[seat],
                        "wagers": {"ante": ante_cents},
                        "tips": {"ante": tip_cents},
                        "decision": "play",
                    }
                ],
            },
        )
        return Round.objects.get(pk=answer["round"])

    def relieve(self, dealer: Staff) -> None:
        """Let another dealer take the table over."""
        self.send(down_start, "floor", dealer_id=dealer.pk)

    def hand_in(self, dealer: Staff, cents: int, **more: Any) -> dict[str, Any]:
        return self.send_room(
            tips_hand_in, "floor", shift_id=self.shift.pk, dealer_id=dealer.pk, cents=cents, **more
        )

    def hours(self, minutes: int, staff: Staff | None = None) -> dict[str, Any]:
        return self.send_room(
            hours_enter,
            "floor",
            shift_id=self.shift.pk,
            staff_id=(staff or self.people["support"]).pk,
            minutes=minutes,
            work="chip runner",
        )

    def today(self, days: int = 0) -> datetime.date:
        return gaming_day(self.room, timezone.now()) + datetime.timedelta(days=days)

    def rule(self, **terms: Any) -> dict[str, Any]:
        """Make a rule from today; without terms, a pool by hours of which nothing goes to support staff."""
        fields = {
            "title": "House pool",
            "sharing": "hours",
            "support": "none",
            "effective_from": self.today(),
        }
        return self.send_room(pool_rule_set, "room_manager", **{**fields, **terms})

    def pool(self) -> Pool:
        """The pool of the shift, whose total is what closing the shift says of its tips."""
        pool = pool_of(self.shift, timezone.now())
        assert tips_brought(self.shift) == pool.total_cents
        return pool

    def close_shift(self) -> None:
        self.send_room(shift_close, confirmed=True, shift_id=self.shift.pk)

    def close_pool(self, total_cents: int | None = None) -> dict[str, Any]:
        total = self.pool().total_cents if total_cents is None else total_cents
        return self.send_room(pool_close, shift_id=self.shift.pk, total_cents=total)
