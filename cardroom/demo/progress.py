"""Progress output of simulated play: one line on a terminal, which is rewritten; without a terminal a line a day."""

from __future__ import annotations

import time

from django.core.management.base import OutputWrapper

from .simulation.month import Progress

#: On a terminal the line is rewritten this often (seconds).
_TICK = 0.2
_BAR = 24


class ProgressLine:
    """Writes to `out`, a command's stderr, from the moment it is made."""

    def __init__(self, out: OutputWrapper) -> None:
        self._out = out
        self._began = self._written_at = time.monotonic()
        self._day = 0

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self._began

    def show(self, progress: Progress) -> None:
        """Say which day is played, how many rounds have been, and how fast."""
        text = (
            f"day {progress.day} of {progress.days} ({progress.gaming_day}): {progress.rounds:,} rounds, "
            f"{progress.rounds / self.seconds:,.0f} a second"
        )
        if not self._out.isatty():
            if progress.day != self._day:
                self._day = progress.day
                self._out.write(text)
        elif time.monotonic() - self._written_at >= _TICK:
            self._written_at = time.monotonic()
            done = _BAR * (progress.day - 1) // progress.days
            self._out.write(f"\r\033[K[{'#' * done}{'.' * (_BAR - done)}] {text}", ending="")
            self._out.flush()

    def clear(self) -> None:
        """Take the line off the terminal."""
        if self._out.isatty():
            self._out.write("\r\033[K", ending="")
