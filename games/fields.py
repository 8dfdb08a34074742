"""Readers of single values of a sheet, each with the refusal for what it cannot be."""

from collections.abc import Mapping
from typing import Any

from games.cards import CARD_NUMBERS, Hand
from games.jsontext import show
from games.money import MOST_CENTS
from games.refusal import Refusal


def missing(path: str, what: str) -> Refusal:
    """The refusal for a key that must be there."""
    return Refusal("missing_key", path, f"{what} must be given.")


def is_object(value: Any) -> bool:
    """Whether a parsed value is a JSON object."""
    return type(value) is dict or isinstance(value, Mapping)


def read_cents(value: Any, path: str) -> int:
    """A whole number of cents above 0; Refusal `wrong_type` for no number, `bad_amount` for another one."""
    if type(value) is int and 0 < value <= MOST_CENTS:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refusal("wrong_type", path, f"an amount is a number of cents, not {show(value)}.")
    if isinstance(value, int) and value > 0:
        raise Refusal("bad_amount", path, f"{show(value)} cents is more than any table holds.")
    raise Refusal(
        "bad_amount",
        path,
        f"an amount is a whole number of cents above 0, not {show(value)}; leave out nothing.",
    )


def read_seat(value: Any, seats: int, path: str) -> int:
    """A seat from 1 to `seats`; Refusal `wrong_type` for no number, `bad_seat` for no seat of the table."""
    if type(value) is int and 1 <= value <= seats:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refusal("wrong_type", path, f"a seat is a number from 1 to {seats}, not {show(value)}.")
    raise Refusal("bad_seat", path, f"the table has seats 1 to {seats}, not {show(value)}.")


def read_hand(value: Any, path: str) -> Hand:
    """Three cards; Refusal `wrong_type`, `bad_card`, `hand_size`, or `duplicate_card` within the hand."""
    if type(value) is str:
        # The usual hand, one blank between its cards, looked up in two pieces; anything odd about it is found below.
        pair = FIRST_TWO.get(value[:5])
        third = THIRD.get(value[5:])
        if pair is not None and third is not None and third not in pair:
            first, second = pair
            return first, second, third
    return _read_odd_hand(value, path)


FIRST_TWO = {
    f"{first} {second}": (CARD_NUMBERS[first], CARD_NUMBERS[second])
    for first in CARD_NUMBERS
    for second in CARD_NUMBERS
    if first != second
}
THIRD = {f" {card}": number for card, number in CARD_NUMBERS.items()}
"""A hand as it is usually written in two pieces: its first two cards, and a blank with the third."""


def _read_odd_hand(value: Any, path: str) -> Hand:
    if not isinstance(value, str):
        raise Refusal("wrong_type", path, f'a hand is a text such as "Ah Td 2c", not {show(value)}.')
    # Runs of blanks part cards as one blank does; a tab or a comma is part of no card.
    texts = [text for text in value.split(" ") if text]
    cards = []
    for text in texts:
        card = CARD_NUMBERS.get(text)
        if card is None:
            raise Refusal(
                "bad_card", path, f"{show(text)} is no card; write rank then suit, as in Ah, Td or 2c."
            )
        cards.append(card)
    if len(cards) != 3:
        raise Refusal("hand_size", path, f"a hand has three cards, this one {len(cards)}.")
    first, second, third = cards
    if first == second or third in (first, second):
        raise Refusal("duplicate_card", path, f"the hand {show(value)} holds one card twice.")
    return first, second, third
