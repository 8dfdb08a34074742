#!/usr/bin/env python3
"""The command line: `settle` and `odds` are the rules engine alone, everything else is Django's."""

from __future__ import annotations

import importlib.util
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import NoReturn

#: Commands of the rules engine. They run before Django and its settings are looked at: no environment, no secret key, no
#: database. Each module's `main` takes the words after the command.
ENGINE_COMMANDS = {"settle": "games.command_settle", "odds": "games.command_odds"}


def main(argv: list[str]) -> int:
    """Carry out one command line and return its exit status."""
    if importlib.util.find_spec("msgspec") is None:
        run_in_virtual_environment(argv)
    if argv[1:2] and argv[1] in ENGINE_COMMANDS:
        status: int = import_module(ENGINE_COMMANDS[argv[1]]).main(argv[2:])
        return status
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(argv)
    except ImproperlyConfigured as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except OperationalError as error:
        from cardroom.config.failures import DATABASE_AWAY, failure_of

        if failure_of(error) is not DATABASE_AWAY:
            raise
        print(database_away(error), file=sys.stderr)
        return 1
    return 0


def database_away(error: Exception) -> str:
    """Say which database cannot be reached, and which variables name it."""
    from django.db import connection

    from cardroom.config.databases import format_database

    directory = " (its directory has to exist)" if connection.vendor == "sqlite" else ""
    return (
        f"The {format_database(connection)}{directory} cannot be reached: {str(error).strip()}\n"
        "CARDROOM_DATABASE_URL names the database; without it, it is a file in CARDROOM_STATE_DIR."
    )


def run_in_virtual_environment(argv: list[str]) -> NoReturn:
    """Run the command again by the Python of .venv, where `make install` puts the packages that this one lacks."""
    python = Path(__file__).resolve().parent / ".venv" / "bin" / "python"
    if Path(sys.prefix) == python.parent.parent or not python.exists():
        sys.exit("The packages of requirements.txt are missing: run `make install` first.")
    os.execv(python, [str(python), *argv])  # noqa: S606  # the project's own Python, with the words given


if __name__ == "__main__":
    sys.exit(main(sys.argv))
