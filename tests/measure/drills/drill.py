"""What a drill is, and what a run of one leaves behind."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path


@dataclasses.dataclass
class Run:
    """One run of a drill: the figures of its column of the table, in their order, and what has not come out as it must.

    A control is a run with a safeguard taken away; it has to leave faults, or the drill could not fail.
    """

    kind: str
    control: bool = False
    figures: dict[str, str | int] = dataclasses.field(default_factory=dict)
    faults: list[str] = dataclasses.field(default_factory=list)

    def must(self, holds: bool, fault: str) -> None:
        """Note `fault`, in words that say what was found, unless it holds."""
        if not holds:
            self.faults.append(fault)

    @property
    def came_out(self) -> str:
        """Whole, or broken where there are faults."""
        return "broken" if self.faults else "whole"

    @property
    def has_to_come_out(self) -> str:
        """Whole, or broken for a control."""
        return "broken" if self.control else "whole"


@dataclasses.dataclass(frozen=True)
class Drill:
    """A drill: its name on the command line, its title and text (Markdown) on the page, and its runs, controls too.

    `runs` gets an empty directory, which other accounts can enter and which is gone afterwards. What it raises fails the
    drill: an error is no fault that a control may leave.
    """

    name: str
    title: str
    text: str
    runs: Callable[[Path], Iterator[Run]]


def failures(runs: list[Run]) -> list[str]:
    """Say what is wrong with the runs of a drill: a fault, a control without one, or none of either kind."""
    found = []
    if not any(run.control for run in runs) or all(run.control for run in runs):
        found.append("the drill has no run as it is, or no control")
    for run in runs:
        if run.control and not run.faults:
            found.append(f"{run.kind}: came out whole, so that this drill could not fail")
        if not run.control:
            found += [f"{run.kind}: {fault}" for fault in run.faults]
    return found


def say(what: str) -> None:
    """Print a line of progress on stderr, with the time."""
    print(f"drills: {time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)
