"""The progressive wager by the size of its meter, and what envy adds at a full table.

Linear in everything: the meter line pays the meter once in 22,100 hands, other lines pay "for 1", and each
further hand that can bring envy adds the same small amount, however the hands share one deck.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from games.money import Odds
from games.three_card_poker.odds.showdown import DEALS, three_card_counts


@dataclass(frozen=True, slots=True)
class ProgressiveOdds:
    """A progressive wager of `unit_cents` at a meter of `meter_cents` beside `others` hands that bring envy.

    `edge` is the bank's and the meter's together, per unit staked; `fair_meter_cents` is the meter at which it
    would be 0 (rounded up to a whole cent: from there on the wager favours the player), None where the other
    lines and envy alone bring back more than is staked. `envy_cents` is what one other hand's envy is worth a
    round. `hit` leaves envy out.
    """

    edge: Fraction
    hit: Fraction
    meter_cents: int
    unit_cents: int
    others: int
    envy_cents: Fraction
    fair_meter_cents: int | None


def progressive(
    odds: Sequence[Odds | None],
    envy_cents: Sequence[int],
    *,
    meter_cents: int,
    unit_cents: int,
    others: int = 0,
) -> ProgressiveOdds:
    """Odds of a table whose lines are "for 1" or the meter; `odds` and `envy_cents` go by class.

    `others` counts the hands of other players that would bring this player envy. Folding a hand never costs a
    line (what pays is always worth playing), so a room's choice for folded hands changes nothing here.
    """
    if unit_cents <= 0 or meter_cents < 0 or others < 0:
        raise ValueError("a unit is at least a cent; meter and other hands are not below 0")
    fixed = meter_chance = hit = Fraction(0)
    for count, pays in zip(three_card_counts(), odds, strict=True):
        if pays is None:
            continue
        chance = Fraction(count, DEALS)
        hit += chance
        if pays.meter:
            meter_chance += chance
        else:
            fixed += chance * (Fraction(pays.num, pays.den) + (0 if pays.for_one else 1))
    envy = sum(
        (
            Fraction(count * cents, DEALS)
            for count, cents in zip(three_card_counts(), envy_cents, strict=True)
        ),
        Fraction(0),
    )
    lost_without_meter = unit_cents * (1 - fixed) - others * envy
    fair = lost_without_meter / meter_chance
    return ProgressiveOdds(
        edge=(lost_without_meter - meter_chance * meter_cents) / unit_cents,
        hit=hit,
        meter_cents=meter_cents,
        unit_cents=unit_cents,
        others=others,
        envy_cents=envy,
        fair_meter_cents=ceil(fair) if fair >= 0 else None,
    )
