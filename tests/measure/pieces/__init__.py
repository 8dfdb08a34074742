"""How long `verify` takes in one process, and in pieces on one, two and four workers."""
