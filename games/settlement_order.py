"""The order in which seats are settled."""

from collections.abc import Sequence
from operator import attrgetter
from typing import TypeVar

from games.claims import Seated

SEAT_ORDERS = ("clockwise_from_action", "clockwise_from_first", "counterclockwise_from_last")

AnySeated = TypeVar("AnySeated", bound=Seated)


def ordered(positions: Sequence[AnySeated], order: str, first: int | None) -> list[AnySeated]:
    """Positions by seat: clockwise from seat `first` on, clockwise from seat 1, or from the last seat back.

    Positions of one seat keep their order.
    """
    if order == "clockwise_from_action" and first is not None:
        return sorted(positions, key=lambda position: (position.seat < first, position.seat))
    return sorted(positions, key=attrgetter("seat"), reverse=order == "counterclockwise_from_last")
