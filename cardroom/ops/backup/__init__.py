"""Backup of an SQLite site, and move to another database, verified against the source. PostgreSQL has backups of its own."""
