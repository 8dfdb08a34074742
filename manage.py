#!/usr/bin/env python3
"""The house's command line: `settle` and `odds` are the rules engine alone, everything else is Django's."""

from __future__ import annotations

import os
import sys
from importlib import import_module

#: Commands of the rules engine. They run before Django and its settings are looked at: no environment, no secret key,
#: no installed package, only Python. Each module's `main` takes the words after the command.
ENGINE_COMMANDS = {"settle": "games.command", "odds": "games.command_odds"}


def main(argv: list[str]) -> int:
    """Carry out one command line and return its exit status."""
    if argv[1:2] and argv[1] in ENGINE_COMMANDS:
        status: int = import_module(ENGINE_COMMANDS[argv[1]]).main(argv[2:])
        return status
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError as fault:
        print(f"{fault}: run `make install` first, then .venv/bin/python manage.py", file=sys.stderr)
        return 1
    try:
        execute_from_command_line(argv)
    except ImproperlyConfigured as refusal:
        print(refusal, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
