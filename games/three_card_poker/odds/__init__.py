"""Exact house advantage and hit frequency of every wager and paytable, as fractions.

Counted, never sampled: see docs/odds.md for how. `listing.odds_on` takes one table's terms, `listing.odds_of` a rulebook.
"""
