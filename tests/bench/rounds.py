"""Streams of round sheets to settle, the same from the same seed.

python -m tests.bench.rounds any 1000000     print so many sheets of a stream as JSON Lines
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

from games.cards import CARD_TEXTS
from games.hands import value3
from tests.games.random_rounds import random_round

SEATS = 7
BONUSES = ("pair_plus", "six_card_bonus")
STAKES = (500, 1000, 1500, 2000, 2500, 5000, 10_000)
#: Q-6-4, the lowest hand that is worth a play wager.
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
        placed = {"ante": deal.choice(STAKES)}
        for bonus, chance in zip(BONUSES, wagers, strict=True):
            if deal.random() < chance:
                placed[bonus] = deal.choice(STAKES)
        stays = not fold or value3((first, second, third)) >= WORTH_PLAYING
        positions.append(
            {
                "seat": seat,
                "hand": _text([first, second, third]),
                "wagers": placed,
                "decision": "play" if stays else "fold",
            }
        )
    return {
        "rulebook": "california",
        "options": {"fee_schedule": 1},
        "bank": {"seat": banker, "wager": deal.choice((20_000, 100_000, 500_000))},
        "bank_hand": _text(cards[:3]),
        "positions": positions,
    }


def _text(cards: list[int]) -> str:
    return " ".join([CARD_TEXTS[card] for card in cards])


def sheets(stream: str, count: int, seed: int = 1) -> Iterator[str]:
    """The first `count` sheets of a stream, each a line of JSON."""
    return map(json.dumps, islice(STREAMS[stream](Random(seed)), count))


def main(stream: str, count: str) -> None:
    """Print them."""
    for sheet in sheets(stream, int(count)):
        sys.stdout.write(sheet + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
