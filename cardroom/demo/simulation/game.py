"""A table's game in one shift, act by act: people come and go, the bank goes round, rounds are dealt and settled.

The floor waives the fees of some short-handed rounds, and time is collected where seats pay by the clock. And what goes wrong now and then: a round is voided, a wager was
entered wrongly and is corrected, a bank runs out, and once in a while a bank plays on where it should have been offered.
"""

from __future__ import annotations

import dataclasses
import datetime
import random
from collections.abc import Iterator
from typing import Any

from cardroom.floor.acts.alerts import alert_acknowledge
from cardroom.floor.acts.commands import AtTable
from cardroom.floor.acts.corrections import round_correct
from cardroom.floor.acts.watch import house_clock
from cardroom.floor.alerts import alert_clear, alert_raise
from cardroom.floor.models import Alert, Round
from cardroom.floor.waiver_rules import why_rule_ends
from cardroom.people.models import Staff
from fees.document import PLAYER, WaiverRule

from .charges import limits_of
from .collector import Collector
from .habits import answer_drawn, bank_wager, bet_drawn, hands_drawn
from .people import Guest
from .plan import Stay, TableDay
from .scribe import Scribe

Instant = datetime.datetime
Worked = dict[int, list[tuple[Instant, Instant]]]
#: One round in so many.
_VOIDS, _CORRECTIONS = 280, 420
_VOID_REASONS = (
    "Wrong number of cards dealt",
    "More than one card face up",
    "Shuffler failed",
    "Wrong number of cards in the deck",
)
_WHY_CORRECTED = (
    "Ante entered wrong; seen on video",
    "Chips of the ante counted wrong at the table",
    "Player's ante was keyed in as last round's",
)
#: One round in so many to which a published waiver applies has its fees waived.
_WAIVERS = 3
_WHY_WAIVED = ("Game about to break", "Waiting for players to come back", "Keeping the table open")
_NOTES = ("Spoken with the bank", "Uncovered wagers given back, players told", "Bank asked to put up more")


@dataclasses.dataclass
class Pace:
    """How fast a table plays: `rounds_per_hour` at the most, as far as players and bank let it."""

    rounds_per_hour: int

    @property
    def seconds(self) -> float:
        return 3600 / self.rounds_per_hour


@dataclasses.dataclass(frozen=True)
class Crew:
    """Who works at the table besides its dealers; `floor` in this shift."""

    floor: Staff
    manager: Staff


