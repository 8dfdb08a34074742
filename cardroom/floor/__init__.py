"""Django app of play at the tables: shifts, downs, turns at the bank, rounds, transfers and the journal."""
