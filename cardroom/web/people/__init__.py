"""Pages of a room's people: the list, one person with what changes each fact and who signs, requests for passwords."""
