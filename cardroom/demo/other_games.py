"""Files the demo's other California games by their approvals, each with the fee schedule that is approved for it.

Carded ones are Three Card Poker of another document, Ultimate Texas Hold'em and baccarat; blackjack, pai gow tiles and pai gow
poker are settled by eye. The approvals are invented: a real room files its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cardroom.filings.approval_file import json_of
from cardroom.filings.schedule_file import schedule_of_entry
from cardroom.people.models import Staff
from cardroom.rooms.models import Room
from games.datafile import Entry, read_data

from .filings import game_seed, schedule_seed

#: Games and their fees: room files, as `manage.py room_import` takes them. A schedule has the number of its game.
APPROVED: Final = Path(__file__).with_name("approved_room.toml")
BY_EYE: Final = Path(__file__).with_name("by_eye_room.toml")
#: The games of each file that the demo plays, by number, and the number that each has in the demo's room.
_FILED: Final = ((APPROVED, {8: 8, 9: 9, 10: 10}), (BY_EYE, {2: 11, 3: 12, 4: 13}))


def other_games_filed(room: Room, by: Staff) -> None:
    """File the games of the room files that the demo plays, and their fees, under the numbers that they have here."""
    for file, numbers in _FILED:
        entry = read_data(file.read_bytes(), file.name)
        for each in entry.tables("game"):
            if (number := numbers.get(each.number("number", least=1))) is not None:
                _game_filed(room, by, number, each)
        for each in entry.tables("schedule"):
            schedule = schedule_of_entry(each, file=file.name)
            if schedule.number in numbers:
                schedule_seed(
                    room,
                    by,
                    numbers[schedule.number],
                    schedule.document,
                    rulebook=schedule.rulebook,
                    title=schedule.title,
                    games=[numbers[number] for number in schedule.games],
                    reference=schedule.state_reference,
                )


def _game_filed(room: Room, by: Staff, number: int, entry: Entry) -> None:
    game_seed(
        room,
        by,
        number,
        rulebook=entry.text("rulebook"),
        options=json_of(entry.given("options")),
        title=entry.text("title"),
        reference=entry.text("state_reference"),
    )
