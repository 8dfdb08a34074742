"""Plays what the database of a release holds: every command, and a row in every table.

`python -m tests.upgrades.world FILE` plays it in the empty migrated database of CARDROOM_DATABASE_URL, as the role that this
signs in as, and writes to FILE which journal entry each command wrote. Two rooms are played: one whose banks players hold, and
one where the house banks, as the worlds of the races have them; then each command that nobody has given yet, by the way that
the state machine knows. So most new commands are in the database of the next release without a change here. It ends on the
next day, in an open shift, with a round dealt.

It fails where a command was not carried out (say in `_in_states_of_their_own` how it is), and where a table holds no row (say in
`_put_in` how one comes there, or in `_in_tables_after_0_1_0`). It imports what 0.1.0 has: `make release-database OF=0.1.0` runs it with that release's code.
"""

from __future__ import annotations

import copy
import datetime
import json
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import time_machine

if __name__ == "__main__":
    import django

    django.setup()

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from cardroom.config.checkpoint_key import checkpoint_key_make
from cardroom.core.commands import COMMANDS
from cardroom.drop.commands.counts import count_again
from cardroom.drop.models import DropBox
from cardroom.floor.commands.accounts import account_set, second_factor_off
from cardroom.floor.commands.bank import offer_answer, offers_decline, turn_end, turn_pause
from cardroom.floor.commands.player_photos import player_photo_set
from cardroom.floor.commands.pushes import push_start
from cardroom.floor.commands.racks import rack_hand_over
from cardroom.floor.commands.rooms import room_set, table_number_set
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_record
from cardroom.floor.commands.seats import down_start, player_seat
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.commands.undo import undo
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.execution.offline import GivenOffline, gap_note
from cardroom.floor.models import Table
from cardroom.inbox.search import items_search
from cardroom.jobs.lifecycle import job_run
from cardroom.jobs.models import Heartbeat, Job, heartbeat_write
from cardroom.people.models import Lockout, Player, Role, Staff
from cardroom.reports.checkpoints.making import checkpoints_ask
from cardroom.reports.tasks import make_due_reports
from cardroom.reports.verification.verify import Checked, checkpoint_make, journal_verify
from games.rotation.profile import Profile
from tests.cast import HANDS, PLAYERS, Cast, new_key
from tests.clock import NOON
from tests.filing import table_settings
from tests.measure.races.world import CHIPS, House, Players
from tests.servers.time_stamps import TimeStampAuthority

from .playing import HALF_AN_HOUR, Playing, Written, entries_noted

HOUR = datetime.timedelta(hours=1)
#: The world begins at this instant, and ends a day and a half later.
BEGINS = NOON - HOUR
#: Commands that the state at the beginning takes, and hardly one after other commands.
FIRST = ("waiver_withdraw", "relief_take")


class Rival(House):
    """The other room of a cast, where the house banks."""

    def __init__(self, clock: Any, of: Cast) -> None:
        self.clock = clock
        self.cast = cast = copy.copy(of)
        cast.__dict__.pop("game", None)  # the other room's
        cast.room, cast.table = of.rival, of.rival_table
        cast.people = {
            key.removeprefix("rival_"): person
            for key, person in of.people.items()
            if key.startswith("rival_")
        }
        for key, role in (("floor_2", Role.FLOOR), ("count_2", Role.COUNT), ("dealer_2", Role.DEALER)):
            cast.people[key] = cast.hire(f"rival_{key}", role)
        there = {player.name: player for player in Player.objects.filter(room=cast.room)}
        cast.players = {seat: there[name] for seat, name in PLAYERS.items()}  # the other world seated them
        cast.waiting = [Player.objects.create(room=cast.room, name=name) for name in ("Hal", "Ida", "Jo")]
        cast.guests = cast.players
        cast.second_table = Table.objects.create(room=cast.room, number=8)
        self.main, self.other = cast.table, cast.second_table
        cast.send_room(shift_open, "shift_manager", name="Swing")
        self._open_tables()


