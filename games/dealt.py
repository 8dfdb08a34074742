"""Cards of a round sheet, for every game: read from their text, and checked against each other."""

from collections import Counter
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


class Decided(Protocol):
    """The attributes of a position that decides something which these checks need."""

    @property
    def seat(self) -> int:
        """Its seat."""

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


def check_dealt(
    of_the_table: Iterable[tuple[str, Sequence[int]]], positions: Sequence[Dealt], *, decks: int = 1
) -> None:
    """No card lies in the hands of a round more often than there are decks in use; the last of them is refused.

    `of_the_table` are the hands that belong to no position, by their keys. A back line plays its seat's hand. Refusal
    `duplicate_card` or `back_line_hand`.
    """
    dealt: Counter[int] = Counter()
    for key, cards in of_the_table:
        _check_new(cards, dealt, decks, key)
    at_seat: dict[int, Dealt] = {}
    for index, position in enumerate(positions):
        first = at_seat.setdefault(position.seat, position)
        if first is position:
            _check_new(position.hand or (), dealt, decks, f"positions[{index}].hand")
        elif (
            position.hand is not None
            and first.hand is not None
            and Counter(position.hand) != Counter(first.hand)
        ):
            what = Phrase("seat {seat} has one hand, for all who wager on its spot.", seat=position.seat)
            raise Refusal("back_line_hand", f"positions[{index}].hand", what)


def check_decided(positions: Sequence[Decided]) -> None:
    """Whoever wagers on a seat's spot besides has the decision that is made there; Refusal `back_line_decision`."""
    at_seat: dict[int, Decided] = {}
    for index, position in enumerate(positions):
        first = at_seat.setdefault(position.seat, position)
        if None not in (position.decision, first.decision) and position.decision != first.decision:
            what = Phrase("seat {seat} decides once, for all who wager on its spot.", seat=position.seat)
            raise Refusal("back_line_decision", f"positions[{index}].decision", what)


def _check_new(cards: Collection[int], dealt: Counter[int], decks: int, path: str) -> None:
    before = set(dealt)
    for card in cards:
        dealt[card] += 1
        if dealt[card] <= decks:
            continue
        if decks == 1 and card in before:
            what = Phrase("{card} is in an earlier hand too; check it.", card=CARD_TEXTS[card])
        else:
            what = Phrase(
                "{card} lies there {times} times; with {decks} in use there are no more than {decks}.",
                card=CARD_TEXTS[card],
                times=dealt[card],
                decks=decks,
            )
        raise Refusal("duplicate_card", path, what)
