"""Everything that changes the floor.

Each command is a command: it carries who, an idempotency key and the version it was given on, and runs in one
transaction under the lock of one row (see `commands`).
"""
