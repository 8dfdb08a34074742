"""Plays the demo's evening: a few rounds at each open table, dealt from a shuffled deck and entered by the floor's commands.

The tables play side by side. Decks are shuffled by seeded generators, so that every installation sees the same evening. Nothing
else in the project shuffles: a real room deals real cards.
"""

from __future__ import annotations

import dataclasses
import datetime
import random
from collections.abc import Generator, Iterator, Mapping
from typing import Any, Final

from cardroom.core.row_digests import rows_gathered
from cardroom.floor.commands.bank import offer_answer, turn_renew
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_void
from cardroom.floor.commands.seats import player_seat
from cardroom.floor.execution.carry_out import TableCommand
from cardroom.floor.execution.locks import lock_row
from cardroom.floor.models import Round as RoundRow
from cardroom.floor.models import Table
from cardroom.floor.reads.table_state import TableState
from cardroom.people.models import Staff

from .demo_room import COMMAND_SECONDS, DemoRoom
from .simulation.ending import entries_after_deal
from .simulation.month import in_order
from .simulation.table import PlayedTable

SEED: Final = 7
#: What it takes in seconds: to answer an offer, to end a round once the cards are out, and each entry before its end.
_ANSWER_SECONDS: Final = 4
_ENDING_SECONDS: Final = 30
_ENTRY_SECONDS: Final = 8


@dataclasses.dataclass(frozen=True)
class Bet:
    """What lies before a seat, in dollars: the wagers by spot, and a tip beside the first of them."""

    wagers: Mapping[str, int]
    tip: int = 0

    def document(self, seat: int, behind: int) -> dict[str, Any]:
        """Return the bet as the services read it, in cents."""
        return {
            "seat": seat,
            "behind": behind,
            "wagers": {spot: dollars * 100 for spot, dollars in self.wagers.items()},
            "tips": {next(iter(self.wagers)): self.tip * 100} if self.tip else {},
        }


def bet(tip: int = 0, **wagers: int) -> Bet:
    """A bet by the ids of its spots."""
    return Bet(wagers, tip)


@dataclasses.dataclass(frozen=True)
class Round:
    """A round of the evening: the player-dealer wager, in dollars, who bets what, and why it was void.

    Of several bets of a seat the first is its player's, the others are of those who stand behind. `first` is the seat that
    the dice name, where the action starts at one.
    """

    bank: int
    bets: Mapping[int, Bet | tuple[Bet, ...]]
    void: str = ""
    first: int | None = None

    def positions(self) -> list[dict[str, Any]]:
        """Every bet as the services read it."""
        return [
            each.document(seat, behind)
            for seat, bets in self.bets.items()
            for behind, each in enumerate(bets if isinstance(bets, tuple) else (bets,))
        ]


@dataclasses.dataclass(frozen=True)
class Turn:
    """Which seat takes the bank, who is away as it is offered, and the rounds that are then banked.

    With `seat` None everybody else declines, and the last bank goes on. `comes` are players who sit down before the offers. The
    evening ends where seat `asked` is to answer.
    """

    seat: int | None
    rounds: tuple[Round, ...] = ()
    away: tuple[int, ...] = ()
    comes: Mapping[int, str] = dataclasses.field(default_factory=dict)
    asked: int | None = None


