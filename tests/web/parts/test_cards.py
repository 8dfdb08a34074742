"""Cards as they are typed and drawn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.web.parts.cards import faces_of, hand_of

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@pytest.mark.parametrize("typed", ["ah kd 2c", "AHKD2C", "ah,kd,2c", " Ah  kD-2c ", "A♥ K♦ 2♣"])
def test_cards_may_be_typed_anyhow(typed: str) -> None:
    assert hand_of(typed) == "Ah Kd 2c"


def test_ten_is_t_or_10() -> None:
    assert hand_of("10h td 2c") == "Th Td 2c"


def test_what_is_no_card_stays_for_the_engine_to_name() -> None:
    assert hand_of("as xx 3c") == "As xx 3c"
    assert hand_of("1h") == "1h"


@given(st.lists(st.sampled_from(CARDS), max_size=5))
def test_a_proper_hand_is_left_alone(cards: list[str]) -> None:
    assert hand_of(" ".join(cards)) == " ".join(cards)


@given(st.text(max_size=20))
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert hand_of(hand_of(text)) == hand_of(text)


def test_a_card_is_drawn_with_its_suits_shape_and_named_for_those_who_do_not_see_it() -> None:
    ace, ten = faces_of("As Td")
    assert (ace.rank, ace.glyph, ace.suit, ace.name) == ("A", "♠", "spades", "Ace of spades")
    assert (ten.rank, ten.glyph, ten.name) == ("10", "♦", "10 of diamonds")
