"""Infrastructure of every app: declared commands, database triggers, digests of rows, SQL views."""
