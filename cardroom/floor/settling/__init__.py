"""What a round comes to: its fees and settlement, the transfers of both, and the limits and waivers that they keep to."""
