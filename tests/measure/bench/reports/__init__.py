"""Times the reports with few rounds stored and with many, and what a round takes in the database."""

#: The room: as many tables as a large room has, each playing all day.
TABLES, ROUNDS_PER_HOUR = 30, 40
