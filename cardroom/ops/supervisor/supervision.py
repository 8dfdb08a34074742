"""Supervises child processes: keeps a set of programs running, restarts them, and ends them together."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import FrameType

from cardroom.config.environment import PROJECT_DIR
from cardroom.ops.supervisor.processes import end_session, start_child, stop_children
from cardroom.ops.supervisor.programs import Program

#: A program that dies is restarted with exponential backoff. After this many deaths within the window the supervisor
#: gives up: a lasting fault needs a person, and a site without its worker only looks healthy.
MOST_DEATHS = 5
WINDOW_SECONDS = 60.0
FIRST_PAUSE_SECONDS = 0.5

_LOOK_SECONDS = 0.1


class GaveUp(Exception):
    """A program kept dying; the message names it."""


@dataclass
class _Post:
    """A program and the child that runs it now."""

    program: Program
    child: subprocess.Popen[bytes] | None = None
    deaths: deque[float] = field(default_factory=deque)
    start_at: float = 0.0
    was_ready: bool = False

    def is_ready(self) -> bool:
        """Tell whether the programs that depend on this one may start; its later restarts do not stop them."""
        self.was_ready = self.was_ready or self.program.ready is None or self.program.ready()
        return self.was_ready


class Supervision:
    """Runs programs, prefixes their output, restarts those that die, and stops all on demand."""

    def __init__(self, programs: Sequence[Program]) -> None:
        self._posts = [_Post(program) for program in programs]
        self._width = max(len(program.name) for program in programs)
        self._printing = threading.Lock()
        self._asked_to_stop = threading.Event()

    def say(self, text: str, name: str = "supervisor") -> None:
        """Print lines with a program's name as prefix."""
        with self._printing, contextlib.suppress(BrokenPipeError):
            for line in text.splitlines():
                sys.stdout.write(f"{name:<{self._width}} | {line}\n")
            sys.stdout.flush()

    def ask_to_stop(self, number: int = 0, frame: FrameType | None = None) -> None:
        """Have `run` stop everything and return. Safe as a signal handler."""
        self._asked_to_stop.set()

    @contextlib.contextmanager
    def stopped_by_signals(self) -> Iterator[None]:
        """Have SIGINT and SIGTERM call `ask_to_stop` inside the block."""
        former = {
            number: signal.signal(number, self.ask_to_stop) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)

    @property
    def is_asked_to_stop(self) -> bool:
        """Whether someone asked to stop."""
        return self._asked_to_stop.is_set()

    def run(self) -> None:
        """Start the programs and keep them running until asked to stop; then stop them. Raises GaveUp."""
        try:
            while not self._asked_to_stop.is_set():
                for post in self._posts:
                    self._look_after(post)
                    if not post.is_ready():
                        break  # its dependents wait
                # Not Event.wait: a signal's handler runs between two calls, and cannot wake this thread from it.
                time.sleep(_LOOK_SECONDS)
        finally:
            self.say("stopping")
            # The worker returns its last messages to the queue before the broker stops.
            for grounds in (False, True):
                stop_children(
                    [
                        post.child
                        for post in self._posts
                        if post.child is not None and (post.program.ready is not None) is grounds
                    ]
                )

    def _look_after(self, post: _Post) -> None:
        now = time.monotonic()
        if post.child is not None and post.child.poll() is not None:
            self._bury(post, now)
        if post.child is None and now >= post.start_at:
            post.child = start_child(post.program.command, directory=PROJECT_DIR, output=subprocess.PIPE)
            threading.Thread(
                target=self._print_lines, args=(post.program.name, post.child), daemon=True
            ).start()

    def _bury(self, post: _Post, now: float) -> None:
        """Record a death, kill the rest of its session, and schedule the restart. Raises GaveUp."""
        child, name = post.child, post.program.name
        assert child is not None
        end_session(child)
        post.child = None
        while post.deaths and post.deaths[0] < now - WINDOW_SECONDS:
            post.deaths.popleft()
        post.deaths.append(now)
        if len(post.deaths) >= MOST_DEATHS:
            raise GaveUp(
                f"{name} ended {MOST_DEATHS} times within {WINDOW_SECONDS:.0f} seconds; see its lines above"
            )
        pause = FIRST_PAUSE_SECONDS * 2 ** (len(post.deaths) - 1)
        post.start_at = now + pause
        self.say(f"{name} ended with status {child.returncode}; starting it again in {pause:g} seconds")

    def _print_lines(self, name: str, child: subprocess.Popen[bytes]) -> None:
        assert child.stdout is not None
        with child.stdout:
            for line in child.stdout:
                self.say(line.decode(errors="replace"), name)
