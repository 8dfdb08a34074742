"""Webhooks: a program is told that the journal has new entries, by a signed request that is sent again until it is taken."""
