"""Streams of round sheets to settle, made anew for each run: the same from the same seed.

python -m tests.measure.bench.rounds any 1000000 [SEED]     print so many sheets of a stream as JSON Lines
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

from games.cards import CARD_TEXTS
from games.three_card_poker.hands import value3
from tests.games.random_rounds import random_round

SEATS = 7
BONUSES = ("pair_plus", "six_card_bonus")
NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Ida", "Jo", "Kim", "Lou", "Mia")
#: Q-6-4, the lowest hand that is worth a play wager to a player who sees no card of the bank.
WORTH_PLAYING = value3((40, 17, 8))


def full_tables(deal: Random) -> Iterator[dict[str, Any]]:
    """California: a bank and six players, each on every wager and none of them folding."""
    while True:
        yield _round(deal, players=6, wagers=(1.0, 1.0), fold=False)


def evenings(deal: Random) -> Iterator[dict[str, Any]]:
    """California as a table deals it: one to six players, bonuses on every other hand, folding below Q-6-4."""
    while True:
        yield _round(deal, players=deal.randint(1, 6), wagers=(0.5, 0.5), fold=True)


def any_rounds(deal: Random) -> Iterator[dict[str, Any]]:
    """All five rulebooks with options, players and amounts at random."""
    while True:
        yield random_round(deal)


STREAMS: dict[str, Callable[[Random], Iterator[dict[str, Any]]]] = {
    "full": full_tables,
    "evening": evenings,
    "any": any_rounds,
}


def _round(deal: Random, *, players: int, wagers: tuple[float, ...], fold: bool) -> dict[str, Any]:
    cards = deal.sample(range(52), 3 * (players + 1))
    banker, *seats = deal.sample(range(1, SEATS + 1), players + 1)
    positions = []
    for place, seat in enumerate(sorted(seats), 1):
        first, second, third = cards[3 * place : 3 * place + 3]
        placed = {"ante": _stake(deal)}
        for bonus, chance in zip(BONUSES, wagers, strict=True):
            if deal.random() < chance:
                placed[bonus] = _stake(deal)
        stays = not fold or value3((first, second, third)) >= WORTH_PLAYING
        positions.append(
            {
                "seat": seat,
                "player": f"{deal.choice(NAMES)} {seat}",
                "hand": _text([first, second, third]),
                "wagers": placed,
                "decision": "play" if stays else "fold",
            }
        )
    return {
        "rulebook": "california",
        "options": {"fee_schedule": 1},
        "bank": {"seat": banker, "wager": 100 * deal.randint(100, 5000)},
        "bank_hand": _text(cards[:3]),
        "positions": positions,
    }


def _stake(deal: Random) -> int:
    """An amount within the limits of schedule 1, in whole dollars."""
    return 100 * deal.randint(5, 100)


def _text(cards: list[int]) -> str:
    return " ".join([CARD_TEXTS[card] for card in cards])


def sheets(stream: str, count: int, deal: Random) -> Iterator[str]:
    """The first `count` sheets of a stream, each a line of JSON."""
    return map(json.dumps, islice(STREAMS[stream](deal), count))


def compact(sheet: dict[str, Any]) -> str:
    """A sheet without a blank between its tokens."""
    return json.dumps(sheet, separators=(",", ":"))


def shuffled(sheet: dict[str, Any], deal: Random) -> str:
    """A sheet with the keys of all its objects in an order at random."""

    def mixed(value: Any) -> Any:
        if isinstance(value, list):
            return [mixed(each) for each in value]
        if not isinstance(value, dict):
            return value
        keys = deal.sample(list(value), len(value))
        return {key: mixed(value[key]) for key in keys}

    return json.dumps(mixed(sheet))


def main(stream: str, count: str, seed: str = "") -> None:
    """Print them."""
    for sheet in sheets(stream, int(count), Random(seed or None)):
        sys.stdout.write(sheet + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
