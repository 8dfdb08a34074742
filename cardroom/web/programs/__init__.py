"""The page of a room's programs: their tokens and webhooks."""
