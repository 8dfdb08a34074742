"""Procedures at a table besides the money, for every game: decks, dealing, counts, irregularities."""
