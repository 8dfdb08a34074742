"""The demo's second room: a small house of Massachusetts whose tables the house banks."""

from __future__ import annotations

from typing import Final

from cardroom.floor.acts.seats import down_start, player_seat
from cardroom.floor.acts.shifts import shift_open
from cardroom.floor.acts.tables import table_open, table_set
from cardroom.floor.acts.tray import tray_open
from cardroom.floor.limits import limited_wagers, limits_proposed
from cardroom.floor.models import Table
from cardroom.people.models import Employment, Player, Role, Staff
from cardroom.rooms.models import Room

from .boxes import boxes_hung
from .decks import decks_placed
from .demo_room import DemoRoom
from .filings import game_seed

CODE: Final = "mill-river-demo"
NAME: Final = "Mill River House"
RULEBOOK: Final = "massachusetts"
TIME_ZONE: Final = "America/New_York"

#: Sign-in, name on the screens, role.
STAFF: Final[tuple[tuple[str, str, Role], ...]] = (
    ("mr-dealer", "Ada Whitcomb", Role.DEALER),
    ("mr-floor", "Joe Tavares", Role.FLOOR),
    ("mr-manager", "Ruth Lachance", Role.SHIFT_MANAGER),
    ("mr-count", "Sol Abrams", Role.COUNT),
    ("mr-count2", "Nell Pike", Role.COUNT),
    ("mr-compliance", "Dot Kelleher", Role.COMPLIANCE),
    ("mr-roommanager", "Hugh Barlow", Role.ROOM_MANAGER),
)
#: Who sits at table 1 when the demo opens; Vera Boone holds two positions side by side.
SEATS: Final[dict[int, str]] = {1: "Tess Moran", 3: "Vera Boone", 4: "Vera Boone", 6: "Abe Sutter"}
OPEN_TABLE: Final = 1
#: The backs of its two decks.
DECKS: Final = ("green", "brown")
#: Chips in its tray by their worth in cents.
TRAY: Final[dict[str, int]] = {"100": 200, "500": 200, "2500": 200, "10000": 100}
TABLES: Final = (1, 2)


def house_room_made(licence: str) -> DemoRoom:
    """Make the room with its people, its game and two tables, of which one is open; nobody has played yet."""
    room = Room.objects.create(
        name=NAME, code=CODE, licence_number=licence, jurisdiction=RULEBOOK, time_zone=TIME_ZONE
    )
    for number, (username, name, role) in enumerate(STAFF, start=201):
        person = Staff.objects.create(
            username=username,
            display_name=name,
            badge=str(number),
            is_staff=role == Role.ROOM_MANAGER,  # lets the room's manager into the admin
        )
        Employment.objects.create(staff=person, room=room, role=role)
    for name in dict.fromkeys(SEATS.values()):
        Player.objects.create(room=room, name=name)
    game = game_seed(room, Staff.objects.get(username="mr-roommanager"), 1, rulebook=RULEBOOK)
    for number in TABLES:
        Table.objects.create(room=room, number=number)
    demo = DemoRoom(room)
    demo.at_room("mr-manager", shift_open, name="Swing")
    wagers = limited_wagers(game.rulebook, game.options, main_by_schedule=False)
    for number in TABLES:
        demo.at(number, "mr-floor", table_set, game_id=game.pk, wager_limits=limits_proposed(wagers, None))
    _table_opened(demo)
    boxes_hung(demo, "mr-floor")
    return demo


def _table_opened(demo: DemoRoom) -> None:
    """Open one table with its dealer, players and two decks that all have looked over."""
    demo.at(OPEN_TABLE, "mr-floor", table_open)
    demo.at(OPEN_TABLE, "mr-floor", down_start, dealer_id=demo.staff["mr-dealer"].pk)
    demo.at(OPEN_TABLE, "mr-floor", tray_open, chips=TRAY, approver=demo.staff["mr-dealer"])
    for seat, player in SEATS.items():
        demo.at(OPEN_TABLE, "mr-floor", player_seat, seat=seat, player_id=demo.players[player].pk)
    decks_placed(demo, OPEN_TABLE, DECKS, dealer="mr-dealer", floor="mr-floor")
