"""The scribe of a table: writes down act after act in memory, and all of them at once.

Each act bears the name of the service that records it on a real floor, and what comes of it is the same rows: the
columns of a round, its transfers, procedures, alerts, the journal with its hashes (held together by
`tests/demo/test_scribe.py`, which plays one evening both ways). It differs in two things: it is told what time it
is, and it believes that the act may be done, for whoever plays has seen to that.

Between two `flush` nobody else may write at the table, and one scribe at a time holds unwritten rows.
"""

from __future__ import annotations

import datetime
from types import SimpleNamespace
from typing import Any, TypeVar

from django.db import models

from cardroom.floor import entries
from cardroom.floor.acts.commands import AtTable
from cardroom.floor.acts.decks import deal_facts
from cardroom.floor.acts.round_acts import exhausted_says
from cardroom.floor.acts.seat_time import time_take_back
from cardroom.floor.journal import entry_next
from cardroom.floor.ledger import Ledger
from cardroom.floor.models import (
    Alert,
    Down,
    JournalEntry,
    Offer,
    Procedure,
    Round,
    Seating,
    Shift,
    Table,
    TimeCollection,
    Transfer,
    Turn,
    Waiver,
)
from cardroom.floor.models.alerts import STANDING
from cardroom.floor.reads.table_care import Care, table_care
from cardroom.floor.reads.views import LastBank, TableView, last_bank_of, profile_of, table_view
from cardroom.floor.rows import Ids, rows_insert
from cardroom.floor.seat_time import TimeDue, collection_of, fee_of, movements_of, rate_of, seats_due
from cardroom.floor.settlement import fix_action, fix_fees, fix_settlement
from cardroom.floor.sheets import settled_sheet
from cardroom.people.models import Player, Staff
from cardroom.people.rights import roles_of
from cardroom.rooms.models import Room
from games.rotation import Step

Bet = dict[str, Any]
#: In the order in which rows may be written: each names none that comes after it.
_ORDER = (
    *(Seating, Down, Turn, Offer, Round, Waiver, TimeCollection, Transfer, Procedure, Alert),
    JournalEntry,
)
#: Rows that others name, or that go on after they were written: their ids are known beforehand.
_NUMBERED = (Seating, Down, Turn, Round, Waiver, TimeCollection, Alert)
#: Alerts that come and go with what is written down here.
_ALERTS = (Alert.Kind.BANK_EXHAUSTED, Alert.Kind.TIME_DUE)

Row = TypeVar("Row", bound=models.Model)


class _Movements(Ledger):
    """A ledger whose transfers are bare columns: there are twenty of them a round, and none is looked at again."""

    def row(self, **columns: Any) -> Any:
        return SimpleNamespace(pk=None, **columns)


