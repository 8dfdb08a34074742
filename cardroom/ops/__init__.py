"""Django app of operations: process supervisor, backup, move to another database, metrics."""
