"""Taking time on a machine that does other things too: processor time, in turns, medians and spread."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[3]
#: Python keeps what it compiled and writes its output in blocks, as it does where nobody tells it not to: unbuffered, the
#: naive script calls the system with every line.
_UNUSUAL = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
_USUAL = {name: value for name, value in os.environ.items() if name not in _UNUSUAL}


@dataclass(frozen=True)
class Spread:
    """Figures of one thing taken several times."""

    taken: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.taken)

    def of(self, other: Spread) -> Spread:
        """How many times `other` this is, turn by turn: both halves of a ratio saw the same machine."""
        return Spread(tuple(mine / its for mine, its in zip(self.taken, other.taken, strict=True)))

    def per(self, count: int) -> Spread:
        """A share of each figure."""
        return Spread(tuple(each / count for each in self.taken))

    def rate(self, count: int) -> Spread:
        """How many a second, where each figure is the seconds for `count`."""
        return Spread(tuple(count / each for each in self.taken))


@dataclass(frozen=True)
class Took:
    """What a command took: processor seconds, seconds by the clock, bytes of memory at the most."""

    cpu: float
    wall: float
    peak: int


def interleaved(jobs: Mapping[str, Callable[[], object]], turns: int) -> dict[str, Spread]:
    """Processor seconds of each job, all of them once a turn; one more turn before, to warm up, is not counted."""
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for turn in range(turns + 1):
        for name, job in jobs.items():
            began = time.process_time()
            job()
            seconds = time.process_time() - began
            if turn:
                taken[name].append(seconds)
    return {name: Spread(tuple(each)) for name, each in taken.items()}


def each(function: Callable[[Any], object], values: Iterable[Any]) -> Callable[[], None]:
    """A job: the function on every value, the results thrown away one by one."""

    def job() -> None:
        for value in values:
            function(value)

    return job


def command(words: Sequence[str], feed: IO[bytes] | None = None) -> Took:
    """Run this Python with `words` in the project's root; RuntimeError when it does not end well."""
    launched = subprocess.run(
        [sys.executable, "tests/measure/bench/launch.py", sys.executable, *words],
        cwd=ROOT,
        env=_USUAL,
        stdin=subprocess.DEVNULL if feed is None else feed,
        stdout=subprocess.PIPE,
        check=True,
    )
    took = json.loads(launched.stdout)
    if took.pop("status") != 0:
        raise RuntimeError(f"{' '.join(words)} ended with an error")
    return Took(**took)


def commands(jobs: Mapping[str, Sequence[str]], turns: int) -> dict[str, list[Took]]:
    """Each command once a turn."""
    taken: dict[str, list[Took]] = {name: [] for name in jobs}
    for _ in range(turns):
        for name, words in jobs.items():
            taken[name].append(command(words))
    return taken


def cpu(taken: list[Took]) -> Spread:
    """Their processor seconds."""
    return Spread(tuple(each.cpu for each in taken))
