"""The demo's evening at one table: a few rounds, dealt from a shuffled deck and played through the services.

The deck is shuffled by a seeded generator, so that every installation sees the same evening. Nothing else in
the project shuffles: a real room deals real cards.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping
from typing import Any, Final, Protocol

from cardroom.floor.acts.bank import offer_answer, turn_renew
from cardroom.floor.acts.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_settle,
    round_void,
)
from cardroom.floor.commands import TableCommand
from cardroom.floor.models import Table
from cardroom.floor.reads.table_reading import read_table
from cardroom.people.models import Staff
from games.registry import game_of, terms_of

SEED: Final = 7


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
    """Answers to the offers, seat by seat as they are asked, and the rounds of the player who then banks."""

    answers: tuple[str, ...]
    rounds: tuple[Round, ...]


YES, NO, AWAY = "accepted", "declined", "absent"

#: The evening at table 7. Offers go clockwise from seat 1, then from the seat after the last bank's.
EVENING: Final[tuple[Turn, ...]] = (
    Turn(
        (NO, NO, YES),  # seat 3 banks
        (
            Round(400, {1: Bet(10, 5), 2: Bet(20), 4: Bet(15, 5, 5), 5: Bet(10, tip=1), 6: Bet(25, 10)}),
            # More is on the table than the bank puts up: it is exhausted, and what is left goes back.
            Round(
                80, {1: Bet(20, 5), 2: Bet(30, 10), 4: Bet(15, 5, 5), 5: Bet(25, tip=2), 6: Bet(40, 10, 5)}
            ),
        ),
    ),
    Turn(
        (NO, AWAY, YES),  # seat 6 banks
        (
            Round(
                300,
                {1: Bet(10), 2: Bet(10, 5), 3: Bet(50), 4: Bet(15, 5, 5)},
                void="Wrong number of cards dealt",
            ),
            Round(300, {1: Bet(10), 2: Bet(10, 5), 3: Bet(50), 4: Bet(15, 5, 5), 5: Bet(10)}),
            Round(350, {1: Bet(10, 5), 2: Bet(15), 3: Bet(50, 0, 10), 4: Bet(20, 5, 5), 5: Bet(10, tip=1)}),
        ),
    ),
    Turn(
        (NO, NO, NO, NO, AWAY),  # every player declines, and seat 6 goes on
        (Round(350, {1: Bet(15, 5), 2: Bet(15), 3: Bet(40, 0, 10), 4: Bet(20, 5, 5)}),),
    ),
)


class Give(Protocol):
    """Gives a command: table, who gives it, the command, its arguments."""

    def __call__(
        self, number: int, who: str, command: TableCommand[...], /, **arguments: Any
    ) -> dict[str, Any]: ...


@dataclasses.dataclass
class Evening:
    """What came of it."""

    settled: int = 0
    voided: int = 0


def evening_play(give: Give, *, table: Table, approver: Staff) -> Evening:
    """Play the evening at an open table with players at seats 1 to 6; `approver` approves the voids."""
    evening, deck = Evening(), random.Random(SEED)  # noqa: S311  # a demo's deck, no secret
    for turn in EVENING:
        _offer(give, table, turn.answers)
        for played in turn.rounds:
            _play(give, table, played, deck, approver)
            if played.void:
                evening.voided += 1
            else:
                evening.settled += 1
    return evening


def _offer(give: Give, table: Table, answers: tuple[str, ...]) -> None:
    for answer in answers:
        asked = read_table(Table.objects.get(pk=table.pk)).step.seat
        give(table.number, "dealer", offer_answer, seat=asked, answer=answer)
    if YES not in answers:
        give(table.number, "dealer", turn_renew)


def _play(give: Give, table: Table, played: Round, deck: random.Random, approver: Staff) -> None:
    number = table.number
    give(number, "dealer", round_open, bank_wager_cents=played.bank * 100)
    give(number, "dealer", bets_place, positions=[bet.document(seat) for seat, bet in played.bets.items()])
    give(number, "dealer", bets_close)
    give(number, "dealer", round_deal)
    if played.void:
        give(number, "dealer", round_void, reason=played.void, approver=approver)
        return
    bets = [{"seat": seat} for seat in played.bets]
    hands, positions = game_of(table.rulebook).draw_play(deck, terms_of(table.rulebook, table.options), bets)
    give(number, "dealer", round_settle, **hands, positions=positions)
