"""Computes what a round comes to: its fees and settlement, the transfers of both, and the limits and waivers they keep to."""
