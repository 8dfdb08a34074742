"""Sections of a stored report: each has its figures (what is stored), its drawing, and how a day and a month add it up."""
