"""The 52 cards as integers 0 to 51: rank times four plus suit.

Ranks run from 0 (two) to 12 (ace), suits are `cdhs` as 0 to 3. In text a card is rank then suit, `Ah`,
and a hand is its cards separated by blanks: `"Ah Td 2c"`.
"""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SPADES = SUITS.index("s")
RANK_NAMES = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
RANK_PLURALS = tuple("sixes" if name == "six" else f"{name}s" for name in RANK_NAMES)

CARD_TEXTS: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
CARD_NUMBERS: dict[str, int] = {text: number for number, text in enumerate(CARD_TEXTS)}
DECK = range(len(CARD_TEXTS))
#: Rank and suit of a card, by its number.
RANK_OF: tuple[int, ...] = tuple(card // len(SUITS) for card in DECK)
SUIT_OF: tuple[int, ...] = tuple(card % len(SUITS) for card in DECK)

Hand = tuple[int, int, int]


def hand_text(cards: tuple[int, ...]) -> str:
    """Cards as text, in the order given: `(51, 32, 0)` is `"As Tc 2c"`."""
    return " ".join([CARD_TEXTS[card] for card in cards])
