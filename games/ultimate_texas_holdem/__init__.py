"""Ultimate Texas Hold'em: two cards each and a board of five, against a player's bank."""
