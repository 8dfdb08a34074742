"""Simulated play of Three Card Poker: what players bet and what they do with their cards.

Everything is drawn from the generator that is passed in; the same generator gives the same play.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.cards import CARD_NUMBERS, DECK, hand_text
from games.game import DrawnBet, Taste
from games.three_card_poker.hands import value3
from games.three_card_poker.terms import ThreeCardTerms
from games.three_card_poker.wagers import ANTE, PAIR_PLUS, SIX_CARD_BONUS

#: A hand of queen, six, four or better gets a play wager: what a player does who takes no notice of the bank's card.
WORTH_A_PLAY = value3((CARD_NUMBERS["Qc"], CARD_NUMBERS["6d"], CARD_NUMBERS["4h"]))
_SIDE_BETS = (100, 200, 500, 1000)
_TIPS = (100, 100, 200, 500)


def draw_bet(chance: Random, terms: ThreeCardTerms, taste: Taste, limits: tuple[int, int | None]) -> DrawnBet:
    """An ante within its limits, now and then doubled, with bonus wagers and a tip as the player likes them."""
    least, most = limits
    ante = max(least, taste.main_cents * (2 if chance.randrange(8) == 0 else 1))
    ante = ante if most is None else min(most, ante)
    wagers = {ANTE: ante}
    for spot, usual in zip((PAIR_PLUS, SIX_CARD_BONUS), taste.side_wagers, strict=True):
        if chance.randrange(100) < usual and spot in terms.placed:
            wagers[spot] = chance.choice(_SIDE_BETS)
    tips = {ANTE: chance.choice(_TIPS)} if chance.randrange(100) < taste.tips else {}
    return DrawnBet(wagers, tips)


def draw_play(
    chance: Random, bets: Sequence[Mapping[str, Any]], *, slips: int
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Deal the bank and each bet three cards of one deck; the hands by key, and each seat's with its decision.

    One decision in `slips` goes against a player's better knowledge; none with 0.
    """
    cards = chance.sample(DECK, 3 * (len(bets) + 1))
    hands = [(cards[at], cards[at + 1], cards[at + 2]) for at in range(0, len(cards), 3)]
    positions = []
    for bet, hand in zip(bets, hands[1:], strict=True):
        plays = value3(hand) >= WORTH_A_PLAY
        if slips and chance.randrange(slips) == 0:
            plays = not plays
        positions.append(
            {"seat": bet["seat"], "hand": hand_text(hand), "decision": "play" if plays else "fold"}
        )
    return {"bank_hand": hand_text(hands[0])}, positions
