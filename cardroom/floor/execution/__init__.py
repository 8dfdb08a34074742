"""Execution of a command: lock, instant and transaction, and what a tablet gave while it was out of touch."""
