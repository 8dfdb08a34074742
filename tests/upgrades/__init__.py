"""Databases of released versions, and the way from each of them to this one."""
