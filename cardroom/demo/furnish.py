"""Loads the demo room (`manage.py load_demo`): an invented cardroom with its people, and an evening under way at its tables.

Everything that happens at its tables happens through the services, as in a real room. `demo_load` may run at
every start: what is there stays as it is, even if more was played since.
"""

from __future__ import annotations

import dataclasses
import datetime
import itertools
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

from django.contrib.auth.hashers import check_password, is_password_usable, make_password
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from cardroom.core.notifications import notifications_muted
from cardroom.floor.commands.seats import back_line_join, down_start, player_seat
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.commands.waiting import waiting_add
from cardroom.floor.models import Shift, Table
from cardroom.people.models import Employment, Player, Provider, Role, Staff
from cardroom.people.pins import MOST_DIGITS, pins_set_up
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from . import house_room
from .boxes import boxes_hung
from .decks import decks_placed
from .demo_room import DemoClock, DemoRoom, evening_clock, present_shift
from .evening import Evening, evening_play
from .filings import games_seed, levies_seed, schedules_seed
from .floor_plan import PROPOSITION_PLAYERS, TABLES, players_named
from .line_up import line_up_planned
from .obligations import duties_kept
from .other_games import other_games_filed
from .past import PLAYED, past_played
from .restated import report_restated
from .simulation.month import Progress
from .tips import tips_shared

CODE: Final = "tule-slough-demo"
NAME: Final = "Tule Slough Cardroom"
TIME_ZONE: Final = "America/Los_Angeles"
#: The licence number of an invented room: it shows that what happened there never did.
LICENCE: Final = "DEMO-0000"
PASSWORD_FILE: Final = "demo_password"  # noqa: S105  # the name of the file, not its content
PIN_FILE: Final = "demo_pin"

#: Sign-in, name on the screens, role. The first of each role is the one that acts as the demo is set up.
STAFF: Final[tuple[tuple[str, str, Role], ...]] = (
    ("dealer", "Kim Aguilar", Role.DEALER),
    ("dealer2", "Pat Okafor", Role.DEALER),
    ("dealer3", "Lee Marsh", Role.DEALER),
    ("dealer4", "Ann Kovacs", Role.DEALER),
    ("floor", "Noor Haddad", Role.FLOOR),
    ("manager", "Rosa Delgado", Role.SHIFT_MANAGER),
    ("count", "Ivan Petrov", Role.COUNT),
    ("count2", "Lena Fischer", Role.COUNT),
    ("count3", "Omar Said", Role.COUNT),
    ("compliance", "Grace Yee", Role.COMPLIANCE),
    ("roommanager", "Walt Brandt", Role.ROOM_MANAGER),
    ("lead", "Mai Tran", Role.PROVIDER_LEAD),
    ("inspector", "Sam Whitfield", Role.INSPECTOR),
    ("runner", "Jess Orozco", Role.SUPPORT),
    ("surveillance", "Dana Kessler", Role.SURVEILLANCE),
    ("dealer5", "Bea Ruiz", Role.DEALER),
    ("dealer6", "Tom Ngo", Role.DEALER),
    ("dealer7", "Nina Sorensen", Role.DEALER),
    ("dealer8", "Raj Malhotra", Role.DEALER),
    ("dealer9", "Olu Ibironke-Fitzgerald", Role.DEALER),
)
PROVIDER: Final = "Cordelia Proposition Services"


class DemoRefused(Exception):
    """The demo was not loaded, and nothing was changed; the message says why and what to do."""


@dataclasses.dataclass(frozen=True)
class Demo:
    """What is there after loading. `news` says in sentences what this run did; empty when that was nothing."""

    room: Room
    password: str
    pin: str
    sign_ins: list[tuple[str, str, str]]  # user name, name, role
    news: list[str]


