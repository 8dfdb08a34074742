"""Registry of reasons for which a person's names are not erased yet: the floor's own, and what an app above it registers.

`cardroom.inbox` registers items and claims that name the person, and recordings that are held.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable

from cardroom.people.models import Player
from cardroom.people.players import same_person
from games.phrases import Phrase

from .errors import WhyNot
from .models import ProgressiveWin, Seating, WaitingEntry

#: Why the names of a player are needed on a day of the room's calendar, or None.
Reason = Callable[[Player, datetime.date], WhyNot | None]
_reasons: list[Reason] = []


def register_names_needed(reason: Reason) -> None:
    """Let `reason` say why the names of a person are not erased yet; once for each reason."""
    if reason not in _reasons:
        _reasons.append(reason)


def why_names_needed(player: Player, today: datetime.date) -> WhyNot | None:
    """Return why something that is not over needs the names of a person, the floor's own first; None where nothing does."""
    reasons = (_on_the_floor, *_reasons)
    return next((why for reason in reasons if (why := reason(player, today)) is not None), None)


def _on_the_floor(player: Player, today: datetime.date) -> WhyNot | None:
    """They sit, wait, or have a win that nobody has confirmed yet."""
    stays = Seating.objects.filter(same_person(player, "player__"))
    if (sits := stays.filter(left_at__isnull=True).select_related("table").first()) is not None:
        return WhyNot(
            "player_seated",
            Phrase(
                "{player} sits at {table}, seat {seat}. Let them leave first.",
                player=player.label,
                table=sits.table,
                seat=sits.place,
            ),
        )
    if WaitingEntry.objects.filter(same_person(player, "player__"), ended_at__isnull=True).exists():
        return WhyNot(
            "player_waits",
            Phrase("{player} is on the waiting list. Take them off it first.", player=player.label),
        )
    pending = ProgressiveWin.objects.filter(room=player.room_id, state=ProgressiveWin.State.PENDING)
    for win in pending.select_related("round", "table"):
        there = stays.filter(table=win.table, seat=win.seat, seated_at__lte=win.round.opened_at)
        if there.exclude(left_at__lte=win.round.opened_at).exists():
            return WhyNot(
                "win_pending",
                Phrase(
                    "A progressive win of {player} at {table}, seat {seat} is not answered yet. Confirm or withdraw it first.",
                    player=player.label,
                    table=win.table,
                    seat=win.seat,
                ),
            )
    return None
