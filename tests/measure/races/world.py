"""A room in which nearly every command can be done, in one state of its tables after another.

A room plays by one jurisdiction, so that there are two worlds. In `Players` table 7 plays for a bank that players hold, on a
schedule that publishes waivers, and table 8 baccarat by eye, with a back line, on a schedule that collects time. In `House`
table 7 plays for the house, with a tray, decks and a progressive, and table 8 is closed, with a meter of its own. Each room
has an earlier shift with boxes to count and counted ones, tips and hours, drafts, jobs and a subscription. The `states` of
a world go on from there.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any
from unittest import mock

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from cardroom.drop.commands.counts import count_enter
from cardroom.drop.models import DropBox
from cardroom.filings import services
from cardroom.filings.models import Filing, GameFiling
from cardroom.floor.commands.accounts import account_close
from cardroom.floor.commands.bank import offer_answer, offers_decline, turn_end
from cardroom.floor.commands.boxes import boxes_drop
from cardroom.floor.commands.chip_calls import runner_call
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.decks import dealing_set, deck_place
from cardroom.floor.commands.exclusions import exclusion_enter
from cardroom.floor.commands.filings import games, levies, schedules
from cardroom.floor.commands.line_up import meal_start
from cardroom.floor.commands.meters import meter_link
from cardroom.floor.commands.password_resets import password_ask
from cardroom.floor.commands.player_photos import player_photo_set
from cardroom.floor.commands.players import player_merge
from cardroom.floor.commands.programs import program_make
from cardroom.floor.commands.providers import contract_enter
from cardroom.floor.commands.pushes import push_start
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_finish,
    round_open,
    round_settle,
)
from cardroom.floor.commands.seat_time import time_collect
from cardroom.floor.commands.seats import back_line_join, down_start, player_seat, seat_hold
from cardroom.floor.commands.set_aside import commands_set_aside
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.commands.tray import buy_in, tray_close, tray_fill, tray_open
from cardroom.floor.commands.waiting import waiting_add, waiting_call
from cardroom.floor.commands.waivers import fee_waive
from cardroom.floor.commands.wins import win_key
from cardroom.floor.execution.carry_out import TableCommand
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Round, Table
from cardroom.inbox.commands.disputes import dispute_open, review_ask
from cardroom.inbox.models import Item
from cardroom.jobs.lifecycle import MOST_LOST, job_run
from cardroom.jobs.models import Job
from cardroom.obligations.commands.obligations import obligation_add, obligation_done
from cardroom.people.models import Employment, Lockout, Player, Provider, Role, Staff, WorkPermit
from cardroom.reports.commands.background_reports import background_report_start
from cardroom.reports.commands.subscriptions import subscription_make
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from cardroom.tips.commands.entries import hours_enter, tips_hand_in
from cardroom.tips.commands.rules import pool_rule_set
from cardroom.webhooks.commands.webhooks import webhook_make
from games.rotation.profile import Profile
from tests.cast import BANK_HAND, HANDS, Cast
from tests.fees.documents import bank, timed, waiver, with_head
from tests.filing import schedule_draft as drafted
from tests.filing import table_settings
from tests.floor.charging import WAIVING
from tests.measure.machine.valid import LEVY, PASSWORD

CHIPS = [{"kind": "chip", "cents": 500, "pieces": 3}]
#: Time by the clock, and half a dollar a round of the bank, which may be waived.
TIMED = with_head(
    ante_max_cents=50_000,
    lines=[timed("half_hour", 650), bank("round", 50)],
    waivers=[waiver("bank_free", "bank", title="Bank goes free")],
)
TIME_ALONE = with_head(ante_max_cents=50_000, lines=[timed("half_hour", 650), bank("round", 0)])
TRAY = {"10000": 500}
#: A game that is not carded, whose bets may be doubled after the deal.
RAISES = {
    "name": "Blackjack",
    "seats": 8,
    "decks": 6,
    "back_line": 7,
    "spots": [
        {"id": "bet", "name": "Bet", "main": True, "tip": True},
        {"id": "double", "name": "Double", "after_deal": {"of": "bet", "most": 1}},
    ],
}

Enter = Callable[[Any], None]
States = dict[str, Enter]


class World:
    """The cast with two tables. Built in the hour before the commands that are tried in it."""

    #: Each state by its name: what is done in the world to come there.
    states: States
    #: What the tables play by.
    rulebook: str

    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.cast = cast = Cast()
        self.main, self.other = cast.table, cast.second_table
        self._people()
        self._earlier_shift()
        cast.send_room(shift_open, "shift_manager", name="Swing")
        self._open_tables()
        self._room()
        self._drafts()
        self._obligations()
        self._programs()
        self._line_up()
        self._waiting()
        self._items()
        on_paper = {"command": "deal", "title": "Deal", "typed": [], "at": "2026-11-18T19:00:00.000Z"}
        commands = [{**on_paper, "by": "Ada", "key": "0123", "version": 1}]
        for table in (self.main, self.other):
            self.send(
                commands_set_aside, table, reason="played on paper", commands=commands
            )  # which raises an alert

    def _open_tables(self) -> None:
        raise NotImplementedError

    def send(self, command: TableCommand[...], table: Table, /, **arguments: Any) -> Any:
        """Give a command as the floor supervisor."""
        return self.cast.send(command, "floor", table, **arguments)

    def _people(self) -> None:
        cast = self.cast
        dealers = tuple((f"dealer_{number}", Role.DEALER) for number in range(3, 8))
        for key, role in (*dealers, ("count_2", Role.COUNT)):
            cast.hire(key, role)
        expired = cast.people["dealer_4"]
        WorkPermit.objects.create(
            staff=expired, room=cast.room, number="P-4", expires=datetime.date(2026, 1, 1)
        )
        Lockout.objects.create(
            kind="pin",
            subject=f"staff:{cast.people['dealer_2'].pk}",
            staff=cast.people["dealer_2"],
            last_try_at=timezone.now(),
            until_lifted=True,
        )
        firm = Provider.objects.get(room=cast.room)
        cast.players[5].provider = firm
        cast.players[5].save()
        Player.objects.create(room=cast.room, name="Ola", provider=firm)  # who takes the rack of seat 5 over
        self._accounts()
        cast.guests = {
            seat: Player.objects.create(
                room=cast.room, name=f"Guest {seat}", provider=firm if seat == 5 else None
            )
            for seat in range(1, 8)
        }

    def _accounts(self) -> None:
        """People whose accounts are closed, two rooms' or another one's; a second factor, a session, players merged and excluded."""
        cast = self.cast
        for key, rooms in (
            ("closed", (cast.room,)),
            ("factor", (cast.room,)),
            ("asked", (cast.room, cast.rival)),
            ("both", (cast.room, cast.rival)),
            ("gone", (cast.room, cast.rival)),
        ):
            for room in rooms:
                cast.hire(key, Role.SUPPORT, room=room)
            Staff.objects.filter(pk=cast.people[key].pk).update(home=cast.room)
        cast.send_room(account_close, "room_manager", staff_id=cast.people["closed"].pk)
        Employment.objects.get(staff=cast.people["gone"], room=cast.room).delete()
        factor = cast.people["factor"]
        Authenticator.objects.create(user=factor, type="webauthn", data={"name": "key"})
        session = SessionStore()
        session.create()
        UserSession.objects.create(user=factor, session_key=session.session_key, ip="10.0.0.7", data={})
        asked = {"staff_id": cast.people["asked"].pk, "password": PASSWORD, "reason": "forgot it"}
        cast.at_rival().send_room(password_ask, "room_manager", **asked)
        contract: dict[str, Any] = {"number": "P-1", "begins_on": datetime.date(2026, 1, 1)}
        firm = Provider.objects.get(room=cast.room)
        cast.send_room(contract_enter, "room_manager", provider_id=firm.pk, **contract)
        known, guest, barred = (
            Player.objects.create(room=cast.room, name=name) for name in ("Kit", "Guest", "Lee")
        )
        signed = {"reason": "gave a name", "approver": cast.people["shift_manager"]}
        cast.send_room(player_merge, "floor", player_id=guest.pk, into_id=known.pk, **signed)
        cast.send_room(exclusion_enter, "compliance", player_id=barred.pk, kind="barred", reason="fight")
        photo = player_photo_set.example["content"]
        cast.send_room(player_photo_set, "floor", player_id=known.pk, content=photo)

    def _earlier_shift(self) -> None:
        """A closed shift with boxes that are not counted, counted once, counted, and counted with a variance.

        What is expected of one has changed since its variance was checked, as it does by a correction of its round.
        """
        cast = self.cast
        cast.send_room(shift_open, "shift_manager", name="Day")
        self.send(table_set, self.main, **table_settings(cast.room, schedule_id=cast.schedule(1).pk))
        self.send(table_open, self.main)
        self.send(down_start, self.main, dealer_id=cast.people["dealer"].pk)
        for seat in (3, 4, 5):
            self.send(player_seat, self.main, seat=seat, player_id=cast.players[seat].pk)
        cast.bank_to(3)
        boxes = [self._dropped(number) for number in (60, 61, 62, 63)]
        self.send(round_open, self.main, bank_wager_cents=20000)
        self.send(bets_place, self.main, positions=[{"seat": 4, "wagers": {"ante": 1000}}])
        cast.hang_box(64)
        self.send(bets_close, self.main)
        boxes.append(self._drop(64))
        for box, who, pieces in (
            (boxes[1], "count", CHIPS),
            (boxes[2], "count", CHIPS),
            (boxes[2], "count_2", CHIPS),
            (boxes[3], "count", CHIPS),
            (boxes[3], "count_2", []),
            (boxes[4], "count", CHIPS),
            (boxes[4], "count_2", CHIPS),
        ):
            cast.send_room(count_enter, who, box_id=box.pk, pieces=pieces)
        self.send(round_deal, self.main)
        self._settle(self.main, {4: HANDS[4]}, BANK_HAND)
        self.send(
            round_correct,
            self.main,
            round_id=Round.objects.get(table=self.main).pk,
            bank_wager_cents=20000,
            bank_hand=BANK_HAND,
            positions=[
                {"seat": seat, "wagers": {"ante": 1000}, "hand": HANDS[seat], "decision": "play"}
                for seat in (4, 5)
            ],
            reason="seat 5 was left out",
            drop="as_due",
            approver=cast.people["shift_manager"],
        )
        self.send(table_close, self.main)
        cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=cast.room.shifts.get().pk)

    def _dropped(self, number: int) -> DropBox:
        self.cast.hang_box(number)
        return self._drop(number)

    def _drop(self, number: int) -> DropBox:
        box = DropBox.objects.get(room=self.cast.room, number=number)
        self.cast.send_room(boxes_drop, "count", boxes=[box.pk], witness=self.cast.people["count_2"])
        return box

    def _drafts(self) -> None:
        cast, number = self.cast, 50
        document = cast.schedule(1).document
        filed = GameFiling.objects.filter(room=cast.room, rulebook=self.rulebook, status=Filing.Status.FILED)
        numbers = sorted(set(filed.values_list("number", flat=True)))
        said = {"document": document, "games": numbers}
        cast.send_room(schedules.draft, "room_manager", number=number, rulebook=self.rulebook, **said)
        cast.send_room(games.draft, "room_manager", number=number, rulebook=self.rulebook, options={})
        cast.send_room(levies.draft, "room_manager", number=number, document=LEVY)
        filed_levy = cast.send_room(levies.draft, "room_manager", number=number + 1, document=LEVY)
        draft = {"levy_id": filed_levy["levy"], "digest": filed_levy["digest"]}
        begins = {"effective_from": datetime.date(2027, 1, 4), "approver": cast.people["compliance"]}
        cast.send_room(levies.file, "room_manager", **draft, **begins)

    def _obligations(self) -> None:
        """An obligation that is open, and one that is done."""
        cast, due_on = self.cast, datetime.date(2026, 12, 1)
        for title in ("Renew the licence", "Send the list of key employees"):
            said: dict[str, Any] = {"kind": "licence", "title": title, "due_on": due_on}
            added = cast.send_room(obligation_add, "compliance", **said)
        proof = {"obligation_id": added["obligation"], "reference": "confirmation 20261118-004"}
        cast.send_room(obligation_done, "compliance", **proof)

    def _programs(self) -> None:
        """A program with a token and a webhook."""
        cast, signed = self.cast, {"approver": self.cast.people["compliance"]}
        what: dict[str, Any] = {"name": "Feed", "purpose": "reads the journal", "rights": ["see_reports"]}
        made = cast.send_room(program_make, "room_manager", **what, **signed)
        address = {"program_id": made["program"], "url": "https://books.example/feed", "kinds": []}
        cast.send_room(webhook_make, "room_manager", **address, **signed)

    def _open(self, table: Table, dealer: str, **settings: Any) -> None:
        cast = self.cast
        self.send(table_set, table, **table_settings(cast.room, **settings))
        self.send(table_open, table)
        cast.hang_box(table.number * 10, table=table)
        self.send(down_start, table, dealer_id=cast.people[dealer].pk)

    def _settle(self, table: Table, hands: dict[int, str], bank_hand: str) -> None:
        positions = [{"seat": seat, "hand": hand, "decision": "play"} for seat, hand in hands.items()]
        self.send(round_settle, table, bank_hand=bank_hand, positions=positions)

    def _filed(self, document: dict[str, Any], rulebook: str, number: int) -> int:
        by = self.cast.people["room_manager"]
        draft = drafted(room=self.cast.room, number=number, document=document, by=by, rulebook=rulebook)
        since = datetime.date(2025, 1, 1)
        return services.file(draft, by=by, effective_from=since, state_reference="test").pk

    def _room(self) -> None:
        cast = self.cast
        shift = cast.room.shifts.get(closed_at=None)
        day = gaming_day(cast.room, timezone.now())
        rule = {"sharing": "keep", "support": "share", "support_bp": 100, "support_roles": ["support"]}
        cast.send_room(pool_rule_set, "room_manager", title="Tips", effective_from=day, **rule)
        for each in cast.room.shifts.order_by("pk"):
            dealer = {"dealer_id": cast.people["dealer"].pk, "cents": 700}
            cast.send_room(tips_hand_in, "floor", shift_id=each.pk, **dealer)
        hours = {"staff_id": cast.people["support"].pk, "minutes": 60, "work": "host"}
        cast.send_room(hours_enter, "floor", shift_id=shift.pk, **hours)
        days: dict[str, Any] = {"first": day, "last": day, "table": None, "shift": None}
        for report in ("rotation",):
            cast.send_room(background_report_start, "compliance", report=report, options={}, **days)
        lost = Job.objects.get(
            kind="background_report"
        )  # worker after worker was lost over it, and so it failed
        Job.objects.filter(pk=lost.pk).update(claims=MOST_LOST)
        job_run(lost.pk)
        cast.send_room(subscription_make, "room_manager", what="day_report", address="owner@cardroom.example")

    def _line_up(self) -> None:
        """Table 7 was pushed to dealer 5, and waits for dealer 2 with their PIN; dealer 7 is at a meal."""
        cast = self.cast
        at_seven = {"table": self.main.pk}
        cast.send_room(push_start, "floor", reliefs=[{**at_seven, "dealer": cast.people["dealer_5"].pk}])
        room = Room.objects.get(pk=cast.room.pk)
        room.reliefs_sign = True
        room.save(update_fields=["reliefs_sign"])  # with its history, which verify compares it with
        cast.send_room(push_start, "floor", reliefs=[{**at_seven, "dealer": cast.people["dealer_2"].pk}])
        cast.send_room(meal_start, "floor", dealer_id=cast.people["dealer_7"].pk)

    def _waiting(self) -> None:
        """Two guests wait for the game of each table, and were called."""
        for table in (self.main, self.other):
            game = Table.objects.select_related("game").get(pk=table.pk).game
            if game is None:
                continue
            for name in ("Red cap", "Blue cap"):
                entry = self.cast.send_room(waiting_add, "floor", game=game.number, name=name)["entry"]
                self.cast.send_room(waiting_call, "floor", entry_id=entry)

    def _items(self) -> None:
        """An exception in each state, found at table 7, and two claims, one under review; whoever explained one does not sign."""
        now, by = timezone.now(), self.cast.people["room_manager"]
        day = gaming_day(self.cast.room, now)
        with locked(Room, self.cast.room.pk) as room:
            for number, state in enumerate(Item.State):
                explained = {"explained_by": by, "owner": by} if state in ("explained", "closed") else {}
                Item.objects.create(
                    room=room,
                    kind="badge",
                    key=f"badge {number}",
                    table=self.main,
                    gaming_day=day,
                    happened_at=now,
                    found_at=now,
                    state=state,
                    closed_at=now if state == Item.State.CLOSED else None,
                    **explained,
                )
            RoomTransaction(room=room, actor=by, now=now).journal("items_find", {"kind": "badge"})
        claims = []
        for seat in (4, 5):
            self.clock.shift(datetime.timedelta(seconds=1))
            claims.append(self.send(dispute_open, self.main, claim="a flush was paid 3 to 1", seat=seat))
        asked: dict[str, Any] = {"hold_until": day + datetime.timedelta(days=60), "note": "the payout"}
        self.cast.send_room(review_ask, "room_manager", dispute_id=claims[-1]["dispute"], **asked)

    def no_box(self) -> None:
        """The drop boxes of the tables are off, and no others are on; a jackpot's box hangs on."""
        hanging = DropBox.objects.filter(room=self.cast.room, kind="drop", dropped_at=None)
        boxes = hanging.values_list("pk", flat=True)
        self.cast.send_room(boxes_drop, "count", boxes=list(boxes), witness=self.cast.people["count_2"])

    def dealer_there(self) -> None:
        """A dealer stands at table 7."""
        self.send(down_start, self.main, dealer_id=self.cast.people["dealer"].pk)

    def no_shift(self) -> None:
        """The shift is closed, with what is open."""
        shift = self.cast.room.shifts.get(closed_at=None)
        self.cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)


