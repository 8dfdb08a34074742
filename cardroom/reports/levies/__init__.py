"""Statements of levies: what a city or the state is owed for a period, from the reports of its shifts."""
