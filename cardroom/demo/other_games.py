"""Loads the demo's other California games: baccarat with its cards, and five games settled by eye, two of them at tables.

At the tables of baccarat and blackjack several bettors wager on one spot (`docs/back_line.md`); blackjack is charged by
spot.

The filings are invented: a real room writes what its own approvals say.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Final

from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.filings.schedule_file import schedule_of_entry
from cardroom.floor.checks.limits import limited_wagers, limits_proposed
from cardroom.floor.commands.seats import back_line_join, down_start, player_seat
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.models import Table
from cardroom.people.models import Player, Staff
from cardroom.rooms.models import Room
from games.datafile import read_data

from .decks import decks_placed
from .demo_room import DemoRoom
from .filings import game_seed, schedule_seed

#: The games settled by eye, and their fees: a room file, as `manage.py room_import` takes it.
BY_EYE: Final = Path(__file__).with_name("by_eye_room.toml")
#: What is added to the numbers of the file's filings, so that they come after the demo's own.
AFTER: Final = 10
#: The number of baccarat and of its fees.
BACCARAT: Final = 10
#: $1 from each position, $2 from the player-dealer; wagers from $10 to $200.
FEES: Final[dict[str, Any]] = {
    "clause": "invented",
    "ante_min_cents": 1000,
    "ante_max_cents": 20_000,
    "lines": [
        {"payer": "player", "per": "ante", "fee_cents": 100, "clause": "invented"},
        {"payer": "bank", "per": "round", "fee_cents": 200, "clause": "invented"},
    ],
}


@dataclasses.dataclass(frozen=True)
class SetTable:
    """A table, the numbers of the filings that it is set to, and how much of a round it records."""

    number: int
    game: int
    schedule: int
    recording: str


TABLES: Final = (
    SetTable(number=10, game=BACCARAT, schedule=BACCARAT, recording="cards"),
    SetTable(number=11, game=AFTER + 2, schedule=AFTER + 3, recording="fees"),
    SetTable(number=12, game=AFTER + 4, schedule=AFTER + 1, recording="fees"),
)


@dataclasses.dataclass(frozen=True)
class OpenTable:
    """A table that is open: its number, who deals there, who sits where, and who stands behind which seat."""

    number: int
    dealer: str
    seats: dict[int, str]
    behind: tuple[tuple[int, str], ...]


OPEN: Final = (
    OpenTable(
        number=10,
        dealer="dealer3",
        seats={1: "Nia Castro", 3: "Oto Lund", 4: "Pia Renner", 6: "Quin Alvarez"},
        behind=((3, "Rosa Imhof"), (3, "Sami Haddad"), (6, "Tess Okafor")),
    ),
    OpenTable(
        number=11,
        dealer="dealer4",
        seats={2: "Uma Petrov", 5: "Vito Marsh", 7: "Wren Adler"},
        behind=((5, "Xena Cole"),),
    ),
)


def other_games_filed(room: Room, by: Staff) -> None:
    """File baccarat and the games of the room file, with their fees."""
    game_seed(room, by, BACCARAT, rulebook="baccarat", options={"back_line": 3})
    schedule_seed(room, by, BACCARAT, FEES, rulebook="baccarat")
    _filed_by_eye(room, by)


def other_games_opened(demo: DemoRoom) -> None:
    """Set three tables, and open those of baccarat and blackjack; pai gow poker stays closed."""
    for each in TABLES:
        game = GameFiling.objects.get(room=demo.room, number=each.game)
        schedule = FeeSchedule.objects.get(room=demo.room, number=each.schedule)
        table, _ = Table.objects.get_or_create(room=demo.room, number=each.number)
        demo.tables[each.number] = table
        wagers = limited_wagers(game.rulebook, game.options, main_by_schedule=True)
        demo.at(
            each.number,
            "floor",
            table_set,
            game_id=game.pk,
            schedule_id=schedule.pk,
            wager_limits=limits_proposed(wagers, schedule.schedule),
            recording=each.recording,
        )
    for opened in OPEN:
        demo.at(opened.number, "floor", table_open)
        demo.at(opened.number, "floor", down_start, dealer_id=demo.staff[opened.dealer].pk)
        for seat, name in opened.seats.items():
            player = Player.objects.create(room=demo.room, name=name)
            demo.at(opened.number, "floor", player_seat, seat=seat, player_id=player.pk)
        for seat, name in opened.behind:
            player = Player.objects.create(room=demo.room, name=name)
            demo.at(opened.number, "floor", back_line_join, seat=seat, player_id=player.pk)
        decks_placed(demo, opened.number, ("red",), dealer=opened.dealer, floor="floor")


def _filed_by_eye(room: Room, by: Staff) -> None:
    """File the fees and games of the room file under numbers of their own."""
    entry = read_data(BY_EYE.read_bytes(), BY_EYE.name)
    for each in entry.tables("game"):
        game_seed(
            room,
            by,
            AFTER + each.number("number", least=1),
            rulebook=each.text("rulebook"),
            options=each.given("options"),
            title=each.text("title"),
        )
    for each in entry.tables("schedule"):
        schedule = schedule_of_entry(each, file=BY_EYE.name)
        schedule_seed(
            room,
            by,
            AFTER + schedule.number,
            schedule.document,
            rulebook=schedule.rulebook,
            title=schedule.title,
            games=[AFTER + number for number in schedule.games],
        )
