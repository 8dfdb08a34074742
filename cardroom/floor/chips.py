"""Parses and sums chips by denomination (JSON of a tray slip): how many there are of each worth."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from cardroom.core.json_types import MOST_CENTS, Whole

from .errors import BadInput

#: What the page has a field for, in cents. Other chips are given through the API.
DENOMINATIONS = (100, 500, 2500, 10000, 50000, 100000)
#: More chips of one denomination than any tray holds, and more denominations.
MOST_CHIPS, MOST_DENOMINATIONS = 100_000, 20

_WORTH = re.compile(r"[1-9][0-9]{0,8}")

#: An input of chips: the number of them by their worth in cents.
Chips = Annotated[
    dict[str, Annotated[int, Whole(0, MOST_CHIPS)]],
    'Number of chips by their worth in cents: {"2500": 40} for forty of $25.',
]


def chips_read(given: Mapping[str, int]) -> tuple[dict[str, int], int]:
    """Return chips by worth, the greatest first and without zeros, and their sum in cents.

    Raises BadInput with the place (`chips.2500`) for what is no worth in whole cents, and for too many chips.
    """
    if len(given) > MOST_DENOMINATIONS:
        raise BadInput("too_many", f"A slip has at most {MOST_DENOMINATIONS} denominations.", path="chips")
    for worth, number in given.items():
        if not _WORTH.fullmatch(worth):
            raise BadInput(
                "unknown_denomination",
                f"{worth!r} is no worth of a chip. Give it in whole cents: 2500 for $25.",
                path="chips",
            )
        if type(number) is not int or not 0 <= number <= MOST_CHIPS:
            raise BadInput(
                "bad_pieces",
                f"Chips are a whole number from 0 to {MOST_CHIPS:,}. Count them again.",
                path=f"chips.{worth}",
            )
    chips = {worth: given[worth] for worth in sorted(given, key=int, reverse=True) if given[worth]}
    cents = chips_cents(chips)
    if cents > MOST_CENTS:
        raise BadInput("bad_amount", "A slip is about less than $10 billion.", path="chips")
    return chips, cents


def chips_cents(chips: Mapping[str, int]) -> int:
    """Return what chips are worth in cents."""
    return sum(int(worth) * number for worth, number in chips.items())


def chips_of(cents: int) -> dict[str, int]:
    """Return an amount in the fewest chips of `DENOMINATIONS`; what none of them makes up is counted in cents."""
    chips: dict[str, int] = {}
    for worth in (*sorted(DENOMINATIONS, reverse=True), 1):
        number, cents = divmod(cents, worth)
        if number:
            chips[str(worth)] = number
    return chips
