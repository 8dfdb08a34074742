"""Verifies what the floor has on record: rows, meters, slips and buy-ins. `manage.py verify` runs it."""
