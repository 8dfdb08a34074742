"""Formats row counts and cent sums per table as text, for `manage.py move_to`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .tally import Tally


def tally_lines(tallies: Mapping[str, Tally]) -> Iterator[str]:
    """Yield a line for each table that holds something: rows, and the sums of its columns of cents."""
    width = max((len(table) for table in tallies), default=0)
    for table, tally in sorted(tallies.items()):
        if tally["rows"]:
            sums = "".join(f"  {name} {cents:,}" for name, cents in sorted(tally["cents"].items()) if cents)
            yield f"{table:<{width}} {tally['rows']:>10,} rows{sums}"
    yield f"{len(tallies)} tables, {sum(tally['rows'] for tally in tallies.values()):,} rows"
