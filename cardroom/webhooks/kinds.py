"""The kinds of entries that a webhook may be told of: what the journal calls them."""

from __future__ import annotations

from collections.abc import Collection

from cardroom.core.commands import COMMANDS
from cardroom.floor.journal import chain_name
from cardroom.floor.models import JournalEntry, Table
from cardroom.people.journal import ADMINISTRATION, SIGN_INS
from cardroom.rooms.models import Room


def unknown_kinds(room: Room, kinds: Collection[str]) -> list[str]:
    """Return which of `kinds` are none: no commands, nothing that is written about people, and not in the room's journal so far."""
    strange = set(kinds) - {*COMMANDS, *SIGN_INS, *ADMINISTRATION}
    if not strange:
        return []
    chains = [chain_name(room), *(chain_name(table) for table in Table.objects.filter(room=room))]
    written = JournalEntry.objects.filter(chain__in=chains)
    return sorted(kind for kind in strange if not written.filter(command=kind).order_by().exists())
