"""The engine by library call, and beside it PokerKit evaluating the same six-card hands."""

from __future__ import annotations

from random import Random

from pokerkit import Card, StandardHighHand

from games.cards import CARD_TEXTS
from games.engine import read_sheet, settle
from games.settlement import Settlement
from games.three_card_poker.hands import best_five_of_six
from tests.measure.bench.measure import Spread, each, interleaved
from tests.measure.bench.rounds import sheets

ROUNDS = 1500
TURNS = 15
CARDS = [next(iter(Card.parse(text))) for text in CARD_TEXTS]
#: What PokerKit calls the hands that the 6 Card Bonus pays; the others are less than three of a kind.
LABELS = {
    "Three of a kind": "THREE_OF_A_KIND",
    "Straight": "STRAIGHT",
    "Flush": "FLUSH",
    "Full house": "FULL_HOUSE",
    "Four of a kind": "FOUR_OF_A_KIND",
    "Straight flush": "STRAIGHT_FLUSH",
}


def time_rounds(deal: Random) -> dict[str, Spread]:
    """Processor seconds a round of each step, and of PokerKit's evaluation of its six-card hands."""
    texts = list(sheets("full", ROUNDS, deal))
    read = [read_sheet(text) for text in texts]
    settled = [settle(sheet) for sheet in read]
    sixes = [(position.hand, sheet.bank_hand) for sheet in read for position in sheet.positions]
    cards = [[CARDS[card] for card in first + second] for first, second in sixes]
    for (first, second), six in zip(sixes, cards, strict=True):
        ours, theirs = best_five_of_six(first, second).name, evaluate(six)
        if ours != theirs and not (ours == "ROYAL_FLUSH" and theirs == "STRAIGHT_FLUSH"):
            raise ValueError(f"{six} is {ours} here and {theirs} to PokerKit")
    taken = interleaved(
        {
            "settle": each(settle, read),
            "read_sheet": each(read_sheet, texts),
            "to_text": each(Settlement.to_text, settled),
            "pokerkit": each(evaluate, cards),
        },
        TURNS,
    )
    return {name: spread.per(ROUNDS) for name, spread in taken.items()}


def evaluate(six: list[Card]) -> str:
    """The class of the best five of six cards by PokerKit, as the 6 Card Bonus names it."""
    return LABELS.get(StandardHighHand.from_game((), six).entry.label, "LESS")
