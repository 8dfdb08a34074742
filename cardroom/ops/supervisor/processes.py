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

#: The signals that ask this process to end. They wait while a child is started: KeyboardInterrupt within Popen would leave
#: a child behind that nobody knows.
_ASKED_TO_END = (signal.SIGINT, signal.SIGTERM)
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def _before_program(ending: signal.Signals, mask: set[int | signal.Signals]) -> Callable[[], None]:
    """Return the `preexec_fn` of a child: it takes signals by default, by `mask`, and on Linux ends with its parent.

    The kernel sends it `ending` when its parent dies, by SIGKILL too.
    """
    libc, parent = _libc, os.getpid()

    def prepare() -> None:
        # Python's handlers are still there: what they took before the program begins would be lost.
        for number in _ASKED_TO_END:
            signal.signal(number, signal.SIG_DFL)
        if libc is not None:
            libc.prctl(_PR_SET_PDEATHSIG, int(ending))
            if os.getppid() != parent:  # it died before the call above
                os._exit(1)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    return prepare


def start_child(
    command: Sequence[str | Path],
    *,
    environ: Mapping[str, str] | None = None,
    directory: Path | None = None,
    output: int | None = None,
    errors: int | None = subprocess.STDOUT,
    ending: signal.Signals = signal.SIGTERM,
    user: str | None = None,
) -> subprocess.Popen[bytes]:
    """Start `command` as the leader of a session of its own, so that Ctrl-C in the terminal does not reach it.

    `ending` is the signal on which the program shuts down cleanly; on Linux the kernel sends it when this process dies.
    `output` takes stdout and, unless `errors` says another place, stderr (a descriptor, or subprocess.PIPE). `user` is
    the account it runs as. Call it from the main thread: the kernel watches the thread that started the child. If SIGINT
    or SIGTERM raises an exception meanwhile, no child is left.
    """
    credentials: dict[str, Any] = {}
    if user:
        account = pwd.getpwnam(user)
        credentials = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _ASKED_TO_END)
    try:
        child = subprocess.Popen(
            [os.fspath(part) for part in command],
            env=environ,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors if output is not None else None,
            start_new_session=True,
            # Safe beside threads: it makes system calls and takes no lock.
            preexec_fn=_before_program(ending, mask),  # noqa: PLW1509
            **credentials,
        )
    except BaseException:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        raise
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)  # here a signal that waited is handled
    except BaseException:
        end_session(child)
        raise
    return child


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