def idle(world: World) -> None:
    """Between rounds, with a bank; a round has been settled."""


def crossed(phases: States, more: States) -> States:
    """Every phase with each of `more` after it."""

    def both(first: Enter, second: Enter) -> Enter:
        def enter(world: Any) -> None:
            first(world)
            second(world)

        return enter

    return {
        f"{phase}, {name}": both(first, second)
        for phase, first in phases.items()
        for name, second in more.items()
    }


class Players(World):
    """Tables where players hold the bank."""

    rulebook = "california"

    def _open_tables(self) -> None:
        cast = self.cast
        self.waiving = self._filed(WAIVING, "california", 9)
        self._open(self.main, "dealer", schedule_id=self.waiving)
        cast.hang_box(71, kind="jackpot")
        for seat in range(1, 7):
            self.send(player_seat, self.main, seat=seat, player_id=cast.players[seat].pk)
        cast.bank_to(3)
        schedule = self._filed(TIMED, "baccarat", 8)
        settings = {"rulebook": "baccarat", "schedule_id": schedule, "recording": "fees"}
        self._open(self.other, "dealer_3", **settings)
        for seat in (1, 2, 3, 5):
            self.send(player_seat, self.other, seat=seat, player_id=cast.guests[seat].pk)
        for seat in (6, 7):
            self.send(back_line_join, self.other, seat=3, player_id=cast.guests[seat].pk)
        cast.bank_to(2, self.other, "floor")
        for table in (self.main, self.other):
            self.send(deck_place, table, colour="red")
        self.send(deck_place, self.main, colour="blue")
        self._round()
        for table in (self.main, self.other):
            self.send(runner_call, table, cents=5000)
        for table, away in ((self.main, 2), (self.other, 1)):
            self.send(seat_hold, table, seat=away, minutes=60)
        self.clock.shift(datetime.timedelta(minutes=31))
        self.send(time_collect, self.other)
        self.clock.shift(datetime.timedelta(minutes=29))

    def _round(self) -> None:
        """Play a round at both tables."""
        self.dealt()
        self.send(round_finish, self.other)
        self._settle(self.main, {4: HANDS[4], 5: HANDS[5]}, BANK_HAND)

    def betting(self) -> None:
        for table, seats, wager in ((self.main, (4, 5), "ante"), (self.other, (3, 5), "player")):
            self.send(round_open, table, bank_wager_cents=20000)
            bets = [{"seat": seat, "wagers": {wager: 1000}} for seat in seats]
            self.send(bets_place, table, positions=bets)
        if Table.objects.get(pk=self.main.pk).schedule_id == self.waiving:
            self.send(fee_waive, self.main, rule="first_hand", reason="late", seat=4)

    def bets_closed(self) -> None:
        self.betting()
        for table in (self.main, self.other):
            self.send(bets_close, table)

    def dealt(self) -> None:
        self.bets_closed()
        for table in (self.main, self.other):
            self.send(round_deal, table)

    def set_otherwise(self) -> None:
        """Table 7 collects time, and table 8 records cards."""
        seven = {"schedule_id": self._filed(TIMED, "california", 7)}
        self.send(table_set, self.main, **table_settings(self.cast.room, **seven))
        schedule = Table.objects.get(pk=self.other.pk).schedule_id
        eight = {"rulebook": "baccarat", "schedule_id": schedule, "recording": "cards"}
        self.send(table_set, self.other, **table_settings(self.cast.room, **eight))
        self.clock.shift(datetime.timedelta(minutes=31))

    def betting_otherwise(self) -> None:
        """The same with bets, and the fees of the banks waived."""
        self.set_otherwise()
        self.betting()
        for table in (self.main, self.other):
            self.send(fee_waive, table, rule="bank_free", reason="late")

    def dealt_otherwise(self) -> None:
        self.betting_otherwise()
        for command in (bets_close, round_deal):
            for table in (self.main, self.other):
                self.send(command, table)

    def time_alone(self) -> None:
        """Table 7 collects time and no other fee, and has collected it."""
        seven = {"schedule_id": self._filed(TIME_ALONE, "california", 6)}
        self.send(table_set, self.main, **table_settings(self.cast.room, **seven))
        self.clock.shift(datetime.timedelta(minutes=31))
        self.send(time_collect, self.main)

    def time_alone_dealt(self) -> None:
        self.time_alone()
        self.dealt()

    def time_alone_no_box(self) -> None:
        self.time_alone()
        self.no_box()

    def points_and_raises(self) -> None:
        """Cards are out of a game with a board at table 7, and of one with wagers after the deal at table 8; time is due."""
        cast, rounds = self.cast, []
        for table, rulebook, number, options in (
            (self.main, "ultimate_texas_holdem", 4, None),
            (self.other, "by_eye", 3, RAISES),
        ):
            schedule = self._filed(TIMED, rulebook, number)
            settings = table_settings(cast.room, rulebook=rulebook, options=options, schedule_id=schedule)
            rounds.append((table, {**settings, "recording": "fees" if table == self.other else "cards"}))
        for table, settings in rounds:
            self.send(table_set, table, **settings)
        self._waiting()
        self.clock.shift(datetime.timedelta(minutes=31))
        self.send(time_collect, self.main)
        self.clock.shift(datetime.timedelta(minutes=31))
        for table, seats, wager in ((self.main, (4, 5), "ante"), (self.other, (3, 5), "bet")):
            self.send(round_open, table, bank_wager_cents=20000)
            bets = [{"seat": seat, "wagers": {wager: 1000}} for seat in seats]
            self.send(bets_place, table, positions=bets)
            for command in (bets_close, round_deal):
                self.send(command, table)

    def fees_waived(self) -> None:
        """The fees of the banks are waived, in a round whose bets are closed."""
        for table in (self.main, self.other):
            self.send(fee_waive, table, rule="bank_free", reason="late")

    def waived_no_box(self) -> None:
        """The same, and the drop boxes are off."""
        self.fees_waived()
        self.no_box()

    def accepted(self) -> None:
        """Others have taken the bank, and no round was opened since."""
        self.offer_due()
        for table in (self.main, self.other):
            self.cast.bank_to(5, table, "floor")

    def answered(self) -> None:
        """The banks have had their two rounds, and the first of the others has declined."""
        self._round()
        for table in (self.main, self.other):
            self.send(offer_answer, table, seat=self.cast.state(table).step.seat, answer="declined")

    def offer_due(self) -> None:
        for table in (self.main, self.other):
            self.send(turn_end, table)

    def all_declined(self) -> None:
        self.offer_due()
        for table in (self.main, self.other):
            self.send(offers_decline, table)

    def renewal_due(self) -> None:
        """The banks have had their two rounds, and all others have declined, each by itself."""
        self._round()
        for table in (self.main, self.other):
            while (step := self.cast.state(table).step).kind == "offer":
                self.send(offer_answer, table, seat=step.seat, answer="declined")

    def stop_due(self) -> None:
        """Tables of a rotation that was suspended since stop before the last bank goes on."""
        with mock.patch.object(Profile, "in_force", return_value=True):
            for table in (self.main, self.other):
                at = Table.objects.get(pk=table.pk)
                settings = {"rulebook": at.rulebook, "schedule_id": at.schedule_id, "recording": at.recording}
                settings |= {"rotation": "every_hour"}
                self.send(table_set, table, **table_settings(self.cast.room, **settings))
        self.clock.shift(datetime.timedelta(minutes=61))
        for table in (self.main, self.other):
            self.send(offers_decline, table)

    def tables_closed(self) -> None:
        for table in (self.main, self.other):
            self.send(table_close, table)

    phases: States = {
        "between rounds": idle,
        "betting": betting,
        "bets closed": bets_closed,
        "dealt": dealt,
    }
    offers: States = {
        "offers being answered": answered,
        "everybody declined": all_declined,
        "a new turn due": renewal_due,
        "a stop due": stop_due,
    }
    states = {
        **phases,
        "time at 7, cards at 8": set_otherwise,
        "time at 7, cards at 8, betting": betting_otherwise,
        "time at 7, cards at 8, dealt": dealt_otherwise,
        "a board at 7, raises at 8": points_and_raises,
        **crossed(
            {"a board at 7, raises at 8": points_and_raises},
            {"fees waived, no drop box": waived_no_box, "no shift": World.no_shift},
        ),
        "a bank taken": accepted,
        **offers,
        "tables closed": tables_closed,
        **crossed({"tables closed": tables_closed}, {"a dealer there": World.dealer_there}),
        **crossed(phases, {"no drop box": World.no_box, "no shift": World.no_shift}),
        **crossed(offers, {"no drop box": World.no_box}),
        **crossed({"bets closed": bets_closed, "dealt": dealt}, {"fees waived": fees_waived}),
        "time alone at 7, dealt": time_alone_dealt,
        "time alone at 7, no drop box": time_alone_no_box,
    }


