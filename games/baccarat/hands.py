"""The two hands of a round: read from their text, counted, and checked by the drawing rules (`baccarat:draw`).

Cards of two to nine count their number, the ace one, ten and court cards nothing; a hand counts the last figure of its sum.
"""

from collections.abc import Iterable

from msgspec import Struct

from games.cards import RANKS
from games.counts import Count
from games.dealt import read_cards
from games.phrases import Phrase
from games.refusal import Refusal

COUNT = Count({rank: 1 if rank == "A" else int(rank) if rank.isdigit() else 0 for rank in RANKS}, 10)

STANDS_ON = 6
"""The least count on which the player's hand takes no third card (`baccarat:draw.2`)."""
NATURAL = 8
"""The least count of two cards with which no hand takes a third one (`baccarat:draw.1`)."""

BANKER_DRAWS_ON: tuple[frozenset[int], ...] = (
    frozenset(range(10)),
    frozenset(range(10)),
    frozenset(range(10)),
    frozenset(range(10)) - {8},
    frozenset({2, 3, 4, 5, 6, 7}),
    frozenset({4, 5, 6, 7}),
    frozenset({6, 7}),
    frozenset(),
)
"""By the banker's count of two cards: the player's third cards, by what they count, on which the banker draws
(`baccarat:draw.3`)."""


def points(card: int) -> int:
    """What a card counts."""
    return COUNT.of_card(card)


def count(values: Iterable[int]) -> int:
    """What a hand of cards that count `values` counts: the last figure of the sum."""
    return COUNT.of_values(values)


def player_draws(player: int, banker: int) -> bool:
    """Whether the player's hand takes a third card, by what both count with two."""
    return max(player, banker) < NATURAL and player < STANDS_ON


def banker_draws(player: int, banker: int, third: int | None) -> bool:
    """Whether the banker's hand takes a third card; `third` is what the player's counts, None where it took none."""
    if max(player, banker) >= NATURAL:
        return False
    if third is None:
        return banker < STANDS_ON
    return third in BANKER_DRAWS_ON[banker]


class BaccaratHand(Struct, frozen=True):
    """Two or three cards as dealt, and what they count."""

    cards: tuple[int, ...]

    @property
    def values(self) -> list[int]:
        return [points(card) for card in self.cards]

    @property
    def count(self) -> int:
        return count(self.values)

    @property
    def of_two(self) -> int:
        """What the first two cards count."""
        return count(self.values[:2])

    @property
    def third(self) -> int | None:
        """What the third card counts; None where none was taken."""
        return self.values[2] if len(self.cards) == 3 else None


def read_hand(text: str, path: str) -> BaccaratHand:
    """Two or three cards separated by blanks; Refusal `bad_card` or `hand_size`."""
    cards = read_cards(text, path)
    if len(cards) not in (2, 3):
        raise Refusal(
            "hand_size", path, Phrase("a hand has two or three cards, this one {cards}.", cards=len(cards))
        )
    return BaccaratHand(cards)


def check_draws(player: BaccaratHand, banker: BaccaratHand) -> None:
    """Refuse hands that were not drawn by the rules: Refusal `wrong_draw`, with the hand and what it should have."""
    draws = player_draws(player.of_two, banker.of_two)
    if draws != (player.third is not None):
        raise _wrong_draw("player_hand", Phrase("the player's hand"), player.of_two, takes=draws)
    draws = banker_draws(player.of_two, banker.of_two, player.third)
    if draws != (banker.third is not None):
        raise _wrong_draw("banker_hand", Phrase("the banker's hand"), banker.of_two, takes=draws)


def _wrong_draw(path: str, whose: str, of_two: int, *, takes: bool) -> Refusal:
    should = Phrase("takes a third card") if takes else Phrase("takes no third card")
    what = Phrase(
        "{hand} counts {of_two} with two cards and {should} here; check it, or void the round.",
        hand=whose,
        of_two=of_two,
        should=should,
    )
    return Refusal("wrong_draw", path, what)
