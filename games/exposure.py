"""What a player's bank may have to pay on the wagers that lie on the table, before a card is dealt.

Of one position the figure is exact: the most that any deal and decision can bring it. Over several positions it is
an upper bound: each is given its own best deal, although one deck and one bank hand could not always serve all.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.money import MOST_CENTS
from games.rulebook import Rulebook
from games.settle import settle
from games.sheet import read_sheet

_BEST_DEALS = (
    (
        "2c 4c Ad",
        "3c 5c Qd",
    ),  # high card: the best six with which it beats a bank that qualifies are a straight
    ("2c Td Jd", "Qd Kd Ad"),  # and when it loses, a royal flush
    ("2c 2d 4c", "2h 2s 3c"),  # pair: four of a kind when it wins
    ("Tc Td Jc", "Qc Kc Ac"),
    ("2c Jc Ac", "Tc Qc Kc"),  # flush
    ("Tc Jd Qc", "Jc Kc Ac"),  # straight
    ("2c 2d 2h", "2s 3c 3d"),  # three of a kind: four of a kind, whoever wins
    ("Tc Jc Qc", "2c Kc Ac"),  # straight flush
    ("Qc Kc Ac", "2c Tc Jc"),  # mini royal
    ("Qs Ks As", "2s Ts Js"),  # mini royal of spades, which some tables pay by itself
)
"""Position's hand and bank's hand, for each class of the position's hand the deals that no other deal outdoes.

A deal outdoes another when its hand is of the same class, it wins where the other does, and its best five of six are
no lower; to win against a bank that qualifies brings most, for ante and play are then both paid. That nothing is
missing here is proved over every deal of the deck (tests/games/test_exposure.py).
"""


@dataclass(frozen=True, slots=True)
class Exposure:
    """The most that a bank may have to pay, in cents: `by_seat` exactly, `total` as an upper bound of their sum."""

    by_seat: Mapping[int, int]

    @property
    def total(self) -> int:
        return sum(self.by_seat.values())

    def covered_by(self, wager: int) -> int:
        """How much of it the bank's `wager` (cents) covers; a bank pays no more than it has put up."""
        return min(wager, self.total)


def exposure(rulebook: Rulebook, options: Mapping[str, Any], bets: Iterable[Mapping[str, Any]]) -> Exposure:
    """What the bank may have to pay on `bets`: `{"seat", "wagers", "tips"}` in cents, as in the round sheet.

    A tip on play may follow a tip on the ante and be as much (ruling 4): it is counted. Raises ValueError for a
    rulebook whose bank the house holds: that bank has no end. Raises Refusal where the engine would refuse a bet.
    """
    if not rulebook.player_banked:
        raise ValueError(f"{rulebook.id}: the house banks, and covers everything.")
    # The schedule's limits on the ante are the floor's question; what a bet may win does not depend on them.
    of_payment = {name: value for name, value in options.items() if name != "fee_schedule"}
    played = json.dumps(of_payment, sort_keys=True)
    return Exposure(
        {
            bet["seat"]: _most(rulebook, played, json.dumps(_position(rulebook, bet), sort_keys=True))
            for bet in bets
        }
    )


def _position(rulebook: Rulebook, bet: Mapping[str, Any]) -> dict[str, Any]:
    """The bet as a position of a sheet that stays in: a hand that plays may win more than one that folds."""
    tips = dict(bet.get("tips") or {})
    if "ante" in tips and "play" in rulebook.tip_spots:
        tips["play"] = tips["ante"]
    position: dict[str, Any] = {"seat": 1, "wagers": dict(bet["wagers"]), "tips": tips}
    if bet["wagers"].get("ante"):
        position["decision"] = "play"
    return position


@lru_cache(maxsize=4096)
def _most(rulebook: Rulebook, options: str, position: str) -> int:
    """The most that one position can be owed, in cents: the best of the best deals, settled by the engine itself."""
    return max(_owed(rulebook, json.loads(options), json.loads(position), *deal) for deal in _BEST_DEALS)


def _owed(
    rulebook: Rulebook, options: Mapping[str, Any], position: Mapping[str, Any], hand: str, bank_hand: str
) -> int:
    sheet = {
        "rulebook": rulebook.id,
        "options": options,
        "bank": {"seat": 2, "wager": MOST_CENTS},
        "bank_hand": bank_hand,
        "positions": [{**position, "hand": hand}],
    }
    return sum(line.owed for line in settle(read_sheet(sheet)).lines)
