"""Pages of a room: home, the room's page with its shifts, its tables, settings and compliance."""
