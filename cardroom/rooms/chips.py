"""Parses and formats the chips on a room's keypads: a few amounts in dollars, as one line of text."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError

#: The default of a room.
FIRST_CHIPS = "1 5 25 100"
#: So many chips at most have room beside the keys.
MOST_CHIPS = 6
#: The largest chip in cents: $100,000.
LARGEST_CHIP_CENTS = 10_000_000

_AMOUNT = re.compile(r"\$?(?P<dollars>[0-9]{1,6})(?:\.(?P<cents>[0-9]{2}))?", re.ASCII)


def read_chips(typed: str) -> tuple[int, ...]:
    """The amounts of `typed` in cents, the least first: "5 1 $25 2.50" is (100, 250, 500, 2500). ValidationError."""
    words = [word for word in re.split(r"[\s;]+|,\s+|,$", typed) if word]
    if not words:
        raise ValidationError("Name one chip at least, such as 5.", code="no_chips")
    if len(words) > MOST_CHIPS:
        raise ValidationError(
            f"These are {len(words)} chips, and the keypad has room for {MOST_CHIPS}.", code="many_chips"
        )
    amounts = [_read_chip(word) for word in words]
    for word, cents in zip(words, amounts, strict=True):
        if amounts.count(cents) > 1:
            raise ValidationError(f"“{word}” is there twice: name each chip once.", code="same_chip")
    return tuple(sorted(amounts))


def _read_chip(word: str) -> int:
    match = _AMOUNT.fullmatch(word)
    if match is None:
        raise ValidationError(
            f"“{word[:20]}” is no chip: write amounts in dollars with blanks between, such as 1 5 25 100.",
            code="no_amount",
        )
    cents = int(match["dollars"]) * 100 + int(match["cents"] or 0)
    if not 0 < cents <= LARGEST_CHIP_CENTS:
        raise ValidationError(f"“{word}” is no chip: one has $0.01 to $100,000.", code="no_amount")
    return cents


def chips_in_dollars(amounts: tuple[int, ...]) -> str:
    """Amounts in cents as they are written down: "1 2.50 5"."""
    parts = [divmod(cents, 100) for cents in amounts]
    return " ".join(f"{whole}.{part:02}" if part else str(whole) for whole, part in parts)
