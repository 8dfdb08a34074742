"""Checks and moves that look at the wrong database, an empty one, or one whose end is missing: each has to say so."""

from __future__ import annotations

import dataclasses
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from cardroom.config.environment import PROJECT_DIR
from tests.servers.postgres import Postgres

from . import cluster
from .drill import Drill, Run, say
from .site import played, resumed

#: Commands answered before the older copy is made, and after it.
COMMANDS, LATER = 20, 6
OLDER, EMPTY, BLANK, NOWHERE = "older", "empty", "blank", "nowhere"
#: The line of the wrapper by which a variable of the caller goes before the one of the site's settings.
_CALLER_FIRST = 'eval "$given"'


@dataclasses.dataclass(frozen=True)
class Kind:
    """A run: whether the wrapper is as it is delivered, whether verify gets the heads from outside, and all that is tried."""

    name: str
    caller_first: bool = True
    heads: bool = True
    databases: tuple[str, ...] = (cluster.DATABASE, OLDER, EMPTY, BLANK, NOWHERE)
    moves: tuple[str, ...] = (OLDER, BLANK)


KINDS = (
    Kind("as it is"),
    Kind(
        "the wrapper's settings go before the caller's",
        caller_first=False,
        databases=(OLDER, BLANK),
        moves=(OLDER,),
    ),
    Kind("no head from outside", heads=False, databases=(OLDER,), moves=()),
)
#: By the database that `verify` is to look at: what it is, and by which words it has to be refused.
_VERIFIED = {
    cluster.DATABASE: ("the live database", ""),
    OLDER: ("a copy without the last commands", "BREAK"),
    EMPTY: ("a database that was never used", "The journal is empty"),
    BLANK: ("a database without tables", "This is no database of the site"),
    NOWHERE: ("a name that is no database", "This is no database of the site"),
}
#: By the database that `move_to` is to read: where to, what it is, and by which words it has to be refused.
_MOVED = {
    OLDER: (cluster.DATABASE, "an older copy into the live database", "is in use"),
    BLANK: (BLANK, "from a database without tables", "The source lacks"),
}


def runs(place: Path) -> Iterator[Run]:
    """Verify, back up and move by the operator's wrapper, as it is, and with a safeguard taken away."""
    with cluster.primary() as primary:
        cluster.migrate(place, primary)
        environ = cluster.environ(place, primary)
        with primary.connect() as admin:
            admin.execute(f"CREATE DATABASE {BLANK} OWNER {cluster.OWNER}")
            admin.execute(f"CREATE DATABASE {EMPTY} OWNER {cluster.OWNER} TEMPLATE {cluster.DATABASE}")
        with played(place, environ) as floor:
            floor.wait_for(COMMANDS)
        with primary.connect() as admin:
            admin.execute(f"CREATE DATABASE {OLDER} OWNER {cluster.OWNER} TEMPLATE {cluster.DATABASE}")
        with resumed(place, environ, floor.told) as again:
            again.wait_for(LATER)
        heads = _heads(primary)
        for kind in KINDS:
            yield _run(place, primary, kind, heads)


def _run(place: Path, primary: Postgres, kind: Kind, heads: list[str]) -> Run:
    run = Run(kind.name, control=kind != KINDS[0])
    wrapper = _wrapper(place, cluster.address(primary), caller_first=kind.caller_first)
    for name in kind.databases:
        what, refusal = _VERIFIED[name]
        from_outside = heads if kind.heads and name in (cluster.DATABASE, OLDER) else []
        words = [word for head in from_outside for word in ("--head", head)]
        done = _managed(place, wrapper, cluster.address(primary, database=name), "verify", *words)
        run.figures[f"`verify` of {what}"] = "holds" if done.returncode == 0 else "refused"
        _must_name(run, done, f"Verifying the {_named(primary, name)}.")
        if refusal:
            holds = done.returncode == 0 or refusal not in done.stdout
            run.must(not holds, f"`verify` of {what} passes: {_last(done).rpartition(', ')[2]}")
        else:
            run.must(done.returncode == 0, f"`verify` of {what} does not hold: {_last(done)}")
    for name in kind.moves:
        _move(run, place, primary, wrapper, name)
    if kind.moves:
        _back_up(run, place, primary, wrapper)
    say(f"{run.kind}: {run.came_out}")
    return run


