"""Pages of the rotation of the bank at a table and in a room: page, timeline, PDF and CSV."""
