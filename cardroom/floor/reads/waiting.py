"""What waits for a user at a table: each noun brings a provider, and one strip draws them on page and board."""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import Any


@dataclasses.dataclass(frozen=True)
class Waiting:
    """Something that waits at `table` since an instant: `title` and `says` are for people.

    `command` is the command that ends it, `given` its arguments, `does` the words of its button.
    """

    table: int
    title: str
    text: str
    since: datetime.datetime
    command: str
    given: dict[str, Any]
    does: str


#: Asked for many tables at once: one query, however many there are.
Provider = Callable[[Collection[int]], Iterable[Waiting]]
_providers: list[Provider] = []


def waits(provider: Provider) -> Provider:
    """Register a provider; a decorator."""
    _providers.append(provider)
    return provider


def waiting_at(tables: Collection[int]) -> dict[int, list[Waiting]]:
    """Return by table what waits there, what came first at the top."""
    found: dict[int, list[Waiting]] = defaultdict(list)
    for each in sorted((each for one in _providers for each in one(tables)), key=lambda each: each.since):
        found[each.table].append(each)
    return found