class Scribe:
    """Keeps the book of one open table; `shift` is the one that is open."""

    def __init__(self, table: Table, shift: Shift, now: datetime.datetime) -> None:
        """Read the table as it stands at `now`.

        ValueError for a game whose rounds bring more than is written down here: stub counts, idle decks, a progressive.
        """
        self.table = table
        self.shift = shift
        self._ids: dict[type[models.Model], Ids] = {model: Ids(model) for model in _NUMBERED}
        self._new: dict[type[models.Model], list[Any]] = {model: [] for model in _ORDER}
        self._unwritten: set[tuple[type[models.Model], int]] = set()
        self._changed: dict[tuple[type[models.Model], int], models.Model] = {}
        self._roles: dict[int, str] = {}
        self._numbers: dict[datetime.date, int] = {}
        self._read(now)

    def _read(self, now: datetime.datetime) -> None:
        view = table_view(self.table, now)
        conduct = view.conduct
        if conduct.stub.every_rounds or conduct.inspection.after_idle or view.rulebook.progressive:
            raise ValueError(f"the scribe cannot write down rounds of {self.table.rulebook}")
        self.down = view.down
        self.seatings = view.seatings
        self.turn = view.turn
        self.last_bank = last_bank_of(self.table)
        self.offers = view.offers
        self.last = view.last
        self.live: Round | None = None
        self.waivers: list[Waiver] = []
        self.care = table_care(self.table, None, view.last, view.rulebook)
        self.rate = rate_of(view)
        found = Alert.objects.filter(STANDING, table=self.table, kind__in=_ALERTS)
        self.alerts = {Alert.Kind(alert.kind): alert for alert in found.select_related("acknowledged_by")}

    @property
    def room(self) -> Room:
        return self.table.room

    def view(self, now: datetime.datetime) -> TableView:
        """The table as it stands, unwritten acts included."""
        view = TableView(
            table=self.table,
            shift=self.shift,
            down=self.down,
            seatings=self.seatings,
            turn=self.turn,
            last_bank=None if self.turn is not None else self.last_bank,
            offers=self.offers,
            live=self.live,
            now=now,
        )
        view.last = self.last
        return view

    def step(self, now: datetime.datetime) -> Step:
        """Who must be offered the bank next."""
        return self.view(now).step

    # -- Seats and downs -------------------------------------------------------------------------------------------

    def player_seat(self, actor: Staff, now: datetime.datetime, *, seat: int, player: Player) -> None:
        """Seat a player."""
        sitting = self._add(
            Seating(room=self.room, table=self.table, seat=seat, player=player, seated_at=now)
        )
        self._journal(actor, now, "player_seat", entries.player_seated(sitting))
        self.seatings = dict(sorted({**self.seatings, seat: sitting}.items()))
        self._moved()

    def player_leave(self, actor: Staff, now: datetime.datetime, *, seat: int) -> None:
        """Let a player leave; a bank that leaves gives up its turn, and time that is owed is collected no more."""
        if gone := [due for due in self.time_due(now) if due.seat == seat]:
            self._journal(
                actor,
                now,
                "time_let_go",
                entries.time_gone([fee_of(due) for due in gone], "the player leaves"),
            )
        if self.turn is not None and self.turn.seat == seat:
            self._end_turn(actor, now, Turn.Ended.LEFT)
        sitting = self.seatings[seat]
        sitting.left_at = now
        self._change(sitting)
        self.seatings = {at: other for at, other in self.seatings.items() if at != seat}
        self._journal(actor, now, "player_leave", entries.player_left(sitting))
        self._moved()

    def down_start(self, actor: Staff, now: datetime.datetime, *, dealer: Staff) -> None:
        """Begin a dealer's down, ending the one that is open."""
        before = self.down
        if before is not None:
            before.ended_at = now
            self._change(before)
        self.down = self._add(Down(room=self.room, table=self.table, dealer=dealer, started_at=now))
        self._journal(actor, now, "down_start", entries.down_started(before, self.down))
        self._moved()

    def down_end(self, actor: Staff, now: datetime.datetime) -> None:
        """End the open down without a new one."""
        down = self.down
        assert down is not None  # whoever ends a down has one
        down.ended_at = now
        self._change(down)
        self.down = None
        self._journal(actor, now, "down_end", entries.down_ended(down))
        self._moved()

    # -- Time --------------------------------------------------------------------------------------------------------

    def time_due(self, now: datetime.datetime) -> list[TimeDue]:
        """What the seats owe by the clock; nobody where the table collects by the round."""
        return [] if self.rate is None else seats_due(self.rate, self.seatings, now)

    def time_collect(
        self, actor: Staff, now: datetime.datetime, *, seats: list[int] | None = None
    ) -> TimeCollection:
        """Collect the time that is due: of all seats that owe any, or of `seats` alone."""
        schedule = self.table.schedule
        assert schedule is not None  # whoever collects time has a schedule that says so
        dues = self.time_due(now)
        paying = [due for due in dues if seats is None or due.seat in seats]
        collected = self._add(
            collection_of(paying, table=self.table, shift=self.shift, schedule=schedule, actor=actor, now=now)
        )
        self._new[Transfer] += [SimpleNamespace(pk=None, **columns) for columns in movements_of(collected)]
        for due in paying:
            due.sitting.time_paid_to = due.begun[-1]
            self._change(due.sitting)
        carried = [due.seat for due in dues if due not in paying]
        self._journal(actor, now, "time_collect", entries.time_collected(collected, carried))
        if not carried:
            self.alert_clear(actor, now, kind=Alert.Kind.TIME_DUE)
        self._moved()
        return collected

    def time_take_back(
        self,
        actor: Staff,
        now: datetime.datetime,
        *,
        collection: TimeCollection,
        reason: str,
        approver: Staff,
    ) -> None:
        """Take a collection of time back whole: seats that are still taken by who paid owe again. Between rounds.

        It is rare, and done by the service itself.
        """
        self.flush()
        at = AtTable(table=self.table, actor=actor, now=now)
        time_take_back.inside(at, collection_id=collection.pk, reason=reason, approver=approver)
        for sitting in self.seatings.values():
            sitting.refresh_from_db(fields=["time_paid_to"])
        self._moved()

    # -- The bank --------------------------------------------------------------------------------------------------

    def offer_answer(self, actor: Staff, now: datetime.datetime, *, seat: int, answer: str) -> None:
        """Log the answer of a seat to the offer of the bank; accepting begins a turn."""
        why = self.step(now).reason
        offer = self._add(
            Offer(
                room=self.room,
                table=self.table,
                shift=self.shift,
                cycle=self.table.offer_cycle,
                after_turn=self.turn,
                seat=seat,
                player=self.seatings[seat].player,
                answer=answer,
                reason=why[:200],
                answered_at=now,
                recorded_by=actor,
            )
        )
        self._journal(actor, now, "offer_answer", entries.offer_answered(offer, why))
        self.offers = [*self.offers, offer]
        if answer == Offer.Answer.ACCEPTED:
            rounds_before = self._rounds_before(now, offer.player_id)
            if self.turn is not None:
                self._end_turn(actor, now, Turn.Ended.PASSED)
            self._begin_turn(actor, now, seat=seat, rounds_before=rounds_before)
        self._moved()

    def turn_renew(self, actor: Staff, now: datetime.datetime) -> None:
        """Begin a new turn of the last bank, after everybody else has declined."""
        assert self.turn is not None  # nobody renews a turn that there is none of
        seat = self.turn.seat
        rounds_before = self._rounds_before(now, self.turn.player_id)
        self._end_turn(actor, now, Turn.Ended.RENEWED)
        self._begin_turn(actor, now, seat=seat, renewed=True, rounds_before=rounds_before)
        self._moved()

    def turn_end(self, actor: Staff, now: datetime.datetime) -> None:
        """The bank gives up the position."""
        self._end_turn(actor, now, Turn.Ended.LEFT)
        self._moved()

    def offers_ask_again(self, actor: Staff, now: datetime.datetime) -> None:
        """Send the offers round again after everybody has declined."""
        self._new_cycle()
        self._journal(actor, now, "offers_ask_again", {"cycle": self.table.offer_cycle})
        self._moved()

    def _rounds_before(self, now: datetime.datetime, player_id: int) -> int:
        """The rounds in a row of whoever begins a turn now, as `TableView.rounds_before` has them."""
        view = self.view(now)
        view.last_bank = self.last_bank
        view.offers = [offer for offer in self.offers if offer.answer != Offer.Answer.ACCEPTED]
        return view.rounds_before(player_id)

    def _begin_turn(
        self, actor: Staff, now: datetime.datetime, *, seat: int, rounds_before: int, renewed: bool = False
    ) -> None:
        self.turn = self._add(
            Turn(
                room=self.room,
                table=self.table,
                shift=self.shift,
                player=self.seatings[seat].player,
                seat=seat,
                cycle=self.table.offer_cycle,
                renewed=renewed,
                rotation=profile_of(self.table).id,
                rounds_before=rounds_before,
                began_at=now,
            )
        )
        if self.last_bank is not None and self.last_bank.player == self.turn.player_id:
            self.last_bank = LastBank(self.turn.player_id, rounds_before)
        self._new_cycle()
        self._journal(actor, now, "turn_begin", entries.turn_began(self.turn))

    def _end_turn(self, actor: Staff, now: datetime.datetime, why: Turn.Ended) -> None:
        turn = self.turn
        assert turn is not None  # whoever ends a turn has looked
        turn.ended_at, turn.ended_why = now, why
        self._change(turn)
        self.alert_clear(actor, now, kind=Alert.Kind.BANK_EXHAUSTED)
        self.table.offers_start_after = turn.seat
        self._journal(actor, now, "turn_end", entries.turn_ended(turn))
        self.turn = None

    def _new_cycle(self) -> None:
        self.table.offer_cycle += 1
        self.offers = []

    # -- Rounds ----------------------------------------------------------------------------------------------------

    def round_open(self, actor: Staff, now: datetime.datetime, *, bank_wager_cents: int) -> None:
        """Open betting on a round of the turn, whose holder puts up `bank_wager_cents`."""
        turn, down = self.turn, self.down
        assert turn is not None  # whoever opens a round has seen to both
        assert down is not None
        self.live = Round(
            pk=self._ids[Round].next(),
            room=self.room,
            table=self.table,
            gaming_day=self.shift.gaming_day,
            number=self._next_number(),
            source=Round.Source.STEPS,
            dealer=down.dealer,
            turn=turn,
            bank_seat=turn.seat,
            bank_player=turn.player,
            bank_wager_cents=bank_wager_cents,
            game=self.table.game,
            rulebook=self.table.rulebook,
            options=self.table.sheet_options,
            rotation=profile_of(self.table).id,
            recording=self.table.recording,
            opened_at=now,
        )
        self._journal(actor, now, "round_open", entries.round_opened(self.live))
        self.alert_clear(actor, now, kind=Alert.Kind.BANK_EXHAUSTED)
        self._moved()

    def bets_place(self, actor: Staff, now: datetime.datetime, *, positions: list[Bet]) -> None:
        """Set the wagers of the round: `{"seat", "wagers", "tips"}` in cents, seat by seat."""
        round_ = self._live()
        placing = [
            {
                "seat": bet["seat"],
                "player": self.seatings[bet["seat"]].player.name,
                "wagers": dict(bet["wagers"]),
                "tips": dict(bet.get("tips") or {}),
            }
            for bet in positions
        ]
        round_.bets = sorted((bet for bet in placing if bet["wagers"]), key=lambda bet: bet["seat"])
        self._journal(actor, now, "bets_place", {"round": round_.pk, "before": [], "bets": placing})
        self._moved()

    def fee_waive(
        self,
        actor: Staff,
        now: datetime.datetime,
        *,
        rule: str,
        reason: str,
        seat: int | None = None,
        approver: Staff,
    ) -> None:
        """Waive fees of the round by a rule that the table's schedule publishes, at a supervisor's word."""
        schedule = self.table.schedule
        assert schedule is not None  # whoever waives a fee has seen its rule
        published = schedule.schedule.waiver(rule)
        assert published is not None
        waiver = self._add(
            Waiver(
                room=self.room,
                table=self.table,
                round=self._live(),
                schedule=schedule,
                rule=rule,
                title=published.title,
                covers=published.covers,
                seat=seat,
                reason=reason,
                made_at=now,
                recorded_by=actor,
                ordered_by=approver,
            )
        )
        self.waivers.append(waiver)
        self._journal(actor, now, "fee_waive", entries.fee_waived(waiver), reason)
        self._moved()

    def bets_close(self, actor: Staff, now: datetime.datetime) -> None:
        """Call "no more bets": quote and drop the fees."""
        round_ = self._live()
        round_.shift, round_.state, round_.bets_closed_at = self.shift, Round.State.DEALT, now
        fix_action(round_)
        if self.table.schedule is not None:
            fix_fees(round_, self.table.schedule, self.waivers)
        ledger = self._ledger(now)
        ledger.fees(round_.fees)
        self._new[Transfer] += ledger.rows
        self._journal(actor, now, "bets_close", entries.bets_closed(round_))
        self._moved()

    def round_deal(self, actor: Staff, now: datetime.datetime) -> None:
        """Note the first card and the deck that it came from."""
        round_ = self._live()
        care = self._care_in(round_)
        rows, said = deal_facts(AtTable(table=self.table, actor=actor, now=now), round_, care)
        for row in rows:
            self._add(row)
        self.care.deals[:] = [*(row for row in rows if row.kind == Procedure.Kind.DEALT), *self.care.deals][
            :1
        ]
        round_.dealt_at = now
        self._journal(actor, now, "round_deal", {"round": round_.pk, **said})
        self._moved()

    def round_settle(
        self, actor: Staff, now: datetime.datetime, *, bank_hand: str, positions: list[dict[str, Any]]
    ) -> Round:
        """Settle the round by its cards; `positions` is `{"seat", "hand", "decision"}` for each."""
        round_, turn = self._live(), self.turn
        assert turn is not None  # the round has its turn
        turn.rounds += 1
        self._change(turn)
        self.last_bank = LastBank(turn.player_id, turn.in_a_row)
        round_.turn_round, round_.state, round_.ended_at = turn.rounds, Round.State.SETTLED, now
        fix_settlement(round_, settled_sheet(round_, bank_hand, positions))
        assert round_.settlement is not None  # fix_settlement has seen to it
        ledger = self._ledger(now)
        for line in round_.settlement["lines"]:
            ledger.line(line)
        if round_.rake is not None:
            ledger.fees(round_.fees)
        self._new[Transfer] += ledger.rows
        self._journal(actor, now, "round_settle", entries.round_settled(round_))
        if round_.exhausted:
            self.alert_raise(actor, now, kind=Alert.Kind.BANK_EXHAUSTED, says=exhausted_says(turn, round_))
        return self._ended(round_)

    def round_void(self, actor: Staff, now: datetime.datetime, *, reason: str, approver: Staff) -> Round:
        """Void the round in play; its fees go back, after the deal where the room says so."""
        round_ = self._live()
        refund = round_.dealt_at is None or self.room.fees_on_void == Room.FeesOnVoid.REFUND
        if refund and round_.fees:
            ledger = self._ledger(now)
            ledger.refunds(round_.fees)
            self._new[Transfer] += ledger.rows
            round_.refunded_cents = sum(fee["cents"] for fee in round_.fees)
            round_.jackpot_refunded_cents = round_.jackpot_cents
        round_.state, round_.ended_at = Round.State.VOID, now
        round_.shift_id = round_.shift_id or self.shift.pk
        round_.void_reason, round_.voided_by, round_.void_approved_by = reason, actor, approver
        self._journal(actor, now, "round_void", entries.round_voided(round_, approver), reason)
        return self._ended(round_)

    def _ended(self, round_: Round) -> Round:
        self._new[Round].append(round_)
        self.live, self.waivers = None, []
        if round_.state == Round.State.SETTLED:
            self.last = round_
        self._moved()
        return round_

    def _ledger(self, now: datetime.datetime) -> Ledger:
        players = {seat: sitting.player_id for seat, sitting in self.seatings.items()}
        round_ = self._live()
        return _Movements(round_, round_.shift_id or self.shift.pk, players, now)

    def _live(self) -> Round:
        assert self.live is not None  # whoever plays has opened one
        return self.live

    def _care_in(self, round_: Round) -> Care:
        """The care of the table with `round_` in play: nothing has been noted of it yet."""
        kept = self.care
        return Care(self.table, round_, self.last, kept.conduct, kept.decks, kept.deals, [], [])

    def _next_number(self) -> int:
        day = self.shift.gaming_day
        if day not in self._numbers:
            rounds = Round.objects.filter(table=self.table, gaming_day=day)
            self._numbers[day] = rounds.aggregate(highest=models.Max("number"))["highest"] or 0
        self._numbers[day] += 1
        return self._numbers[day]

    # -- Alerts of a bank that ran out, and of time that nobody has collected ----------------------------------------

    def alert_acknowledge(self, actor: Staff, now: datetime.datetime, *, kind: Alert.Kind, note: str) -> None:
        """Say that the alert has been seen, and what was done."""
        alert = self.alerts[kind]
        alert.acknowledged_at, alert.acknowledged_by, alert.note = max(now, alert.raised_at), actor, note
        self._change(alert)
        self._journal(actor, now, "alert_acknowledge", entries.alert_acknowledged(alert), note)
        if alert.cleared_at is not None:
            del self.alerts[kind]

    def alert_raise(self, actor: Staff, now: datetime.datetime, *, kind: Alert.Kind, says: str) -> None:
        """Raise an alert, unless one of this kind holds already; the clock does by itself, whose act moves no table."""
        alert = self.alerts.get(kind)
        if alert is None:
            alert = self.alerts[kind] = self._add(
                Alert(room=self.room, table=self.table, kind=kind, says=says, raised_at=now)
            )
        elif alert.cleared_at is not None:
            alert.cleared_at, alert.says, alert.times = None, says, alert.times + 1
            self._change(alert)
        else:
            return
        self._journal(actor, now, "alert_raise", entries.alert_raised(alert))

    def alert_clear(self, actor: Staff, now: datetime.datetime, *, kind: Alert.Kind) -> None:
        """Say that the condition of an alert has gone, where one holds."""
        alert = self.alerts.get(kind)
        if alert is None or alert.cleared_at is not None:
            return
        alert.cleared_at = max(now, alert.raised_at)
        self._change(alert)
        self._journal(actor, now, "alert_over", entries.alert_over(alert))
        if alert.acknowledged_at is not None:
            del self.alerts[kind]

    # -- Writing -------------------------------------------------------------------------------------------------------

    def flush(self) -> int:
        """Write everything that has been noted; return how many rounds."""
        assert self.live is None  # a round is written once it has ended
        rounds = len(self._new[Round])
        # What ended first: one bank, one player at a seat, one dealer at a table.
        for row in self._changed.values():
            row.save(force_update=True)
        for model in _ORDER:
            rows_insert(model, self._new[model])
            self._new[model] = []
        self._changed.clear()
        self._unwritten.clear()
        for ids in self._ids.values():
            ids.forget()
        written = ("version", "chain_seq", "chain_hash", "offer_cycle", "offers_start_after")
        Table.objects.filter(pk=self.table.pk).update(
            **{column: getattr(self.table, column) for column in written}
        )
        return rounds

    def _add(self, row: Row) -> Row:
        if type(row) in self._ids:
            row.pk = self._ids[type(row)].next()
            self._unwritten.add((type(row), row.pk))
        self._new[type(row)].append(row)
        return row

    def _change(self, row: models.Model) -> None:
        """Note that a row that was written before has changed; one that is yet to be written is written as it is."""
        if (type(row), row.pk) not in self._unwritten:
            self._changed[type(row), row.pk] = row

    def _journal(
        self, actor: Staff, now: datetime.datetime, act: str, data: dict[str, Any], reason: str = ""
    ) -> None:
        roles = self._roles.get(actor.pk)
        if roles is None:
            roles = self._roles[actor.pk] = ",".join(sorted(roles_of(actor, self.room)))
        self._new[JournalEntry].append(
            entry_next(holder=self.table, actor=actor, roles=roles, at=now, act=act, data=data, reason=reason)
        )

    def _moved(self) -> None:
        """Count the table's version up: every act that its screens must know of does."""
        self.table.version += 1
