"""Loads the demo's second room: a small house of Massachusetts whose two tables the house banks and play for one meter."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Final

from cardroom.floor.checks.limits import limited_wagers, limits_proposed
from cardroom.floor.commands.meters import meter_link
from cardroom.floor.commands.seats import down_start, player_seat
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.commands.tray import tray_open
from cardroom.floor.models import Table
from cardroom.people.models import Employment, Player, Role, Staff
from cardroom.rooms.models import Room

from .boxes import boxes_hung
from .decks import decks_placed
from .demo_room import DemoRoom, evening_clock, present_shift
from .filings import game_seed

CODE: Final = "mill-river-demo"
NAME: Final = "Mill River House"
RULEBOOK: Final = "massachusetts"
TIME_ZONE: Final = "America/New_York"

#: Sign-in, name on the screens, role.
STAFF: Final[tuple[tuple[str, str, Role], ...]] = (
    ("mr-dealer", "Ada Whitcomb", Role.DEALER),
    ("mr-dealer2", "Ned Foss", Role.DEALER),
    ("mr-floor", "Joe Tavares", Role.FLOOR),
    ("mr-manager", "Ruth Lachance", Role.SHIFT_MANAGER),
    ("mr-count", "Sol Abrams", Role.COUNT),
    ("mr-count2", "Nell Pike", Role.COUNT),
    ("mr-compliance", "Dot Kelleher", Role.COMPLIANCE),
    ("mr-roommanager", "Hugh Barlow", Role.ROOM_MANAGER),
)


@dataclasses.dataclass(frozen=True)
class OpenTable:
    """A table as it opens: its dealer, the backs of its two decks, and who sits at which seat."""

    dealer: str
    decks: tuple[str, str]
    seats: dict[int, str]


#: Tables by number. Vera Boone holds two positions side by side.
TABLES: Final[dict[int, OpenTable]] = {
    1: OpenTable(
        "mr-dealer",
        ("green", "brown"),
        {1: "Tess Moran", 3: "Vera Boone", 4: "Vera Boone", 6: "Abe Sutter"},
    ),
    2: OpenTable("mr-dealer2", ("black", "purple"), {2: "Iris Kemp", 5: "Bill Dunn"}),
}
#: What each progressive wager of $1 adds to the meter and to its reserve.
CONTRIBUTION_CENTS: Final = 50
RESERVE_CENTS: Final = 10
METER: Final = "Mill River Progressive"
#: Chips in each tray by their worth in cents.
TRAY: Final[dict[str, int]] = {"100": 200, "500": 200, "2500": 200, "10000": 100}


def house_room_made(licence: str, now: datetime.datetime) -> DemoRoom:
    """Make the room with its people, its game and two open tables that play for one meter; nobody has played by `now`."""
    room = Room.objects.create(
        name=NAME,
        code=CODE,
        licence_number=licence,
        jurisdiction=RULEBOOK,
        time_zone=TIME_ZONE,
        meter_contribution_cents=CONTRIBUTION_CENTS,
        meter_reserve_cents=RESERVE_CENTS,
    )
    for number, (username, name, role) in enumerate(STAFF, start=201):
        person = Staff.objects.create(
            username=username,
            display_name=name,
            badge=str(number),
            is_staff=role == Role.ROOM_MANAGER,  # lets the room's manager into the admin
        )
        Employment.objects.create(staff=person, room=room, role=role)
    for name in dict.fromkeys(name for table in TABLES.values() for name in table.seats.values()):
        Player.objects.create(room=room, name=name)
    game = game_seed(room, Staff.objects.get(username="mr-roommanager"), 1, rulebook=RULEBOOK)
    for number in TABLES:
        Table.objects.create(room=room, number=number)
    demo = DemoRoom(room, evening_clock(room, now))
    named, _ = present_shift(room, now)
    demo.at_room("mr-manager", shift_open, name=named)
    wagers = limited_wagers(game.rulebook, game.options, main_by_schedule=False)
    for number in TABLES:
        demo.at(number, "mr-floor", table_set, game_id=game.pk, wager_limits=limits_proposed(wagers, None))
        _table_opened(demo, number)
    _meter_linked(demo)
    boxes_hung(demo, "mr-floor")
    return demo


def _table_opened(demo: DemoRoom, number: int) -> None:
    """Open a table with its dealer, players and two decks that all have looked over."""
    table = TABLES[number]
    dealer = demo.staff[table.dealer]
    demo.at(number, "mr-floor", table_open)
    demo.at(number, "mr-floor", down_start, dealer_id=dealer.pk)
    demo.at(number, "mr-floor", tray_open, chips=TRAY, approver=dealer)
    for seat, player in table.seats.items():
        demo.at(number, "mr-floor", player_seat, seat=seat, player_id=demo.players[player].pk)
    decks_placed(demo, number, table.decks, dealer=table.dealer, floor="mr-floor")


def _meter_linked(demo: DemoRoom) -> None:
    """Let the second table play for the meter of the first."""
    first, second = TABLES
    meter = Table.objects.values_list("meter", flat=True).get(pk=demo.tables[first].pk)
    assert meter is not None  # it was made as the game was set
    demo.at(
        second,
        "mr-floor",
        meter_link,
        meter_id=meter,
        name=METER,
        reason="one jackpot for both tables",
        approver=demo.staff["mr-manager"],
    )
