"""Parsers of single values of a sheet; each raises Refusal for an invalid value."""

from games.money import MOST_CENTS
from games.phrases import Phrase
from games.refusal import Refusal
from games.sheet_json import Number, show


def read_cents(value: Number, path: str, key: str = "") -> int:
    """A whole number of cents above 0; Refusal `bad_amount` at `path`, or at `key` of it, for another one."""
    if type(value) is int and 0 < value <= MOST_CENTS:
        return value
    if key:
        path = f"{path}.{key}"
    if isinstance(value, int) and value > 0:
        raise Refusal(
            "bad_amount", path, Phrase("{value} cents is more than any table holds.", value=show(value))
        )
    raise Refusal(
        "bad_amount",
        path,
        Phrase(
            "an amount is a whole number of cents above 0, not {value}; leave out nothing.", value=show(value)
        ),
    )


def read_seat(value: Number, seats: int, path: str) -> int:
    """A seat from 1 to `seats`; Refusal `bad_seat` for no seat of the table."""
    if type(value) is int and 1 <= value <= seats:
        return value
    raise Refusal(
        "bad_seat",
        path,
        Phrase("the table has seats 1 to {seats}, not {value}.", seats=seats, value=show(value)),
    )
