"""Statements of providers of player-dealers: their players' money and time at the bank, and who may see it."""
