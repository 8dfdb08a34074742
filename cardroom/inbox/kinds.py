"""Registry of the kinds of items: an app registers what it knows to find, in `AppConfig.ready`.

A kind finds what went otherwise in a stretch of time and says it in one sentence. A finding becomes an item once, by its `key`;
what is drawn of it comes from `figures` and `evidence`, never from a sentence that was stored.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Shift
from cardroom.rooms.models import Room

from .models import Item, ItemStep


@dataclasses.dataclass(frozen=True)
class Stretch:
    """What is searched: a time in a room, `until` exclusive (UTC); `shift` where it is a whole shift that has closed."""

    room: Room
    since: datetime.datetime
    until: datetime.datetime
    shift: Shift | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Finding:
    """Something that went otherwise. `key` is the same each time that it is found.

    `staff` and `players` are ids of those whom it is about. `evidence` holds ids by what they are of: `round`, `rounds`, `box`,
    `alert`, `entry` (of the journal), `offer`, `turn`.
    """

    key: str
    at: datetime.datetime
    table: int | None = None
    shift: int | None = None
    day: datetime.date | None = None
    staff: tuple[int | None, ...] = ()
    players: tuple[int | None, ...] = ()
    figures: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    evidence: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ItemKind:
    """A kind of item: its code, its name, how it is found and how it is said.

    One that is found `by_shift` is searched for over all of a shift, every few minutes while it is open, once it has closed, and
    again when a round of it was corrected: what is not found again no longer holds. The others are searched for by the minute,
    in the order of their instants; `gone` tells the keys of those that no longer hold by what happened in a stretch. What was
    found never changes, so figures that grow until the shift is over (`stands`) are read from the records as they stand.
    """

    code: str
    name: str
    find: Callable[[Stretch], Iterable[Finding]]
    says: Callable[[Mapping[str, Any]], str]
    by_shift: bool = False
    gone: Callable[[Stretch], Iterable[str]] | None = None
    stands: Callable[[Sequence[Item]], Mapping[int, Mapping[str, Any]]] | None = None
    #: Each is worked off by itself: what is said of one explains no other.
    alone: bool = False
    #: Carries on what was said of an item of it, under the lock of its room; raises what refuses that.
    worked: Callable[[RoomTransaction, Item, ItemStep], None] | None = None


#: Every registered kind by its code.
ITEM_KINDS: dict[str, ItemKind] = {}


def register_item_kinds(*kinds: ItemKind) -> None:
    """Take kinds in. Raises ValueError for a second one of the same code."""
    for kind in kinds:
        if kind.code in ITEM_KINDS:
            raise ValueError(f"there are two kinds of items called {kind.code}")
        ITEM_KINDS[kind.code] = kind


def kind_of(code: str) -> ItemKind | None:
    """Return the kind of that code; None for one that no app registers any more."""
    return ITEM_KINDS.get(code)


def says_of(items: Iterable[Item]) -> dict[int, str]:
    """Return what the record says of items by their ids: it refers to players. One query for each kind whose figures grow."""
    of_kinds: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        of_kinds[item.kind].append(item)
    said: dict[int, str] = {}
    for code, those in of_kinds.items():
        if (kind := kind_of(code)) is None:
            said |= {item.pk: "" for item in those}
            continue
        stands = {} if kind.stands is None else kind.stands(those)
        said |= {item.pk: kind.says({**item.figures, **stands.get(item.pk, {})}) for item in those}
    return said


def kinds_listed() -> list[ItemKind]:
    """Return the kinds by name."""
    return sorted(ITEM_KINDS.values(), key=lambda kind: kind.name)
