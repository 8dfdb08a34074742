"""Rules of the table games, each in its own folder: a round sheet goes in, a settlement comes out.

Pure Python: no clock, database, settings or randomness. The same input always gives the same result.
"""
