"""Parsers of single values of a sheet; each raises Refusal for an invalid value."""

from games.money import MOST_CENTS
from games.refusal import Refusal
from games.sheet_json import Number, show


def read_cents(value: Number, path: str, key: str = "") -> int:
    """A whole number of cents above 0; Refusal `bad_amount` at `path`, or at `key` of it, for another one."""
    if type(value) is int and 0 < value <= MOST_CENTS:
        return value
    if key:
        path = f"{path}.{key}"
    if isinstance(value, int) and value > 0:
        raise Refusal("bad_amount", path, f"{show(value)} cents is more than any table holds.")
    raise Refusal(
        "bad_amount",
        path,
        f"an amount is a whole number of cents above 0, not {show(value)}; leave out nothing.",
    )


def read_seat(value: Number, seats: int, path: str) -> int:
    """A seat from 1 to `seats`; Refusal `bad_seat` for no seat of the table."""
    if type(value) is int and 1 <= value <= seats:
        return value
    raise Refusal("bad_seat", path, f"the table has seats 1 to {seats}, not {show(value)}.")
