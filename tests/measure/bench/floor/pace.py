"""Plays tables at a given pace: commands fall due at random instants, each at a table where nobody else commands just then."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence


def play(tables: Sequence[Callable[[], None]], pace: float, seconds: float) -> None:
    """Let `pace` commands a second be carried out; each of `tables` carries out the next command of one table."""
    order = random.Random(7)
    due = iter(_instants(order, pace, seconds))
    lock = threading.Lock()
    free = list(tables)

    def somebody() -> None:
        while True:
            with lock:
                if (at := next(due, None)) is None:
                    return
                command = free.pop(order.randrange(len(free)))
            time.sleep(max(0, at - time.monotonic()))
            command()
            with lock:
                free.append(command)

    hands = [threading.Thread(target=somebody) for _ in range(8)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()


def _instants(order: random.Random, pace: float, seconds: float) -> list[float]:
    """When commands are due: `pace` a second, as unevenly as a room commands."""
    at, end, instants = time.monotonic() + 0.5, time.monotonic() + 0.5 + seconds, []
    while at < end:
        instants.append(at)
        at += order.expovariate(pace)
    return instants
