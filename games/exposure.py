"""Exposure: the most that a player's bank may have to pay on the wagers placed, before a card is dealt.

Of one position the figure is exact: the most that any deal and decision can bring it. Over several positions it is
an upper bound: each is given its own best deal, although the cards of one round could not always serve all.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from games.bets import BetPosition
from games.registry import game_of
from games.rulebook import Rulebook
from games.terms import Terms


@dataclass(frozen=True, slots=True)
class Exposure:
    """The most that a bank may have to pay, in cents: `by_seat` exactly, `total` as an upper bound of their sum.

    `each` has it bet by bet in the order given: several bettors may wager on the spot of one seat. `even_money` is what the
    main wagers cost at 1 to 1, None where the game cannot compute it; `bonus` is what all others cost at their top odds.
    """

    by_seat: Mapping[int, int]
    each: tuple[int, ...] = ()
    even_money: int | None = None
    bonus: int = 0

    @property
    def total(self) -> int:
        return sum(self.by_seat.values())


def exposure(
    rulebook: Rulebook, options: Mapping[str, Any], bets: Iterable[Mapping[str, Any]]
) -> Exposure | None:
    """What the bank may have to pay on `bets`: `{"seat", "wagers", "tips"}` in cents, as in the round sheet.

    Tips that may follow with a decision are counted. None where the game cannot compute it (`Game.most_owed`). Raises ValueError
    for a rulebook whose bank the house holds: that bank has no end. Raises Refusal where the engine would refuse a bet.
    """
    if not rulebook.player_banked:
        raise ValueError(f"{rulebook.id}: the house banks, and covers everything.")
    # The floor checks the schedule's limits on the main wager; what a bet may win does not depend on them.
    of_payment = {name: value for name, value in options.items() if name != "fee_schedule"}
    game = game_of(rulebook.id)
    terms = game.read_options(rulebook, of_payment)
    most: dict[int, int] = {}
    each: list[int] = []
    positions: list[BetPosition] = []
    for bet in bets:
        tips = {spot: cents for spot, cents in (bet.get("tips") or {}).items() if spot in terms.placed}
        position = {"seat": bet["seat"], "wagers": bet["wagers"], "tips": tips}
        placed = game.check_wagers(rulebook.id, of_payment, position)
        owed = game.most_owed(placed, terms)
        if owed is None:
            return None
        most[placed.seat] = most.get(placed.seat, 0) + owed
        each.append(owed)
        positions.append(placed)
    even_money = game.even_money(positions, terms)
    bonus = 0 if even_money is None else sum([_bonus(position, terms) for position in positions])
    return Exposure(most, tuple(each), even_money, bonus)


def _bonus(placed: BetPosition, terms: Terms) -> int:
    """The most that the wagers of a position besides the main ones can be owed."""
    wagers = {wager: cents for wager, cents in placed.wagers.items() if wager not in terms.main}
    if not wagers:
        return 0
    tips = {wager: cents for wager, cents in placed.tips.items() if wager in wagers}
    return game_of(terms.rulebook.id).most_owed(replace(placed, wagers=wagers, tips=tips), terms) or 0
