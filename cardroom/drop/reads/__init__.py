"""Queries on drop and count, for pages, API and reports. None gives a figure of a count before that is valid."""