#: The evening by table. Offers go from the seat after the last bank's; whoever is asked before `seat` declines.
EVENINGS: Final[Mapping[int, tuple[Turn, ...]]] = {
    7: (
        Turn(
            3,
            (
                Round(
                    400,
                    {
                        1: bet(ante=10, pair_plus=5),
                        2: bet(ante=20),
                        4: bet(ante=15, pair_plus=5, six_card_bonus=5),
                        5: bet(ante=10, tip=1),
                        6: bet(ante=25, pair_plus=10),
                    },
                ),
                # More is on the table than the bank puts up: it is exhausted, and what is left goes back.
                Round(
                    80,
                    {
                        1: bet(ante=20, pair_plus=5),
                        2: bet(ante=30, pair_plus=10),
                        4: bet(ante=15, pair_plus=5, six_card_bonus=5),
                        5: bet(ante=25, tip=2),
                        6: bet(ante=40, pair_plus=10, six_card_bonus=5),
                    },
                ),
            ),
        ),
        Turn(
            6,
            (
                Round(
                    300,
                    {
                        1: bet(ante=10),
                        2: bet(ante=10, pair_plus=5),
                        3: bet(ante=50),
                        4: bet(ante=15, pair_plus=5, six_card_bonus=5),
                    },
                    void="Wrong number of cards dealt",
                ),
                Round(
                    300,
                    {
                        1: bet(ante=10),
                        2: bet(ante=10, pair_plus=5),
                        3: bet(ante=50),
                        4: bet(ante=15, pair_plus=5, six_card_bonus=5),
                        5: bet(ante=10),
                    },
                ),
                Round(
                    350,
                    {
                        1: bet(ante=10, pair_plus=5),
                        2: bet(ante=15),
                        3: bet(ante=50, six_card_bonus=10),
                        4: bet(ante=20, pair_plus=5, six_card_bonus=5),
                        5: bet(ante=10, tip=1),
                    },
                ),
            ),
            away=(5,),
        ),
        Turn(
            None,
            (
                Round(
                    350,
                    {
                        1: bet(ante=15, pair_plus=5),
                        2: bet(ante=15),
                        3: bet(ante=40, six_card_bonus=10),
                        4: bet(ante=20, pair_plus=5, six_card_bonus=5),
                    },
                ),
            ),
            away=(5,),
        ),
    ),
    8: (
        Turn(
            6,
            (
                Round(
                    800,
                    {
                        1: bet(ante=25, pair_plus=5),
                        2: bet(ante=50, pair_plus=25),
                        4: bet(ante=10),
                        8: bet(ante=20, pair_plus=10, tip=2),
                    },
                ),
                Round(
                    800,
                    {
                        1: bet(ante=25, pair_plus=5),
                        2: bet(ante=100, pair_plus=25),
                        4: bet(ante=10, pair_plus=5),
                        8: bet(ante=75, pair_plus=10),
                    },
                ),
            ),
        ),
        Turn(None, asked=1),
    ),
    9: (
        Turn(
            5,
            (
                Round(
                    2000,
                    {
                        1: bet(ante=10, trips=5),
                        2: bet(ante=25),
                        4: bet(ante=15, trips=10, tip=1),
                        7: bet(ante=60),
                    },
                ),
                Round(2000, {1: bet(ante=10, trips=5), 2: bet(ante=25, tip=2), 7: bet(ante=60, trips=10)}),
            ),
        ),
        Turn(
            2,
            (Round(1500, {1: bet(ante=10, trips=5), 4: bet(ante=20, trips=10), 5: bet(ante=10)}),),
            away=(4,),
        ),
    ),
    10: (
        Turn(
            8,
            (
                Round(
                    1200,
                    {
                        1: bet(banker=25, dragon_7=5),
                        3: (bet(player=50, panda_8=5), bet(banker=20), bet(player=10, tie=5)),
                        4: bet(banker=40, tip=2),
                        6: (bet(player=100), bet(player=15, panda_8=5)),
                    },
                ),
                Round(
                    1200,
                    {
                        1: bet(banker=25, dragon_7=5),
                        3: (bet(player=75), bet(banker=20), bet(player=10)),
                        4: bet(banker=40, tie=5),
                        6: (bet(banker=100), bet(player=15)),
                    },
                ),
            ),
        ),
        Turn(
            3,
            (
                Round(
                    600,
                    {
                        1: bet(player=25, panda_8=5),
                        4: bet(banker=60, dragon_7=5, tip=1),
                        6: (bet(banker=100), bet(banker=15, tie=5)),
                        8: bet(player=10),
                    },
                ),
            ),
        ),
    ),
    11: (
        Turn(
            3,
            (
                Round(
                    1000,
                    {
                        2: bet(bet=25, pairs=5),
                        5: (bet(bet=50, pairs=5, bust=5), bet(bet=20)),
                        7: bet(bet=15, tip=1),
                    },
                ),
                Round(
                    1000,
                    {
                        2: bet(bet=50, pairs=5),
                        5: (bet(bet=50, bust=5), bet(bet=20, pairs=5)),
                        7: bet(bet=15),
                    },
                ),
            ),
        ),
        Turn(
            7,
            (
                # Less is put up than lies on the table: what the bank cannot cover goes back.
                Round(60, {2: bet(bet=40, pairs=5), 3: bet(bet=10), 5: (bet(bet=75), bet(bet=20))}),
                Round(400, {2: bet(bet=40), 3: bet(bet=10), 5: (bet(bet=50, pairs=5), bet(bet=20))}),
            ),
        ),
    ),
    12: (
        Turn(
            5,
            (
                Round(
                    1500,
                    {
                        1: bet(bet=20),
                        2: bet(bet=60),
                        3: bet(bet=40),
                        4: bet(bet=100),
                        7: (bet(bet=150), bet(bet=30)),
                    },
                    first=3,
                ),
                Round(
                    1500,
                    {1: bet(bet=20), 2: bet(bet=60), 3: bet(bet=40), 4: bet(bet=100, tip=5), 7: bet(bet=100)},
                    first=7,
                ),
            ),
        ),
        # Nobody has wagered in three rounds yet, and so nobody else may bank: the last bank goes on.
        Turn(
            None,
            (
                Round(
                    1500,
                    {
                        1: bet(bet=20),
                        2: bet(bet=80),
                        3: bet(bet=40),
                        4: bet(bet=100),
                        7: (bet(bet=120), bet(bet=30)),
                    },
                    first=2,
                ),
                Round(
                    1500,
                    {1: bet(bet=20), 2: bet(bet=80), 4: bet(bet=150), 7: (bet(bet=100), bet(bet=30))},
                    first=4,
                ),
            ),
        ),
        Turn(None, comes={6: "Ray Pruitt"}, asked=2),
    ),
}


