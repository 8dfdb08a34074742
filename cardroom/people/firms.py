"""Queries on providers of players over time: for whom each played at an instant. A provider sees its own firm's play alone."""

from __future__ import annotations

import datetime
from collections import defaultdict

from django.db.models import Q, QuerySet

from cardroom.rooms.models import Room

from .models import Player, Provider, Role, Staff
from .rights import RIGHTS, Right, holds, roles_of


def providers_within(staff: Staff, room: Room) -> QuerySet[Provider]:
    """Return the providers whose statements `staff` may see in `room`, by name: a provider lead's own firm alone."""
    providers = Provider.objects.filter(room=room).order_by("name")
    held = roles_of(staff, room)
    roles = held & RIGHTS[Right.SEE_STATEMENTS]
    if roles - {Role.PROVIDER_LEAD} or (Role.PROGRAM in held and holds(held, staff, Right.SEE_STATEMENTS)):
        return providers
    return providers.filter(leads__staff=staff, leads__room=room) if roles else providers.none()


class Firms:
    """The providers of a room's players over time, from the players' change history; two queries.

    A player without such a change has played for the present provider all along.
    """

    def __init__(self, room: Room) -> None:
        self._present = dict(Player.objects.filter(room=room).values_list("pk", "provider"))
        self._changes: dict[int, list[tuple[datetime.datetime, int | None]]] = defaultdict(list)
        kept = Player.history.filter(room=room).order_by("history_date", "history_id")
        for player, firm, at in kept.values_list("id", "provider", "history_date"):
            known = self._changes[player]
            if not known or known[-1][1] != firm:
                known.append((at, firm))
        self._changes = {player: known for player, known in self._changes.items() if len(known) > 1}

    def firm_at(self, player: int, instant: datetime.datetime) -> int | None:
        """Return the id of the provider that `player` (an id) played for at `instant`; None if for no provider."""
        firm = self._present.get(player)
        if (known := self._changes.get(player)) is None:
            return firm
        firm = known[0][1]
        for at, later in known:
            if at <= instant:
                firm = later
        return firm

    def of_any(self) -> dict[int, set[int]]:
        """Return by player (an id) the providers that they play or have played for; who played for none is left out."""
        found = {player: {firm} for player, firm in self._present.items() if firm is not None}
        for player, known in self._changes.items():
            found[player] = found.get(player, set()) | {firm for _, firm in known if firm is not None}
        return {player: firms for player, firms in found.items() if firms}

    def played_for(self, firm: int, player: str, at: str) -> Q:
        """Return a Q that the player in the column `player` played for the firm at the instant in the column `at`."""
        always = [
            each for each, theirs in self._present.items() if theirs == firm and each not in self._changes
        ]
        condition = Q(**{f"{player}__in": always})
        for each, known in self._changes.items():
            ends = [*(later for later, _ in known[1:]), None]
            for number, ((since, theirs), until) in enumerate(zip(known, ends, strict=True)):
                if theirs != firm:
                    continue
                span = {} if number == 0 else {f"{at}__gte": since}
                span |= {} if until is None else {f"{at}__lt": until}
                condition |= Q(**{player: each}, **span)
        return condition
