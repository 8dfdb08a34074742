"""Looks for commands in a database: `python -m tests.measure.drills.found < TOLD`, prints JSON."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from typing import Any

import django


def main() -> None:
    """Look and print."""
    told = json.load(sys.stdin)
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    print(json.dumps(looked_for(told)))


def looked_for(told: list[dict[str, Any]]) -> dict[str, Any]:
    """Which commands are there, by the key that each came with: `lost` are keys without one.

    `repeated` counts buy-ins that are there more than once: no two that tablets ask for are of the same amount. `rounds` are
    those settled, `entries` the journal's, `keys` all that are there, `last` the instant of the last entry (ISO, UTC).
    """
    from cardroom.floor.models import BuyIn, JournalEntry, Round, StoredAnswer

    there = set(StoredAnswer.objects.values_list("key", flat=True))
    bought = Counter(BuyIn.objects.values_list("cents", flat=True))
    last = JournalEntry.objects.order_by("-pk").first()
    return {
        "lost": [each["key"] for each in told if each["key"] not in there],
        "repeated": sum(times - 1 for times in bought.values()),
        "rounds": Round.objects.filter(state=Round.State.SETTLED).count(),
        "entries": JournalEntry.objects.count(),
        "keys": sorted(there),
        "last": last.at.isoformat() if last else "",
    }


if __name__ == "__main__":
    main()
