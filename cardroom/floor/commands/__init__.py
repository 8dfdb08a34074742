"""Commands of the floor: everything that changes tables, rounds and shifts.

Each carries who, an idempotency key and the version it was given on, and runs in one
transaction under the lock of one row (`cardroom.floor.execution.transactions`).
"""