def demo_load(
    state_dir: Path,
    *,
    force: bool = False,
    past_days: int = 0,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> Demo:
    """Load the demo room, or give the one that is there what it needs to be played: password, PIN and open shift.

    A room that is new gets `past_days` gaming days of simulated play before its evening, reported to `tell` as they are played.

    All of it or nothing, in one transaction. Password and PIN are made once for an installation and kept
    in `state_dir`. Raises DemoRefused when the database holds another room, unless `force`, and always when a
    user name of the demo belongs to another person: a real room must not get demo people, nor real people the
    demo's password.
    """
    # A simulated past may have a room of its own, as invented as this one.
    others = Room.objects.exclude(code=CODE).exclude(licence_number=LICENCE).order_by("name")
    if others and not force:
        raise DemoRefused(
            f"This database holds {', '.join(str(room) for room in others)}. The demo's people and their one "
            "password have no place beside a real room. Use another database, or say --force if you mean it."
        )
    news: list[str] = []
    password = _kept(state_dir / PASSWORD_FILE, lambda: "-".join(secrets.token_hex(2) for _ in range(4)))
    pin = _kept(state_dir / PIN_FILE, lambda: f"{secrets.randbelow(10**MOST_DIGITS):0{MOST_DIGITS}}")
    with transaction.atomic():
        room = Room.objects.filter(code=CODE).first()
        now = timezone.now()
        if room is None:
            room = room_made()
            if past_days:
                news.append(_past_played(room, past_days, now, tell))
        demo = DemoRoom(room, DemoClock(now, pace=0))
        if not Room.objects.filter(code=house_room.CODE).exists():
            # The evening makes the second room. A room that has had none is new, or has a simulated past alone: nobody looks on.
            with notifications_muted():
                news += _evening_made(demo, now)
                if past_days:
                    report_restated(demo)
        elif not _open_shifts(room).exists():
            news.append(f"No shift was open in {demo.room}, so {_shift_opened(demo)} was opened.")
        if _passwords_set(password):
            news.append("The demo's people sign in with the password below.")
        if _pins_set(pin):
            news.append("The demo's people sign with the PIN below.")
    return Demo(
        room=demo.room,
        password=password,
        pin=pin,
        sign_ins=[(username, name, str(role.label)) for username, name, role in (*STAFF, *house_room.STAFF)],
        news=news,
    )


def room_made() -> Room:
    """Make the demo room with its people, players, filings and closed tables. Nothing happens there yet.

    Raises DemoRefused when a user name of the demo belongs to another person.
    """
    taken = (
        Staff.objects.filter(username__in=[username for username, _, _ in STAFF]).order_by("username").first()
    )
    if taken is not None:
        raise DemoRefused(
            f"The user name {taken.username!r} of the demo belongs to somebody. Use another database."
        )
    room = Room.objects.create(name=NAME, code=CODE, licence_number=LICENCE, time_zone=TIME_ZONE)
    provider = Provider.objects.create(room=room, name=PROVIDER, contract_number=LICENCE)
    for number, (username, name, role) in enumerate(STAFF, start=101):
        person = Staff.objects.create(
            username=username,
            display_name=name,
            badge=str(number),
            is_staff=role == Role.ROOM_MANAGER,  # lets the room's manager into the admin
        )
        Employment.objects.create(
            staff=person, room=room, role=role, provider=provider if role == Role.PROVIDER_LEAD else None
        )
    for name in players_named():
        Player.objects.create(
            room=room, name=name, provider=provider if name in PROPOSITION_PLAYERS else None
        )
    manager = Staff.objects.get(username="roommanager")
    games_seed(room, manager)
    schedules_seed(room, manager)
    levies_seed(room, manager)
    other_games_filed(room, manager)
    for table in TABLES:
        Table.objects.create(room=room, number=table.number)
    return room


def _past_played(room: Room, days: int, now: datetime.datetime, tell: Callable[[Progress], None]) -> str:
    """Play the room's past, and return what it came to in a sentence."""
    rounds = 0
    evening_begins = evening_clock(room, now).now
    for progress in past_played(room, days, now, evening_begins):
        tell(progress)
        rounds = progress.rounds
    return f"{room} has {days} days behind it: {rounds:,} rounds at {len(PLAYED)} tables. The reports of their shifts follow, the newest first."


def _evening_made(demo: DemoRoom, now: datetime.datetime) -> list[str]:
    """Begin the evening, and make the second room; return what was done in sentences."""
    demo.clock = evening_clock(demo.room, now)
    if not _open_shifts(demo.room).exists():
        _shift_opened(demo)
    _tables_opened(demo)
    boxes_hung(demo)
    evening = evening_play(demo, approver=demo.staff["manager"])
    news = [_summary(demo.room, evening)]
    line_up_planned(demo)
    tips_shared(demo)
    duties_kept(demo)
    _waiting_listed(demo)
    made = house_room.house_room_made(LICENCE, now)
    news.append(f"{made.room} was made: the house banks there, and table 1 is open.")
    return news


def _open_shifts(room: Room) -> QuerySet[Shift]:
    return Shift.objects.filter(room=room, closed_at__isnull=True)


def _shift_opened(demo: DemoRoom) -> str:
    """Open a shift, named for the hour; a name that the gaming day has had already gets a number."""
    now = demo.clock.now
    named, _ = present_shift(demo.room, now)
    had = set(
        Shift.objects.filter(room=demo.room, gaming_day=gaming_day(demo.room, now)).values_list(
            "name", flat=True
        )
    )
    names = itertools.chain([named], (f"{named} {again}" for again in itertools.count(2)))
    fresh = next(name for name in names if name not in had)
    demo.at_room("manager", shift_open, name=fresh)
    return fresh


def _tables_opened(demo: DemoRoom) -> None:
    """Set every table to what it plays and charges, and open those that have a dealer."""
    for each in TABLES:
        number, charge = each.number, each.charge(demo.room)
        if not charge.is_set(demo.tables[number]):  # its past has set it already
            demo.at(number, "floor", table_set, **charge.settings)
        if each.dealer is None:
            continue
        demo.at(number, "floor", table_open)
        demo.at(number, "floor", down_start, dealer_id=demo.staff[each.dealer].pk)
        for seat, player in each.seats.items():
            demo.at(number, "floor", player_seat, seat=seat, player_id=demo.players[player].pk)
        for seat, player in each.behind:
            demo.at(number, "floor", back_line_join, seat=seat, player_id=demo.players[player].pk)
        decks_placed(demo, number, each.decks, dealer=each.dealer, floor="floor")


def _waiting_listed(demo: DemoRoom) -> None:
    """Put those on the waiting list who wait for a seat: a player of the room, and a guest."""
    demo.at_room("floor", waiting_add, game=1, player_id=demo.players["Kai Moreno"].pk)
    demo.at_room("floor", waiting_add, game=12, name="Red cap")


def _summary(room: Room, evening: Evening) -> str:
    games = [
        f"table {each.number} {each.charge(room).game.book.name}"
        for each in TABLES
        if each.dealer is not None
    ]
    closed = [str(each.number) for each in TABLES if each.dealer is None]
    return (
        f"{room} was made, with {evening.settled} rounds settled this evening and {evening.voided} void: "
        f"{', '.join(games)}. Closed: table {' and '.join(closed)}."
    )


def _kept(file: Path, make: Callable[[], str]) -> str:
    """Return the installation's demo password or PIN; made at the first start, for the owner of the file alone."""
    try:
        secret = file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        secret = make()
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(f"{secret}\n")
    if not secret:
        raise DemoRefused(f"{file} is empty. Delete it, and a new one is made.")
    return secret


def _passwords_set(password: str) -> bool:
    """Give the demo's people the password unless they have it; return whether anything was changed.

    They share one hash, so that a start costs one slow check of a password and not ten.
    """
    named = [username for username, _, _ in (*STAFF, *house_room.STAFF)]
    people = Staff.objects.filter(username__in=named)
    known = {person.password for person in people}
    if all(is_password_usable(hashed) and check_password(password, hashed) for hashed in known):
        return False
    Staff.objects.filter(pk__in=[person.pk for person in people]).update(password=make_password(password))
    return True


def _pins_set(pin: str) -> bool:
    """Give the demo's people the PIN unless they have it; return whether anything was changed."""
    named = [username for username, _, _ in (*STAFF, *house_room.STAFF)]
    return pins_set_up(Staff.objects.filter(username__in=named), pin)
