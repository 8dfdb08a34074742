"""Simulates a table's game in one shift, command by command: people come and go, the bank goes round, rounds are settled.

The floor waives the fees of some short-handed rounds, and time is collected where seats pay by the clock. And what goes
wrong now and then: a round is voided, a wager was entered wrongly and is corrected, a bank runs out, and once in a while
a bank plays on where it should have been offered.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import random
from collections.abc import Iterator
from typing import Any

from cardroom.floor.alerts import alert_clear, alert_raise, open_alerts
from cardroom.floor.commands.alerts import alert_acknowledge
from cardroom.floor.commands.bank import offer_answer, offers_ask_again, turn_end, turn_renew
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.round_steps import open_round
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_void
from cardroom.floor.commands.seats import down_end, down_start, player_leave, player_seat
from cardroom.floor.commands.waivers import fee_waive
from cardroom.floor.commands.watch import clock_account
from cardroom.floor.models import Alert, Round, Turn
from cardroom.floor.reads.table_state import TableState
from cardroom.floor.settling.waiver_rules import why_rule_ends
from cardroom.people.models import Staff
from fees.document import PLAYER, WaiverRule
from games.registry import game_of

from .charges import limits_of
from .collector import Collector
from .ending import Entry, entries_after_deal
from .habits import answer_drawn, bank_wager, bet_drawn
from .people import Guest
from .plan import Stay, TableDay
from .table import PlayedTable

Instant = datetime.datetime
#: One decision in so many goes against a player's better knowledge.
_SLIPS = 40
#: One round in so many.
_VOIDS, _CORRECTIONS = 280, 420
_WHY_CORRECTED = (
    "{main} entered wrong; seen on video",
    "Chips of the {main} counted wrong at the table",
    "Player's {main} was keyed in as last round's",
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

    `dealing` are the ids of the dealers who have a down at some table of the room.
    """

    def __init__(
        self,
        table: PlayedTable,
        day: TableDay,
        crew: Crew,
        chance: random.Random,
        pace: Pace,
        *,
        dealing: set[int],
        breaks_limit: bool = False,
    ) -> None:
        self.table = table
        self.day = day
        self.crew = crew
        self.chance = chance
        self.pace = pace
        self.dealing = dealing
        self.breaks_limit = breaks_limit
        schedule = table.table.schedule
        self.waivers = () if schedule is None else schedule.schedule.waivers
        self.limits = limits_of(table.table)
        self.collector = Collector(table, crew.floor, chance)
        self.guests: dict[int, Guest] = {}
        self.rounds = 0
        self.last_begins = day.closes
        #: Whether the floor has an alert of a bank that ran out before it.
        self.alerted = False

    def play(self, since: Instant, until: Instant) -> Iterator[Instant]:
        """Play from `since` to `until`; give the instant at which the game goes on each time others may act before it."""
        arrivals = [stay for stay in self.day.stays if since <= stay.since < until]
        seatings = self.table.state(since).seatings
        leavings = {
            stay.seat: stay
            for stay in self.day.stays
            if stay.since < since
            and (sitting := seatings.get(stay.seat)) is not None
            and sitting.player_id == stay.guest.player.pk
        }
        self.guests = {seat: stay.guest for seat, stay in leavings.items()}
        downs = [down for down in self.day.downs if since <= down[0] < until]
        now = since
        # The last round ends in its shift: the dealer looks at the clock.
        self.last_begins = until - datetime.timedelta(seconds=1.3 * self.pace.seconds)
        while now < self.last_begins:
            while downs and downs[0][0] <= now and downs[0][1].pk not in self.dealing:
                self._down(now, downs.pop(0)[1])
            self.collector.look(self._dealer(now), now, between_rounds=True)
            self._leave(leavings, now)
            self._arrive(arrivals, leavings, now)
            now = self._next(now, [at for at, _ in downs[:1]], arrivals, leavings)
            yield now
        if (down := self.table.state(until).down) is not None:
            # The dealers of a shift go home with it.
            self.dealing.discard(down.dealer_id)
            self.table.give(down_end, self.crew.floor, until)

    def _down(self, now: Instant, dealer: Staff) -> None:
        if (down := self.table.state(now).down) is not None:
            self.dealing.discard(down.dealer_id)
        self.dealing.add(dealer.pk)
        self.table.give(down_start, self.crew.floor, now, dealer_id=dealer.pk)

    def _leave(self, leavings: dict[int, Stay], now: Instant) -> None:
        for seat in [seat for seat, stay in leavings.items() if stay.until <= now]:
            del leavings[seat], self.guests[seat]
            self.table.give(player_leave, self._dealer(now), now, seat=seat)

    def _arrive(self, arrivals: list[Stay], leavings: dict[int, Stay], now: Instant) -> None:
        while arrivals and arrivals[0].since <= now:
            stay = arrivals.pop(0)
            if stay.until <= now or stay.seat in self.table.state(now).seatings:
                continue
            player = stay.guest.player
            self.table.give(player_seat, self._dealer(now), now, seat=stay.seat, player_id=player.pk)
            self.guests[stay.seat], leavings[stay.seat] = stay.guest, stay

    def _next(
        self, now: Instant, downs: list[Instant], arrivals: list[Stay], leavings: dict[int, Stay]
    ) -> Instant:
        """Play a round if one can be played, and return when what comes next may begin."""
        state = self.table.state(now)
        if len(state.seatings) >= 2 and state.down is not None:
            now, somebody = self._bank(now)
            if somebody:
                return self._round(now) if now < self.last_begins else now
        coming = [*downs, *(stay.since for stay in arrivals[:1]), *(stay.until for stay in leavings.values())]
        later = now + datetime.timedelta(minutes=2)
        return max(now + datetime.timedelta(seconds=5), min([later, *coming]))

    def _dealer(self, now: Instant) -> Staff:
        down = self.table.state(now).down
        return self.crew.floor if down is None else down.dealer

    # -- The bank ----------------------------------------------------------------------------------------------------

    def _bank(self, now: Instant) -> tuple[Instant, bool]:
        """Carry the bank round; return when that was done, and whether a player banks."""
        table, dealer = self.table, self._dealer(now)
        for _ in range(40):
            state = table.state(now)
            step = state.step
            if step.kind == "keep":
                return now, True
            if step.kind == "offer" and step.seat is not None:
                if self._breaks_limit(state):
                    return now, True
                answer = answer_drawn(self.chance, self.guests[step.seat].habits)
                table.give(offer_answer, dealer, now, seat=step.seat, answer=answer)
            elif step.kind == "renew" and self.chance.randrange(10) > 0:
                table.give(turn_renew, dealer, now)
            elif step.kind == "renew":
                table.give(turn_end, dealer, now)
            elif step.kind == "vacant" and state.offers:
                table.give(offers_ask_again, dealer, now)
                break
            else:
                break
            now += datetime.timedelta(seconds=self._seconds(0.02, 0.05))
        return now, False

    def _breaks_limit(self, state: TableState) -> bool:
        """Once, where a proposition player has banked as long as a turn goes: the dealer forgets to offer."""
        if not self.breaks_limit or state.turn is None or self.rounds < 20 or state.offers:
            return False
        self.breaks_limit = False
        return True

    # -- Rounds ------------------------------------------------------------------------------------------------------

    def _round(self, now: Instant) -> Instant:
        """Play one round from `now` on, and return when the next one may begin."""
        table, dealer, chance = self.table, self._dealer(now), self.chance
        state = table.state(now)
        turn = state.turn
        assert turn is not None  # _bank has seen to it
        bets = list(self._bets(state, turn))
        if not bets:
            return now + datetime.timedelta(seconds=self._seconds(0.5, 1))
        past_limit = state.step.kind != "keep"
        habits = self.guests[turn.seat].habits
        began, marks = now, self._marks(now, dealer)
        self._open(dealer, next(marks), bank_wager(habits, self.limits, state.terms), past_limit=past_limit)
        table.give(bets_place, dealer, next(marks), positions=bets)
        voided = chance.randrange(_VOIDS) == 0
        if voided and chance.randrange(3) == 0:
            reason = "Player called away; wagers withdrawn before the deal"
            table.give(round_void, dealer, next(marks), reason=reason, approver=self.crew.floor)
            return self._over(began, next(marks))
        closed = next(marks)
        if (waived := self._rule_for(bets)) is not None and chance.randrange(_WAIVERS) == 0:
            why = chance.choice(_WHY_WAIVED)
            table.give(fee_waive, dealer, closed, rule=waived.key, reason=why, approver=self.crew.floor)
        table.give(bets_close, dealer, closed, action_seat=self._action_seat(state, bets))
        table.give(round_deal, dealer, next(marks))
        ended = next(marks)
        if voided:
            reason = chance.choice(state.rulebook.void_reasons).name
            table.give(round_void, dealer, ended, reason=reason, approver=self.crew.manager)
            return self._over(began, ended)
        live = functools.partial(self._live, ended)
        round_ = live()
        for entry in entries_after_deal(chance, round_, live, slips=_SLIPS):
            answer = table.give(entry.command, dealer, ended, **entry.arguments)
            if entry.ends:
                self.alerted |= _ran_out(entry, answer)
            else:
                ended += datetime.timedelta(seconds=self._seconds(0.03, 0.06))
        if self.alerted and chance.randrange(10) > 0:
            self._answer(ended + datetime.timedelta(seconds=self._seconds(0.02, 0.04)))
        if past_limit:
            return self._limit_noticed(ended)
        if chance.randrange(_CORRECTIONS) == 0:
            self._correct(round_.pk, ended + datetime.timedelta(seconds=self._seconds(0.05, 0.08)))
        return self._over(began, ended)

    def _open(self, dealer: Staff, now: Instant, bank_wager_cents: int, *, past_limit: bool) -> None:
        if not past_limit:
            self.table.give(round_open, dealer, now, bank_wager_cents=bank_wager_cents)
            return
        # The command refuses it; so this simulates a round that came in another way.
        tx = self.table.by(dealer, now)
        with tx.moving_on():
            open_round(tx, tx.state(), bank_wager_cents, "bank_wager_cents", Round.Source.STEPS)

    def _answer(self, now: Instant) -> None:
        """Let the floor answer the alert of a bank that ran out."""
        alert = open_alerts(self.table.table).get(kind=Alert.Kind.BANK_EXHAUSTED)
        note = self.chance.choice(_NOTES)
        self.table.give(alert_acknowledge, self.crew.floor, now, alert_id=alert.pk, note=note)
        self.alerted = False

    def _rule_for(self, bets: list[dict[str, Any]]) -> WaiverRule | None:
        """A published waiver that holds for a round with these wagers and names no seat, if there is one."""
        for rule in self.waivers:
            if rule.covers != PLAYER and why_rule_ends(rule, bets) is None:
                return rule
        return None

    def _live(self, now: Instant) -> Round:
        """The round in play."""
        live = self.table.state(now).live
        assert live is not None  # it was dealt and has not ended
        return live

    def _action_seat(self, state: TableState, bets: list[dict[str, Any]]) -> int | None:
        """Where the action starts by the dice, if the game says so."""
        if not state.rulebook.named_start:
            return None
        seat: int = self.chance.choice(bets)["seat"]
        return seat

    def _bets(self, state: TableState, turn: Turn) -> Iterator[dict[str, Any]]:
        for seat in state.seatings:
            if seat != turn.seat and (
                bet := bet_drawn(self.chance, self.guests[seat].habits, seat, state.terms, self.limits)
            ):
                yield bet

    def _marks(self, now: Instant, dealer: Staff) -> Iterator[Instant]:
        """When each step of a round comes: wager, bets, "no more bets", first card, settled."""
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

    def _correct(self, round_id: int, now: Instant) -> None:
        """The floor mends a wager of the round that was just settled; a shift manager signs."""
        round_ = Round.objects.get(pk=round_id)
        sheet = round_.sheet or {"positions": round_.bets}  # one that is not carded has no sheet
        equal = {spot.id for spot in round_.terms.spots if spot.equals is not None}
        positions: list[Any] = [
            {
                **position,
                "wagers": {wager: cents for wager, cents in position["wagers"].items() if wager not in equal},
            }
            for position in sheet["positions"]
        ]
        mended = self.chance.choice(positions)
        main = next(wager for wager in mended["wagers"] if wager in round_.terms.main)
        cents = mended["wagers"][main] + self.chance.choice((-500, 500, 1000))
        least, most = self.limits
        if cents < least or (most is not None and cents > most):
            return
        if any(bet["seat"] == mended["seat"] for bet in round_.later_bets):
            return  # what was placed after the deal hangs on this wager
        mended["wagers"][main] = cents
        why = self.chance.choice(_WHY_CORRECTED).format(main=round_.book.wagers[main].name)
        self.table.give(
            round_correct,
            self.crew.floor,
            now,
            round_id=round_id,
            bank_wager_cents=round_.bank_wager_cents or 0,
            hands={hand.id: sheet[hand.id] for hand in game_of(round_.rulebook).deal(round_.terms).hands},
            positions=positions,
            action_seat=round_.action_seat,
            reason=why,
            approver=self.crew.manager,
        )

    def _limit_noticed(self, now: Instant) -> Instant:
        """The clock sees that a bank has played past its turn, the floor answers it; return when the game goes on."""
        kind = Alert.Kind.ROTATION_BROKEN
        seen = now + datetime.timedelta(seconds=20)
        turn = self.table.state(seen).turn
        assert turn is not None  # a round was banked
        text = f"{turn.player} has banked {turn.in_a_row} rounds in a row; the bank goes round after {turn.in_a_row - 1}."
        clock = clock_account()
        alert_raise(self.table.by(clock, seen), kind, "", text)
        raised = Alert.objects.filter(table=self.table.table, kind=kind).latest("pk")
        self.table.give(
            alert_acknowledge,
            self.crew.floor,
            seen + datetime.timedelta(seconds=25),
            alert_id=raised.pk,
            note="Dealer reminded; bank offered",
        )
        over = seen + datetime.timedelta(seconds=40)
        alert_clear(self.table.by(clock, over), kind)
        self.rounds += 1
        return over


def _ran_out(entry: Entry, answer: dict[str, Any]) -> bool:
    """Whether the bank ran out in the round that this entry ended."""
    if "settlement" in answer:
        return bool(answer["settlement"]["bank"]["exhausted"])
    return entry.arguments["ran_out"] is not None
