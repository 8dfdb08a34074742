"""What a run of pairs has found, kept in a file for each part of it: docs/measured/races.md is written from all of them.

A run that was stopped goes on where it was, with the same folder: pairs that are in its files are not run again.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from tests.measure.conditions import hardware, python

from .states import Pair

#: The run of all pairs is in so many parts, which may run beside each other.
PARTS = 2


class Found:
    """What one part of a run has found so far."""

    def __init__(self, kept_in: str | None, part: int) -> None:
        self._path = None if kept_in is None else Path(kept_in) / f"part-{part}.json"
        #: The state in which each pair was run, and what both write.
        self.run: dict[Pair, tuple[str, frozenset[str]]] = {}
        #: Pairs that came to neither order, with what they came to.
        self.survivors: dict[Pair, str] = {}
        #: By what both write: the pairs that were run with the locks off, and what each came to.
        self.controls: dict[frozenset[str], list[tuple[Pair, str]]] = {}
        self.finished = False
        #: Seconds of the processor, of all processes that ran this part.
        self.seconds = 0.0
        if self._path is not None and self._path.exists():
            self.add(json.loads(self._path.read_text(encoding="utf-8")))
        self._before = self.seconds - time.process_time()

    def add(self, part: dict[str, Any]) -> None:
        """Add what was kept of one part."""
        self.run |= {(one, other): (state, frozenset(tables)) for one, other, state, tables in part["run"]}
        self.survivors |= {(one, other): came for one, other, came in part["survivors"]}
        for tables, one, other, came in part["controls"]:
            self.controls.setdefault(frozenset(tables), []).append(((one, other), came))
        self.seconds += part["seconds"]

    def write(self) -> None:
        """Keep it, where a folder was named."""
        if self._path is None:
            return
        document = {
            "run": [[*pair, state, sorted(tables)] for pair, (state, tables) in self.run.items()],
            "survivors": [[*pair, came] for pair, came in self.survivors.items()],
            "controls": [
                [sorted(tables), *pair, came]
                for tables, tried in self.controls.items()
                for pair, came in tried
            ],
            "finished": self.finished,
            "seconds": self._before + time.process_time(),
            "machine": f"{hardware()}, {python()}",
        }
        self._path.write_text(json.dumps(document, indent=1), encoding="utf-8")


def read(kept_in: Path) -> tuple[Found, str]:
    """What all parts have found together, and the machine that they ran on."""
    whole, machine = Found(None, 0), ""
    parts: list[dict[str, Any]] = [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(kept_in.glob("part-*.json"))
    ]
    for part in parts:
        whole.add(part)
        machine = part["machine"]
    whole.finished = len(parts) == PARTS and all(part["finished"] for part in parts)
    return whole, machine
