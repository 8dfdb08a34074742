"""Queries on items, and what is shown of one."""
