"""Precondition checks of commands. Each returns None or why not; the button, the API and the command all call it.

Every command has one check for the table as a whole (`table_checks`); commands that concern a seat or a player have further
questions, which take them. A check of a table is computed at most once for a reading of it (`cached_per_state`), however
many buttons ask.
"""

from __future__ import annotations

import functools

from cardroom.core.commands import COMMANDS

from ..errors import WhyNot
from ..reads.table_state import Check, TableState


def why_not(state: TableState, command: str) -> WhyNot | None:
    """Answer for one command by its name; None too where it has no check for the table as a whole."""
    check = table_checks().get(command)
    return None if check is None else check(state)


def why_nots(state: TableState) -> dict[str, WhyNot | None]:
    """Answer for every command at a table, by its name."""
    return {command: check(state) for command, check in table_checks().items()}


@functools.cache
def table_checks() -> dict[str, Check]:
    """Return the check of every command at a table that has one, by its name; asked when all commands are declared."""
    return {
        command.name: command.check
        for command in COMMANDS.values()
        if command.place == "table" and command.check
    }
