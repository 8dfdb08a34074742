"""Runs a module with a clock that a file sets off: `python -m tests.measure.hosts.clocked FILE MODULE [ARGUMENT …]`.

The file holds by how many seconds, and is looked at five times a second, in processes too that the module forks. What Python
reads is set off (`time.time`, `datetime.now`); monotonic clocks are right, as they are where a machine's clock is set.
"""

from __future__ import annotations

import datetime
import os
import runpy
import sys
import threading
import time
from pathlib import Path

import time_machine

_LOOK_SECONDS = 0.2


class Clock:
    """The clock of this process, as far off as the file says."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._off = 0
        self._travels: time_machine.travel | None = None

    def follow(self) -> None:
        """Follow the file from now on; what comes of the file is there when this returns."""
        self._look()
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        while True:
            time.sleep(_LOOK_SECONDS)
            self._look()

    def _look(self) -> None:
        off = int(self._file.read_text())
        if off == self._off:
            return
        if self._travels is not None:
            self._travels.stop()
            self._travels = None
        if off:
            there = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=off)
            self._travels = time_machine.travel(there, tick=True)
            self._travels.start()
        self._off = off


def main() -> None:
    """Set the clock off, and be the module."""
    clock, module = Clock(Path(sys.argv[1])), sys.argv[2]
    clock.follow()
    os.register_at_fork(after_in_child=clock.follow)
    sys.argv = sys.argv[2:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
