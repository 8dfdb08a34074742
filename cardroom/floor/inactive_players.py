"""Signal handler: raises an alert as soon as a player who sits at a table is made inactive."""

from __future__ import annotations

import contextlib
from typing import Any

from django.db import transaction
from django.utils import timezone

from cardroom.people.models import Player

from .commands.watch import room_watch
from .errors import Busy
from .models import Seating


def player_saved(instance: Player, created: bool, **_: Any) -> None:
    """Look at the floor once a player's row is written, if they sit somewhere; a table that is busy is beat's."""
    if created or not Seating.objects.filter(player=instance, left_at__isnull=True).exists():
        return

    def watch() -> None:
        with contextlib.suppress(Busy):
            room_watch(instance.room_id, timezone.now())

    transaction.on_commit(watch)
