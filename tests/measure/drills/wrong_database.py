"""Checks that look at the wrong database, an empty one, or one whose end is missing: each has to say so."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from cardroom.config.environment import PROJECT_DIR
from tests.servers.postgres import Postgres

from . import cluster
from .drill import Drill, Run
from .site import played, resumed

COMMANDS = 30


def runs(place: Path) -> Iterator[Run]:
    """Verify an older copy, an empty database and a blank one, by the operator's wrapper, as it is and with a check left away."""
    with cluster.primary() as primary:
        cluster.migrate(place, primary)
        environ = cluster.environ(place, primary)
        with primary.connect() as admin:
            admin.execute(f"CREATE DATABASE blank OWNER {cluster.OWNER}")
            admin.execute(f"CREATE DATABASE empty OWNER {cluster.OWNER} TEMPLATE {cluster.DATABASE}")
        with played(place, environ) as floor:
            floor.wait_for(COMMANDS)
            floor.stop_playing()
        with primary.connect() as admin:
            admin.execute(f"CREATE DATABASE older OWNER {cluster.OWNER} TEMPLATE {cluster.DATABASE}")
        with resumed(place, environ, floor.told) as floor:
            floor.wait_for(3)
            floor.stop_playing()
        yield _run(place, primary, "as it is", caller_first=True, head=True)
        yield _run(place, primary, "the file's settings before the caller's", caller_first=False, head=True)
        yield _run(place, primary, "no head from outside", caller_first=True, head=False)


def _run(place: Path, primary: Postgres, kind: str, *, caller_first: bool, head: bool) -> Run:
    run = Run(kind, control=not (caller_first and head))
    wrapper = _wrapper(place, cluster.address(primary), caller_first=caller_first)
    heads = [word for each in _heads(primary) for word in ("--head", each)] if head else []
    for name, words, what, refusal in (
        (cluster.DATABASE, heads, "the live database", None),
        ("older", heads, "a copy without the last commands", "BREAK"),
        ("empty", [], "a database that was never used", "The journal is empty"),
        ("blank", [], "a database without tables", "This is no database of the site"),
    ):
        done = _managed(place, wrapper, cluster.address(primary, database=name), "verify", *words)
        used = f"Verifying the PostgreSQL database '{name}' at 127.0.0.1:{primary.port}."
        run.figures[f"`verify` of {what}"] = "holds" if done.returncode == 0 else "status 1"
        run.must(used in done.stdout, f"asked for {name!r}, it says: {done.stdout.splitlines()[0]}")
        if refusal is None:
            run.must(done.returncode == 0, f"{what} does not hold: {done.stdout[-300:]}")
        else:
            run.must(
                done.returncode != 0 and refusal in done.stdout,
                f"{what} passes: {done.stdout.strip().splitlines()[-1][-120:]}",
            )
    done = _managed(place, wrapper, cluster.address(primary), "backup", str(place / "never"))
    run.figures["`backup` on PostgreSQL"] = "refused" if "Nothing was written" in done.stdout else "goes on"
    run.must(done.returncode != 0 and not (place / "never").exists(), "backup writes something on PostgreSQL")
    to = cluster.address(primary, role=cluster.OWNER)
    done = _managed(place, wrapper, cluster.address(primary, database="older"), "move_to", to)
    run.figures["`move_to` into the live database"] = "refused" if "is in use" in done.stdout else "goes on"
    run.must(done.returncode != 0 and "is in use" in done.stdout, "move_to writes into the live database")
    return run


def _wrapper(place: Path, live: str, *, caller_first: bool) -> str:
    """The text of deploy/cardroom-manage, with this place's files; its settings name the live database."""
    for folder in ("etc", "bin"):
        (place / folder).mkdir(exist_ok=True)
    (place / "etc" / "cardroom.env").write_text(f"CARDROOM_DATABASE_URL={live}\n")
    setpriv = place / "bin" / "setpriv"  # there is no account of the site here
    setpriv.write_text('#!/bin/sh\nwhile [ "$1" != .venv/bin/python ]; do shift; done; exec "$@"\n')
    setpriv.chmod(0o755)
    text = (PROJECT_DIR / "deploy" / "cardroom-manage").read_text()
    text = text.replace("/etc/cardroom", f"{place}/etc").replace("/opt/cardroom", str(PROJECT_DIR))
    return text if caller_first else text.replace('eval "$given"', ":")


def _managed(place: Path, wrapper: str, url: str, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {**cluster.base_environ(place), "CARDROOM_DATABASE_URL": url}
    environ["PATH"] = f"{place}/bin:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", wrapper, "cardroom-manage", *words],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def _heads(primary: Postgres) -> list[str]:
    """The heads of the journals of all tables, as a shift report prints them."""
    with primary.connect(cluster.DATABASE) as admin:
        rows = admin.execute(
            "SELECT 'table:' || id || ':' || chain_seq || ':' || chain_hash FROM floor_table WHERE chain_seq > 0"
        )
        return [str(row[0]) for row in rows]


DRILL = Drill(
    "wrong-database",
    "Checks of the wrong database",
    """An operator verifies copies through `deploy/cardroom-manage`, whose settings name the live database: the live one itself, a copy from
before the last commands, with the heads of the live journals as from paper, a database that was migrated and never used, and one without
tables. Each run has to name the database that was asked for, and all but the first have to be refused; so have `backup` on PostgreSQL
and `move_to` into a database in use. The controls are a wrapper whose settings go before the caller's, which verifies the live database
each time, and the older copy without a head from outside, which holds.""",
    runs,
)
