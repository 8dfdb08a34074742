"""Wagers against a paytable: pair plus, 6 Card Bonus, bad beat, cover all.

Worths are those of a stake of 1. A wager at "N to 1" keeps its stake when it wins; one at "N for 1" never
gets it back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.money import Odds
from games.three_card_poker.hands import HandClass
from games.three_card_poker.odds.highest_hand import highest_hand_chances
from games.three_card_poker.odds.showdown import ANSWERS, DEALS, beaten_counts, hands_alike, three_card_counts
from games.three_card_poker.odds.six_cards import SIXES, six_card_counts


@dataclass(frozen=True, slots=True)
class WagerOdds:
    """The bank's edge per unit staked, and the chance that the wager wins. A negative edge is the player's."""

    edge: Fraction
    hit: Fraction


def against_paytable(chances: Sequence[Fraction], odds: Sequence[Odds | None]) -> WagerOdds:
    """A stake of 1 on a table of odds by class; classes without odds lose, meter lines are not for this."""
    back = hit = Fraction(0)
    for chance, pays in zip(chances, odds, strict=True):
        if pays is None:
            continue
        if pays.meter:
            raise ValueError(
                "the worth of a meter line depends on the meter: see games.three_card_poker.odds.progressive"
            )
        hit += chance
        back += chance * (Fraction(pays.num, pays.den) + (0 if pays.for_one else 1))
    return WagerOdds(1 - back, hit)


def _chances(counts: Sequence[int], of: int) -> list[Fraction]:
    return [Fraction(count, of) for count in counts]


def pair_plus(odds: Sequence[Odds | None]) -> WagerOdds:
    """Pair plus, paid on three cards regardless of the bank's hand. A hand that it pays is never worth folding."""
    return against_paytable(_chances(three_card_counts(), DEALS), odds)


def pair_plus_if_won(odds: Sequence[Odds | None]) -> WagerOdds:
    """Pair plus paid only to a hand that beats the bank, or meets one that does not qualify (ruling 19)."""
    paid = [Fraction(0)] * len(odds)
    of_class = [0] * len(odds)
    for each in hands_alike():
        of_class[each.value.kind] += each.hands * (each.unqualified.all + each.qualified.lower)
    for kind, deals in enumerate(of_class):
        paid[kind] = Fraction(deals, DEALS * ANSWERS)
    # A mini royal of spades has no table line apart in pair plus; its deals are with the mini royals.
    return against_paytable(paid, odds)


def six_card_bonus(odds: Sequence[Odds | None]) -> WagerOdds:
    """6 Card Bonus: best five of six random cards; a fold does not touch it in any of the documents."""
    return against_paytable(_chances(six_card_counts(), SIXES), odds)


def bad_beat(odds: Sequence[Odds | None]) -> WagerOdds:
    """Bad beat, paid by the class of the lower of two unequal hands (ruling 38)."""
    return against_paytable(_chances(beaten_counts(), DEALS * ANSWERS), odds)


def cover_all(odds: Mapping[int, Odds], players: int) -> WagerOdds:
    """Cover all with `players` positions: paid by the highest hand of the table, the bank's included.

    `odds` by class; a class from a straight up without odds loses.
    """
    chances = highest_hand_chances(players + 1)
    kinds = sorted(chances)
    if any(kind < HandClass.STRAIGHT for kind in odds):
        raise ValueError("the highest hand is counted from a straight up")
    return against_paytable([chances[kind] for kind in kinds], [odds.get(kind) for kind in kinds])
