"""Simulated play of Ultimate Texas Hold'em: what players bet and what they do with their cards.

Everything is drawn from the generator that is passed in; the same generator gives the same play.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.cards import DECK, RANK_OF, RANKS, SUIT_OF, hand_text
from games.five_cards import FiveCardClass, best_five
from games.game import DrawnBet, Taste
from games.ultimate_texas_holdem.terms import UltimateTerms
from games.ultimate_texas_holdem.wagers import ANTE, BLIND, TRIPS

_SIDE_BETS = (100, 200, 500, 1000)
_TIPS = (100, 100, 200, 500)
_ACE, _KING, _QUEEN, _JACK = (RANKS.index(rank) for rank in "AKQJ")
#: The lowest side card with which a king, a queen and a jack are raised before the flop: of one suit, and of two.
_WORTH_A_RAISE = {
    _KING: (RANKS.index("2"), RANKS.index("5")),
    _QUEEN: (RANKS.index("6"), RANKS.index("8")),
    _JACK: (RANKS.index("8"), RANKS.index("T")),
}


def draw_bet(chance: Random, terms: UltimateTerms, taste: Taste, limits: tuple[int, int | None]) -> DrawnBet:
    """An ante within its limits, now and then doubled, with its blind, trips and a tip as the player likes them."""
    least, most = limits
    ante = max(least, taste.main_cents * (2 if chance.randrange(8) == 0 else 1))
    ante = ante if most is None else min(most, ante)
    wagers = {ANTE: ante, BLIND: ante}
    if chance.randrange(100) < taste.side_wagers[0] and TRIPS in terms.placed:
        wagers[TRIPS] = chance.choice(_SIDE_BETS)
    tips = {ANTE: chance.choice(_TIPS)} if chance.randrange(100) < taste.tips and terms.tip_spots else {}
    return DrawnBet(wagers, tips)


def draw_play(
    chance: Random, terms: UltimateTerms, bets: Sequence[Mapping[str, Any]], *, slips: int
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Deal two cards to the bank and to each bet, and a board of five; the hands by key, and each seat's with its decision.

    One decision in `slips` is another than the player's usual one; none with 0.
    """
    cards = chance.sample(DECK, 2 * (len(bets) + 1) + 5)
    board, bank = tuple(cards[:5]), tuple(cards[5:7])
    paths = list(terms.times)
    positions = []
    for index, bet in enumerate(bets):
        hand = tuple(cards[7 + 2 * index : 9 + 2 * index])
        decision = decide(hand, board, terms) if ANTE in bet["wagers"] else None
        if decision is not None and slips and chance.randrange(slips) == 0:
            decision = chance.choice(paths)
        drawn = {"seat": bet["seat"], "hand": hand_text(hand)}
        positions.append(drawn if decision is None else {**drawn, "decision": decision})
    return {"bank_hand": hand_text(bank), "board": hand_text(board)}, positions


def decide(hand: tuple[int, ...], board: tuple[int, ...], terms: UltimateTerms) -> str:
    """The path of a player who plays by simple rules, looking at no more of the board than lies there."""
    path: list[str] = []
    for point in terms.points:
        there = board[: point.board]
        plays = [each for each in point.decisions if not each.goes_on and not each.gives_up]
        if plays and _WORTH_A_PLAY[point.board](hand, there):
            return " ".join([*path, plays[0].id])
        path.append(next(each.id for each in point.decisions if each not in plays))
    return " ".join(path)


def _before_flop(hand: tuple[int, ...], board: tuple[int, ...]) -> bool:
    """Aces, pairs from threes on, and high cards with a side card that is not too low."""
    low, high = sorted(RANK_OF[card] for card in hand)
    if low == high:
        return low > RANKS.index("2")
    suited, unsuited = _WORTH_A_RAISE.get(high, (_ACE, _ACE))
    return high == _ACE or low >= (suited if SUIT_OF[hand[0]] == SUIT_OF[hand[1]] else unsuited)


def _on_board(hand: tuple[int, ...], board: tuple[int, ...]) -> bool:
    """A pair or better that the board does not make by itself."""
    made = best_five(hand + board)
    if made.kind == FiveCardClass.HIGH_CARD:
        return False
    pair_of_board = len({RANK_OF[card] for card in board}) < len(board)
    return made.kind > FiveCardClass.PAIR or not pair_of_board


def _on_whole_board(hand: tuple[int, ...], board: tuple[int, ...]) -> bool:
    """Better than the board alone, or a king or an ace of one's own."""
    return best_five(hand + board)[:2] > best_five(board)[:2] or max(RANK_OF[card] for card in hand) >= _KING


#: By the cards of the board that lie there.
_WORTH_A_PLAY = {0: _before_flop, 3: _on_board, 5: _on_whole_board}
