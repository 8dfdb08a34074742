"""Posted matter: what a table shows its patrons, arranged from the rules that the engine settles by (ruling 47).

`posting_of` takes a table's terms and answers with its wagers, paytables and exact odds, the ranking of hands, how a
round goes and the notices, every figure and sentence beside its clause. Names on the layout, notices and the clauses
of what a rulebook's switches say are data (`<rulebook>.toml`); the sentences follow from the switches themselves.
Nothing here knows of rooms, pages or paper.
"""

from games.posting.posting import Posting, Section, posting_of
from games.posting.statements import Statement

__all__ = ["Posting", "Section", "Statement", "posting_of"]
