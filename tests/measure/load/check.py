"""Holds the database to what was played: `python -m tests.measure.load.check`, prints JSON.

Counts what was settled, and in each chain of the journal the numbers that are missing. `manage.py verify` does the rest.
"""

from __future__ import annotations

import json
import os
from typing import Any

import django


def counted() -> dict[str, Any]:
    """Count rounds by state and shift, entries of the journal and gaps in their numbers, and deadlocks since the start."""
    from django.db import connection
    from django.db.models import Count, Max, Min, Sum

    from cardroom.floor.models import JournalEntry, Offer, Round, Shift, Transfer

    chains = list(
        JournalEntry.objects.values("chain")
        .annotate(entries=Count("pk"), first=Min("seq"), last=Max("seq"))
        .order_by()
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT deadlocks, xact_commit, xact_rollback FROM pg_stat_database WHERE datname = current_database()"
        )
        deadlocks, commits, rollbacks = cursor.fetchone()
    return {
        "rounds": dict(Round.objects.values_list("state").annotate(Count("pk")).order_by()),
        "by_shift": [
            [shift.name, Round.objects.filter(shift=shift, state=Round.State.SETTLED).count()]
            for shift in Shift.objects.order_by("pk")
        ],
        "offers": Offer.objects.count(),
        "transfers": Transfer.objects.count(),
        "transferred_cents": Transfer.objects.aggregate(sum=Sum("cents"))["sum"],
        "chains": len(chains),
        "entries": sum(chain["entries"] for chain in chains),
        "gaps": sum(chain["last"] - chain["first"] + 1 - chain["entries"] for chain in chains),
        "late_starts": sum(chain["first"] != 1 for chain in chains),
        "deadlocks": deadlocks,
        "commits": commits,
        "rollbacks": rollbacks,
    }


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    print(json.dumps(counted()))