class House(World):
    """Tables where the house banks."""

    rulebook = "massachusetts"

    def _open_tables(self) -> None:
        cast = self.cast
        self._open(self.main, "dealer", rulebook="massachusetts")
        self.send(dealing_set, self.main, shuffler="counts")
        self.send(tray_open, self.main, chips=TRAY, approver=cast.people["floor_2"])
        self.clock.shift(datetime.timedelta(minutes=1))
        self.send(deck_place, self.main, colour="red")
        for seat in (1, 2, 4):
            self.send(player_seat, self.main, seat=seat, player_id=cast.guests[seat].pk)
        self.send(seat_hold, self.main, seat=2, minutes=60)
        self.send(buy_in, self.main, seat=1, cents=5000)
        self.send(tray_fill, self.main, chips={"500": 20}, approver=cast.people["floor_2"])
        self.send(runner_call, self.main, cents=5000)
        self._round()
        self.send(table_set, self.other, **table_settings(cast.room, rulebook="massachusetts"))
        self.clock.shift(datetime.timedelta(minutes=59))

    def _round(self) -> None:
        """Play a round that wins no progressive."""
        self.dealt()
        self._settle(self.main, {1: HANDS[1], 4: HANDS[4]}, BANK_HAND)

    def betting(self) -> None:
        self.send(round_open, self.main)
        wagers = {"ante": 1000, "progressive": 100}
        self.send(bets_place, self.main, positions=[{"seat": seat, "wagers": wagers} for seat in (1, 4)])

    def bets_closed(self) -> None:
        self.betting()
        self.send(bets_close, self.main)

    def dealt(self) -> None:
        self.bets_closed()
        self.send(round_deal, self.main)

    def win_waits(self) -> None:
        """A round won the progressive, and the win is keyed in."""
        self.dealt()
        self._settle(self.main, {1: "As Ks Qs", 4: "9s 9c 3d"}, "2c 4d 7h")
        self.send(win_key, self.main, seat=1)

    def count_due(self) -> None:
        """As many rounds were played as the rules let go without a count of the stub."""
        self.send(dealing_set, self.main, shuffler="shuffles")
        for _ in range(4):
            self._round()

    def count_due_win_waits(self) -> None:
        """The last round before the count won the progressive."""
        self.send(dealing_set, self.main, shuffler="shuffles")
        for _ in range(3):
            self._round()
        self.win_waits()

    def count_due_linked(self) -> None:
        self.linked()
        self.count_due()

    def linked(self) -> None:
        meter = Table.objects.get(pk=self.other.pk).meter_id
        signed = {"reason": "one jackpot", "approver": self.cast.people["shift_manager"]}
        self.send(meter_link, self.main, meter_id=meter, **signed)

    def tray_closed(self) -> None:
        self.send(tray_close, self.main, chips=TRAY, note="counted", approver=self.cast.people["floor_2"])

    def tables_closed(self) -> None:
        self.tray_closed()
        self.send(table_close, self.main)

    between: States = {
        "between rounds": idle,
        "a progressive win waits": win_waits,
        "meters linked": linked,
        "a count of the stub due": count_due,
    }
    states = {
        **between,
        "betting": betting,
        "bets closed": bets_closed,
        "dealt": dealt,
        **crossed(between, {"no drop box": World.no_box, "no shift": World.no_shift}),
        **crossed({"betting": betting}, {"no drop box": World.no_box}),
        **crossed(between, {"tray closed": tray_closed, "tables closed": tables_closed}),
        **crossed({"tray closed": tray_closed}, {"no drop box": World.no_box}),
        **crossed({"tables closed": tables_closed}, {"a dealer there": World.dealer_there}),
        "a count of the stub due, a progressive win waits": count_due_win_waits,
        "a count of the stub due, meters linked": count_due_linked,
    }
