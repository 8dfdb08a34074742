"""Simulates a table's game in one shift, command by command: people come and go, the bank goes round, rounds are settled.

The floor waives the fees of some short-handed rounds, and time is collected where seats pay by the clock. And what goes
wrong now and then: a round is voided, a wager was entered wrongly and is corrected, a bank runs out, and once in a while
a bank plays on where it should have been offered.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import functools
import random
from collections.abc import Iterator, Sequence
from typing import Any

from cardroom.floor.alerts import alert_clear, alert_raise, open_alerts
from cardroom.floor.commands.alerts import alert_acknowledge
from cardroom.floor.commands.bank import answer_record, offer_answer, offers_ask_again, turn_end, turn_renew
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.expiry import Expired, expiry_override, refusal_alert
from cardroom.floor.commands.racks import rack_hand_over
from cardroom.floor.commands.round_steps import open_round
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_void
from cardroom.floor.commands.seats import down_end, down_start, guest_seat, player_leave, player_seat
from cardroom.floor.commands.waivers import fee_waive
from cardroom.floor.commands.watch import clock_account
from cardroom.floor.errors import NotNow
from cardroom.floor.models import Alert, Offer, Round, Turn
from cardroom.floor.reads.table_state import TableState
from cardroom.floor.settling.waiver_rules import why_rule_ends
from cardroom.inbox.commands.disputes import dispute_open
from cardroom.people.models import Player, Staff
from cardroom.people.permits import local_day
from fees.document import PLAYER, WaiverRule
from games.rotation.eligibility import terms_asked

from .charges import limits_of
from .collector import Collector
from .correction import correction_drawn
from .ending import Entry, entries_after_deal
from .habits import answer_drawn, bank_wager, bet_drawn
from .mishaps import CLAIMS, Mishap, Mishaps
from .people import Guest
from .plan import Stay, TableDay
from .table import PlayedTable

Instant = datetime.datetime
#: One decision in so many goes against a player's better knowledge.
_SLIPS = 40
#: One round in so many.
_VOIDS, _CORRECTIONS = 280, 420
#: One round in so many to which a published waiver applies has its fees waived.
_WAIVERS = 3
_WHY_WAIVED = ("Game about to break", "Waiting for players to come back", "Keeping the table open")
#: What a provider's rack holds as it is handed over, in cents.
_RACK = 1_845_000
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

    `dealing` are the ids of the dealers who have a down at some table of the room. With `mishaps` what goes otherwise are these;
    `reliefs` are providers' players whom nobody expects at a table that day.
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
        mishaps: Mishaps | None = None,
        guests: int = 0,
        reliefs: Sequence[Guest] = (),
    ) -> None:
        self.table = table
        self.day = day
        self.crew = crew
        self.chance = chance
        self.pace = pace
        self.dealing = dealing
        self.breaks_limit = breaks_limit
        self.mishaps = mishaps
        self.one_guest_in = guests
        self.reliefs = reliefs
        #: Before this round nothing else goes wrong.
        self.smooth_until = 6
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
            self._turn_away(now)
            self._rack_handed_over(leavings, now)
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
        try:
            self.table.give(down_start, self.crew.floor, now, dealer_id=dealer.pk)
        except Expired as refused:
            refusal_alert(self.table.by(self.crew.floor, now), refused)
            self._answer_alert(Alert.Kind.PERMIT_EXPIRED, "Receipt of the renewal seen", now)
            self.table.give(
                expiry_override,
                self.crew.manager,
                now,
                dealer_id=dealer.pk,
                reason="Renewal receipt of the county seen; the new permit is in the mail",
            )
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
            if player.provider_id is None and self._is_guest():
                seated = self.table.give(guest_seat, self._dealer(now), now, seat=stay.seat)
                unknown = Guest(Player.objects.get(pk=seated["player"]), stay.guest.habits)
                known, stay = stay, dataclasses.replace(stay, guest=unknown)
                self.day.stays[self.day.stays.index(known)] = stay  # who sits there in the next shift
            else:
                self.table.give(player_seat, self._dealer(now), now, seat=stay.seat, player_id=player.pk)
            self.guests[stay.seat], leavings[stay.seat] = stay.guest, stay

    def _is_guest(self) -> bool:
        """Whether somebody comes whom the room does not know by name."""
        return self.one_guest_in > 0 and self.chance.randrange(self.one_guest_in) == 0

    def _turn_away(self, now: Instant) -> None:
        """A provider's player whose badge has expired asks for a free seat, and does not get it."""
        if self.mishaps is None or not self.mishaps.is_due(Mishap.EXPIRED_BADGE):
            return
        state = self.table.state(now)
        here = {sitting.player.provider_id for sitting in state.seatings.values()}
        free = set(range(1, state.rulebook.seats + 1)) - set(state.seatings)
        day = local_day(self.table.table.room, now)
        comes = next(
            (
                player
                for player in Player.objects.filter(
                    room=self.table.table.room, provider__isnull=False, badge_expires__lt=day
                ).order_by("pk")
                if player.provider_id not in here
            ),
            None,
        )
        if comes is None or not free or state.down is None:
            return
        with contextlib.suppress(NotNow):
            try:
                self.table.give(player_seat, self._dealer(now), now, seat=min(free), player_id=comes.pk)
            except Expired as refused:
                refusal_alert(self.table.by(self._dealer(now), now), refused)
                self._answer_alert(Alert.Kind.PERMIT_EXPIRED, "Sent home; their lead was called", now)
                self.mishaps.happens(Mishap.EXPIRED_BADGE)

    def _rack_handed_over(self, leavings: dict[int, Stay], now: Instant) -> None:
        """A provider's player hands the rack over to another one, who goes on at the seat: they count it, and the floor witnesses."""
        if self.mishaps is None or not self.mishaps.is_due(Mishap.RACK_HANDED_OVER) or not self.reliefs:
            return
        state = self.table.state(now)
        reliefs = {guest.player.pk: guest for guest in self.reliefs}
        for seat, sitting in state.seatings.items():
            of = sitting.player.provider_id
            takes = (
                Player.objects.filter(pk__in=reliefs, provider=of, provider__isnull=False)
                .order_by("pk")
                .first()
            )
            if takes is None or seat not in leavings or not self._goes_wrong(Mishap.RACK_HANDED_OVER):
                continue
            counted = {"seat": seat, "to_player_id": takes.pk, "cents": _RACK, "approver": self.crew.floor}
            self.table.give(rack_hand_over, self._dealer(now), now, **counted)
            relieved, stay = leavings[seat], dataclasses.replace(leavings[seat], guest=reliefs[takes.pk])
            self.day.stays[self.day.stays.index(relieved)] = stay  # who sits there in the next shift
            self.guests[seat], leavings[seat] = stay.guest, stay
            return

    def _answer_alert(self, kind: Alert.Kind, note: str, now: Instant) -> None:
        """Let the floor answer the alert that was raised last."""
        raised = Alert.objects.filter(table=self.table.table, kind=kind).latest("pk")
        self.table.give(alert_acknowledge, self.crew.floor, now, alert_id=raised.pk, note=note)

    def _goes_wrong(self, mishap: Mishap) -> bool:
        """Whether a mishap that is due happens now: not one right after the other, nor as a table has just opened."""
        if self.mishaps is None or self.rounds < self.smooth_until or not self.mishaps.happens(mishap):
            return False
        self.smooth_until = self.rounds + 7
        return True

    def _void(self) -> Mishap | None:
        """Which void this round comes to, if any."""
        if self.mishaps is None:
            if self.chance.randrange(_VOIDS):
                return None
            return Mishap.VOID_BEFORE_DEAL if self.chance.randrange(3) == 0 else Mishap.VOID_AFTER_DEAL
        voids = (Mishap.VOID_BEFORE_DEAL, Mishap.VOID_AFTER_DEAL)
        return next((void for void in voids if self._goes_wrong(void)), None)

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
                self._offer(state, dealer, now, step.seat)
            elif step.kind == "renew" and (state.unasked or self.chance.randrange(10) > 0):
                # Where others are not eligible, nobody could take a bank that was given up.
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

    def _offer(self, state: TableState, dealer: Staff, now: Instant, seat: int) -> None:
        """Offer the bank to the seat that is next, unless the dealer makes a mistake."""
        others = [other for other in state.seatings if other != seat and other not in state.unasked]
        others = [other for other in others if state.turn is None or other != state.turn.seat]
        if state.profile.has_eligibility:
            if self._goes_wrong(Mishap.PASSED_OVER):
                term = min(terms_asked(state.profile))
                ineligible = str(Offer.Answer.INELIGIBLE)
                self.table.give(offer_answer, dealer, now, seat=seat, answer=ineligible, reason=term)
                return
        elif not state.offers and len(others) > 1 and self._goes_wrong(Mishap.OUT_OF_ORDER):
            # The command refuses it; so this simulates an answer that came in another way.
            tx = self.table.by(dealer, now)
            with tx.moving_on():
                answer_record(tx, tx.state(), others[-1], Offer.Answer.DECLINED, "")
            return
        answer = answer_drawn(self.chance, self.guests[seat].habits)
        self.table.give(offer_answer, dealer, now, seat=seat, answer=answer)

    def _breaks_limit(self, state: TableState) -> bool:
        """Once, where a bank has played as long as a turn goes: the dealer forgets to offer."""
        if state.turn is None or state.offers:
            return False
        if self.mishaps is not None:
            return not state.profile.has_eligibility and self._goes_wrong(Mishap.OVER_LIMIT)
        if not self.breaks_limit or self.rounds < 20:
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
        voided = self._void()
        if voided is Mishap.VOID_BEFORE_DEAL:
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
        if voided is not None:
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
        self._claimed(round_, ended)
        if self._is_corrected():
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

    def _is_corrected(self) -> bool:
        if self.mishaps is None:
            return self.chance.randrange(_CORRECTIONS) == 0
        return self._goes_wrong(Mishap.CORRECTION)

    def _correct(self, round_id: int, now: Instant) -> None:
        """The floor mends a wager of the round that was just settled; a shift manager signs."""
        round_ = Round.objects.get(pk=round_id)
        tries = 1 if self.mishaps is None else 20  # what is to happen is drawn until it can
        drawn = (correction_drawn(self.chance, round_, self.limits) for _ in range(tries))
        if (mended := next((each for each in drawn if each is not None), None)) is not None:
            self.table.give(round_correct, self.crew.floor, now, **mended, approver=self.crew.manager)

    def _claimed(self, round_: Round, ended: Instant) -> None:
        """A player claims something of the round that has just ended; the floor takes it down."""
        mishap = next((each for each in CLAIMS if self._goes_wrong(each)), None)
        if mishap is not None:
            now, seat = ended + datetime.timedelta(seconds=2), round_.bets[0]["seat"]
            claimed = {"claim": CLAIMS[mishap], "round_id": round_.pk, "seat": seat}
            self.table.give(dispute_open, self.crew.floor, now, **claimed)

    def _limit_noticed(self, now: Instant) -> Instant:
        """The clock sees that a bank has played past its turn, the floor answers it; return when the game goes on."""
        kind = Alert.Kind.ROTATION_BROKEN
        seen = now + datetime.timedelta(seconds=20)
        turn = self.table.state(seen).turn
        assert turn is not None  # a round was banked
        text = f"{turn.player.ref} has banked {turn.in_a_row} rounds in a row; the bank goes round after {turn.in_a_row - 1}."
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
