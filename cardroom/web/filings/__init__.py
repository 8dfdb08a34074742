"""Pages of what a room files in versions: fee schedules and games."""
