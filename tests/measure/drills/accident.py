"""A table that was changed by hand: the site as it was the moment before, and how long that takes."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from psycopg import Connection

from tests.servers.postgres import Postgres

from . import cluster
from .backups import archived, based, recovered, wait_until_archived
from .drill import Drill, Run, say
from .site import found, played, resumed, verified

#: Commands answered before the base backup, and between it and the accident.
BEFORE, BETWEEN = 10, 30
#: What somebody does by mistake, signed in as the owner of the tables; the first word is looked for in the server's log.
ACCIDENTS = {
    "a table changed": (
        "ALTER TABLE floor_buyin DISABLE TRIGGER USER",
        "UPDATE floor_buyin SET cents = cents + 100",
        "ALTER TABLE floor_buyin ENABLE TRIGGER USER",
    ),
}


def runs(place: Path) -> Iterator[Run]:
    """Have each accident, and recover to the moment before; as a control, to a second after the last of them."""
    for number, (name, statements) in enumerate(ACCIDENTS.items()):
        there = place / str(number)
        there.mkdir(mode=0o711)
        last = number == len(ACCIDENTS) - 1
        yield from _runs(there, name, statements, (0.0, 1.5) if last else (0.0,))


def _runs(place: Path, name: str, statements: tuple[str, ...], late: tuple[float, ...]) -> Iterator[Run]:
    with cluster.primary() as primary:
        archive = archived(primary, place)
        cluster.migrate(place, primary)
        environ = cluster.environ(place, primary)
        with played(place, environ) as floor:
            floor.wait_for(BEFORE)
            base = based(primary, place, archive)
            floor.wait_for(BETWEEN)
            with primary.connect(cluster.DATABASE) as owner:
                owner.execute(f"SET ROLE {cluster.OWNER}")
                _done(owner, statements)
            time.sleep(2.5)  # tablets go on as far as they can
            noticed = time.monotonic()
            floor.stop_playing()
        live = verified(environ)
        wait_until_archived(primary)
        moment = _logged_at(primary, statements[0])
        before = [each for each in floor.told if each["at"] < moment]
        say(f"{name}: {len(before)} commands answered before {datetime.fromtimestamp(moment, UTC)}")
        for seconds in late:
            run = Run(f"{name}, recovered {seconds} s too late" if seconds else name, control=bool(seconds))
            began = time.monotonic()
            with recovered(primary, place, base, archive, moment + seconds) as copy:
                there = cluster.environ(place, copy)
                writable, broken = time.monotonic() - began, verified(there)
                kept = found(there, before)
                run.figures |= {
                    "commands answered before the accident": len(before),
                    "found": len(before) - len(kept["lost"]),
                    "commands answered after it, which are given up": len(floor.told) - len(before),
                    "`verify` on the damaged database": "breaks" if live else "all holds",
                    "`verify` on the recovered one": "breaks" if broken else "all holds",
                    "seconds until it took writes": f"{writable:.1f}",
                }
                run.must(bool(live), "verify holds on the damaged database")
                run.must(
                    not kept["lost"], f"{len(kept['lost'])} commands answered before the accident are missing"
                )
                run.must(not broken, f"verify on the recovered database: {broken[:200]}")
                if not seconds:
                    with resumed(place, there, before) as again:
                        again.wait_for(1)
                        since = time.monotonic() - noticed
                    run.figures["seconds from stopping the site until the next command was answered"] = (
                        f"{since:.0f}"
                    )
            yield run


def _done(owner: Connection, statements: tuple[str, ...]) -> None:
    for statement in statements:
        owner.execute(statement)


def _logged_at(primary: Postgres, statement: str) -> float:
    """The instant at which a statement began, from the server's log (seconds since 1970)."""
    assert primary.directory is not None
    log = (primary.directory / "log").read_text(errors="replace")
    [said] = re.findall(
        rf"^(\S+ \S+) UTC \[\d+\] LOG:  (?:statement|execute \S+): {re.escape(statement)}$", log, re.MULTILINE
    )
    return datetime.fromisoformat(f"{said}+00:00").timestamp()


DRILL = Drill(
    "accident",
    "A table changed by hand",
    """The owner of the tables switches the triggers of one off and changes it, while tablets post commands. The moment is taken from PostgreSQL's log (`log_statement = ddl`); base backup and WAL archive are brought to it on another server, on which
`verify` has to hold and tablets go on. What was answered after the accident is given up. The control is recovered too late.""",
    runs,
)
