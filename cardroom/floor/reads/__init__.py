"""Queries of the floor: everything that reads it and changes nothing."""
