"""Recovery to a point in time: a base backup, the WAL archive, and a site as it was to the second."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tests.servers.postgres import Postgres

from . import cluster
from .drill import Drill, Run, say
from .site import found, played

#: Commands answered before the base backup, between it and the moment, and after the moment.
BEFORE, BETWEEN, AFTER = 20, 100, 40


def runs(place: Path) -> Iterator[Run]:
    """Play, take a base backup, play on, note the moment, play on; then bring the moment back, with the archive and without."""
    with cluster.primary() as primary:
        archive = archived(primary, place)
        backups = primary.owned(place / "backups")
        cluster.migrate(place, primary)
        environ = cluster.environ(place, primary)
        with played(place, environ) as floor:
            floor.wait_for(BEFORE)
            base = based(primary, place, backups, archive)
            floor.wait_for(BETWEEN)
            moment = time.time()
            floor.wait_for(AFTER)
            floor.stop_playing()
            told = floor.told
        with primary.connect() as admin:
            admin.execute("SELECT pg_switch_wal()")
        wait_until_archived(primary)
        live = found(environ, told)
        say(f"{len(told)} commands answered, {live['rounds']} rounds; recovering")
        for kind, wal in (("as it is", archive), ("without the WAL archive", None)):
            run = Run(kind, control=wal is None)
            before = [each for each in told if each["at"] < moment]
            after = [each for each in told if each["sent"] > moment]
            run.figures["commands answered until the moment"] = len(before)
            run.figures["commands sent and answered after it"] = len(after)
            began = time.monotonic()
            with recovered(primary, place, base, wal, moment) as copy:
                there = cluster.environ(place, copy)
                run.figures["seconds until it took writes"] = f"{time.monotonic() - began:.1f}"
                kept = found(there, before)
                late = len(after) - len(found(there, after)["lost"])
                verified = cluster.tried(there, "manage.py", "verify")
            run.figures["of those until the moment, found"] = len(before) - len(kept["lost"])
            run.figures["of those after it, found"] = late
            run.figures["rounds settled, in all of the live database"] = live["rounds"]
            run.figures["rounds settled there"] = kept["rounds"]
            run.must(
                not kept["lost"],
                f"{len(kept['lost'])} of {len(before)} commands answered before the moment are missing",
            )
            run.must(not late, f"{late} commands answered after the moment are there")
            run.must(verified.returncode == 0, f"verify: {verified.stdout[-300:]}")
            run.must(
                f"PostgreSQL database 'cardroom' at 127.0.0.1:{copy.port}." in verified.stdout,
                f"verify does not say that it used the copy: {verified.stdout[:200]}",
            )
            yield run


def archived(primary: Postgres, place: Path) -> Path:
    """Have a server archive its WAL as docs/deployment.md says; return the archive."""
    archive = primary.owned(place / "wal")
    script = cluster.installed(place, "cardroom-wal")
    with primary.connect() as admin:
        admin.execute("ALTER SYSTEM SET archive_mode = on")
        admin.execute(f"ALTER SYSTEM SET archive_command = '{script} store %p {archive}/%f'")
    primary.restart()
    return archive


def based(primary: Postgres, place: Path, backups: Path, archive: Path) -> Path:
    """Take a base backup by the operator's script; return its directory."""
    script = cluster.installed(place, "cardroom-base-backup")
    primary.run(
        "env",
        f"PATH={cluster.path_of(primary)}",
        f"PGHOST={primary.directory}",
        f"PGPORT={primary.port}",
        script,
        backups,
        archive,
    )
    [base] = backups.glob("base-*")
    return base


def wait_until_archived(primary: Postgres) -> None:
    """Wait until the WAL of all that was committed so far is in the archive."""
    deadline = time.monotonic() + 60
    with primary.connect() as admin:
        row = admin.execute("SELECT pg_walfile_name(pg_current_wal_lsn() - 1)").fetchone()
        assert row is not None
        while time.monotonic() < deadline:
            last = admin.execute("SELECT last_archived_wal, failed_count FROM pg_stat_archiver").fetchone()
            if last and last[0] and last[0] >= row[0]:
                return
            time.sleep(0.2)
    raise TimeoutError(f"{row[0]} is not archived: {last}")


@contextlib.contextmanager
def recovered(
    primary: Postgres, place: Path, base: Path, archive: Path | None, moment: float
) -> Iterator[Postgres]:
    """A server from the base backup, as it was at the moment, or without an archive as it was at the backup's end."""
    data = place / f"recovered-{'whole' if archive else 'base'}"
    shutil.copytree(base, data, symlinks=True)
    primary.give(data)
    settings = {}
    if archive:
        (data / "recovery.signal").touch()
        settings = {
            "restore_command": f"{place}/cardroom-wal fetch {archive}/%f %p",
            "recovery_target_time": datetime.fromtimestamp(moment, UTC).isoformat(),
            "recovery_target_action": "promote",
        }
    with cluster.server(data, {**settings, "archive_mode": "off"}) as copy:
        wait_until_writable(copy)
        yield copy


def wait_until_writable(running: Postgres) -> None:
    """Wait until a server has ended its recovery."""
    deadline = time.monotonic() + 120
    with running.connect() as admin:
        while admin.execute("SELECT pg_is_in_recovery()").fetchone() == (True,):
            if time.monotonic() > deadline:
                raise TimeoutError("the server is still in recovery")
            time.sleep(0.1)


DRILL = Drill(
    "point-in-time",
    "Recovery to a point in time",
    """Tablets post commands over HTTP all the while. A base backup is taken by `cardroom-base-backup`, the WAL is archived by
`cardroom-wal`; a moment is noted, and tablets go on. Then the base backup is brought to that moment on a server of its own, and
every command that a tablet was answered is looked for there, by its idempotency key: one answered before the moment has to be
there, one sent after it must not. `manage.py verify` has to hold there, and to say that it looked at the copy. The control is the base backup alone.""",
    runs,
)
