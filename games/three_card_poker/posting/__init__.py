"""Posted matter: what a table shows its patrons, arranged from the rules that the engine settles by (ruling 47).

`posting_of` takes a table's terms and returns its wagers, paytables and exact odds, the ranking of hands, the course of
a round and the notices, every figure and sentence with its clause. Names on the layout, notices and clauses are data
(`<rulebook>.toml`); the sentences are generated from the rulebook's switches. Nothing here depends on rooms, pages or
PDF.
"""

from games.three_card_poker.posting.posting import Posting, Section, posting_of
from games.three_card_poker.posting.statements import Statement

__all__ = ["Posting", "Section", "Statement", "posting_of"]
