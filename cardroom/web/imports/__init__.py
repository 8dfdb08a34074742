"""Pages that import a file of a room's people, a kind of file each, and export it."""
