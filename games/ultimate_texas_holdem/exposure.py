"""The most that a position can be owed, before a card is dealt, over every deal and decision; exact for one position."""

from msgspec.structs import replace

from games.bets import BetPosition
from games.cards import CARD_NUMBERS
from games.five_cards import best_five
from games.ultimate_texas_holdem.settle import Showdown, position_claims, qualifies
from games.ultimate_texas_holdem.terms import UltimateTerms
from games.ultimate_texas_holdem.wagers import ANTE, PLAY

#: Board, position's and bank's cards: for each class of the position's best five a deal in which it beats a bank with a pair
#: or better. What a class wins then, no other deal and no other decision passes: ante, play and blind are all paid.
_BEST_DEALS = (
    ("Qh Jh Th 2c 2d", "Ah Kh", "3s 4s"),  # royal flush
    ("9h 8h 7h 2c 2d", "6h 5h", "3s Ks"),  # straight flush
    ("9h 9c 4d 2c 3d", "9d 9s", "Ks Qs"),  # four of a kind
    ("9h 9c 4d 2c 7d", "9d 4s", "Ks Qs"),  # full house
    ("Ah 9h 4h 2c 2d", "Kh 7h", "Ks Qs"),  # flush
    ("9h 8c 7d 2c 2d", "Ts Jc", "Ks Qs"),  # straight
    ("9h 9c 4d 2c 7d", "9d Ks", "Qs Js"),  # three of a kind, against a pair
    ("9h 9c 4d 2c 7d", "4s Ks", "Qs Js"),  # two pair, against a pair
    ("9h 9c 4d 2c 7d", "Ks As", "Qs Js"),  # pair
    (
        "Jc 9h 7d 4d 2c",
        "As Qd",
        "Ac Ts",
    ),  # high card, against one: the bank does not qualify where a pair is asked for
    # The same against two pair and three of a kind, where the bank qualifies with no less.
    ("9h 9c 4d 4c 2c", "9d Ks", "Qs Js"),  # full house
    ("9h 8c 2d 2c 2h", "9c 9d", "8d 8h"),  # full house
    ("9h 8c 7d 2c 2d", "Ts Jc", "2s Ks"),  # straight
    ("9h 8c 7d 2c 2d", "Ts Jc", "9s Ks"),
    ("Ah 9h 4h 2c 2d", "Kh 7h", "2s Qs"),  # flush
    ("9h 9c 4d 2c 7d", "9d Ks", "Qs 4s"),  # three of a kind, against two pair
    ("9h 9c 4d 2c 7d", "9d As", "9s Ks"),  # three of a kind, against the same
    ("9h 9c 4d 2c 7d", "7s Ks", "Qs 4s"),  # two pair, against the same
    ("9h 9c 4d 2c 4s", "9d 9s", "4h Qs"),  # four of a kind
    ("Qh Jh Th 2c 2d", "Ah Kh", "2s 4s"),  # royal flush
    ("9h 8h 7h 2c 2d", "6h 5h", "2s Ks"),  # straight flush
)


def most_owed(placed: BetPosition, terms: UltimateTerms) -> int:
    """The most in cents that any deal and decision can bring a position, with the largest tip on play that may follow."""
    path = max(terms.times, key=lambda each: terms.times[each])
    tips = dict(placed.tips)
    if ANTE in tips and PLAY in terms.tip_spots:
        tips[PLAY] = tips[ANTE] * terms.most_times
    position = replace(placed, tips=tips)
    decision = path if ANTE in placed.wagers else None
    return max(_owed(position, decision, terms, *deal) for deal in _BEST_DEALS)


def even_money(placed: BetPosition, terms: UltimateTerms) -> int:
    """The ante and the largest play that may follow it at even money, with the tips beside them, in cents."""
    tip = placed.tips.get(ANTE, 0)
    tips = tip * (1 + terms.most_times * (PLAY in terms.tip_spots))
    return placed.wagers.get(ANTE, 0) * (1 + terms.most_times) + tips


def _owed(position: BetPosition, decision: str | None, terms: UltimateTerms, *deal: str) -> int:
    board, own, bank = (tuple([CARD_NUMBERS[card] for card in cards.split()]) for cards in deal)
    banks = best_five(bank + board)
    hands = Showdown(best_five(own + board), banks, qualified=qualifies(banks, terms))
    return sum(claim.owed for claim in position_claims(position, decision, hands, terms))
