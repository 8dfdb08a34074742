"""The statement of a provider of player-dealers: its players' money and time at the bank, and who may see it."""
