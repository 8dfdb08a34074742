"""The programs that the supervisor runs, and `manage.py` steps that prepare the installation."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardroom.config.broker import private_socket
from cardroom.config.environment import PROJECT_DIR, Configuration
from cardroom.ops.supervisor.processes import end_session, start_child
from cardroom.ops.supervisor.valkey import Valkey

#: The site's listen address: loopback alone. Other machines reach it through a reverse proxy.
HOST = "127.0.0.1"


@dataclass(frozen=True)
class Program:
    """One long-running child: its name in the log, and its command.

    `ready` marks a program that the others depend on, and checks whether it answers: they start once it does, and it is
    stopped after them.
    """

    name: str
    command: tuple[str | Path, ...]
    ready: Callable[[], bool] | None = None


class StepFailed(Exception):
    """A preparation step failed; the message holds its output."""


def programs_of(configuration: Configuration) -> tuple[Program, ...]:
    """Return the site's own programs: web server, worker, and beat, which schedules the tasks."""
    python = sys.executable
    celery = (python, "-m", "celery", "--quiet", "--app", "cardroom")
    return (
        Program(
            "web",
            (
                *(python, "-m", "uvicorn", "cardroom.config.asgi:application"),
                *("--host", HOST, "--port", str(configuration.port)),
                # The site logs its requests itself. Live pages hold connections open: give them a moment to end.
                *("--no-access-log", "--lifespan", "off", "--timeout-graceful-shutdown", "5"),
            ),
        ),
        Program("worker", (*celery, "worker", "--concurrency", "2", "--without-gossip", "--without-mingle")),
        Program("beat", (*celery, "beat", "--pidfile=")),
    )


def private_valkey(configuration: Configuration) -> Valkey | None:
    """Return the Valkey that this installation runs for itself, or None where the environment names a server."""
    if configuration.redis_url is not None:
        return None
    return Valkey(private_socket(configuration.state_dir))


def manage(*arguments: str) -> str:
    """Run `manage.py` and return its output. Raises StepFailed."""
    with _begun(arguments) as child:
        return _output_of(child, arguments)


@contextlib.contextmanager
def manage_beside(*arguments: str) -> Iterator[None]:
    """Run `manage.py` beside what is done inside the block, and wait for it at its end. Raises StepFailed."""
    with _begun(arguments) as child:
        yield
        _output_of(child, arguments)


@contextlib.contextmanager
def _begun(arguments: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Begin `manage.py`; where the block fails, it is ended."""
    # A terminal is the step's too: it shows how far it has come. Elsewhere what it says is kept for its failure.
    stderr = None if sys.stderr.isatty() else subprocess.PIPE
    command: list[str | Path] = [sys.executable, PROJECT_DIR / "manage.py", *arguments]
    child = start_child(command, directory=PROJECT_DIR, output=subprocess.PIPE, errors=stderr)
    try:
        yield child
    except BaseException:
        end_session(child)
        raise


def _output_of(child: subprocess.Popen[bytes], arguments: Sequence[str]) -> str:
    """Wait for a step and return its output. Raises StepFailed."""
    output, errors = child.communicate()
    if child.returncode != 0:
        words = " ".join([str(PROJECT_DIR / "manage.py"), *arguments])
        said = output.decode() + (errors or b"").decode()
        raise StepFailed(f"`{words}` ended with status {child.returncode}:\n{said}")
    return output.decode()
