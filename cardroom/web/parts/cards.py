"""Parses typed cards and formats them for drawing. Whether a hand is a proper one is checked by the engine."""

from __future__ import annotations

import dataclasses
import re

from games.phrases import Phrase

_RANK_NAMES = {
    **{rank: rank for rank in "23456789"},
    "T": "10",
    "J": Phrase("Jack"),
    "Q": Phrase("Queen"),
    "K": Phrase("King"),
    "A": Phrase("Ace"),
}
_SUIT_NAMES = {"c": Phrase("clubs"), "d": Phrase("diamonds"), "h": Phrase("hearts"), "s": Phrase("spades")}
_GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_TYPED_EXAMPLE = ("ah", "kd", "2c", "9s", "5h")
_TYPED_CARD = re.compile(r"(10|[2-9tjqka])([cdhs♣♦♥♠])", re.IGNORECASE)
_FROM_GLYPH = {glyph: suit for suit, glyph in _GLYPHS.items()}


@dataclasses.dataclass(frozen=True)
class Face:
    """A card as it is drawn: `rank` as printed in its corner, the suit's `glyph` and `suit` word, and its name."""

    rank: str
    glyph: str
    suit: str
    name: str


def typed_example(cards: int) -> str:
    """How a hand of so many cards is typed."""
    return " ".join(_TYPED_EXAMPLE[:cards])


def hand_of(typed: str) -> str:
    """Return typed cards in the round sheet's form: "ah kd2c", "AH,KD,2C" and "A♥ K♦ 2♣" are all "Ah Kd 2c".

    What cannot be read as a card stays as it was typed, for the engine to refuse by name.
    """
    words = [word for word in re.split(r"[\s,;.\-]+", typed) if word]
    return " ".join(_word_of(word) for word in words)


def _word_of(word: str) -> str:
    """A word of typed cards, parted and in the sheet's form where all of it is cards."""
    found = _TYPED_CARD.findall(word)
    if "".join(rank + suit for rank, suit in found) != word:
        return word
    return " ".join(
        ("T" if rank == "10" else rank.upper()) + _FROM_GLYPH.get(suit, suit.lower()) for rank, suit in found
    )


def faces_of(hand: str) -> list[Face]:
    """Return the cards of a recorded hand ("Ah Td 2c"), ready to be drawn."""
    return [_face_of(card[0], card[1]) for card in hand.split()]


def _face_of(rank: str, suit: str) -> Face:
    return Face(
        rank="10" if rank == "T" else rank,
        glyph=_GLYPHS[suit],
        suit=_SUIT_NAMES[suit],
        name=Phrase("{rank} of {suit}", rank=_RANK_NAMES[rank], suit=_SUIT_NAMES[suit]),
    )
