"""Parses the numbers under which a room's bookkeeping has the accounts of a day's journal: a line of text each."""

from __future__ import annotations

import re
from typing import Final

from django.core.exceptions import ValidationError

#: The accounts by their words in the setting, with the names that they have without a number.
ACCOUNTS: Final = {
    "boxes": "Drop boxes not counted",
    "jackpot_boxes": "Jackpot boxes not counted",
    "cash": "Cash counted",
    "jackpot_cash": "Jackpot cash counted",
    "over_short": "Over / (short)",
    "player_fees": "Collection, players",
    "bank_fees": "Collection, player-dealers",
    "time": "Collection, time",
    "rake": "House rake",
    "refunds": "Collection refunded",
    "jackpot": "Jackpot fund",
    "tips_held": "Tips held",
    "tips_payable": "Tips payable",
    "trays": "Trays",
    "house_win": "House win",
}
MOST_NUMBER: Final = 20
#: Every account with a number, and some air.
MOST_LETTERS: Final = 800


def read_account_numbers(typed: str) -> dict[str, str]:
    """Return the numbers by account: "cash = 1010, boxes = 1015". Raises ValidationError."""
    numbers: dict[str, str] = {}
    for each in re.split(r"[,;\n]", typed):
        if not each.strip():
            continue
        name, equals, number = (part.strip() for part in each.partition("="))
        if name not in ACCOUNTS:
            raise ValidationError(
                f"“{name[:20]}” is no account of a day's journal; there are {', '.join(ACCOUNTS)}.",
                code="account_numbers",
            )
        if not equals or not number or len(number) > MOST_NUMBER:
            raise ValidationError(
                f"Write the number of {name} as {name} = 1010, in at most {MOST_NUMBER} characters.",
                code="account_numbers",
            )
        if name in numbers:
            raise ValidationError(f"{name} has two numbers. Leave one of them.", code="account_numbers")
        numbers[name] = number
    return numbers
