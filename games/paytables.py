"""Paytables: the odds of a hand by its class, for every game that ranks hands."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from games.datafile import Entry
from games.money import Odds, parse_odds

OddsByClass = tuple[Odds | None, ...]
"""Odds by number of class, None where the class pays nothing."""


class Paytable(Struct, frozen=True):
    """One table as its document prints it: `printed` line by line, `odds` by class for the engine."""

    id: str
    clause: str
    printed: Mapping[str, Odds]
    odds: OddsByClass


def read_lines(entry: Entry, classes: Sequence[str]) -> tuple[str, str, dict[str, Odds]]:
    """A table of a rulebook's file: its `id`, its `clause`, and its `odds` by the id of a class."""
    table_id, clause = entry.text("id"), entry.text("clause")
    lines = entry.table("odds")
    printed: dict[str, Odds] = {}
    for name in lines.names():
        if name not in classes:
            raise lines.error(name, f"is no hand of this table, which knows {', '.join(classes)}")
        printed[name] = lines.parsed(name, parse_odds)
    if not printed:
        raise entry.error("odds", "has no line")
    lines.done()
    entry.done()
    return table_id, clause, printed


def read_paytable(entry: Entry, classes: Sequence[str]) -> Paytable:
    """A table of a rulebook's file that pays each class by its own line, and no other."""
    table_id, clause, printed = read_lines(entry, classes)
    return Paytable(table_id, clause, printed, tuple(printed.get(name) for name in classes))
