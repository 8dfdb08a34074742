"""Draws the correction of a round: one wager was entered wrongly."""

from __future__ import annotations

import random
from typing import Any

from cardroom.floor.models import Round
from games.registry import game_of

_WHY = (
    "{main} entered wrong; seen on video",
    "Chips of the {main} counted wrong at the table",
    "Player's {main} was keyed in as last round's",
)


def correction_drawn(
    chance: random.Random, round_: Round, limits: tuple[int, int | None]
) -> dict[str, Any] | None:
    """Return the arguments of `round_correct` but who signs; None where the wager that was drawn cannot be another one."""
    sheet = round_.sheet or {"positions": round_.bets}  # one that is not carded has no sheet
    equal = {spot.id for spot in round_.terms.spots if spot.equals is not None}
    positions: list[Any] = [
        {
            **position,
            "wagers": {wager: cents for wager, cents in position["wagers"].items() if wager not in equal},
        }
        for position in sheet["positions"]
    ]
    mended = chance.choice(positions)
    main = next(wager for wager in mended["wagers"] if wager in round_.terms.main)
    cents = mended["wagers"][main] + chance.choice((-500, 500, 1000))
    least, most = limits
    if cents < least or (most is not None and cents > most):
        return None
    if any(bet["seat"] == mended["seat"] for bet in round_.later_bets):
        return None  # what was placed after the deal hangs on this wager
    mended["wagers"][main] = cents
    return {
        "round_id": round_.pk,
        "bank_wager_cents": round_.bank_wager_cents or 0,
        "hands": {hand.id: sheet[hand.id] for hand in game_of(round_.rulebook).deal(round_.terms).hands},
        "positions": positions,
        "action_seat": round_.action_seat,
        "reason": chance.choice(_WHY).format(main=round_.book.wagers[main].name),
    }
