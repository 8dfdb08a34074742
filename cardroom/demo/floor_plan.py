"""The tables of the demo's California room: what each plays and charges, and who deals, sits and stands there as it opens."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Final

from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.models import Table
from cardroom.rooms.models import Room

from .simulation.charges import Charge


@dataclasses.dataclass(frozen=True)
class DemoTable:
    """A table: the numbers of its game and fee schedule, how much of a round it records, and the backs of its decks.

    `dealer` is a user name; a table without one stays closed. `seats` are players by seat, `behind` those who stand behind one.
    """

    number: int
    game: int
    schedule: int
    recording: str = Table.Recording.CARDS
    decks: tuple[str, ...] = ("red", "blue")
    dealer: str | None = None
    seats: Mapping[int, str] = dataclasses.field(default_factory=dict)
    behind: tuple[tuple[int, str], ...] = ()

    def charge(self, room: Room) -> Charge:
        """What is played and charged there, by what the room has filed."""
        return Charge(
            GameFiling.objects.get(room=room, number=self.game),
            FeeSchedule.objects.get(room=room, number=self.schedule),
            str(self.recording),
        )


#: Three Card Poker by California's own rulebook and by an approval of another document, Ultimate Texas Hold'em, baccarat,
#: and three games that are settled by eye.
TABLES: Final = (
    DemoTable(
        7,
        game=1,
        schedule=1,
        dealer="dealer",
        seats={
            1: "Ana Reyes",
            2: "Bo Lindqvist",
            3: "Cy Marchetti",
            4: "Dee Nakamura",
            5: "Eve Sandoval",
            6: "Fay Oduya",
        },
    ),
    DemoTable(
        8,
        game=8,
        schedule=8,
        dealer="dealer2",
        seats={
            1: "Gus Ferreira",
            2: "Hana Kovac",
            4: "Ike Barros",
            6: "June Castellano",
            8: "Lou Petersen",
        },
    ),
    DemoTable(
        9,
        game=9,
        schedule=9,
        dealer="dealer5",
        seats={1: "Noor Aziz", 2: "Omar Delacroix", 4: "Perla Ochoa", 5: "Max Tremblay", 7: "Rene Ishii"},
    ),
    DemoTable(
        10,
        game=10,
        schedule=10,
        decks=("red",),
        dealer="dealer3",
        seats={1: "Nia Castro", 3: "Oto Lund", 4: "Pia Renner", 6: "Quin Alvarez", 8: "Theo Larkin"},
        behind=((3, "Rosa Imhof"), (3, "Sami Haddad"), (6, "Tess Okafor")),
    ),
    DemoTable(
        11,
        game=11,
        schedule=11,
        recording=Table.Recording.FEES,
        decks=("red",),
        dealer="dealer4",
        seats={2: "Uma Petrov", 3: "Wes Brannigan", 5: "Vito Marsh", 7: "Wren Adler"},
        behind=((5, "Xena Cole"),),
    ),
    DemoTable(
        12,
        game=12,
        schedule=12,
        recording=Table.Recording.FEES,
        decks=("white",),
        dealer="dealer6",
        seats={
            1: "Jorge Santillan",
            2: "Mei-Ling Fong",
            3: "Walter Oyelaran",
            4: "Ellen Cho",
            5: "Vinh Le",
            7: "Annika Söderström-Velázquez",
        },
        behind=((7, "Yan Brodie"),),
    ),
    DemoTable(13, game=13, schedule=13, recording=Table.Recording.FEES, decks=("red",)),
)
#: Who comes later, and who waits for a seat.
WAITING: Final = ("Kai Moreno", "Ray Pruitt", "Zoe Winslow")
#: The provider's proposition players: one at a table at most (4 CCR 12270(b)(5)).
PROPOSITION_PLAYERS: Final = (
    *("Cy Marchetti", "June Castellano", "Max Tremblay", "Theo Larkin", "Wes Brannigan", "Vinh Le"),
    "Zoe Winslow",
)


def players_named() -> list[str]:
    """Everybody who plays, table by table, and those who wait."""
    at_tables = [
        name for table in TABLES for name in (*table.seats.values(), *(name for _, name in table.behind))
    ]
    return [*at_tables, *WAITING]
