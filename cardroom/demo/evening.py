"""Plays the demo's evening at one table: a few rounds, dealt from a shuffled deck and entered by the floor's commands.

The deck is shuffled by a seeded generator, so that every installation sees the same evening. Nothing else in
the project shuffles: a real room deals real cards.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping
from typing import Any, Final

from cardroom.floor.commands.bank import offer_answer, turn_renew
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_settle,
    round_void,
)
from cardroom.floor.execution.carry_out import TableCommand
from cardroom.floor.models import Table
from cardroom.floor.reads.table_state import read_table
from cardroom.people.models import Staff
from games.registry import game_of, terms_of

from .demo_room import DemoRoom

SEED: Final = 7
_ANSWER_SECONDS: Final = 4


@dataclasses.dataclass(frozen=True)
class Bet:
    """What lies before a seat, in dollars: the player's wagers, and a tip beside the ante."""

    ante: int
    pair_plus: int = 0
    six_card_bonus: int = 0
    tip: int = 0

    def document(self, seat: int) -> dict[str, Any]:
        """Return the bet as the services read it, in cents."""
        wagers = {"ante": self.ante, "pair_plus": self.pair_plus, "six_card_bonus": self.six_card_bonus}
        return {
            "seat": seat,
            "wagers": {spot: dollars * 100 for spot, dollars in wagers.items() if dollars},
            "tips": {"ante": self.tip * 100} if self.tip else {},
        }


@dataclasses.dataclass(frozen=True)
class Round:
    """A round of the evening: the player-dealer wager, in dollars, who bets what, and why it was void."""

    bank: int
    bets: Mapping[int, Bet]
    void: str = ""


@dataclasses.dataclass(frozen=True)
class Turn:
    """Which seat takes the bank, who is away as it is offered, and the rounds that are then banked.

    With `seat` None everybody else declines, and the last bank goes on.
    """

    seat: int | None
    rounds: tuple[Round, ...]
    away: tuple[int, ...] = ()


#: The evening at table 7. Offers go clockwise from the seat after the last bank's; whoever is asked before `seat` declines.
EVENING: Final[tuple[Turn, ...]] = (
    Turn(
        3,
        (
            Round(400, {1: Bet(10, 5), 2: Bet(20), 4: Bet(15, 5, 5), 5: Bet(10, tip=1), 6: Bet(25, 10)}),
            # More is on the table than the bank puts up: it is exhausted, and what is left goes back.
            Round(
                80, {1: Bet(20, 5), 2: Bet(30, 10), 4: Bet(15, 5, 5), 5: Bet(25, tip=2), 6: Bet(40, 10, 5)}
            ),
        ),
    ),
    Turn(
        6,
        (
            Round(
                300,
                {1: Bet(10), 2: Bet(10, 5), 3: Bet(50), 4: Bet(15, 5, 5)},
                void="Wrong number of cards dealt",
            ),
            Round(300, {1: Bet(10), 2: Bet(10, 5), 3: Bet(50), 4: Bet(15, 5, 5), 5: Bet(10)}),
            Round(350, {1: Bet(10, 5), 2: Bet(15), 3: Bet(50, 0, 10), 4: Bet(20, 5, 5), 5: Bet(10, tip=1)}),
        ),
        away=(5,),
    ),
    Turn(
        None,
        (Round(350, {1: Bet(15, 5), 2: Bet(15), 3: Bet(40, 0, 10), 4: Bet(20, 5, 5)}),),
        away=(5,),
    ),
)


@dataclasses.dataclass
class Evening:
    """What came of it."""

    settled: int = 0
    voided: int = 0


def evening_play(demo: DemoRoom, *, table: Table, approver: Staff) -> Evening:
    """Play the evening at an open table with players at seats 1 to 6; `approver` approves the voids."""
    evening, deck = Evening(), random.Random(SEED)  # noqa: S311  # a demo's deck, no secret
    for turn in EVENING:
        _offer(demo, table, turn)
        for played in turn.rounds:
            _play(demo, table, played, deck, approver)
            if played.void:
                evening.voided += 1
            else:
                evening.settled += 1
    return evening


def _offer(demo: DemoRoom, table: Table, turn: Turn) -> None:
    while (step := read_table(Table.objects.get(pk=table.pk), demo.clock.now).step).kind == "offer":
        asked = step.seat
        answer = "accepted" if asked == turn.seat else "absent" if asked in turn.away else "declined"
        demo.at(table.number, "dealer", offer_answer, seat=asked, answer=answer)
        demo.clock.wait(_ANSWER_SECONDS)
    if turn.seat is None:
        demo.at(table.number, "dealer", turn_renew)


def _play(demo: DemoRoom, table: Table, played: Round, deck: random.Random, approver: Staff) -> None:
    def give(command: TableCommand[...], seconds: int, **arguments: Any) -> None:
        demo.at(table.number, "dealer", command, **arguments)
        demo.clock.wait(seconds)

    give(round_open, 5, bank_wager_cents=played.bank * 100)
    give(bets_place, 15, positions=[bet.document(seat) for seat, bet in played.bets.items()])
    give(bets_close, 5)
    give(round_deal, 40)
    if played.void:
        give(round_void, 30, reason=played.void, approver=approver)
        return
    bets = [{"seat": seat} for seat in played.bets]
    hands, positions = game_of(table.rulebook).draw_play(deck, terms_of(table.rulebook, table.options), bets)
    give(round_settle, 30, hands=hands, positions=positions)