def _move(run: Run, place: Path, primary: Postgres, wrapper: str, name: str) -> None:
    """Move the older copy into the live database, or the database without tables into itself."""
    into, what, refusal = _MOVED[name]
    to = cluster.address(primary, role=cluster.OWNER, database=into)
    done = _managed(place, wrapper, cluster.address(primary, database=name), "move_to", to)
    refused = done.returncode != 0 and refusal in done.stdout
    run.figures[f"`move_to` {what}"] = "refused" if refused else "goes on"
    _must_name(run, done, f"Copying the {_named(primary, name)} into the {_named(primary, into)}.")
    run.must(refused, f"`move_to` {what} goes on: {_last(done)}")


def _back_up(run: Run, place: Path, primary: Postgres, wrapper: str) -> None:
    """Try to back PostgreSQL up into a file."""
    never = place / "never"
    done = _managed(place, wrapper, cluster.address(primary, database=OLDER), "backup", str(never))
    refused = done.returncode != 0 and not never.exists()
    run.figures["`backup`, which is of SQLite"] = "refused" if refused else "goes on"
    _must_name(run, done, f"Nothing was written: the {_named(primary, OLDER)}")
    run.must(refused, f"`backup` goes on with PostgreSQL: {_last(done)}")


def _must_name(run: Run, done: subprocess.CompletedProcess[str], used: str) -> None:
    first = done.stdout.strip().partition("\n")[0]
    run.must(used in done.stdout, f"it should say {used!r}, and says {first[:160]!r}")


def _named(primary: Postgres, name: str) -> str:
    return f"PostgreSQL database '{name}' at 127.0.0.1:{primary.port}"


def _last(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout.strip().rpartition("\n")[2][-160:]


def _wrapper(place: Path, live: str, *, caller_first: bool) -> str:
    """The text of deploy/cardroom-manage with the files of this place, where the site's settings name the live database."""
    for folder in ("etc", "bin"):
        (place / folder).mkdir(exist_ok=True)
    (place / "etc" / "cardroom.env").write_text(f"CARDROOM_DATABASE_URL={live}\n", encoding="utf-8")
    setpriv = place / "bin" / "setpriv"  # there is no account of the site here, and perhaps no .venv
    python = shlex.quote(sys.executable)
    setpriv.write_text(
        f'#!/bin/sh\nwhile [ "$1" != manage.py ]; do shift; done\nexec {python} "$@"\n', encoding="utf-8"
    )
    setpriv.chmod(0o755)
    text = (PROJECT_DIR / "deploy" / "cardroom-manage").read_text(encoding="utf-8")
    text = text.replace("/etc/cardroom", f"{place}/etc").replace("/opt/cardroom", str(PROJECT_DIR))
    return text if caller_first else text.replace(_CALLER_FIRST, ":")


def _managed(place: Path, wrapper: str, url: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the wrapper with a database's address, as `CARDROOM_DATABASE_URL=… cardroom-manage …` does."""
    environ = {**cluster.base_environ(place, url), "PATH": f"{place}/bin:{os.environ['PATH']}"}
    return subprocess.run(
        ["sh", "-c", wrapper, "cardroom-manage", *words],
        env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip


def _heads(primary: Postgres) -> list[str]:
    """The heads of the journals of all tables, as a shift report prints them."""
    with primary.connect(cluster.DATABASE) as admin:
        rows = admin.execute(
            "SELECT 'table:' || id || ':' || chain_seq || ':' || chain_hash FROM floor_table WHERE chain_seq > 0"
        )
        return [str(head) for (head,) in rows]


DRILL = Drill(
    "wrong-database",
    "Checks of the wrong database",
    """An operator works on copies through `deploy/cardroom-manage`, whose settings name the live database, with another address before
the command. `verify` looks at the live database, with the heads of its journals as from paper; at a copy from before the last commands,
with the same heads; at a database that was migrated and never used, at one without tables, and at a name that is none. `move_to` is to
fill the live database from the older copy, and to read the one without tables; `backup` is to write PostgreSQL into a file. All but the
first have to be refused, and each has to name the database that was asked for. The controls are a wrapper whose settings go before
the caller's, which verifies the live database each time, and the older copy without a head from outside, which holds.""",
    runs,
)