class Game:
    """The game at one table in one shift, at `pace`; `breaks_limit` lets one bank play past its limit.

    `worked` has by the id of a dealer the downs of the shift so far, at whichever table: when each began and ended.
    """

    def __init__(
        self,
        scribe: Scribe,
        day: TableDay,
        crew: Crew,
        chance: random.Random,
        pace: Pace,
        *,
        worked: Worked,
        breaks_limit: bool = False,
    ) -> None:
        self.scribe = scribe
        self.day = day
        self.crew = crew
        self.chance = chance
        self.pace = pace
        self.worked = worked
        self.breaks_limit = breaks_limit
        schedule = scribe.table.schedule
        self.waivers = () if schedule is None else schedule.schedule.waivers
        self.limits = limits_of(scribe.table)
        self.collector = Collector(scribe, crew.floor, chance)
        self.guests: dict[int, Guest] = {}
        self.rounds = 0
        self.last_begins = day.closes

    def play(self, since: Instant, until: Instant) -> int:
        """Play from `since` to `until` and write it all down; return how many rounds there were."""
        arrivals = [stay for stay in self.day.stays if since <= stay.since < until]
        leavings = {
            stay.seat: stay
            for stay in self.day.stays
            if stay.since < since
            and (sitting := self.scribe.seatings.get(stay.seat)) is not None
            and sitting.player_id == stay.guest.player.pk
        }
        self.guests = {seat: stay.guest for seat, stay in leavings.items()}
        downs = [down for down in self.day.downs if since <= down[0] < until]
        now = since
        # The last round ends in its shift: whoever deals looks at the clock.
        self.last_begins = until - datetime.timedelta(seconds=1.3 * self.pace.seconds)
        while now < self.last_begins:
            while downs and downs[0][0] <= now and self._is_free(downs[0][1], now):
                self._down(now, downs.pop(0)[1])
            self.collector.look(self._dealer(), now, between_rounds=True)
            self._leave(leavings, now)
            self._arrive(arrivals, leavings, now)
            now = self._next(now, [at for at, _ in downs[:1]], arrivals, leavings)
        if self.scribe.down is not None:
            # The dealers of a shift go home with it.
            self._relieved(until)
            self.scribe.down_end(self.crew.floor, until)
        self.scribe.flush()
        return self.rounds

    def _is_free(self, dealer: Staff, now: Instant) -> bool:
        """Whether a dealer deals nowhere: the round in which they should have been relieved may have gone on."""
        return all(ended <= now for began, ended in self.worked.get(dealer.pk, ()) if began <= now)

    def _down(self, now: Instant, dealer: Staff) -> None:
        self._relieved(now)
        self.scribe.down_start(self.crew.floor, now, dealer=dealer)

    def _relieved(self, now: Instant) -> None:
        if (down := self.scribe.down) is not None:
            self.worked.setdefault(down.dealer_id, []).append((down.started_at, now))

    def _leave(self, leavings: dict[int, Stay], now: Instant) -> None:
        for seat in [seat for seat, stay in leavings.items() if stay.until <= now]:
            del leavings[seat], self.guests[seat]
            self.scribe.player_leave(self._dealer(), now, seat=seat)

    def _arrive(self, arrivals: list[Stay], leavings: dict[int, Stay], now: Instant) -> None:
        while arrivals and arrivals[0].since <= now:
            stay = arrivals.pop(0)
            if stay.until <= now or stay.seat in self.scribe.seatings:
                continue
            self.scribe.player_seat(self._dealer(), now, seat=stay.seat, player=stay.guest.player)
            self.guests[stay.seat], leavings[stay.seat] = stay.guest, stay

    def _next(
        self, now: Instant, downs: list[Instant], arrivals: list[Stay], leavings: dict[int, Stay]
    ) -> Instant:
        """Play a round if one can be played, and return when what comes next may begin."""
        if len(self.scribe.seatings) >= 2 and self.scribe.down is not None:
            now, somebody = self._bank(now)
            if somebody:
                return self._round(now) if now < self.last_begins else now
        coming = [*downs, *(stay.since for stay in arrivals[:1]), *(stay.until for stay in leavings.values())]
        later = now + datetime.timedelta(minutes=2)
        return max(now + datetime.timedelta(seconds=5), min([later, *coming]))

    def _dealer(self) -> Staff:
        return self.crew.floor if self.scribe.down is None else self.scribe.down.dealer

    # -- The bank ----------------------------------------------------------------------------------------------------

    def _bank(self, now: Instant) -> tuple[Instant, bool]:
        """Carry the bank round; return when that was done, and whether somebody banks."""
        scribe, dealer = self.scribe, self._dealer()
        for _ in range(40):
            step = scribe.step(now)
            if step.kind == "keep":
                return now, True
            if step.kind == "offer" and step.seat is not None:
                if self._breaks_limit():
                    return now, True
                answer = answer_drawn(self.chance, self.guests[step.seat].habits)
                scribe.offer_answer(dealer, now, seat=step.seat, answer=answer)
            elif step.kind == "renew" and self.chance.randrange(10) > 0:
                scribe.turn_renew(dealer, now)
            elif step.kind == "renew":
                scribe.turn_end(dealer, now)
            elif step.kind == "vacant" and scribe.offers:
                scribe.offers_ask_again(dealer, now)
                break
            else:
                break
            now += datetime.timedelta(seconds=self._seconds(0.02, 0.05))
        return now, False

    def _breaks_limit(self) -> bool:
        """Once, where a proposition player has banked as long as a turn goes: the dealer forgets to offer."""
        turn = self.scribe.turn
        if not self.breaks_limit or turn is None or self.rounds < 20 or self.scribe.offers:
            return False
        self.breaks_limit = False
        return True

    # -- Rounds ------------------------------------------------------------------------------------------------------

    def _round(self, now: Instant) -> Instant:
        """Play one round from `now` on, and return when the next one may begin."""
        scribe, dealer, chance = self.scribe, self._dealer(), self.chance
        bets = list(self._bets())
        if not bets:
            return now + datetime.timedelta(seconds=self._seconds(0.5, 1))
        turn = scribe.turn
        assert turn is not None  # _bank has seen to it
        over = turn.in_a_row >= (scribe.view(now).profile.offer_after_rounds or turn.in_a_row + 1)
        habits = self.guests[turn.seat].habits
        began, marks = now, self._marks(now)
        scribe.round_open(dealer, next(marks), bank_wager_cents=bank_wager(habits, self.limits))
        scribe.bets_place(dealer, next(marks), positions=bets)
        voided = chance.randrange(_VOIDS) == 0
        if voided and chance.randrange(3) == 0:
            reason = "Player called away; wagers withdrawn before the deal"
            scribe.round_void(dealer, next(marks), reason=reason, approver=self.crew.floor)
            return self._over(began, next(marks))
        closed = next(marks)
        if (waived := self._rule_for(bets)) is not None and chance.randrange(_WAIVERS) == 0:
            why = chance.choice(_WHY_WAIVED)
            scribe.fee_waive(dealer, closed, rule=waived.key, reason=why, approver=self.crew.floor)
        scribe.bets_close(dealer, closed)
        scribe.round_deal(dealer, next(marks))
        ended = next(marks)
        if voided:
            reason = chance.choice(_VOID_REASONS)
            scribe.round_void(dealer, ended, reason=reason, approver=self.crew.manager)
            return self._over(began, ended)
        bank_hand, positions = hands_drawn(chance, bets)
        round_ = scribe.round_settle(dealer, ended, bank_hand=bank_hand, positions=positions)
        alert = scribe.alerts.get(Alert.Kind.BANK_EXHAUSTED)
        if alert is not None and alert.acknowledged_at is None and chance.randrange(10) > 0:
            seen = ended + datetime.timedelta(seconds=self._seconds(0.02, 0.04))
            note = chance.choice(_NOTES)
            scribe.alert_acknowledge(self.crew.floor, seen, kind=Alert.Kind.BANK_EXHAUSTED, note=note)
        if over:
            return self._limit_noticed(ended)
        if chance.randrange(_CORRECTIONS) == 0:
            self._correct(round_, ended + datetime.timedelta(seconds=self._seconds(0.05, 0.08)))
        return self._over(began, ended)

    def _rule_for(self, bets: list[dict[str, Any]]) -> WaiverRule | None:
        """A published waiver that holds for a round with these wagers and names no seat, if there is one."""
        for rule in self.waivers:
            if rule.covers != PLAYER and why_rule_ends(rule, bets) is None:
                return rule
        return None

    def _bets(self) -> Iterator[dict[str, Any]]:
        turn, limits = self.scribe.turn, self.limits
        assert turn is not None  # _bank has seen to it
        for seat in self.scribe.seatings:
            if seat != turn.seat and (bet := bet_drawn(self.chance, self.guests[seat].habits, seat, limits)):
                yield bet

    def _marks(self, now: Instant) -> Iterator[Instant]:
        """When each step of a round comes: wager, bets, "no more bets", first card, settled."""
        dealer = self._dealer()
        for least, most in ((0.0, 0.02), (0.12, 0.2), (0.04, 0.08), (0.02, 0.04), (0.35, 0.55)):
            now += datetime.timedelta(seconds=self._seconds(least, most))
            self.collector.look(dealer, now, between_rounds=False)
            yield now

    def _over(self, began: Instant, ended: Instant) -> Instant:
        self.rounds += 1
        return max(
            ended + datetime.timedelta(seconds=self._seconds(0.08, 0.1)),
            began + datetime.timedelta(seconds=self._seconds(0.85, 1.15)),
        )

    def _seconds(self, least: float, most: float) -> float:
        """A stretch of time as a part of a round's, to the millisecond."""
        return round(self.pace.seconds * self.chance.uniform(least, most), 3)

    def _correct(self, round_: Round, now: Instant) -> None:
        """The floor mends a wager of the round that was just settled; a shift manager signs."""
        sheet = round_.sheet
        assert sheet is not None  # a settled round has its sheet
        positions: list[Any] = [dict(position) for position in sheet["positions"]]
        mended = self.chance.choice(positions)
        ante = mended["wagers"]["ante"] + self.chance.choice((-500, 500, 1000))
        least, most = self.limits
        if ante < least or (most is not None and ante > most):
            return
        mended["wagers"] = {**mended["wagers"], "ante": ante}
        self.scribe.flush()
        round_correct.inside(
            AtTable(table=self.scribe.table, actor=self.crew.floor, now=now),
            round_id=round_.pk,
            bank_wager_cents=round_.bank_wager_cents or 0,
            bank_hand=sheet["bank_hand"],
            positions=positions,
            reason=self.chance.choice(_WHY_CORRECTED),
            approver=self.crew.manager,
        )

    def _limit_noticed(self, now: Instant) -> Instant:
        """The clock sees that a bank has played past its turn, the floor answers it; return when the game goes on."""
        turn = self.scribe.turn
        assert turn is not None  # a round was banked
        self.scribe.flush()
        seen = now + datetime.timedelta(seconds=20)
        clock = AtTable(table=self.scribe.table, actor=house_clock(), now=seen)
        says = f"{turn.player} has banked {turn.in_a_row} rounds in a row; the bank goes round after {turn.in_a_row - 1}."
        alert_raise(clock, Alert.Kind.ROTATION_BROKEN, "", says)
        raised = Alert.objects.filter(table=self.scribe.table, kind=Alert.Kind.ROTATION_BROKEN).latest("pk")
        alert_acknowledge.inside(
            AtTable(
                table=self.scribe.table, actor=self.crew.floor, now=seen + datetime.timedelta(seconds=25)
            ),
            alert_id=raised.pk,
            note="Dealer reminded; bank offered",
        )
        clock.now = seen + datetime.timedelta(seconds=40)
        alert_clear(clock, Alert.Kind.ROTATION_BROKEN)
        self.rounds += 1
        return clock.now
