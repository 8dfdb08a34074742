"""Base backups and the WAL archive of a drill, by the operator's scripts, and servers that are recovered from them."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tests.servers.postgres import Postgres

from . import cluster


def archived(primary: Postgres, place: Path) -> Path:
    """Have a server archive its WAL as docs/deployment.md says; return the archive."""
    archive = primary.owned(place / "wal")
    script = cluster.installed(place, "cardroom-wal")
    with primary.connect() as admin:
        admin.execute("ALTER SYSTEM SET archive_mode = on")
        admin.execute(f"ALTER SYSTEM SET archive_command = '{script} store %p {archive}/%f'")
        admin.execute("ALTER SYSTEM SET log_statement = ddl")
    primary.restart()
    return archive


def based(primary: Postgres, place: Path, archive: Path) -> Path:
    """Take a base backup by the operator's script; return its directory."""
    backups = place / "backups"
    if not backups.exists():
        primary.owned(backups)
    script = cluster.installed(place, "cardroom-base-backup")
    variables = (
        f"PATH={cluster.path_of(primary)}",
        f"PGHOST={primary.directory}",
        f"PGPORT={primary.port}",
    )
    primary.run("env", *variables, script, backups, archive)
    return max(backups.glob("base-*"))


def wait_until_archived(primary: Postgres) -> None:
    """Have the WAL of all that was committed so far archived, and wait until it is."""
    deadline = time.monotonic() + 60
    with primary.connect() as admin:
        row = admin.execute("SELECT pg_walfile_name(pg_switch_wal() - 1)").fetchone()
        assert row is not None
        while time.monotonic() < deadline:
            last = admin.execute("SELECT last_archived_wal, last_failed_wal FROM pg_stat_archiver").fetchone()
            if last and last[0] and last[0] >= row[0]:
                return
            time.sleep(0.2)
    raise TimeoutError(f"{row[0]} is not archived: {last}")


@contextlib.contextmanager
def recovered(
    primary: Postgres, place: Path, base: Path, archive: Path | None, moment: float | None
) -> Iterator[Postgres]:
    """A server from a base backup, as it was at the moment; without an archive, as it was at the end of the backup."""
    data = place / f"recovered-{time.monotonic_ns()}"
    shutil.copytree(base, data, symlinks=True)
    primary.give(data)
    settings = {"archive_mode": "off"}
    if archive and moment:
        (data / "recovery.signal").touch()
        settings |= {
            "restore_command": f"{place}/cardroom-wal fetch {archive}/%f %p",
            "recovery_target_time": datetime.fromtimestamp(moment, UTC).isoformat(),
            "recovery_target_action": "promote",
        }
    with cluster.server(data, settings) as copy:
        _wait_until_writable(copy)
        yield copy


def _wait_until_writable(running: Postgres) -> None:
    deadline = time.monotonic() + 120
    with running.connect() as admin:
        while admin.execute("SELECT pg_is_in_recovery()").fetchone() == (True,):
            if time.monotonic() > deadline:
                raise TimeoutError("the server is still in recovery")
            time.sleep(0.1)
