"""The order in which seats are settled."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Protocol, TypeVar

FROM_ACTION, BACK_FROM_ACTION = "clockwise_from_action", "counterclockwise_from_action"
SEAT_ORDERS = (FROM_ACTION, BACK_FROM_ACTION, "clockwise_from_first", "counterclockwise_from_last")


class AtSeat(Protocol):
    """Anything that lies at a seat."""

    @property
    def seat(self) -> int:
        """Its seat, clockwise from the dealer's left."""


AnySeated = TypeVar("AnySeated", bound=AtSeat)


def ordered(positions: Sequence[AnySeated], order: str, first: int | None) -> list[AnySeated]:
    """Positions by seat: from seat `first` on in either direction, clockwise from seat 1, or from the last seat back.

    Positions of one seat keep their order.
    """
    if order == FROM_ACTION and first is not None:
        return sorted(positions, key=lambda position: (position.seat < first, position.seat))
    if order == BACK_FROM_ACTION:
        return sorted(
            positions, key=lambda position: (first is not None and position.seat > first, -position.seat)
        )
    return sorted(positions, key=attrgetter("seat"), reverse=order == "counterclockwise_from_last")
