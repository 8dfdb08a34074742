"""The demo's other California games: baccarat with its cards, blackjack and pai gow poker settled by eye.

The filings are invented: a real room writes what its own approvals say.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from cardroom.floor.acts.decks import deck_place
from cardroom.floor.acts.seats import down_start, player_seat
from cardroom.floor.acts.tables import table_open, table_set
from cardroom.floor.limits import limited_wagers, limits_proposed
from cardroom.floor.models import Table
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
    OtherGame(number=10, table=10, rulebook="baccarat", recording="cards"),
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
#: The baccarat table is open: who deals there, and who sits where.
DEALER: Final = "dealer3"
SEATS: Final[dict[int, str]] = {1: "Nia Castro", 3: "Oto Lund", 4: "Pia Renner", 6: "Quin Alvarez"}


def other_games_made(demo: DemoRoom) -> None:
    """File the games, set a table for each, and open the one of baccarat; the others stay closed."""
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
    number = GAMES[0].table
    demo.at(number, "floor", table_open)
    demo.at(number, "floor", down_start, dealer_id=demo.staff[DEALER].pk)
    for seat, name in SEATS.items():
        player = Player.objects.create(room=demo.room, name=name)
        demo.at(number, "floor", player_seat, seat=seat, player_id=player.pk)
    demo.at(number, "floor", deck_place, colour="red")
