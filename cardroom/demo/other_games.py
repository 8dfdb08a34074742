"""The demo's other California games: baccarat with its cards, blackjack and pai gow poker settled by eye.

At the tables of baccarat and blackjack several bettors wager on one spot (`docs/back_line.md`).

The filings are invented: a real room writes what its own approvals say.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from cardroom.floor.acts.decks import deck_place
from cardroom.floor.acts.seats import back_line_join, down_start, player_seat
from cardroom.floor.acts.tables import table_open, table_set
from cardroom.floor.limits import limited_wagers, limits_proposed
from cardroom.floor.models import Table
from cardroom.floor.reads.table_procedures import decks_of
from cardroom.people.models import Player, Staff

from .demo_room import DemoRoom
from .filings import game_seed, schedule_seed


@dataclasses.dataclass(frozen=True)
class OtherGame:
    """A game as it is filed and the table that it is set at: `table` is its number, `number` that of both filings."""

    number: int
    table: int
    rulebook: str
    recording: str
    title: str = ""
    options: dict[str, Any] = dataclasses.field(default_factory=dict)


def _spot(id_: str, name: str, *, main: bool = False) -> dict[str, Any]:
    return {"id": id_, "name": name, **({"main": True} if main else {}), "tip": True}


GAMES: Final = (
    OtherGame(number=10, table=10, rulebook="baccarat", recording="cards", options={"back_line": 3}),
    OtherGame(
        number=11,
        table=11,
        rulebook="by_eye",
        recording="fees",
        title="Blackjack",
        options={
            "name": "Blackjack",
            "seats": 8,
            "decks": 6,
            "back_line": 1,
            "spots": [_spot("bet", "Bet", main=True), _spot("pairs", "Lucky Pairs")],
        },
    ),
    OtherGame(
        number=12,
        table=12,
        rulebook="by_eye",
        recording="fees",
        title="Pai Gow Poker",
        options={
            "name": "Pai Gow Poker",
            "seats": 7,
            "decks": 1,
            "spots": [_spot("bet", "Bet", main=True), _spot("fortune", "Fortune Bonus")],
        },
    ),
)
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


def other_games_made(demo: DemoRoom) -> None:
    """File the games, set a table for each, and open those of baccarat and blackjack; pai gow poker stays closed."""
    manager = Staff.objects.get(username="roommanager")
    for game in GAMES:
        filed = game_seed(
            demo.room,
            manager,
            game.number,
            rulebook=game.rulebook,
            options=game.options,
            title=game.title,
        )
        schedule = schedule_seed(demo.room, manager, game.number, FEES, rulebook=game.rulebook)
        assert schedule is not None  # the numbers are this module's own
        table, _ = Table.objects.get_or_create(room=demo.room, number=game.table)
        demo.tables[game.table] = table
        wagers = limited_wagers(filed.rulebook, filed.options, main_by_schedule=True)
        demo.at(
            game.table,
            "floor",
            table_set,
            game_id=filed.pk,
            schedule_id=schedule.pk,
            wager_limits=limits_proposed(wagers, schedule.schedule),
            recording=game.recording,
        )
    for each in OPEN:
        demo.at(each.number, "floor", table_open)
        demo.at(each.number, "floor", down_start, dealer_id=demo.staff[each.dealer].pk)
        for seat, name in each.seats.items():
            player = Player.objects.create(room=demo.room, name=name)
            demo.at(each.number, "floor", player_seat, seat=seat, player_id=player.pk)
        for seat, name in each.behind:
            player = Player.objects.create(room=demo.room, name=name)
            demo.at(each.number, "floor", back_line_join, seat=seat, player_id=player.pk)
        if not decks_of(demo.tables[each.number]).exists():  # simulated play may have placed some
            demo.at(each.number, "floor", deck_place, colour="red")
