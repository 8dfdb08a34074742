"""Until when a player may not play: what is kept of their exclusions on each entry of a person."""

from __future__ import annotations

from collections.abc import Iterable

from .models import Exclusion, Player
from .players import same_person


def excluded_until_set(entries: Iterable[Player]) -> None:
    """Write on each entry of a person when the last of that person's exclusions ends; None where there is none."""
    for entry in entries:
        rows = Exclusion.objects.filter(same_person(entry, "player__"), lifted_at__isnull=True)
        until = max((row.ends_at for row in rows.select_related("room")), default=None)
        if entry.excluded_until != until:
            entry.excluded_until = until
            entry.save(update_fields=["excluded_until"])
