"""Queries that several reports share, and the parsed question of a report: rounds in scope, who banks, hours, changes of settings."""
