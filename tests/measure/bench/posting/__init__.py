"""Whole sheets posted over HTTP on PostgreSQL: how long each takes at five times a room's peak, and how big it is."""

#: Tables that play at once, and rounds a second in the room at five times its peak.
TABLES, PEAK = 40, 5.0
#: Rounds of the shift whose report is made meanwhile.
SHIFT_ROUNDS = 9_600
#: What a round writes into: what is kept for good, and the answer to its sheet, which is kept for seven days.
KEPT = ["floor_round", "floor_transfer", "floor_journalentry", "floor_procedure", "floor_offer", "floor_turn"]
FACTS = [*KEPT, "floor_storedanswer"]
