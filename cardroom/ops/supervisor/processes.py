"""Starts and stops child processes, each in its own session, so that none outlives the supervisor."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

#: Seconds between the signal that asks a child to end and the SIGKILL to its session.
GRACE_SECONDS = 20.0

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def _ended_with_parent(ending: signal.Signals) -> Callable[[], None] | None:
    """Return a `preexec_fn` that has the kernel signal the child when its parent dies, by SIGKILL too."""
    if _libc is None:
        return None
    libc, parent = _libc, os.getpid()

    def ask() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, int(ending))
        if os.getppid() != parent:  # it died before the call above
            os._exit(1)

    return ask


def start_child(
    command: Sequence[str | Path],
    *,
    environ: Mapping[str, str] | None = None,
    directory: Path | None = None,
    output: int | None = None,
    ending: signal.Signals = signal.SIGTERM,
    user: str | None = None,
) -> subprocess.Popen[bytes]:
    """Start `command` as the leader of a session of its own, so that Ctrl-C in the terminal does not reach it.

    `ending` is the signal on which the program shuts down cleanly; on Linux the kernel sends it when this process dies.
    `output` takes stdout and stderr (a descriptor, or subprocess.PIPE). `user` is the account it runs as. Call it from
    the main thread: the kernel watches the thread that started the child.
    """
    credentials: dict[str, Any] = {}
    if user:
        account = pwd.getpwnam(user)
        credentials = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    return subprocess.Popen(
        [os.fspath(part) for part in command],
        env=environ,
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output is not None else None,
        start_new_session=True,
        # Safe beside threads: it makes two system calls and takes no lock.
        preexec_fn=_ended_with_parent(ending),  # noqa: PLW1509
        **credentials,
    )


def stop_children(
    children: Sequence[subprocess.Popen[bytes]],
    *,
    ending: signal.Signals = signal.SIGTERM,
    grace: float = GRACE_SECONDS,
) -> None:
    """Signal the session leaders, wait up to `grace` seconds for all of them, then kill what is left of their sessions.

    Only the leaders get the signal: a Celery worker whose pool gets it too loses its running tasks.
    """
    for child in children:
        if child.poll() is None:
            child.send_signal(ending)
    deadline = time.monotonic() + grace
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(max(0.0, deadline - time.monotonic()))
    for child in children:
        end_session(child)


def end_session(child: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the session that `child` leads, and reap the child."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
