"""Simulates time collection at a table: soon after a period has begun, and now and then late or wrongly."""

from __future__ import annotations

import datetime
import random

from django.db.models import QuerySet

from cardroom.floor.alerts import alert_clear, alert_raise, open_alerts
from cardroom.floor.commands.alerts import alert_acknowledge
from cardroom.floor.commands.seat_time import time_collect, time_take_back
from cardroom.floor.commands.watch import clock_account, time_overdue
from cardroom.floor.models import Alert
from cardroom.floor.seat_time import TimeDue, rate_by, time_due
from cardroom.people.models import Staff

from .table import PlayedTable

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
    """Collects time at `table`, by the dealer; `floor` answers the alert where it is late."""

    def __init__(self, table: PlayedTable, floor: Staff, chance: random.Random) -> None:
        self.table = table
        self.floor = floor
        self.chance = chance
        filed = table.table.schedule
        #: What the table collects by time, which is not set anew while it is open.
        self.rate = None if filed is None else rate_by(filed.schedule)
        self.period = -1
        self.goes_at: Instant | None = None
        #: Whether the alert holds that time was not collected.
        self.alerted = self._alerts().filter(cleared_at__isnull=True).exists()
        #: The id of a collection that is to be taken back.
        self.wrong: int | None = None

    def look(self, dealer: Staff, now: Instant, *, between_rounds: bool) -> None:
        """Do at `now` what the clock asks for: collect what is due, or let the floor be told that it was not."""
        if self.rate is None:
            return
        seconds = 60 * self.rate.minutes
        period = int(now.timestamp()) // seconds
        if period != self.period:
            begun = datetime.datetime.fromtimestamp(period * seconds, tz=datetime.UTC)
            late = self.chance.randrange(_LATE) == 0
            self.period, self.goes_at = period, self._after(begun, _LATE_SECONDS if late else _SECONDS)
        if self.wrong is not None and between_rounds:
            self._take_back(dealer, self.wrong, now)
        elif self.goes_at is not None:
            dues = time_due(self.table.state(now))
            self.watch(dues, now)
            if self.goes_at <= now:
                self.goes_at = None
                if dues:
                    self._collect(dealer, dues, now)

    def watch(self, dues: list[TimeDue], now: Instant) -> None:
        """What the clock account would see: time that was not collected, or that it is owed no more."""
        text = time_overdue(dues, now)
        if text:
            alert_raise(self.table.by(clock_account(), now), Alert.Kind.TIME_DUE, "", text)
        elif self.alerted:
            alert_clear(self.table.by(clock_account(), now), Alert.Kind.TIME_DUE)
        self.alerted = bool(text)

    def _alerts(self) -> QuerySet[Alert]:
        return open_alerts(self.table.table).filter(kind=Alert.Kind.TIME_DUE)

    def _collect(self, dealer: Staff, dues: list[TimeDue], now: Instant) -> None:
        chance, alert = self.chance, None
        if self.alerted:
            alert = self._alerts().first()
        if alert is not None and alert.acknowledged_at is None and chance.randrange(10) > 0:
            note = chance.choice(_NOTES)
            self.table.give(alert_acknowledge, self.floor, now, alert_id=alert.pk, note=note)
        seats = [due.seat for due in dues]
        if len(seats) > 1 and chance.randrange(_LEFT_OUT) == 0:
            seats.remove(chance.choice(seats))
            self.table.give(time_collect, dealer, now, seats=seats)
            self.goes_at = self._after(now, _AWAY_SECONDS)
            return
        collected = self.table.give(time_collect, dealer, now)
        self.alerted = False
        if dealer != self.floor and chance.randrange(_TAKEN_BACK) == 0:
            self.wrong = collected["collection"]

    def _take_back(self, dealer: Staff, collection_id: int, now: Instant) -> None:
        if dealer == self.floor:
            return  # no one takes back and approves the same command
        self.table.give(
            time_take_back,
            dealer,
            now,
            collection_id=collection_id,
            reason=self.chance.choice(_WHY_TAKEN_BACK),
            approver=self.floor,
        )
        self.wrong, self.goes_at = None, self._after(now, _SECONDS)

    def _after(self, instant: Instant, seconds: tuple[int, int]) -> Instant:
        return instant + datetime.timedelta(seconds=self.chance.uniform(*seconds))
