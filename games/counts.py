"""Values of cards, in games whose hands are compared by a count."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from games.cards import RANK_OF, RANKS


class Count(NamedTuple):
    """What a card of each rank counts (by its letter, "T" for ten), and the figure at which a hand's sum begins again at 0.

    Plain data, so that a tablet counts as the game does.
    """

    by_rank: Mapping[str, int]
    figure: int

    def of_card(self, card: int) -> int:
        """What a card counts, by its number."""
        return self.by_rank[RANKS[RANK_OF[card]]]

    def of_values(self, values: Iterable[int]) -> int:
        """What a hand counts, by what its cards count."""
        return sum(values) % self.figure

    def of_cards(self, cards: Iterable[int]) -> int:
        """What a hand counts, by the numbers of its cards."""
        return self.of_values(map(self.of_card, cards))
