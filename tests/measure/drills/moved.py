"""Moving to another server, by pg_dump and by move_to: the site's role has its rights there, or is told what it lacks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.servers.postgres import Postgres

from . import cluster
from .drill import Drill, Run, say
from .site import checks, found, played, resumed, served, verified

COMMANDS = 40
_Told = list[dict[str, Any]]


def runs(place: Path) -> Iterator[Run]:
    """Move from PostgreSQL by its dump, and from SQLite by move_to; grant the site's role its rights, or forget to."""
    for name, source in (("dumped", _dumped), ("copied", _copied)):
        there = place / name
        there.mkdir(mode=0o711)
        yield from source(there)


def _dumped(place: Path) -> Iterator[Run]:
    with cluster.primary() as old:
        cluster.migrate(place, old)
        with played(place, cluster.environ(place, old)) as floor:
            floor.wait_for(COMMANDS)
            floor.stop_playing()
        dump = old.owned(place / "dump") / "cardroom.dump"
        as_owner = f"postgresql://{cluster.OWNER}@/{cluster.DATABASE}?host={old.directory}&port={old.port}"
        old.run("pg_dump", "--format=custom", f"--file={dump}", as_owner)

        def fill(new: Postgres) -> None:
            into = f"postgresql://{cluster.OWNER}@/{cluster.DATABASE}?host={new.directory}&port={new.port}"
            words = ("--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
            new.run("pg_restore", *words, f"--dbname={into}", dump)

        for granted in (True, False):
            yield _moved(place, "pg_dump and pg_restore", fill, floor.told, granted=granted)


def _copied(place: Path) -> Iterator[Run]:
    environ = cluster.base_environ(place)
    cluster.python(environ, "manage.py", "migrate", "--verbosity", "0")
    with played(place, environ) as floor:
        floor.wait_for(COMMANDS)
        floor.stop_playing()

    def fill(new: Postgres) -> None:
        to = cluster.address(new, role=cluster.OWNER)
        said = cluster.python(environ, "manage.py", "move_to", "-", given=f"{to}\n")
        if "grant_site_role" not in said:
            raise RuntimeError(f"move_to does not say that rights have to be granted: {said[-300:]}")

    for granted in (True, False):
        yield _moved(place, "move_to, from SQLite", fill, floor.told, granted=granted)


def _moved(place: Path, way: str, fill: Callable[[Postgres], None], told: _Told, *, granted: bool) -> Run:
    run = Run(way if granted else f"{way}, no rights granted", control=not granted)
    began = time.monotonic()
    with cluster.primary() as new:
        fill(new)
        environ = cluster.environ(place, new)
        run.figures |= {
            "commands answered": len(told),
            "seconds of the move": f"{time.monotonic() - began:.1f}",
        }
        before = _lacking(place, environ)
        run.figures["`check` and `/ready/` before rights were granted"] = before
        if granted:
            run.must(before == "both name the command", f"before rights were granted: {before}")
            cluster.python(
                cluster.environ(place, new, role=cluster.OWNER), "manage.py", "grant_site_role", cluster.SITE
            )
        after = _lacking(place, environ)
        run.figures["afterwards"] = after
        run.must(after == "neither complains", f"the site cannot work: {after}")
        try:
            there = found(environ, told)
            run.figures["found"] = len(told) - len(there["lost"])
            run.must(not there["lost"] and not there["repeated"], f"lost or repeated: {there['lost'][:3]}")
            run.must(not (broken := verified(environ)), f"verify: {broken}")
            with resumed(place, environ, told) as floor:
                floor.wait_for(3)
            run.figures["commands answered there next"] = len(floor.told)
        except RuntimeError as fault:
            run.must(False, f"no command can be given: {str(fault).strip().splitlines()[-1][:200]}")
    say(f"{run.kind}: {run.came_out}")
    return run


def _lacking(place: Path, environ: dict[str, str]) -> str:
    """Ask `check` and `/ready/` whether the site's role has its rights, as an operator does."""
    said = cluster.tried(environ, "manage.py", "check", "--deploy", "--database", "default").stdout
    named = "cardroom.E003" in said and f"manage.py grant_site_role {cluster.SITE}" in said
    with served(place, environ) as site:
        database = checks(site)["database"]
    red = not database["ok"] and "grant_site_role" in database["text"]
    if named and red:
        return "both name the command"
    return (
        "neither complains"
        if not named and database["ok"]
        else f"check: {named}, /ready/: {database['text']}"
    )


DRILL = Drill(
    "moved",
    "Moving to another server",
    """A site that was played on moves to a new PostgreSQL as the owner of the tables: by `pg_dump` and `pg_restore` (without owners
and privileges, as from a server that had one role), and from SQLite by `manage.py move_to`. Before `grant_site_role`, `manage.py
check` (`cardroom.E003`) and `/ready/` have to name that command; after it, every command that tablets were answered has to be
there, `verify` has to hold, and tablets go on. The controls forget `grant_site_role`.""",
    runs,
)
