"""Migrates the cells of a company one after the other: one first, then the rest, and no further than the first that fails."""

from __future__ import annotations

import dataclasses
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal

from .cells import Cell
from .health import CellHealth, cell_health

#: Seconds that a cell's command may take, and that its site may take to be ready in the new version after it.
COMMAND_SECONDS: Final = 3600
READY_SECONDS: Final = 180
_LOOK_EVERY: Final = 2.0
_MOST_SAID: Final = 2000

State = Literal["was there", "migrated", "failed", "not begun"]


@dataclasses.dataclass(frozen=True)
class Step:
    """Where a cell is: `state`, what its site says, and what went wrong."""

    cell: Cell
    state: State
    health: CellHealth | None = None
    fault: str = ""


def waves_run(
    cells: Sequence[Cell],
    version: str,
    *,
    ready_seconds: float = READY_SECONDS,
    health: Callable[[Cell], CellHealth] = cell_health,
) -> Iterator[Step]:
    """Bring cells to a version in their order, the first alone; yield each step as it is done, then those not begun.

    A cell is done when its site answers with the version and is ready. After a failure no other cell is touched.
    """
    failed = False
    for cell in cells:
        if failed:
            yield Step(cell, "not begun", health(cell))
            continue
        step = _migrated(cell, version, ready_seconds, health)
        failed = step.state == "failed"
        yield step


def _migrated(cell: Cell, version: str, ready_seconds: float, health: Callable[[Cell], CellHealth]) -> Step:
    found = health(cell)
    if found.version == version and found.ready:
        return Step(cell, "was there", found)
    if not cell.migrate:
        return Step(
            cell, "failed", found, "its entry in the file of cells names no `migrate`: write the command"
        )
    try:
        done = subprocess.run(
            cell.migrate,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        return Step(cell, "failed", health(cell), f"{cell.migrate[0]} could not be run to its end: {fault}")
    if done.returncode:
        said = (done.stdout + done.stderr).strip()[-_MOST_SAID:]
        return Step(
            cell, "failed", health(cell), f"{cell.migrate[0]} ended with status {done.returncode}: {said}"
        )
    until = time.monotonic() + ready_seconds
    while True:
        found = health(cell)
        if found.version == version and found.ready:
            return Step(cell, "migrated", found)
        if time.monotonic() >= until:
            return Step(
                cell,
                "failed",
                found,
                f"its command ended well, but {ready_seconds:.0f} seconds later its site {found.text}; it was to be "
                f"version {version}, ready",
            )
        time.sleep(_LOOK_EVERY)
