"""Proof outside the database: signed checkpoints, their delivery, time stamps, and bundles for inspectors."""
