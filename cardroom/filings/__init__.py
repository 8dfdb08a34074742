"""The games that a room offers, as it filed them: rulebook, options and paytables, with the days they are in force."""
