"""A company over several licensees: figures from what their sites export, health and version of each, migration in waves.

A cell is one licensee's site with a database of its own. Nothing here reads a cell's database (docs/company.md).
"""
