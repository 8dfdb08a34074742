"""Exposure: the most that a player's bank may have to pay on the wagers placed, before a card is dealt.

Of one position the figure is exact: the most that any deal and decision can bring it. Over several positions it is
an upper bound: each is given its own best deal, although one deck and one bank hand could not always serve all.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.three_card_poker.hands import read_hand
from games.three_card_poker.positions import BetPosition, Position
from games.three_card_poker.rulebook import Rulebook
from games.three_card_poker.settle import position_claims
from games.three_card_poker.sheet import check_wagers
from games.three_card_poker.terms import Terms, read_options
from games.three_card_poker.verdicts import read_bank_hand, showdown
from games.three_card_poker.wagers import ANTE, PLAY

_BEST_DEALS = (
    # A high card: the best six with which it beats a bank that qualifies are a straight; when it loses, a royal flush.
    ("2c 4c Ad", "3c 5c Qd"),
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


@dataclass(frozen=True, slots=True)
class Exposure:
    """The most that a bank may have to pay, in cents: `by_seat` exactly, `total` as an upper bound of their sum."""

    by_seat: Mapping[int, int]

    @property
    def total(self) -> int:
        return sum(self.by_seat.values())

    def covered_by(self, wager: int) -> int:
        """How much of it the bank's `wager` (cents) covers; a bank pays no more than it has put up."""
        return min(wager, self.total)


def exposure(rulebook: Rulebook, options: Mapping[str, Any], bets: Iterable[Mapping[str, Any]]) -> Exposure:
    """What the bank may have to pay on `bets`: `{"seat", "wagers", "tips"}` in cents, as in the round sheet.

    A tip on play may follow a tip on the ante and be as much (ruling 4): it is counted. Raises ValueError for a
    rulebook whose bank the house holds: that bank has no end. Raises Refusal where the engine would refuse a bet.
    """
    if not rulebook.player_banked:
        raise ValueError(f"{rulebook.id}: the house banks, and covers everything.")
    # The floor checks the schedule's limits on the ante; what a bet may win does not depend on them.
    of_payment = {name: value for name, value in options.items() if name != "fee_schedule"}
    terms = read_options(rulebook, of_payment)
    most = {}
    for bet in bets:
        tips = {spot: cents for spot, cents in (bet.get("tips") or {}).items() if spot != PLAY}
        position = {"seat": bet["seat"], "wagers": bet["wagers"], "tips": tips}
        placed = check_wagers(rulebook.id, of_payment, position)
        most[placed.seat] = max(_owed(placed, terms, *deal) for deal in _BEST_DEALS)
    return Exposure(most)


def _owed(placed: BetPosition, terms: Terms, hand: str, bank_hand: str) -> int:
    """Cents owed to a position in one deal, if it stays in: a hand that plays may win more than one that folds."""
    tips, cards = dict(placed.tips), read_hand(hand, "hand")
    if ANTE in tips and PLAY in terms.tip_spots:
        tips[PLAY] = tips[ANTE]
    decision = "play" if ANTE in placed.wagers else None
    position = Position(placed.seat, placed.player, placed.wagers, tips, cards, decision)
    hands = showdown(cards, read_bank_hand(read_hand(bank_hand, "bank_hand")))
    return sum(claim.owed for claim in position_claims(position, hands, terms))
