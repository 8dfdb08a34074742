"""Registry of reasons for which a person's names are not erased yet: the floor's own, and what an app above it registers.

`cardroom.inbox` registers items and claims that name the person, and recordings that are held.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator

from cardroom.people.models import Player
from cardroom.people.players import same_person
from games.phrases import Phrase

from .errors import WhyNot
from .models import ProgressiveWin, Seating, WaitingEntry
from .reads.seating import stays_now

#: Why the names of a player are needed on a day of the room's calendar, or None.
Reason = Callable[[Player, datetime.date], WhyNot | None]
_reasons: list[Reason] = []


def register_names_needed(reason: Reason) -> None:
    """Let `reason` say why the names of a person are not erased yet; once for each reason."""
    if reason not in _reasons:
        _reasons.append(reason)


def whys_names_needed(player: Player, today: datetime.date) -> Iterator[WhyNot]:
    """Say by what that is not over the names of a person are needed, the floor's own first; of each app above it the first one."""
    yield from _on_the_floor(player)
    for reason in _reasons:
        if (why := reason(player, today)) is not None:
            yield why


def _on_the_floor(player: Player) -> Iterator[WhyNot]:
    """They sit, wait, or have a win that nobody has confirmed yet."""
    if (sits := stays_now([player]).get(player.person_id)) is not None:
        yield WhyNot(
            "player_seated",
            Phrase(
                "{player} sits at {table}, seat {seat}. Let them leave first.",
                player=player.label,
                table=sits.table,
                seat=sits.place,
            ),
        )
    if WaitingEntry.objects.filter(same_person(player, "player__"), ended_at__isnull=True).exists():
        yield WhyNot(
            "player_waits",
            Phrase("{player} is on the waiting list. Take them off it first.", player=player.label),
        )
    stays = Seating.objects.filter(same_person(player, "player__"))
    pending = ProgressiveWin.objects.filter(room=player.room_id, state=ProgressiveWin.State.PENDING)
    for win in pending.select_related("round", "table"):
        there = stays.filter(table=win.table, seat=win.seat, seated_at__lte=win.round.opened_at)
        if there.exclude(left_at__lte=win.round.opened_at).exists():
            yield WhyNot(
                "win_pending",
                Phrase(
                    "A progressive win of {player} at {table}, seat {seat} is not answered yet. Confirm or withdraw it first.",
                    player=player.label,
                    table=win.table,
                    seat=win.seat,
                ),
            )
