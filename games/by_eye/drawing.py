"""Simulated bets of a filed game. Everything is drawn from the generator that is passed in."""

from random import Random

from games.by_eye.terms import ByEyeTerms
from games.game import DrawnBet, Taste

_SIDE_BETS = (100, 200, 500, 1000)
_TIPS = (100, 100, 200, 500)


def draw_bet(chance: Random, terms: ByEyeTerms, taste: Taste, limits: tuple[int, int | None]) -> DrawnBet:
    """A main wager within its limits, now and then doubled, with side wagers and a tip as the player likes."""
    least, most = limits
    cents = max(least, taste.main_cents * (2 if chance.randrange(8) == 0 else 1))
    main = chance.choice([spot.id for spot in terms.spots if spot.charged])
    wagers = {main: cents if most is None else min(most, cents)}
    beside = [spot.id for spot in terms.spots if spot.placed and not spot.charged and spot.equals is None]
    for spot_id, usual in zip(beside, taste.side_wagers, strict=False):
        if chance.randrange(100) < usual:
            wagers[spot_id] = chance.choice(_SIDE_BETS)
    tipped = main in terms.tip_spots and chance.randrange(100) < taste.tips
    return DrawnBet(wagers, {main: chance.choice(_TIPS)} if tipped else {})
