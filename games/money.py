"""Money in whole cents (`int`), odds as pairs of integers, and the one function that rounds a payout."""

from msgspec import Struct

MOST_CENTS = 10**15
"""Largest single amount taken (ten trillion dollars): a guard against typing errors and against numbers that JSON
readers cannot hold exactly (2**53); no rule sets a ceiling."""


class Odds(Struct, frozen=True):
    """What a win is worth: `num` to `den`, "for one" when the stake does not come back, or the meter.

    `text` is the form printed on placards and settlements: `3:2`, `70 for 1`, `100% of the meter`.
    """

    num: int
    den: int
    text: str
    for_one: bool = False
    meter: bool = False


EVEN_MONEY = Odds(1, 1, "1:1")
WHOLE_METER = Odds(0, 1, "100% of the meter", for_one=True, meter=True)


def payout_cents(stake_cents: int, odds: Odds) -> int:
    """Cents owed on a stake at odds, the stake itself left out; a part of a cent is rounded down."""
    return stake_cents * odds.num // odds.den


def to_one(number: int) -> Odds:
    """Odds of `number` to 1."""
    return Odds(number, 1, f"{number}:1")


def parse_odds(text: str) -> Odds:
    """Odds from `"3:2"`, `"70 for 1"` or `"100% of the meter"`; ValueError for anything else."""
    if text == WHOLE_METER.text:
        return WHOLE_METER
    for separator, for_one in ((":", False), (" for ", True)):
        left, found, right = text.partition(separator)
        if found and left.isdecimal() and right.isdecimal() and int(left) > 0 and int(right) > 0:
            if for_one and int(right) != 1:
                break
            return Odds(int(left), int(right), text, for_one=for_one)
    raise ValueError(f"odds {text!r} are none of 'N:M', 'N for 1', '{WHOLE_METER.text}'")


def dollars(cents: int) -> str:
    """Cents formatted as dollars: `$5`, `$1,234.50`, `−$2`; cents only where there are any."""
    whole, part = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}${whole:,}" + (f".{part:02}" if part else "")
