"""Backup to a file, restore, and move to another database, each verified against the source."""
