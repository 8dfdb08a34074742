"""Cards of a round sheet, for every game: read from their text, and checked against each other."""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from games.cards import CARD_NUMBERS, CARD_TEXTS
from games.phrases import Phrase
from games.refusal import Refusal
from games.sheet_json import show


class Dealt(Protocol):
    """The attributes of a position with cards of its own that these checks need."""

    @property
    def seat(self) -> int:
        """Its seat."""

    @property
    def hand(self) -> Collection[int] | None:
        """Its cards, None where they were not exposed."""

    @property
    def decision(self) -> str | None:
        """What it decided, None where it had nothing to decide."""


def read_cards(text: str, path: str) -> tuple[int, ...]:
    """Cards separated by blanks, as they are typed or stored; Refusal `bad_card`."""
    # Several blanks separate cards as one does; tabs and commas are invalid.
    try:
        return tuple([CARD_NUMBERS[card] for card in text.split(" ") if card])
    except KeyError as unknown:
        what = Phrase(
            "{typed} is no card; write rank then suit, as in Ah, Td or 2c.", typed=show(unknown.args[0])
        )
        raise Refusal("bad_card", path, what) from None


def check_dealt(of_the_table: Iterable[tuple[str, Sequence[int]]], positions: Sequence[Dealt]) -> None:
    """No card of one deck lies in two hands of a round; the later of the two is refused. A back line plays its seat's hand.

    `of_the_table` are the hands that belong to no position, by their keys. Refusal `duplicate_card`, `back_line_hand` or
    `back_line_decision`.
    """
    dealt: set[int] = set()
    for key, cards in of_the_table:
        _check_new(cards, dealt, key)
    at_seat: dict[int, Dealt] = {}
    for index, position in enumerate(positions):
        first = at_seat.setdefault(position.seat, position)
        if first is not position:
            _check_back_line(position, first, f"positions[{index}]")
        else:
            _check_new(position.hand or (), dealt, f"positions[{index}].hand")


def _check_new(cards: Collection[int], dealt: set[int], path: str) -> None:
    for card in cards:
        if card in dealt:
            what = Phrase("{card} is in an earlier hand too; check it.", card=CARD_TEXTS[card])
            raise Refusal("duplicate_card", path, what)
        dealt.add(card)


def _check_back_line(position: Dealt, first: Dealt, path: str) -> None:
    """Whoever wagers on a seat's spot besides has its cards, and the decision that is made there."""
    if position.hand is not None and first.hand is not None and set(position.hand) != set(first.hand):
        what = Phrase("seat {seat} has one hand, for all who wager on its spot.", seat=position.seat)
        raise Refusal("back_line_hand", f"{path}.hand", what)
    if None not in (position.decision, first.decision) and position.decision != first.decision:
        what = Phrase("seat {seat} decides once, for all who wager on its spot.", seat=position.seat)
        raise Refusal("back_line_decision", f"{path}.decision", what)
