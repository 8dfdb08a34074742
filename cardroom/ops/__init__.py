"""Django app of operations: process supervisor, backup, restore, move to another database, metrics."""
