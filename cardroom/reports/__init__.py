"""What a shift came to: its report, made once from the database, proven against itself, and exported."""
