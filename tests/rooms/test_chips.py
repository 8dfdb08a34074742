"""The chips of a room: what may be named, and what is said of what may not."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from cardroom.rooms.chips import FIRST_CHIPS, read_chips
from cardroom.rooms.models import Room


def test_a_room_begins_with_four_chips() -> None:
    assert Room().chip_cents == read_chips(FIRST_CHIPS) == (100, 500, 2500, 10000)


@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        ("5 1 $25 2.50", (100, 250, 500, 2500)),
        ("1, 5, 25, 100", (100, 500, 2500, 10000)),
        ("0.50", (50,)),
        ("1 2 3 4 5 100000", (100, 200, 300, 400, 500, 10_000_000)),
    ],
)
def test_amounts_are_read_in_dollars_the_least_first(typed: str, cents: tuple[int, ...]) -> None:
    assert read_chips(typed) == cents


@pytest.mark.parametrize(
    ("typed", "code", "text"),
    [
        ("", "no_chips", "one chip at least"),
        ("1 2 3 4 5 6 7", "many_chips", "7 chips, and the keypad has room for 6"),
        ("5 25 $5", "same_chip", "“5” is there twice"),
        ("5 red", "no_amount", "“red” is no chip"),
        ("5 -1", "no_amount", "“-1” is no chip"),
        ("2.5", "no_amount", "“2.5” is no chip"),
        ("0", "no_amount", "$0.01 to $100,000"),
        ("100001", "no_amount", "$0.01 to $100,000"),
    ],
)
def test_what_is_no_chip_is_refused_with_what_would_be(typed: str, code: str, text: str) -> None:
    with pytest.raises(ValidationError) as refused:
        read_chips(typed)
    assert refused.value.code == code
    assert text in refused.value.message


def test_a_room_keeps_its_chips_in_order_and_refuses_what_are_none() -> None:
    room = Room(name="Elk Slough", code="elk-slough", chips="100 $5")
    room.full_clean(exclude=["name", "code"], validate_unique=False, validate_constraints=False)
    assert room.chips == "5 100"
    room.chips = "5 5"
    with pytest.raises(ValidationError) as refused:
        room.full_clean(exclude=["name", "code"], validate_unique=False, validate_constraints=False)
    assert set(refused.value.message_dict) == {"chips"}
