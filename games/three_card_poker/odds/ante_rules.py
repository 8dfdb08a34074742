"""What an ante and its play are settled by where odds are counted: the bank's qualifying hand, and an ante bonus."""

from fractions import Fraction
from typing import NamedTuple

from games.money import Odds
from games.three_card_poker.hands import HandClass
from games.three_card_poker.odds.showdown import Compared
from games.three_card_poker.rulebook import COMPARED, PAID
from games.three_card_poker.terms import ThreeCardTerms


class AnteRules(NamedTuple):
    """What an ante is settled by: what the bank qualifies with, and what ante and play do where it does not.

    `bonus` are the odds of an ante bonus by class of hand, paid whatever the bank holds.
    """

    qualifies: str
    unqualified_ante: str
    unqualified_play: str
    bonus: tuple[Odds | None, ...] | None = None

    def bonus_of(self, kind: HandClass) -> Fraction | int:
        """What the ante bonus pays a hand of a class that is played, per ante of 1; of mini royals one in four is of spades."""
        if self.bonus is None:
            return 0
        if kind == HandClass.MINI_ROYAL:
            return (3 * _worth(self.bonus[kind]) + _worth(self.bonus[HandClass.MINI_ROYAL_SPADES])) / 4
        return _worth(self.bonus[kind])


def _worth(odds: Odds | None) -> Fraction:
    return Fraction(0) if odds is None else Fraction(odds.num, odds.den)


def won_unqualified(unqualified: Compared, by: str) -> int:
    """How often a wager wins against a bank that does not qualify; it never loses there."""
    return {PAID: unqualified.all, COMPARED: unqualified.lower}.get(by, 0)


def worth_of_playing(unqualified: Compared, qualified: Compared, rules: AnteRules) -> int:
    """Ante units won less lost by playing a hand against each of the bank's hands, summed, without an ante bonus."""
    at_once = won_unqualified(unqualified, rules.unqualified_ante) + won_unqualified(
        unqualified, rules.unqualified_play
    )
    return at_once + 2 * (qualified.lower - qualified.higher)


def ante_rules_of(terms: ThreeCardTerms) -> AnteRules:
    """The rules of the ante on these terms."""
    book, bonus = terms.rulebook, terms.ante_bonus
    return AnteRules(
        book.qualifies, book.unqualified_ante, book.unqualified_play, None if bonus is None else bonus.odds
    )
