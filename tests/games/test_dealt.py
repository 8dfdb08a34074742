"""Cards that lie on the table are checked against the decks in use, and an approval against a game that takes none."""

from typing import NamedTuple

import pytest

from games.cards import CARD_NUMBERS
from games.dealt import check_dealt
from games.game import BANK, Deal, TableHand
from games.refusal import Refusal
from games.registry import load_rulebook, read_options, rulebook_with
from games.terms import read_choices


class Dealt(NamedTuple):
    """A position that has cards and decides nothing."""

    seat: int
    hand: tuple[int, ...] | None


def cards(text: str) -> tuple[int, ...]:
    return tuple(CARD_NUMBERS[card] for card in text.split())


def refusal_of(bank: str, *hands: tuple[int, str], decks: int) -> tuple[str, str, str] | None:
    try:
        check_dealt(
            [("bank_card", cards(bank))], [Dealt(seat, cards(hand)) for seat, hand in hands], decks=decks
        )
    except Refusal as refusal:
        return refusal.code, refusal.path, str(refusal.message)
    return None


def test_of_one_deck_a_card_lies_in_one_hand() -> None:
    assert refusal_of("Ah", (2, "Kd"), (3, "Kc"), decks=1) is None
    assert refusal_of("Ah", (2, "Kd"), (3, "Ah"), decks=1) == (
        "duplicate_card", "positions[1].hand", "Ah is in an earlier hand too; check it.",
    )  # fmt: skip


def test_of_six_decks_a_card_lies_there_six_times_and_not_seven() -> None:
    assert refusal_of("Ah", *((seat, "Ah") for seat in range(1, 6)), decks=6) is None
    assert refusal_of("Ah", *((seat, "Ah") for seat in range(1, 7)), decks=6) == (
        "duplicate_card", "positions[5].hand", "Ah lies there 7 times; with 6 in use there are no more than 6.",
    )  # fmt: skip
    assert refusal_of("Ah", (2, "Kd Kd"), decks=2) is None
    assert refusal_of("Ah", (2, "Kd Kd Kd"), decks=2) is not None


def test_a_back_line_plays_the_hand_of_its_seat() -> None:
    assert refusal_of("Ah", (2, "Kd Kd 2c"), (2, "2c Kd Kd"), decks=6) is None
    found = refusal_of("Ah", (2, "Kd Kd 2c"), (2, "Kd 2c 2c"), decks=6)
    assert found is not None
    assert found[:2] == ("back_line_hand", "positions[1].hand")


def test_a_shoe_of_several_decks_is_counted_by_hand_and_has_all_their_cards() -> None:
    one = Deal(decks=1, hands=(TableHand("bank_card", "The bank's card", 1, 1, BANK),), each=1)
    assert (one.cards, one.on_table(4)) == (52, 5)
    six = one._replace(decks=6)
    assert (six.cards, six.on_table(4)) == (312, None)
    assert six._replace(jokers=1).cards == 318


@pytest.mark.parametrize("rulebook", ["baccarat", "ultimate_texas_holdem"])
def test_an_approval_that_nothing_has_read_is_refused(rulebook: str) -> None:
    """What a game does whose reader of options knows no approvals."""
    given = {"approval": {"number": "GEGR-1", "seats": "many"}}
    with pytest.raises(Refusal) as refused:
        read_choices(load_rulebook(rulebook), given, ())
    assert (refused.value.code, refused.value.path) == ("unknown_option", "options.approval")
    assert str(refused.value.message).startswith(f"{rulebook} takes no approval")
    sound = {"approval": {"number": "GEGR-1", "seats": 8, "sources": {"seats": "2"}}}
    book = rulebook_with(rulebook, sound)
    assert read_options(load_rulebook(rulebook), sound).rulebook.seats == book.seats == 8
