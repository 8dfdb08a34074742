"""Drop boxes as the floor sees them: whether one hangs at a table. The app that keeps boxes registers the lookup.

Boxes are kept by `cardroom.drop`, which stands above the floor. It registers a `BoxLookup` in its `AppConfig.ready`,
so that the floor's checks can ask without importing it.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping
from typing import NamedTuple, Protocol

from .models import Shift, Table

#: Kinds of boxes, as the accounts of transfers are called that go into them.
DROP, JACKPOT = "drop", "jackpot"


class HangingBox(NamedTuple):
    """A box at a table: the number painted on it, what it is for, and the shift for which it was put on."""

    number: int
    kind: str
    shift: int


class BoxLookup(Protocol):
    """What the floor asks of the app that keeps the boxes."""

    def hanging(self, tables: Collection[int]) -> Mapping[int, list[HangingBox]]:
        """Return by table id the boxes that hang there; one query."""

    def last_dropped(self, table: Table, shift: Shift) -> datetime.datetime | None:
        """Return when a drop box of the shift was last taken off the table."""


_registered: list[BoxLookup] = []


def register_boxes(lookup: BoxLookup) -> None:
    """Let the floor ask `lookup` about boxes; a later registration takes the place of an earlier one."""
    _registered[:] = [lookup]


def boxes() -> BoxLookup:
    """Return the registered lookup. Raises RuntimeError where no app has registered one."""
    if not _registered:
        raise RuntimeError("no installed app has registered a lookup of drop boxes (cardroom.floor.boxes)")
    return _registered[0]
