"""Parses the minutes for which a seat is held by one touch, as a room's settings have them: one line of text."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError

#: The default of a room.
FIRST_HOLDS = "5 10 20"
#: So many have room beside one another on a phone.
MOST_HOLDS = 4
#: A seat is held for so many minutes at most: who is away for longer has left.
MOST_HELD = 120


def read_holds(typed: str) -> tuple[int, ...]:
    """The minutes of `typed`, the fewest first: "20, 5" is (5, 20). ValidationError."""
    words = [word for word in re.split(r"[\s,;]+", typed) if word]
    if not words or len(words) > MOST_HOLDS:
        raise ValidationError(
            f"Name one to {MOST_HOLDS} numbers of minutes with blanks between, such as {FIRST_HOLDS}.",
            code="hold_choices",
        )
    minutes = set()
    for word in words:
        if re.fullmatch(r"[0-9]{1,3}", word, re.ASCII) is None or not 0 < int(word) <= MOST_HELD:
            raise ValidationError(
                f"“{word[:20]}” is no time: a seat is held for 1 to {MOST_HELD} minutes.", code="hold_choices"
            )
        minutes.add(int(word))
    return tuple(sorted(minutes))
