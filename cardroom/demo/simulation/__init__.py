"""Simulates weeks of play in a demo room (`manage.py simulate`): what its floor and count room would have recorded.

Rounds are settled by the real engine and charged by the real quote. Everything is done by the commands of the floor, told
what time it is, many of them in one transaction (`table.PlayedTable`).
"""
