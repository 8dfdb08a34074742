"""What programs use while play goes on: memory and processor time of process trees, read from /proc (Linux)."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Used:
    """What a tree of processes uses: processor seconds since it began, and bytes of memory in its processes together.

    Memory is what is resident; a page that several processes share is counted once (PSS).
    """

    cpu: float
    memory: int
    processes: int


@dataclass(frozen=True)
class Sample:
    """One look at the machine: monotonic seconds, each group, and the seconds that all processors were busy since boot."""

    at: float
    groups: dict[str, Used]
    busy: float


class Watch(threading.Thread):
    """Looks at the trees that begin at the named processes every few seconds, from `start` until `end`."""

    def __init__(self, roots: Mapping[str, list[int]], every: float) -> None:
        super().__init__(daemon=True)
        self._roots, self._every = dict(roots), every
        self._ended = threading.Event()
        self.samples: list[Sample] = []

    def run(self) -> None:
        while True:
            self.samples.append(look(self._roots))
            if self._ended.wait(self._every):
                return

    def end(self) -> None:
        """Look for the last time."""
        self._ended.set()
        self.join()
        self.samples.append(look(self._roots))


def look(roots: Mapping[str, list[int]]) -> Sample:
    """Take one sample."""
    children = _children()
    return Sample(
        time.monotonic(),
        {
            name: _used([each for pid in pids for each in _tree(pid, children)])
            for name, pids in roots.items()
        },
        _busy(),
    )


def _used(pids: list[int]) -> Used:
    cpu, memory, alive = 0.0, 0, 0
    for pid in pids:
        # A process may end between two looks; its time is then its parent's (fields 16 and 17).
        with suppress(OSError, ValueError):
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            cpu += sum(map(int, fields[11:15])) / _TICK
            memory += _memory(pid)
            alive += 1
    return Used(cpu, memory, alive)


def _memory(pid: int) -> int:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"/proc/{pid}/smaps_rollup has no Pss")


def _children() -> dict[int, list[int]]:
    """The processes of the machine by their parent."""
    found: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                fields = (entry / "stat").read_text(encoding="latin-1").rpartition(")")[2].split()
                found.setdefault(int(fields[1]), []).append(int(entry.name))
    return found


def _tree(pid: int, children: Mapping[int, list[int]]) -> list[int]:
    return [pid, *(each for child in children.get(pid, ()) for each in _tree(child, children))]


def _busy() -> float:
    """Seconds that the processors were busy, all of them together, with whatever ran."""
    fields = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, fields[:8])
    return (user + nice + system + irq + softirq + steal) / _TICK
