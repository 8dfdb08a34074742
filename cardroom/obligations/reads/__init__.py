"""Queries on obligations: the calendar, and one obligation as plain data."""
