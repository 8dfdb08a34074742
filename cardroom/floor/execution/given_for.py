"""Checks whom an offline command was given for: refused where somebody else than it names is at the table now.

`{"dealer": 4, "bank": 12, "1": 12, "3b": 40}`: the dealer of the open down (a person's id), the player who banks, and
those at seats and on back lines, by the names of their places (players' ids).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from cardroom.people.models import Player, Staff
from games.phrases import Phrase

from ..errors import NotNow
from ..places import place_named
from ..reads.table_state import TableState

DEALER, BANK = "dealer", "bank"
#: Who a command names, by what they are at the table: ids of people.
GivenFor = Mapping[str, int]


def check_given_for(state: TableState, given_for: GivenFor) -> None:
    """Raise NotNow (`people_changed`) where somebody whom the command was given for is not there, or somebody else is.

    Its `changed` has one entry a change: `as`, and `given_for` and `now` as `{"id", "name"}`, null for nobody.
    """
    changed = []
    for role, given in given_for.items():
        now = person_at(state, role)
        if now is None or now.pk != given:
            changed.append({"as": role, "given_for": _named(role, state, given), "now": _person(now)})
    if changed:
        whole = functools.reduce(
            lambda one, other: Phrase("{one} {other}", one=one, other=other), map(_format_change, changed)
        )
        raise NotNow(
            "people_changed",
            Phrase("This was given for other people than are there now. {changes}", changes=whole),
            extra={"changed": changed},
        )


def person_at(state: TableState, role: str) -> Player | Staff | None:
    """Return who is the dealer, the bank, or at a place called `role` now."""
    if role == DEALER:
        return None if state.down is None else state.down.dealer
    if role == BANK:
        if state.live is not None:
            return state.live.bank_player
        return None if state.turn is None else state.turn.player
    place = place_named(role)
    sitting = None if place is None else state.places.get(place)
    return None if sitting is None else sitting.player


def _named(role: str, state: TableState, pk: int) -> dict[str, Any]:
    """The person of this room with that id; of an id that is nobody's here, the id alone."""
    room = state.table.room_id
    if role == DEALER:
        found: Player | Staff | None = Staff.objects.filter(pk=pk, employments__room=room).first()
    else:
        found = Player.objects.filter(pk=pk, room=room).first()
    return _person(found) or {"id": pk, "name": ""}


def _person(person: Player | Staff | None) -> dict[str, Any] | None:
    return None if person is None else {"id": person.pk, "name": str(person)}


def _format_change(change: dict[str, Any]) -> str:
    given, now = change["given_for"]["name"], change["now"]
    role = {DEALER: Phrase("the dealer on duty"), BANK: Phrase("the bank")}.get(change["as"]) or Phrase(
        "seat {seat}", seat=change["as"]
    )
    if now is None:
        return Phrase("{role} was {given}; nobody is there now.", role=role, given=given or "?")
    return Phrase("{role} was {given}, and is {now} now.", role=role, given=given or "?", now=now["name"])
