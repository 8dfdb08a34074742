"""The gambling establishment itself: its name, licence, clock and house rules. Everything else hangs on a room."""
