"""Dollars as they are typed: exact cents or a refusal, and never a float."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.core.json_types import MOST_CENTS
from cardroom.web.parts.money import NotMoney, cents_of, typed_of
from games.money import dollars

CENTS = st.integers(min_value=0, max_value=MOST_CENTS)


@given(CENTS)
def test_every_amount_survives_being_shown_and_typed_again(cents: int) -> None:
    assert cents_of(typed_of(cents)) == cents
    assert cents_of(dollars(cents)) == cents


@given(CENTS)
def test_what_is_shown_is_the_amount_in_decimal_arithmetic(cents: int) -> None:
    assert Decimal(dollars(cents).replace("$", "").replace(",", "")) * 100 == cents


@given(st.text(max_size=30) | st.from_regex(r"\$?[0-9,]{1,16}(\.[0-9]{0,3})?", fullmatch=True))
def test_any_text_is_whole_cents_or_refused(text: str) -> None:
    try:
        cents = cents_of(text)
    except NotMoney:
        return
    assert type(cents) is int
    assert 0 <= cents <= MOST_CENTS


@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        ("10", 1000),
        ("7.50", 750),
        ("7.5", 750),
        ("7.", 700),
        ("0.01", 1),
        (" $25 ", 2500),
        ("$1,240", 124000),
        ("1,234,567.89", 123456789),
        ("0.29", 29),  # 0.29 * 100 is 28.999999999999996 in floats
        ("1.15", 115),
        ("10000000000", MOST_CENTS),
    ],
)
def test_amounts_people_type(typed: str, cents: int) -> None:
    assert cents_of(typed) == cents


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "-5",
        "+5",
        "ten",
        "1e3",
        "1.234",
        "1,24",
        "12,34.00",
        "$",
        ".",
        "1 000",
        "٣",
        "10\x00",
        "0x10",
        "1_000",
        "10000000000.01",
        "9" * 400,
        "NaN",
        "inf",
    ],
)
def test_what_is_no_amount_is_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(NotMoney, match=r"Write|write|Check"):
        cents_of(typed)


def test_losses_carry_a_sign_and_cents_stand_only_where_there_are_any() -> None:
    assert [dollars(cents) for cents in (0, 5, 750, 124000, -1000)] == [
        "$0",
        "$0.05",
        "$7.50",
        "$1,240",
        "−$10",
    ]
