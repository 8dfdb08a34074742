"""The floor at work: a room of forty tables on a real site, a real broker and each of the two databases."""

TABLES = 40
#: Rounds of the shift that is open: a table's thirty or forty an hour for eight hours.
SHIFT_ROUNDS = 300
#: From the end of a round to that of the next: forty an hour.
ROUND_SECONDS = 90
