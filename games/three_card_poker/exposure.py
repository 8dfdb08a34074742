"""The most that a position can be owed, before a card is dealt, over every deal and decision.

The figure is exact for one position: the most that any deal and decision can bring it.
"""

from games.bets import BetPosition
from games.three_card_poker.hands import read_hand
from games.three_card_poker.positions import Position
from games.three_card_poker.settle import position_claims
from games.three_card_poker.terms import ThreeCardTerms
from games.three_card_poker.verdicts import read_bank_hand, showdown
from games.three_card_poker.wagers import ANTE, PLAY

_BEST_DEALS = (
    # A high card: the best six with which it beats a bank that qualifies are a straight; when it loses, a royal flush.
    ("2c 4c Ad", "3c 5c Qd"),
    ("2c 4c Ad", "3c 5c Kd"),  # the same where a bank qualifies with king high, or with ace high
    ("3c 5c Ad", "2c 4c As"),
    ("2c Td Jd", "Qd Kd Ad"),
    ("2c 2d 4c", "2h 2s 3c"),  # pair: four of a kind when it wins
    ("Tc Td Jc", "Qc Kc Ac"),
    ("2c Jc Ac", "Tc Qc Kc"),  # flush
    ("Tc Jd Qc", "Jc Kc Ac"),  # straight
    ("2c 2d 2h", "2s 3c 3d"),  # three of a kind: four of a kind, whoever wins
    ("Tc Jc Qc", "2c Kc Ac"),  # straight flush
    ("Qc Kc Ac", "2c Tc Jc"),  # mini royal
    ("Qs Ks As", "2s Ts Js"),  # mini royal of spades, which some tables pay by itself
)
"""Pairs of position's and bank's hand: for each class of the position's hand, the deals that no other deal dominates.

A deal dominates another when its hand is of the same class, it wins where the other does, and its best five of six are
no lower; a win against a bank that qualifies pays most, for ante and play are then both paid. That the list is complete
is proved over every deal of the deck (tests/games/test_exposure.py).
"""


def most_owed(placed: BetPosition, terms: ThreeCardTerms) -> int:
    """The most in cents that any deal can bring a position that stays in.

    A tip on play may follow a tip on the ante and be as much (ruling 4): it is counted.
    """
    return max(_owed(placed, terms, *deal) for deal in _BEST_DEALS)


def even_money(placed: BetPosition, terms: ThreeCardTerms) -> int:
    """The ante and the play that follows it at even money, with the tips beside them, in cents."""
    tip = placed.tips.get(ANTE, 0)
    return 2 * placed.wagers.get(ANTE, 0) + tip + (tip if PLAY in terms.tip_spots else 0)


def _owed(placed: BetPosition, terms: ThreeCardTerms, hand: str, bank_hand: str) -> int:
    """Cents owed to a position in one deal, if it stays in: a hand that plays may win more than one that folds."""
    tips, cards = dict(placed.tips), read_hand(hand, "hand")
    if ANTE in tips and PLAY in terms.tip_spots:
        tips[PLAY] = tips[ANTE]
    decision = "play" if ANTE in placed.wagers else None
    position = Position(placed.seat, placed.player, placed.wagers, tips, cards, decision)
    hands = showdown(cards, read_bank_hand(read_hand(bank_hand, "bank_hand"), terms))
    return sum(claim.owed for claim in position_claims(position, hands, terms))
