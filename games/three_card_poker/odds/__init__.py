"""Exact house advantage and hit frequency of every wager and paytable, as fractions.

Counted, never sampled: see docs/odds.md for how. `odds_on` takes one table's terms, `odds_of` a rulebook, `all_odds`
covers all rulebooks.
"""

from games.three_card_poker.odds.listing import OddsRow, Situation, all_odds, ante_with_fees, odds_of, odds_on

__all__ = ["OddsRow", "Situation", "all_odds", "ante_with_fees", "odds_of", "odds_on"]
