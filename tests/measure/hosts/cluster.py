"""PostgreSQL on one host, and its standby on another: a commit is answered once both have it, unless told otherwise."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from tests.servers.postgres import DURABLE, Postgres

from .network import Host

#: Megabytes of each server's disk, which is a file system in memory, so that it can be full.
DISK_MEGABYTES = 400
_SETTINGS = {
    **DURABLE,
    "max_wal_size": "96MB",
    "wal_keep_size": "64MB",
    "hot_standby_feedback": "on",
    "log_min_messages": "log",
}
_FOLLOWS_SECONDS = 60.0


class Pair:
    """Two servers, the one that takes writes first. `synchronous`: a commit waits for the other one to have it too."""

    def __init__(self, place: Path, hosts: tuple[Host, Host], *, synchronous: bool) -> None:
        self.place, self.synchronous = place, synchronous
        self.hosts = {host.name: host for host in hosts}
        self.servers = {host.name: self._server(host) for host in hosts}
        self.primary, self.standby = self.servers

    def _server(self, host: Host) -> Postgres:
        return Postgres(
            self._disk(host.name) / "data",
            _SETTINGS,
            port=5432,
            listen=host.address,
            start_program=host.start,
        )

    @property
    def url(self) -> str:
        """The address of the site's database, as docs/deployment.md words it for several servers."""
        servers = ",".join(f"{host.address}:5432" for host in self.hosts.values())
        return f"postgresql://cardroom@{servers}/cardroom?target_session_attrs=read-write"

    def ask(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask the site's database where writes are taken, by its socket, which no cut concerns."""
        with self.servers[self.primary].connect("cardroom") as connection:
            return connection.execute(sql, values).fetchall()

    def promote(self) -> None:
        """Have the standby take writes, for itself alone. The other one has to be gone."""
        self.primary, self.standby = self.standby, self.primary
        with self.servers[self.primary].connect() as admin:
            admin.execute("SELECT pg_promote(true, 30)")
            admin.execute("ALTER SYSTEM RESET synchronous_standby_names")
            admin.execute("SELECT pg_reload_conf()")

    def rebuild_standby(self) -> None:
        """Make the standby anew from the server that takes writes, wait until it follows, and have commits wait for it."""
        host = self.hosts[self.standby]
        host.kill()
        self._stopped(self.standby)
        for each in self._disk(self.standby).iterdir():
            shutil.rmtree(each)
        primary, standby = self.servers[self.primary], self.servers[self.standby]
        data = primary.owned(self._disk(self.standby) / "data")
        come_from = f"host={self.hosts[self.primary].address} user=cardroom application_name={self.standby}"
        primary.run("pg_basebackup", "-d", come_from, "-D", data, "-R", "-X", "stream", "--checkpoint=fast")
        standby.start()
        self.wait_for_standby()
        if self.synchronous:
            with primary.connect() as admin:
                admin.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{self.standby}'")
                admin.execute("SELECT pg_reload_conf()")

    def wait_for_standby(self) -> None:
        """Wait until the standby has all that is written."""
        deadline = time.monotonic() + _FOLLOWS_SECONDS
        behind = "SELECT 1 FROM pg_stat_replication WHERE application_name = %s AND replay_lsn >= pg_current_wal_lsn()"
        while not self.ask(behind, self.standby):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.standby} does not follow {self.primary}")
            time.sleep(0.2)

    def start_killed(self, name: str) -> None:
        """Start a server whose host was killed, on the disk that it left."""
        self.servers[name].start_again()

    def ballast(self, name: str) -> Callable[[], None]:
        """Fill a server's disk to the last block; return what frees it again."""
        path = self._disk(name) / "ballast"
        with path.open("wb") as file, suppress(OSError):
            while True:
                file.write(b"\0" * 65536)
                file.flush()
        return path.unlink

    def _disk(self, name: str) -> Path:
        return self.place / name

    def _stopped(self, name: str) -> None:
        self.servers[name].process = None
        self.servers[name].stop()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Make both servers and the site's empty database inside the block."""
        mounted = []
        try:
            for name in self.hosts:
                self._disk(name).mkdir()
                subprocess.run(
                    ["mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m", "cardroom", self._disk(name)],
                    check=True,
                )
                mounted.append(self._disk(name))
                self._disk(name).chmod(0o755)
            first = self.servers[self.primary]
            first.start()
            first.make_database()
            _believe_hosts(self._disk(self.primary) / "data")
            with first.connect() as admin:
                admin.execute("SELECT pg_reload_conf()")
            self.rebuild_standby()
            yield
        finally:
            for name, host in self.hosts.items():
                with suppress(psycopg.Error):
                    self.servers[name].stop()
                host.kill()
            for path in mounted:
                subprocess.run(["umount", path], check=False)
                path.rmdir()


def _believe_hosts(data: Path) -> None:
    """Let the hosts of the network in without a password: what is tried here is no sign-in."""
    with (data / "pg_hba.conf").open("a") as file:
        file.write("host all all 198.18.0.0/15 trust\nhost replication all 198.18.0.0/15 trust\n")
