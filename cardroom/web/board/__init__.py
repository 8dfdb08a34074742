"""The floor board of a room and its alerts."""
