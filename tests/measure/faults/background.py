"""The background of a site as processes: two workers, beat and the broker, killed and started again."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from cardroom.config.broker import private_socket
from cardroom.config.environment import PROJECT_DIR, read_environment
from cardroom.ops.supervisor.processes import end_session, start_child, stop_children
from cardroom.ops.supervisor.programs import programs_of
from cardroom.ops.supervisor.valkey import Valkey
from tests.servers.postgres import children_of

#: What a program logs once it works.
_AT_WORK = {"worker": b" ready.", "beat": b"beat: Starting"}
_PATIENCE_SECONDS = 60.0


class One:
    """A program that is started again after each of its deaths; `died` counts those."""

    def __init__(self, name: str, command: tuple[str | Path, ...], environ: Mapping[str, str]) -> None:
        self.name, self.died = name, 0
        self._command, self._environ = command, environ
        self._log = Path(environ["CARDROOM_STATE_DIR"]) / f"{name}.log"
        self._read_from = 0
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._read_from = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            self.child = start_child(
                self._command, environ=self._environ, directory=PROJECT_DIR, output=log.fileno()
            )

    def wait_until_at_work(self) -> None:
        """Wait until it says that it works. Raises RuntimeError when it does not, with what it said instead."""
        message = _AT_WORK[self.name.rstrip("12")]
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while message not in (log := self._log.read_bytes()[self._read_from :]):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.name} does not work:\n{log.decode(errors='replace')}")
            time.sleep(0.05)

    def kill(self, order: random.Random) -> bool:
        """Send -9 to the program, to all of its session, or to one process of its pool; tell whether it is gone now."""
        assert self.child is not None
        self.died += 1
        pool = children_of(self.child.pid)
        match order.choice(("leader", "session", "pool") if pool else ("leader", "session")):
            case "pool":
                with suppress(ProcessLookupError):
                    os.kill(order.choice(pool), 9)
                return False  # the program itself starts another
            case "leader":
                self.child.kill()
            case "session":
                os.killpg(self.child.pid, 9)
        self.child.wait()
        return True

    def revive(self) -> None:
        """Clear away what the dead one left behind, and start it again, as the supervisor does."""
        assert self.child is not None
        end_session(self.child)
        self.start()


class Background:
    """Two workers, beat and Valkey; as a context manager they run inside the block.

    `app` is the Celery application that worker and beat run.
    """

    def __init__(self, environ: Mapping[str, str], *, app: str = "cardroom") -> None:
        self.valkey = Valkey(private_socket(Path(environ["CARDROOM_STATE_DIR"])))
        commands = {one.name: one.command for one in programs_of(read_environment(environ))}

        def command(name: str, *more: str) -> tuple[str | Path, ...]:
            return (*(app if part == "cardroom" else part for part in commands[name]), *more)

        self.workers = [
            One(f"worker{number}", command("worker", "--hostname", f"worker{number}@%h"), environ)
            for number in (1, 2)
        ]
        self._turns = itertools.cycle(self.workers)
        self.beat = One("beat", command("beat"), environ)

    def kill(self, target: str, order: random.Random) -> None:
        """Kill the broker, beat or the worker whose turn it is, once it works; start it again after up to 2 seconds."""
        down_seconds = order.uniform(0, 2)
        if target == "valkey":
            assert self.valkey.process is not None
            self.valkey.process.kill()
            self.valkey.process.wait()
            time.sleep(down_seconds)
            self.valkey.start()
            return
        one = self.beat if target == "beat" else next(self._turns)
        one.wait_until_at_work()
        if one.kill(order):
            time.sleep(down_seconds)
            one.revive()

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            undo.callback(self._stop)
            self.valkey.start()
            for one in (*self.workers, self.beat):
                one.start()
            undo.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _stop(self) -> None:
        stop_children([one.child for one in (*self.workers, self.beat) if one.child is not None])
        self.valkey.stop()
