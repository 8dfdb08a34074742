"""What goes otherwise on purpose in a simulated past, and from which day on; without it, mistakes come by luck."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Final


class Mishap(enum.Enum):
    """Something that goes otherwise once, as soon as a table or the count room comes to where it can."""

    VOID_BEFORE_DEAL = enum.auto()
    VOID_AFTER_DEAL = enum.auto()
    CORRECTION = enum.auto()
    #: A bank plays past its turn, an offer is recorded out of order, and a seat that is eligible as ineligible.
    OVER_LIMIT = enum.auto()
    OUT_OF_ORDER = enum.auto()
    PASSED_OVER = enum.auto()
    #: A provider's player whose badge has expired sits down and is turned away.
    EXPIRED_BADGE = enum.auto()
    #: The table's tablet was out of touch before the table opened.
    TABLET_GAP = enum.auto()
    #: A box holds other than was collected; the one is explained, the other is not.
    VARIANCE_EXPLAINED = enum.auto()
    VARIANCE_OPEN = enum.auto()
    #: A provider's player hands the rack over to another one, with a count.
    RACK_HANDED_OVER = enum.auto()
    #: A player claims something: the one claim is answered, the other one is under review.
    CLAIM_ANSWERED = enum.auto()
    CLAIM_UNDER_REVIEW = enum.auto()


#: What is claimed.
CLAIMS: Final[Mapping[Mishap, str]] = {
    Mishap.CLAIM_ANSWERED: "Says the wager was taken for $5 more than lay there",
    Mishap.CLAIM_UNDER_REVIEW: "Says the winning hand was paid one chip short and the dealer did not call the floor",
}


class Mishaps:
    """The mishaps of a past by how many days before now they are due. Each comes once, on its day or as soon after as it can."""

    def __init__(self, due: Mapping[int, Sequence[Mishap]]) -> None:
        self._later = sorted(due.items(), reverse=True)
        self._due: list[Mishap] = []

    def day(self, before: int) -> None:
        """Begin the day so many days before now."""
        while self._later and self._later[0][0] >= before:
            self._due += self._later.pop(0)[1]

    def is_due(self, mishap: Mishap) -> bool:
        return mishap in self._due

    def happens(self, mishap: Mishap) -> bool:
        """Whether it is due; if so, it happens now, and not again."""
        if mishap not in self._due:
            return False
        self._due.remove(mishap)
        return True
