"""How much the engine remembers of rounds before: the same bets, hands and names come again and again."""

MOST_REMEMBERED = 8192
"""Of each kind, for `functools.lru_cache`. Bounded, so that a batch of any length needs no more memory."""

MOST_REMEMBERED_BY_TERMS = 2048
"""The same of what holds on to the terms of its round, which are many times as large as the rest."""
