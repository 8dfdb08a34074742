"""The placard of Three Card Poker: what a table posts, built from the rules that the engine settles by (ruling 47).

`game_placard.game_placard_of` takes a table's terms and returns its wagers, paytables and exact odds, the ranking of
hands, the course of a round and the notices, every figure and sentence with its clause. Names on the layout, notices and
clauses are data (`<rulebook>.toml`); the sentences are generated from the rulebook's switches. Nothing here depends on
rooms, pages or PDF.
"""
