"""Queries on tips, for pages, API and reports."""
