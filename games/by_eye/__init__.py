"""Games that a room files with the state and settles by eye: the filing names the spots, no cards are recorded."""
