"""Pages of a room's players: the list, one player, and who may not play."""
