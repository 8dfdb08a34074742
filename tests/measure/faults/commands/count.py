"""Holds the database to what tablets were answered: `python -m tests.measure.faults.commands.count < TOLD`, prints JSON."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections import Counter
from typing import Any

import django


def main() -> None:
    """Count and print."""
    told = json.load(sys.stdin)
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    print(json.dumps(counted(told)))


def counted(told: list[dict[str, Any]]) -> dict[str, Any]:
    """What there is of the commands that were answered, by table and command; of buy-ins by their amount too.

    `lost` were answered and are not there; `doubled` are there more often than they were asked for. `breaks` is what
    `manage.py verify` finds: rows and figures that no entry of the journal covers, or that do not follow from it.
    """
    from django.core.management import call_command

    from cardroom.floor.models import BuyIn, JournalEntry, Table

    commands = {each["command"] for each in told}
    tables = {each["table"] for each in told}
    given = Counter((each["table"], each["command"]) for each in told)
    entries = JournalEntry.objects.filter(table__in=tables, command__in=commands)
    there = Counter(entries.values_list("table", "command"))
    asked = Counter(each["body"]["cents"] for each in told if each["command"] == "buy_in")
    bought = Counter(BuyIn.objects.filter(table__in=tables).values_list("cents", flat=True))
    said = io.StringIO()
    with contextlib.suppress(SystemExit):
        call_command("verify", stdout=said, stderr=said)
    breaks = [line for line in said.getvalue().splitlines() if line.startswith("BREAK")]
    for line in breaks[:20]:
        print(f"faults: {line}", file=sys.stderr)
    others = [(table, command) for table, command in {*given, *there} if command != "buy_in"]
    return {
        "commands": len(told),
        "lost": sum(max(0, given[each] - there[each]) for each in others) + (asked - bought).total(),
        "doubled": sum(max(0, there[each] - given[each]) for each in others) + (bought - asked).total(),
        "breaks": len(breaks),
        "entries": entries.count(),
        "tables": Table.objects.filter(pk__in=tables).count(),
    }


if __name__ == "__main__":
    main()
