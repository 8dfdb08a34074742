"""How a step of an item is written: the item as it is now, and the step beside it."""

from __future__ import annotations

from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.people.models import Staff

from .models import Item, ItemStep


def step_note(
    tx: RoomTransaction,
    item: Item,
    what: ItemStep.What,
    before: str,
    *,
    note: str = "",
    to: str = "",
    owner: Staff | None = None,
    approver: Staff | None = None,
) -> ItemStep:
    """Save an item that was in the state `before`, and write what was done about it. The caller writes the journal."""
    item.save()
    return ItemStep.objects.create(
        room=tx.room,
        item=item,
        what=what,
        before=before,
        after=item.state,
        note=note,
        to=to,
        owner=owner,
        made_at=tx.now,
        made_by=tx.actor,
        approved_by=approver,
    )
