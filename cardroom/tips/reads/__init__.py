"""Queries of tips, for pages, API and reports."""
