"""Finds or makes the room for simulated play; a room that is not invented is refused, so that real records stay apart."""

from __future__ import annotations

from django.db import transaction

from cardroom.demo.furnish import CODE, LICENCE, STAFF, TIME_ZONE, room_made
from cardroom.filings.models import GameFiling
from cardroom.floor.models import Shift
from cardroom.people.models import Employment, Provider, Role, Staff
from cardroom.rooms.models import Room
from games.jurisdictions import CALIFORNIA

from ..filings import game_seed, games_seed, own_schedules_seed, schedules_seed
from .charges import RAKED_RULEBOOK, RULEBOOK, raked_options
from .month import SimulationRefused

#: Where the demo room has a present already, the past goes to a room of its own.
PAST = "tule-slough-month"


def simulated_room(code: str | None = None, jurisdiction: str = CALIFORNIA) -> Room:
    """Return the invented room of that code; one that is not there yet is made, in `jurisdiction`.

    The demo's own room is made as `load_demo` makes it, and its evening is left to that. Another room employs the
    demo's people, where they are. Without a code it is the demo's room as long as no shift has been opened there, and
    then `PAST`. Raises SimulationRefused in a database that holds a real room.
    """
    real = Room.objects.exclude(licence_number=LICENCE).order_by("name").first()
    if real is not None:
        raise SimulationRefused(
            f"This database holds {real}, which is no demo room. Simulated play has no place beside real records: "
            "use another database (CARDROOM_STATE_DIR or CARDROOM_DATABASE_URL)."
        )
    if code is None:
        code = PAST if Shift.objects.filter(room__code=CODE).exists() else CODE
    with transaction.atomic():
        room = Room.objects.filter(code=code).first()
        if room is not None and goes_on(room):
            return room
        if room is None:
            room = room_made() if code == CODE else _another_room(code, jurisdiction)
        if room.rules_of.permits(RULEBOOK):
            own_schedules_seed(room, _filer(room), rulebook=RULEBOOK)
        if room.rules_of.permits(RAKED_RULEBOOK):
            raked_games_filed(room)
    return room


def goes_on(room: Room) -> bool:
    """Whether it is the demo's own room, and has had shifts: its tables go on with what they play."""
    return room.code == CODE and Shift.objects.filter(room=room).exists()


def _another_room(code: str, jurisdiction: str) -> Room:
    name = code.replace("-", " ").title()
    room = Room(name=name, code=code, licence_number=LICENCE, jurisdiction=jurisdiction, time_zone=TIME_ZONE)
    room.full_clean()
    room.save()
    provider = Provider.objects.create(
        room=room, name=f"{name} Proposition Services", contract_number=LICENCE
    )
    by_name = {person.username: person for person in Staff.objects.all()}
    for username, _, role in STAFF:
        if (person := by_name.get(username)) is not None:
            Employment.objects.create(
                staff=person, room=room, role=role, provider=provider if role == Role.PROVIDER_LEAD else None
            )
    if room.rules_of.permits(RULEBOOK):
        games_seed(room, _filer(room))
        schedules_seed(room, _filer(room))
    return room


def raked_games_filed(room: Room) -> None:
    """File a game for each form of house rake; a number that is there already stays."""
    for number, options in enumerate(raked_options(), start=1):
        if not GameFiling.objects.filter(room=room, number=number).exists():
            game_seed(room, _filer(room), number, rulebook=RAKED_RULEBOOK, options=options)


def _filer(room: Room) -> Staff:
    """The account that files the room's schedules: its manager, or one that cannot sign in."""
    manager = Employment.objects.filter(room=room, role=Role.ROOM_MANAGER).select_related("staff").first()
    if manager is not None:
        return manager.staff
    filer = Staff(username=f"{room.code}-manager", display_name=f"Manager of {room.name}")
    filer.set_unusable_password()
    filer.save()
    Employment.objects.create(staff=filer, room=room, role=Role.ROOM_MANAGER)
    return filer
