"""Commission-free baccarat with the Dragon 7 and Panda 8 bonus bets, banked by a player."""
