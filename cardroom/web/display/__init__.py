"""Pages for players at a table: the display and the progressive meter."""
