"""A whole house in another place: moved to another database, backed up into a file, restored from one; and the proof."""
