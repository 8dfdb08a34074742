"""Pages of the floor board of a room and its alerts."""
