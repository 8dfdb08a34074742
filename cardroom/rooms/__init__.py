"""Django app of rooms: the gambling establishment with its name, licence, clock and house rules."""
