"""What the undo of a touch on a seat does: who was seated leaves, who moved goes back, a hold and a rack are as they were before.

The stays that were begun and ended so are on record like all others; whose turn or wagers a touch has cost is not undone
(`cardroom/floor/reads/undoing.py` says which and why).
"""

from __future__ import annotations

import datetime
from typing import Any

from ..execution.transactions import TableTransaction
from ..models import JournalEntry, WaitingEntry
from ..places import Place, place_as_json, place_of
from ..reads.undoing import StepBack
from .players import guest_unused
from .racks import hand_over_undone
from .seat_time import time_let_go
from .stays import stay_move, vacate
from .waiting import waiting_again


def seating_undone(tx: TableTransaction, step: StepBack) -> dict[str, Any]:
    """Take a touch on a seat back; returns what the journal says of it."""
    if step.command in ("player_move", "back_line_move"):
        return _moved_back(tx, step.entry)
    if step.command in ("seat_hold", "seat_hold_end"):
        return _hold_before(tx, step.entry)
    if step.command == "rack_hand_over":
        return hand_over_undone(tx, step.entry)
    return _unseated(tx, step.entry)


def _unseated(tx: TableTransaction, entry: JournalEntry) -> dict[str, Any]:
    """Let who was seated leave. Who was added for it is nobody again, and who came off the waiting list is back on it."""
    data, place = entry.data, place_of(entry.data)
    time_let_go(tx, [place], "the seating is undone")
    stay = vacate(tx, tx.state(), place)
    name = stay.player.name
    unused = "new" in data and guest_unused(stay.player, data["new"])
    changed = {
        **place_as_json(place),
        "player": stay.player_id,
        **({"unused": True} if unused else {}),
    }
    if entry.command == "waiting_seat":
        waited = WaitingEntry.objects.get(pk=data["entry"], room=tx.room)
        changed["entry"] = waiting_again(tx, waited, name if unused else stay.player).pk
    return changed


def _moved_back(tx: TableTransaction, entry: JournalEntry) -> dict[str, Any]:
    data = entry.data
    behind = data.get("before_behind") or 0
    here = Place(data["after"], data.get("after_behind") or 0)
    before, after = stay_move(tx, here, data["before"], bool(behind))
    return {
        "player": after.player_id,
        "before": place_as_json(before.place),
        "after": place_as_json(after.place),
    }


def _hold_before(tx: TableTransaction, entry: JournalEntry) -> dict[str, Any]:
    """Hold a seat as it was held before, or not at all."""
    data = entry.data
    held = data["until"] if entry.command == "seat_hold_end" else data["before"]
    stay = tx.state().places[place_of(data)]
    stay.held_until = None if held is None else datetime.datetime.fromisoformat(held)
    stay.save(update_fields=["held_until"])
    return {"seat": stay.seat, "player": stay.player_id, "until": held}