@dataclasses.dataclass
class Evening:
    """What came of it."""

    settled: int = 0
    voided: int = 0


def evening_play(demo: DemoRoom, *, approver: Staff) -> Evening:
    """Play the evening at its open tables, side by side, in a transaction; `approver` approves the voids."""
    evening = Evening()
    with rows_gathered():
        tables = [_TableEvening(demo, number, turns, approver, evening) for number, turns in EVENINGS.items()]
        for _ in in_order(table.play() for table in tables):
            pass
    demo.clock.now = max(table.clock.now for table in tables)
    return evening


Instants = Iterator[datetime.datetime]


class _TableEvening:
    """The evening at one table, which is locked. What plays it gives the instant of each command before it."""

    def __init__(
        self, demo: DemoRoom, number: int, turns: tuple[Turn, ...], approver: Staff, evening: Evening
    ) -> None:
        self.players = demo.players
        self.clock = dataclasses.replace(demo.clock)
        self.table = PlayedTable(lock_row(Table, demo.tables[number].pk, "room", "schedule", "game"))
        self.turns = turns
        self.approver = approver
        self.evening = evening
        seed = SEED if number == min(EVENINGS) else f"{SEED} {number}"
        self.deck = random.Random(seed)  # noqa: S311  # a demo's deck, no secret

    def play(self) -> Generator[datetime.datetime, None, int]:
        """Play it all; return how many rounds were settled at all tables by then."""
        yield self.clock.now
        for turn in self.turns:
            for seat, name in turn.comes.items():
                yield from self._give(player_seat, 5, seat=seat, player_id=self.players[name].pk)
            yield from self._offer(turn)
            for played in turn.rounds:
                yield from self._round(played)
        return self.evening.settled

    def _state(self) -> TableState:
        return self.table.state(self.clock.now)

    def _live(self) -> RoundRow:
        live = self._state().live
        assert live is not None  # it was dealt and has not ended
        return live

    def _give(self, command: TableCommand[...], seconds: float, **arguments: Any) -> Instants:
        yield self.clock.now
        down = self._state().down
        assert down is not None  # somebody deals at every open table
        self.table.give(command, down.dealer, self.clock.wait(COMMAND_SECONDS), **arguments)
        self.clock.wait(seconds)

    def _offer(self, turn: Turn) -> Instants:
        while (step := self._state().step).kind == "offer" and step.seat != turn.asked:
            asked = step.seat
            answer = "accepted" if asked == turn.seat else "absent" if asked in turn.away else "declined"
            yield from self._give(offer_answer, _ANSWER_SECONDS, seat=asked, answer=answer)
        if turn.seat is None and turn.asked is None:
            yield from self._give(turn_renew, 0)

    def _round(self, played: Round) -> Instants:
        yield from self._give(round_open, 5, bank_wager_cents=played.bank * 100)
        yield from self._give(bets_place, 15, positions=played.positions())
        yield from self._give(bets_close, 5, action_seat=played.first)
        yield from self._give(round_deal, 40)
        if played.void:
            yield from self._give(round_void, 30, reason=played.void, approver=self.approver)
            self.evening.voided += 1
            return
        for entry in entries_after_deal(self.deck, self._live(), self._live):
            seconds = _ENDING_SECONDS if entry.ends else _ENTRY_SECONDS
            yield from self._give(entry.command, seconds, **entry.arguments)
        self.evening.settled += 1
