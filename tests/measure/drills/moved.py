"""Moving to another server, by pg_dump and by move_to: the site's role has its rights there, or is told what it lacks."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.servers.postgres import Postgres
from tests.servers.site import Site
from tests.servers.sites import python, tried

from . import cluster
from .drill import Drill, Run, say
from .site import checks, found, gone_on, played, served, verified

#: As docs/deployment.md has the operator write them, as PostgreSQL's superuser; files and database follow.
DUMP = ("pg_dump", "--format=custom")
RESTORE = (
    *("pg_restore", "--no-owner", "--no-privileges", f"--role={cluster.OWNER}"),
    *("--single-transaction", "--exit-on-error"),
)
#: Commands answered before the first move; after each move, and after a dump that is then taken without stopping the site.
COMMANDS, NEXT, AFTER = 30, 10, 10
_Told = list[dict[str, Any]]
_BOTH, _NEITHER = "both name the command", "nothing is missing"


@dataclasses.dataclass(frozen=True)
class _Move:
    """A move that was made: the way, where to, what tablets were told before, and how long it took.

    `grant` gives the site's role its rights there; `meanwhile` is done while tablets go on.
    """

    way: str
    place: Path
    new: Postgres
    told: _Told
    seconds: float
    grant: Callable[[], None]
    meanwhile: Callable[[], object]


def runs(place: Path) -> Iterator[Run]:
    """Move from SQLite by move_to, play on there, and move from there by a dump; judge each without rights, too."""
    with cluster.primary() as first:
        dumps = first.owned(place / "dumps")
        *copied, told = _copied(place, first, dumps)
        yield from copied
        with cluster.primary() as second:
            yield from _dumped(place, first, second, dumps, told)


def _copied(place: Path, new: Postgres, dumps: Path) -> tuple[Run, Run, _Told]:
    """Move from SQLite; return the runs, and all that tablets were told in the end."""
    environ = cluster.base_environ(place)
    python(environ, "manage.py", "migrate", "--verbosity", "0")
    with played(place, environ) as floor:
        floor.wait_for(COMMANDS)
    began = time.monotonic()
    to = cluster.address(new, role=cluster.OWNER)
    said = python(environ, "manage.py", "move_to", "-", given=f"{to}\n")
    seconds = time.monotonic() - began

    def grant() -> None:
        as_owner = cluster.environ(place, new, role=cluster.OWNER)
        python(as_owner, "manage.py", "grant_site_role", cluster.SITE)

    def dump() -> None:
        _program(new, *DUMP, f"--file={dumps / 'early'}", cluster.DATABASE)

    move = _Move("`move_to`, from SQLite", place, new, floor.told, seconds, grant, dump)
    run, forgotten, more = _moved(move)
    names = f"into the PostgreSQL database '{cluster.DATABASE}' at 127.0.0.1:{new.port}." in said
    run.must(names, f"move_to does not say into which database it copies: {said[:200]}")
    run.must("manage.py grant_site_role" in said, f"move_to does not say what comes next: {said[-300:]}")
    return run, forgotten, [*floor.told, *more]


def _dumped(place: Path, old: Postgres, new: Postgres, dumps: Path, told: _Told) -> Iterator[Run]:
    began = time.monotonic()
    _program(old, *DUMP, f"--file={dumps / 'whole'}", cluster.DATABASE)
    _program(new, *RESTORE, f"--dbname={cluster.DATABASE}", dumps / "whole")
    seconds = time.monotonic() - began

    def grant() -> None:
        cluster.migrate(place, new)

    move = _Move("`pg_dump`, `pg_restore`", place, new, told, seconds, grant, lambda: None)
    run, forgotten, _ = _moved(move)
    yield run
    yield forgotten
    early = Run("`pg_dump` while tablets played", control=True)
    with new.connect() as admin:
        admin.execute(f"CREATE DATABASE early OWNER {cluster.OWNER} TEMPLATE template0")
    _program(new, *RESTORE, "--dbname=early", dumps / "early")
    _judge_rows(early, cluster.environ(place, new, role=cluster.OWNER, database="early"), told)
    yield early


def _moved(move: _Move) -> tuple[Run, Run, _Told]:
    """Judge the site in its new database after its rights were granted, and as a control before that.

    Returns both runs, and what tablets were told there.
    """
    environ = cluster.environ(move.place, move.new)
    run, forgotten = Run(move.way), Run(f"{move.way}, no rights granted", control=True)
    with served(move.place, environ) as site:
        before, _ = _judge_site(forgotten, site, environ, move)
        began = time.monotonic()
        move.grant()
        granted = time.monotonic() - began
        run.must(before == _BOTH, f"before rights were granted: {before}")
        after, told = _judge_site(run, site, environ, move)
        run.must(after == _NEITHER, f"after rights were granted: {after}")
    forgotten.must(before == _NEITHER, f"`check` and `/ready/`: {before}")
    run.figures |= {"seconds of the move": f"{move.seconds:.1f}", "seconds of granting": f"{granted:.1f}"}
    say(f"{run.kind}: {run.came_out}; before: {forgotten.came_out}")
    return run, forgotten, told


def _judge_site(run: Run, site: Site, environ: dict[str, str], move: _Move) -> tuple[str, _Told]:
    """Look for all that tablets were told and have them go on; return what is said of rights, and what they were told there."""
    told: _Told = []
    lacking = _lacking(site, environ)
    try:
        _judge_rows(run, environ, move.told)
        with gone_on(site, environ, move.told) as floor:
            floor.wait_for(NEXT)
            move.meanwhile()
            floor.wait_for(AFTER)
        told = floor.told
        run.figures["commands answered there next"] = len(told)
    except RuntimeError as fault:
        run.must(False, f"no command can be given: {str(fault).strip().splitlines()[-1][:200]}")
    run.figures["`check` (E003) and `/ready/` of the role's rights"] = lacking
    return lacking, told


def _judge_rows(run: Run, environ: dict[str, str], told: _Told) -> None:
    there, broken = found(environ, told), verified(environ)
    run.figures |= {
        "commands answered before the move": len(told),
        "of those, found": len(told) - len(there["lost"]),
        "`verify`": "breaks" if broken else "all holds",
    }
    run.must(
        not there["lost"], f"{len(there['lost'])} of {len(told)} commands that were answered are missing"
    )
    run.must(not there["repeated"], f"{there['repeated']} buy-ins are there more than once")
    run.must(not broken, f"verify: {broken[:200]}")


def _lacking(site: Site, environ: dict[str, str]) -> str:
    """What `check` and `/ready/` say of the rights of the site's role, as an operator asks them."""
    said = tried(environ, "manage.py", "check", "--deploy", "--database", "default").stdout
    database = checks(site)["database"]
    named = "cardroom.E003" in said and f"manage.py grant_site_role {cluster.SITE}" in said
    red = not database["ok"] and "manage.py grant_site_role" in database["text"]
    if named and red:
        return _BOTH
    if database["ok"] and "cardroom.E003" not in said and "cardroom.I001" in said:
        return _NEITHER
    return f"check {'names' if named else 'does not name'} the command, /ready/ says {database['text']!r}"


def _program(server: Postgres, *words: str | Path) -> None:
    """Run one of PostgreSQL's programs as the superuser of a server."""
    where = (f"PGHOST={server.directory}", f"PGPORT={server.port}", f"PGUSER={server.superuser}")
    server.run("env", f"PATH={cluster.path_of(server)}", *where, *words)


DRILL = Drill(
    "moved",
    "Moving to another server",
    """A site on SQLite that was played on is stopped and moves to PostgreSQL by `manage.py move_to` as the owner, is played on, stopped, and
moves to another server by `pg_dump` and `pg_restore --role=cardroom_owner`, as the operator's page has them. Each time it is started
as its own role. Until `grant_site_role` (after the dump: `cardroom-migrate`), `manage.py check` (`cardroom.E003`) and `/ready/` have to
name the command that is missing; after it the same site has to be ready, every command that tablets were answered has to be there, `verify`
has to hold, and tablets go on. The controls forget to grant the rights, and dump before the site is stopped: `verify` holds there,
and commands are missing.""",
    runs,
)
