"""Queries that several reports share, and a report's parsed query: rounds in scope, who banks, hours, changes of settings."""
