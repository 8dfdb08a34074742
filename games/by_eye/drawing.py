"""Simulated play of a filed game: bets, wagers after the deal, and where the bank runs out.

Nobody knows its cards: how each wager comes out is drawn too. Everything is drawn from the generator that is passed in.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.by_eye.terms import ByEyeTerms
from games.game import DrawnBet, Taste
from games.money import payout_cents
from games.ran_out import Laid, RanOut

_SIDE_BETS = (100, 200, 500, 1000)
_TIPS = (100, 100, 200, 500)
#: Of 100 positions so many place the first wager that may follow after the deal, and the second.
_FOLLOW = (12, 4)
#: Of 100 positions so many win, and so many lose; the others have their wagers back. Of 100 side wagers so many win.
_WIN, _LOSE, _SIDE_WINS = 43, 49, 12
#: What a side wager pays to 1 where the filing does not say its odds.
_SIDE_PAYS = 5
_DOLLAR = 100


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


def draw_later_bets(
    chance: Random, terms: ByEyeTerms, bets: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Now and then a wager after the deal that is as high as the main wager that it follows, or as high as it may be."""
    follow = [(wager, rule) for wager, rule in terms.later.items() if rule.of in terms.main]
    placed = []
    for bet in bets:
        for (wager, rule), usual in zip(follow, _FOLLOW, strict=False):
            base = bet["wagers"].get(rule.of, 0)
            if base and chance.randrange(100) < usual:
                place = {key: bet[key] for key in ("seat", "behind") if bet.get(key)}
                placed.append({**place, "wagers": {wager: min(base, rule.most_cents(base))}})
                break
    return placed


def draw_ran_out(chance: Random, terms: ByEyeTerms, laid: Sequence[Laid], bank_cents: int) -> RanOut | None:
    """Draw how the wagers come out, and pay and take them in order until so many cents of the bank are used up."""
    outcomes: dict[tuple[int, int], int] = {}
    left = bank_cents
    for each in laid:
        odds = terms.pays_at_most.get(each.spot)
        if each.spot in terms.main or each.spot in terms.later:
            place = (each.seat, each.behind)
            outcome = outcomes.setdefault(place, chance.randrange(100))
            pays = each.cents
        else:
            outcome = 0 if chance.randrange(100) < _SIDE_WINS else _WIN
            pays = each.cents * _SIDE_PAYS if odds is None else payout_cents(each.cents, odds)
        if outcome >= _WIN + _LOSE:
            continue  # a push
        moves = pays if outcome < _WIN else each.cents
        if moves <= left:
            left -= moves
            continue
        # What is left covers a part of the wager, in whole dollars.
        covered = each.cents * left // moves // _DOLLAR * _DOLLAR
        won, taken = (left if covered else 0, 0) if outcome < _WIN else (0, covered)
        return RanOut(each.seat, each.behind, each.spot, won, taken, each.cents - covered)
    return None
