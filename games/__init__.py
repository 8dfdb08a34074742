"""The rules of three card poker as cardrooms play it: round sheet in, settlement out.

Pure Python: no clock, database, settings or randomness. The same input always gives the same result.
"""
