"""Recovery to a point in time: a base backup, the WAL archive, and a site as it was to the second."""

from __future__ import annotations

import dataclasses
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.servers.postgres import Postgres, PostgresFailed

from . import cluster
from .backups import archived, based, recovered, wait_until_archived
from .drill import Drill, Run, say
from .site import found, played, verified

#: Commands answered before the base backup, between it and the moment, and after the moment.
BEFORE, BETWEEN, AFTER = 20, 100, 40
#: The runs, and what is done to the base backup and to the archive before: all but the first are controls.
KINDS = (
    "as it is",
    "without the WAL archive",
    "the last file of WAL missing",
    "the last file of WAL cut short",
    "a byte of the backup changed",
)

#: Of a connection that a server has refused while it starts: not why it ends.
_NOT_YET = ("the database system is starting up", "the database system is not yet accepting connections")


def runs(place: Path) -> Iterator[Run]:
    """Play, take a base backup, play on, note the moment, play on; then bring the moment back, or try without what it takes."""
    with cluster.primary() as primary:
        archive = archived(primary, place)
        cluster.migrate(place, primary)
        environ = cluster.environ(place, primary)
        with played(place, environ) as floor:
            floor.wait_for(BEFORE)
            began = time.monotonic()
            base = based(primary, place, archive)
            seconds = time.monotonic() - began
            floor.wait_for(BETWEEN)
            moment = time.time()
            floor.wait_for(AFTER)
            floor.stop_playing()
            told = floor.told
        wait_until_archived(primary)
        live = found(environ, told)
        say(f"{len(told)} commands answered, {live['rounds']} rounds; recovering")
        for kind in KINDS:
            run = Run(kind, control=kind != KINDS[0])
            run.figures |= {
                "seconds of the base backup, verified": f"{seconds:.1f}",
                "its size, MB": _bytes(base) // 1_000_000,
                "the WAL archive, KB": _bytes(archive) // 1_000,
                "rounds settled in the live database at the end": live["rounds"],
            }
            try:
                _recover(run, _Taken(place, primary, base, archive, moment, told))
            except PostgresFailed as fault:
                run.must(False, f"PostgreSQL refuses: {_reason(str(fault))}")
            yield run


@dataclasses.dataclass(frozen=True)
class _Taken:
    """What there is to recover from, and what tablets were told until the moment (seconds since 1970) and after it."""

    place: Path
    primary: Postgres
    base: Path
    archive: Path
    moment: float
    told: list[dict[str, Any]]


def _recover(run: Run, taken: _Taken) -> None:
    place, primary, told, moment = taken.place, taken.primary, taken.told, taken.moment
    base, archive = taken.base, taken.archive
    wal: Path | None = archive
    if run.kind == "without the WAL archive":
        wal = None
    elif run.kind.startswith("the last file of WAL"):
        wal = place / run.kind.replace(" ", "-")
        shutil.copytree(archive, wal)
        last = max(path for path in wal.iterdir() if path.name.count(".") == 1)
        if "missing" in run.kind:
            last.unlink()
        else:
            last.write_bytes(last.read_bytes()[:-1000])
        primary.give(wal)
    elif run.kind == "a byte of the backup changed":
        base = _damaged(primary, place, base)
    primary.run("pg_verifybackup", "--quiet", base)
    before = [each for each in told if each["at"] < moment]
    after = [each for each in told if each["sent"] > moment]
    began = time.monotonic()
    with recovered(primary, place, base, wal, moment) as copy:
        there = cluster.environ(place, copy)
        writable = time.monotonic() - began
        kept, late, broken = found(there, before), found(there, after), verified(there)
    run.figures |= {
        "seconds until it took writes": f"{writable:.1f}",
        "commands answered until the moment": len(before),
        "of those, found": len(before) - len(kept["lost"]),
        "commands sent and answered after it": len(after),
        "of those, found there too": len(after) - len(late["lost"]),
        "rounds settled there": kept["rounds"],
    }
    lost, extra = len(kept["lost"]), len(after) - len(late["lost"])
    run.must(not lost, f"{lost} of {len(before)} commands answered before the moment are missing")
    run.must(not extra, f"{extra} commands answered after the moment are there")
    run.must(not broken, f"verify: {broken}")


def _damaged(primary: Postgres, place: Path, base: Path) -> Path:
    """A copy of a base backup in which one byte of one file is another, as a disk that fails silently makes it."""
    copy = place / "base-damaged"
    shutil.copytree(base, copy, symlinks=True)
    largest = max(
        (path for path in (copy / "base").rglob("*") if path.is_file()), key=lambda path: path.stat().st_size
    )
    with largest.open("r+b") as file:
        file.seek(largest.stat().st_size // 2)
        byte = file.read(1)[0]
        file.seek(-1, 1)
        file.write(bytes([byte ^ 1]))
    primary.give(copy)
    return copy


def _reason(said: str) -> str:
    """The line of a log that says why a server or program has ended."""
    lines = [line for line in said.splitlines() if "FATAL:" in line or "error:" in line]
    own = [line for line in lines if not any(words in line for words in _NOT_YET)]
    [reason, *_] = own or said.splitlines()
    return reason.partition("FATAL:")[2].strip() or reason.strip()


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


DRILL = Drill(
    "point-in-time",
    "Recovery to a point in time",
    """Tablets post commands over HTTP all the while. A base backup is taken by `cardroom-base-backup`, the WAL is archived by
`cardroom-wal`; a moment is noted, and tablets go on. Then the base backup is brought to that moment on a server of its own, and
every command that a tablet was answered is looked for there, by its idempotency key: one answered before the moment has to be
there, one sent after it must not. `manage.py verify` has to hold there, and to say that it looked at the copy. The controls are the
base backup alone, an archive whose last file is missing or cut short, and a backup in which a byte was changed, which `pg_verifybackup` finds.""",
    runs,
)