def play() -> Written:
    """Play it all, and return what each command wrote. Raises AssertionError where a table has no row, or a command was not carried out."""
    with time_machine.travel(BEGINS.timestamp(), tick=False) as clock, entries_noted() as written:
        players = Players(clock)
        house = Rival(clock, players.cast)
        rooms = [Playing(players.cast, clock), Playing(house.cast, clock)]
        _in_states_of_their_own(players, house, *rooms)
        _taken_back(players)
        house.win_waits()
        players.betting()
        _every_command(rooms)
        _put_in(players.cast)
        for room in rooms:
            _shift_over(room)
        clock.shift(24 * HOUR)
        make_due_reports()
        _signed(clock)
        _next_day(players.cast, clock)
        make_due_reports()
        items_search()
        if apps.is_installed("cardroom.webhooks"):
            _in_tables_after_0_1_0(players.cast)
    left_out, empty = sorted(COMMANDS.keys() - written.keys()), empty_tables()
    assert not left_out, f"not carried out: {left_out}: say in tests/upgrades/world.py how they are"
    assert not empty, f"no row in {empty}: say in tests/upgrades/world.py how one comes there"
    call_command("verify")
    return written


def empty_tables() -> list[str]:
    """The tables that hold no row."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return sorted(model._meta.db_table for model in models if not model._base_manager.exists())


def _every_command(rooms: list[Playing]) -> None:
    """Carry out each command once, in whichever room and at whichever table takes it; what was not at first, once more."""
    for _ in range(2):
        for room in rooms:
            for table in (room.cast.table, room.cast.second_table):
                for name in (*FIRST, *COMMANDS):
                    if not any(name in each.done for each in rooms):
                        room.reach(name, table)


def _in_states_of_their_own(players: Players, house: Rival, of_players: Playing, of_house: Playing) -> None:
    """Commands that hardly any state takes: each is given where it is taken, and the tables are brought back."""
    cast, main, other = players.cast, players.main, players.other

    def given(room: Playing, name: str, table: Table) -> None:
        assert room.reach(name, table), name

    box = DropBox.objects.get(room=cast.room, number=63)  # whose two counts differ
    cast.send_room(count_again, "shift_manager", box_id=box.pk, pieces=CHIPS)
    factor = cast.people["factor"]
    signed = {"approver": cast.people["compliance"]}
    cast.send_room(second_factor_off, "room_manager", staff_id=factor.pk, **signed)
    cast.send_room(account_set, "room_manager", staff_id=factor.pk, badge="104", **signed)
    cast.send_room(room_set, "room_manager", licence_number="GEGE-1042", **signed)
    house.cast.send_room(table_number_set, "room_manager", table_id=house.other.pk, number=9)
    Authenticator.objects.create(user=factor, type="webauthn", data={"name": "another key"})
    given(of_players, "reliefs_cancel", main)
    again = [{"table": main.pk, "dealer": cast.people["dealer_2"].pk}]
    cast.send_room(push_start, "floor", reliefs=again)

    given(of_house, "buy_in_take_back", house.main)
    given(of_house, "device_report", house.main)  # and the deck in its shuffler is retired
    given(of_house, "deck_place", house.main)

    was = {table.pk: Table.objects.get(pk=table.pk) for table in (main, other)}
    players.renewal_due()
    for table in (main, other):
        given(of_players, "turn_renew", table)
    players.points_and_raises()
    given(of_players, "decisions_record", main)
    given(of_players, "board_show", main)
    given(of_players, "later_bets_place", other)
    for table in (main, other):
        given(of_players, "round_void", table)
        before = was[table.pk]
        settings = {"rulebook": before.rulebook, "schedule_id": before.schedule_id}
        settings = table_settings(cast.room, **settings, recording=before.recording)
        cast.send(table_set, "floor", table, **settings)


def _taken_back(world: Players) -> None:
    """A rack handed over and an answer to an offer, each undone; the bank is at seat 1 then."""
    cast, ola = world.cast, Player.objects.get(room=world.cast.room, name="Ola")
    cast.send(rack_hand_over, "floor", seat=5, to_player_id=ola.pk, cents=500_000)
    cast.send(undo, "floor")
    cast.send(turn_end, "floor")
    asked = cast.state().step.seat
    cast.send(offer_answer, "floor", seat=asked, answer="declined")
    cast.send(undo, "floor")
    cast.bank_to(1, who="floor")


def _put_in(cast: Cast) -> None:
    """What is in no command, or what a later one has taken away."""
    dealer, now = cast.people["dealer_2"], timezone.now()
    Lockout.objects.create(
        kind="pin", subject=f"staff:{dealer.pk}", staff=dealer, last_try_at=now, until_lifted=True
    )
    for kind in Heartbeat.Kind:
        heartbeat_write(kind, now=now)
    items_search()
    manager = cast.people["room_manager"]
    group = Group.objects.create(name="Auditors")
    permission = Permission.objects.order_by("pk").first()
    assert permission is not None
    group.permissions.add(permission)
    manager.groups.add(group)
    manager.user_permissions.add(permission)
    address = EmailAddress.objects.create(user=manager, email="manager@cardroom.example")
    EmailConfirmation.objects.create(email_address=address, created=now, key="k" * 64)
    content = ContentType.objects.get_for_model(type(cast.room))
    LogEntry.objects.create(
        user=manager, content_type=content, object_id="1", object_repr="x", action_flag=CHANGE
    )
    session = SessionStore()
    session.create()
    UserSession.objects.create(user=manager, session_key=session.session_key, ip="192.0.2.1", data={})
    sits = Player.objects.create(room=cast.room, name="Pia of the photograph")
    photo = player_photo_set.example["content"]
    cast.send_room(player_photo_set, "floor", player_id=sits.pk, content=photo)


def _shift_over(room: Playing) -> None:
    """Close what is open of a room."""
    for table in (room.cast.table, room.cast.second_table):
        room.reach("table_close", table)
    assert room.reach("shift_close", room.cast.table)


def _signed(clock: Any) -> None:
    """A verified checkpoint, a signed one, and a time stamp of the last of a day."""
    walked = Checked()
    assert list(journal_verify(walked)) == []
    checkpoint_make(walked, timezone.now())
    with tempfile.TemporaryDirectory() as directory, TimeStampAuthority() as authority:
        key = Path(directory) / "checkpoint_key"
        with override_settings(
            CHECKPOINT_KEY_FILE=key, TSA_URL=authority.address, TSA_CERTIFICATE=authority.certificate
        ):
            assert checkpoint_key_make(key)
            for _ in range(2):
                checkpoints_ask()
                while waiting := list(
                    Job.objects.filter(kind__startswith="checkpoint", state="waiting", tries=0)
                ):
                    for job in waiting:
                        job_run(job.pk)
                clock.shift(24 * HOUR)


def _next_day(cast: Cast, clock: Any) -> None:
    """A shift with a stop of the game at table 8; at table 7 a round that was given offline, and one whose cards are out."""
    cast.send_room(shift_open, "shift_manager", name="Day")
    with mock.patch.object(
        Profile, "in_force", return_value=True
    ):  # the rotation that asks for stops is suspended
        _opened(cast, cast.second_table, "stops", rotation="every_hour")
    clock.shift(HALF_AN_HOUR * 2)
    cast.send(offers_decline, "floor", cast.second_table)
    cast.send(turn_pause, "floor", cast.second_table)
    cast.send(table_close, "floor", cast.second_table)
    dealer = _opened(cast, cast.table, "day")
    at = timezone.now()
    clock.shift(20 * 60)
    gap_note(cast.table.pk, dealer, "tab1", at, timezone.now())
    played = {
        "rulebook": "california",
        "bank": {"seat": 3, "wager": 20000},
        "bank_hand": "Kh 7d 4c",
        "positions": [
            {
                "seat": 4,
                "player": "Guest 4 day",
                "hand": HANDS[4],
                "wagers": {"ante": 1000},
                "decision": "play",
            }
        ],
    }
    version = cast.state().table.version
    meta = CommandMeta(actor=dealer, key=new_key(), version=version, given=GivenOffline(at, 0, "tab1"))
    round_record(meta, cast.table.pk, sheet=played)
    cast.send(round_open, dealer, bank_wager_cents=20000)
    cast.send(bets_place, dealer, positions=[{"seat": seat, "wagers": {"ante": 1000}} for seat in (4, 5)])
    cast.send(bets_close, dealer)
    cast.send(round_deal, dealer)


def _in_tables_after_0_1_0(cast: Cast) -> None:
    """A row in each table that no command fills and 0.1.0 does not have, so what makes it is imported here.

    A webhook has been told of entries by a server that answers 204, and its next delivery waits; the gaming day that is over was
    written as Parquet; a verification in pieces is under way, so that what its pieces leave for one another is there.
    """
    from cardroom.floor.commands.programs import program_make
    from cardroom.reports.exports.making import export_make
    from cardroom.reports.models import PeriodReport, PieceScratch
    from cardroom.reports.verification.runs import verification_ask
    from cardroom.webhooks.commands.webhooks import webhook_make
    from cardroom.webhooks.delivery import delivery_ask
    from cardroom.webhooks.models import Webhook
    from tests.webhooks.receiver import receiving

    signed = {"approver": cast.people["compliance"]}
    what = {"name": "Told", "purpose": "Reads", "rights": ["see_reports"], "days": 90}
    program = cast.send_room(program_make, "room_manager", **what, **signed)["program"]
    with receiving() as receiver, override_settings(WEBHOOKS_INSIDE=True):
        address = {"program_id": program, "url": receiver.url, "kinds": []}
        made = cast.send_room(webhook_make, "room_manager", **address, **signed)["webhook"]
        cast.send_room(room_set, "room_manager", licence_number="GEGE-1043", **signed)
        delivery = delivery_ask(Webhook.objects.get(pk=made))
        assert delivery is not None
        job_run(delivery.pk)
        assert len(receiver.came) == 1
    day = PeriodReport.objects.filter(room=cast.room, kind="day", restatement=None).earliest("pk")
    with tempfile.TemporaryDirectory() as directory, override_settings(EXPORT_URL=directory):
        export_make(day)
    with transaction.atomic():
        verification = verification_ask(cast.room, timezone.now(), None, "command")
    job_run(verification.pk)  # which leaves its pieces
    for piece in verification.pieces.order_by("pk"):
        if not PieceScratch.objects.exists():
            job_run(piece.pk)


def _opened(cast: Cast, table: Table, name: str, **settings: Any) -> Staff:
    """Open a table with a box, a new dealer and five new players, whose names end with `name`; seat 3 banks. Returns the dealer."""
    schedule = cast.schedule(1).pk
    cast.send(table_set, "floor", table, **table_settings(cast.room, schedule_id=schedule, **settings))
    cast.send(table_open, "floor", table)
    cast.hang_box(90 + table.number, table=table)
    dealer = cast.hire(f"dealer_{name}", Role.DEALER)
    cast.send(down_start, "floor", table, dealer_id=dealer.pk)
    for seat in range(1, 6):
        player = Player.objects.create(room=cast.room, name=f"Guest {seat} {name}")
        cast.send(player_seat, "floor", table, seat=seat, player_id=player.pk)
    cast.bank_to(3, table, "floor")
    return dealer


if __name__ == "__main__":
    # A line a command.
    lines = [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(play().items())]
    Path(sys.argv[1]).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
