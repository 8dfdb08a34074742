"""Who collects time at a simulated table, and when: soon after a period has begun, and now and then late or wrongly."""

from __future__ import annotations

import datetime
import random

from cardroom.floor.acts.watch import house_clock, time_overdue
from cardroom.floor.models import Alert, TimeCollection
from cardroom.floor.seat_time import TimeDue
from cardroom.people.models import Staff

from .scribe import Scribe

Instant = datetime.datetime
#: Seconds after a period has begun at which time is collected; one time in so many it is late by minutes.
_SECONDS, _LATE, _LATE_SECONDS = (20, 170), 20, (380, 700)
#: One collection in so many leaves a seat out, whose player is away from it for so many seconds.
_LEFT_OUT, _AWAY_SECONDS = 25, (240, 720)
#: One collection in so many is taken back and made anew.
_TAKEN_BACK = 30
_WHY_TAKEN_BACK = (
    "Entered before the chips were put up",
    "Chips of a seat counted wrong; put up anew",
    "Entered twice over at the neighbouring table; looked at on video",
)
_NOTES = ("Time collected", "Chip runner sent to the table", "Dealer reminded; time collected")


class Collector:
    """Collects time at the table of `scribe`, by the dealer; `floor` answers the alert where it is late."""

    def __init__(self, scribe: Scribe, floor: Staff, chance: random.Random) -> None:
        self.scribe = scribe
        self.floor = floor
        self.chance = chance
        self.period = -1
        self.goes_at: Instant | None = None
        self.wrong: TimeCollection | None = None

    def look(self, dealer: Staff, now: Instant, *, between_rounds: bool) -> None:
        """Do at `now` what the clock asks for: collect what is due, or let the floor be told that nobody has."""
        rate = self.scribe.rate
        if rate is None:
            return
        seconds = 60 * rate.minutes
        period = int(now.timestamp()) // seconds
        if period != self.period:
            begun = datetime.datetime.fromtimestamp(period * seconds, tz=datetime.UTC)
            late = self.chance.randrange(_LATE) == 0
            self.period, self.goes_at = period, self._after(begun, _LATE_SECONDS if late else _SECONDS)
        if self.wrong is not None and between_rounds:
            self._take_back(dealer, now)
        elif self.goes_at is not None:
            dues = self.scribe.time_due(now)
            self.watch(dues, now)
            if self.goes_at <= now:
                self.goes_at = None
                if dues:
                    self._collect(dealer, dues, now)

    def watch(self, dues: list[TimeDue], now: Instant) -> None:
        """What the house clock would see: time that nobody has collected, or that it is owed no more."""
        alert = self.scribe.alerts.get(Alert.Kind.TIME_DUE)
        holds = alert is not None and alert.cleared_at is None
        says = time_overdue(dues, now)
        if says and not holds:
            self.scribe.alert_raise(house_clock(), now, kind=Alert.Kind.TIME_DUE, says=says)
        elif holds and not says:
            self.scribe.alert_clear(house_clock(), now, kind=Alert.Kind.TIME_DUE)

    def _collect(self, dealer: Staff, dues: list[TimeDue], now: Instant) -> None:
        alert, chance = self.scribe.alerts.get(Alert.Kind.TIME_DUE), self.chance
        if alert is not None and alert.acknowledged_at is None and chance.randrange(10) > 0:
            self.scribe.alert_acknowledge(
                self.floor, now, kind=Alert.Kind.TIME_DUE, note=chance.choice(_NOTES)
            )
        seats = [due.seat for due in dues]
        if len(seats) > 1 and chance.randrange(_LEFT_OUT) == 0:
            seats.remove(chance.choice(seats))
            self.scribe.time_collect(dealer, now, seats=seats)
            self.goes_at = self._after(now, _AWAY_SECONDS)
            return
        collected = self.scribe.time_collect(dealer, now)
        if dealer != self.floor and chance.randrange(_TAKEN_BACK) == 0:
            self.wrong = collected

    def _take_back(self, dealer: Staff, now: Instant) -> None:
        assert self.wrong is not None  # whoever takes back has something to
        if dealer == self.floor:
            return  # nobody takes back and approves it
        self.scribe.time_take_back(
            dealer,
            now,
            collection=self.wrong,
            reason=self.chance.choice(_WHY_TAKEN_BACK),
            approver=self.floor,
        )
        self.wrong, self.goes_at = None, self._after(now, _SECONDS)

    def _after(self, instant: Instant, seconds: tuple[int, int]) -> Instant:
        return instant + datetime.timedelta(seconds=self.chance.uniform(*seconds))
