"""Random choices of simulated players: what they bet, and whether they take the bank.

Everything is drawn from the generator that is passed in; the same generator gives the same play.
"""

from __future__ import annotations

import dataclasses
import functools
import random
from typing import Any

from games.game import Taste
from games.registry import game_of
from games.terms import Terms

#: Chips that a main wager is put together from, in cents, and how usual each is.
_MAIN_WAGERS = (500, 1000, 1500, 2000, 2500, 3000, 5000, 7500, 10000)
_USUAL = (22, 28, 14, 12, 12, 4, 5, 2, 1)
#: What a bank puts up, in cents: most cover what they expect on the table, some a little less.
_WAGERS = (15000, 20000, 30000, 40000, 60000, 80000, 120000, 200000)
#: Where the least ante is above so many cents, a bank puts up more in proportion.
_LOW_LEAST = 2000
#: An ante and the play that follows it: as many times the main wager do most banks reckon with.
_USUAL_TIMES = 2


@dataclasses.dataclass(frozen=True)
class Habits:
    """What a player is like. Chances are out of 100.

    `taste` is what the player likes to bet; `banks` the chance of taking the bank when it is offered, `away` that of being away
    from the table then, `sits_out` that of missing a round.
    """

    taste: Taste
    banks: int
    away: int = 4
    sits_out: int = 5
    bank_cents: int = 100000


def habits_drawn(chance: random.Random, *, proposition: bool, limits: tuple[int, int | None]) -> Habits:
    """Draw the habits of a player within the table's `limits` of the main wager in cents."""
    least, most = limits
    usual_wagers = [
        cents for cents in _MAIN_WAGERS if cents >= least and (most is None or cents <= most)
    ] or [least]
    if proposition:
        # Paid to bank: a small ante between turns, no tips, never away.
        return Habits(
            Taste(usual_wagers[0], (0, 0), 0),
            banks=97,
            away=0,
            sits_out=2,
            bank_cents=chance.choice(_WAGERS[3:]),
        )
    usual = [_USUAL[_MAIN_WAGERS.index(cents)] if cents in _MAIN_WAGERS else 1 for cents in usual_wagers]
    return Habits(
        taste=Taste(
            main_cents=chance.choices(usual_wagers, usual)[0],
            side_wagers=(chance.choice((0, 20, 60, 95)), chance.choice((0, 0, 10, 50))),
            tips=chance.choice((0, 2, 5, 15)),
        ),
        banks=chance.choice((0, 3, 8, 25, 60)),
        bank_cents=chance.choices(_WAGERS, (2, 5, 14, 25, 22, 18, 10, 4))[0],
    )


def bet_drawn(
    chance: random.Random, habits: Habits, seat: int, terms: Terms, limits: tuple[int, int | None]
) -> dict[str, Any] | None:
    """Return what a player puts down in a round within the table's `limits`, in cents, or None for sitting out."""
    if chance.randrange(100) < habits.sits_out:
        return None
    bet = game_of(terms.rulebook.id).draw_bet(chance, terms, habits.taste, limits)
    return {"seat": seat, "wagers": bet.wagers, "tips": bet.tips}


def bank_wager(habits: Habits, limits: tuple[int, int | None], terms: Terms) -> int:
    """Return what a bank puts up in a round at a table with these limits of the main wager, in cents.

    Where a main wager may be followed by more than as much again, a bank puts up more in proportion.
    """
    wager = habits.bank_cents * max(_LOW_LEAST, limits[0]) // _LOW_LEAST
    return wager * max(_USUAL_TIMES, _times_main(terms)) // _USUAL_TIMES


@functools.lru_cache(maxsize=64)
def _times_main(terms: Terms) -> int:
    """How many times a main wager a bank pays at even money, with what follows it; the usual where nobody can say."""
    game, cents = game_of(terms.rulebook.id), _MAIN_WAGERS[0]
    main = next(spot.id for spot in terms.spots if spot.charged)
    placed = game.check_wagers(terms.rulebook.id, terms.options, {"seat": 1, "wagers": {main: cents}})
    even = game.even_money([placed], terms)
    return _USUAL_TIMES if even is None else even // cents


def answer_drawn(chance: random.Random, habits: Habits) -> str:
    """Return a player's answer to the offer of the bank."""
    if chance.randrange(100) < habits.away:
        return "absent"
    return "accepted" if chance.randrange(100) < habits.banks else "declined"
