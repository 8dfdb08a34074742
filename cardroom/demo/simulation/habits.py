"""How players play: what they bet, whether they take the bank, and what they do with their cards.

Everything is drawn from the generator that is passed in; the same generator gives the same play.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from typing import Any

from games.cards import CARD_NUMBERS, CARD_TEXTS, hand_text
from games.three_card_poker.hands import value3

#: A hand of queen, six, four or better gets a play wager: what a player does who takes no notice of the bank's card.
WORTH_A_PLAY = value3((CARD_NUMBERS["Qc"], CARD_NUMBERS["6d"], CARD_NUMBERS["4h"]))
#: Chips that an ante is put together from, in cents, and how usual each ante is.
_ANTES = (500, 1000, 1500, 2000, 2500, 3000, 5000, 7500, 10000)
_USUAL = (22, 28, 14, 12, 12, 4, 5, 2, 1)
_SIDE_BETS = (100, 200, 500, 1000)
#: What a bank puts up, in cents: most cover what they expect on the table, some a little less.
_WAGERS = (15000, 20000, 30000, 40000, 60000, 80000, 120000, 200000)
#: Where the least ante is above so many cents, a bank puts up more in proportion.
_LOW_LEAST = 2000
#: One play in so many goes against a player's better knowledge.
_SLIPS = 40


@dataclasses.dataclass(frozen=True)
class Habits:
    """What a player is like. Chances are out of 100.

    `ante_cents` is the usual ante; `banks` the chance of taking the bank when it is offered, `away` that of being away
    from the table then, `sits_out` that of missing a round.
    """

    ante_cents: int
    pair_plus: int
    six_card_bonus: int
    tips: int
    banks: int
    away: int = 4
    sits_out: int = 5
    bank_cents: int = 100000


def habits_drawn(chance: random.Random, *, proposition: bool, limits: tuple[int, int | None]) -> Habits:
    """Draw the habits of a player within the table's `limits` of the ante in cents."""
    least, most = limits
    antes = [cents for cents in _ANTES if cents >= least and (most is None or cents <= most)] or [least]
    if proposition:
        # Paid to bank: a small ante between turns, no tips, never away.
        return Habits(antes[0], 0, 0, 0, banks=97, away=0, sits_out=2, bank_cents=chance.choice(_WAGERS[3:]))
    usual = [_USUAL[_ANTES.index(cents)] if cents in _ANTES else 1 for cents in antes]
    return Habits(
        ante_cents=chance.choices(antes, usual)[0],
        pair_plus=chance.choice((0, 20, 60, 95)),
        six_card_bonus=chance.choice((0, 0, 10, 50)),
        tips=chance.choice((0, 2, 5, 15)),
        banks=chance.choice((0, 3, 8, 25, 60)),
        bank_cents=chance.choices(_WAGERS, (2, 5, 14, 25, 22, 18, 10, 4))[0],
    )


def bet_drawn(
    chance: random.Random, habits: Habits, seat: int, limits: tuple[int, int | None]
) -> dict[str, Any] | None:
    """Return what a player puts down in a round within the table's `limits`, in cents, or None for sitting out."""
    if chance.randrange(100) < habits.sits_out:
        return None
    least, most = limits
    ante = max(least, habits.ante_cents * (2 if chance.randrange(8) == 0 else 1))
    ante = ante if most is None else min(most, ante)
    wagers = {"ante": ante}
    for spot, usual in (("pair_plus", habits.pair_plus), ("six_card_bonus", habits.six_card_bonus)):
        if chance.randrange(100) < usual:
            wagers[spot] = chance.choice(_SIDE_BETS)
    tips = {"ante": chance.choice((100, 100, 200, 500))} if chance.randrange(100) < habits.tips else {}
    return {"seat": seat, "wagers": wagers, "tips": tips}


def bank_wager(habits: Habits, limits: tuple[int, int | None]) -> int:
    """Return what a bank puts up in a round at a table with these limits of the ante, in cents."""
    return habits.bank_cents * max(_LOW_LEAST, limits[0]) // _LOW_LEAST


def answer_drawn(chance: random.Random, habits: Habits) -> str:
    """Return a player's answer to the offer of the bank."""
    if chance.randrange(100) < habits.away:
        return "absent"
    return "accepted" if chance.randrange(100) < habits.banks else "declined"


def hands_drawn(chance: random.Random, bets: Sequence[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """Deal the bank and each bet three cards of one deck; return the bank's hand and each seat's, with its decision."""
    cards = chance.sample(range(len(CARD_TEXTS)), 3 * (len(bets) + 1))
    hands = [(cards[at], cards[at + 1], cards[at + 2]) for at in range(0, len(cards), 3)]
    positions = []
    for bet, hand in zip(bets, hands[1:], strict=True):
        plays = value3(hand) >= WORTH_A_PLAY
        if chance.randrange(_SLIPS) == 0:
            plays = not plays
        positions.append(
            {"seat": bet["seat"], "hand": hand_text(hand), "decision": "play" if plays else "fold"}
        )
    return hand_text(hands[0]), positions
