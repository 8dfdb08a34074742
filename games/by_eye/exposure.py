"""What a position of a filed game can win at most, from the best odds that its filing says of each spot (`pays_at_most`)."""

from games.bets import BetPosition
from games.by_eye.terms import ByEyeTerms
from games.money import payout_cents


def most_owed(placed: BetPosition, terms: ByEyeTerms) -> int | None:
    """The most in cents that a position can win, as an upper bound: all its wagers at their best odds.

    Wagers that may follow after the deal are counted as high as they may be, and each tip as the wager beside it. None
    where the filing does not say the odds of one of them.
    """
    stakes = {spot: cents + placed.tips.get(spot, 0) for spot, cents in placed.wagers.items()}
    for spot, later in terms.later.items():
        if base := placed.wagers.get(later.of, 0):
            stakes[spot] = later.most_cents(base)
    if not terms.pays_at_most.keys() >= stakes.keys():
        return None
    return sum([payout_cents(cents, terms.pays_at_most[spot]) for spot, cents in stakes.items()])
