"""Throwaway PostgreSQL servers for drills, set up as docs/deployment.md says: two roles, a WAL archive, a standby."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from psycopg import sql

from cardroom.config.environment import PROJECT_DIR
from tests.servers.postgres import DURABLE, Postgres
from tests.servers.sites import site_environ

OWNER, SITE, DATABASE = "cardroom_owner", "cardroom", "cardroom"
_PASSWORDS = {OWNER: "of the owner", SITE: "of the site"}


@contextlib.contextmanager
def server(kept: Path | None = None, settings: Mapping[str, str] | None = None) -> Iterator[Postgres]:
    """A PostgreSQL on a port of 127.0.0.1 that keeps what it has committed; `kept` is a data directory to run on."""
    # syncfs: one call flushes what a killed server left behind, in place of one for each file of the cluster.
    base = {**DURABLE, "recovery_init_sync_method": "syncfs", "log_min_messages": "log"}
    with Postgres(kept, {**base, **(settings or {})}, port=free_port(), superuser="postgres") as running:
        yield running


@contextlib.contextmanager
def primary(settings: Mapping[str, str] | None = None) -> Iterator[Postgres]:
    """A new server with the roles of owner and site, and an empty database of the owner's."""
    with server(settings=settings) as running:
        with running.connect() as admin:
            for role, password in _PASSWORDS.items():
                admin.execute(
                    sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(
                        sql.Identifier(role), sql.Literal(password)
                    )
                )
            admin.execute(f"CREATE DATABASE {DATABASE} OWNER {OWNER} ENCODING 'UTF8' TEMPLATE template0")
        yield running


def address(*servers: Postgres, role: str = SITE, database: str = DATABASE) -> str:
    """The CARDROOM_DATABASE_URL of a database on a server, or on whichever of several takes writes."""
    hosts = ",".join(f"127.0.0.1:{each.port}" for each in servers)
    password = _PASSWORDS[role].replace(" ", "%20")
    several = "?target_session_attrs=read-write" if len(servers) > 1 else ""
    return f"postgresql://{role}:{password}@{hosts}/{database}{several}"


def environ(place: Path, *servers: Postgres, role: str = SITE, database: str = DATABASE) -> dict[str, str]:
    """The environment of a process of the site: its state directory is `place/state`, made where it is missing."""
    state = place / "state"
    state.mkdir(exist_ok=True)
    made = site_environ(state, address(*servers, role=role, database=database))
    # One key for all: the key of one process does not open the sessions of another.
    return made | {"CARDROOM_SECRET_KEY": "of-drills-" * 8}


def migrate(place: Path, running: Postgres, database: str = DATABASE) -> None:
    """Do what `cardroom-migrate` does: migrate as the owner, and grant the site's role its rights."""
    as_owner = environ(place, running, role=OWNER, database=database)
    python(as_owner, "manage.py", "migrate", "--verbosity", "0")
    python(as_owner, "manage.py", "grant_site_role", SITE)


def python(environ: Mapping[str, str], *words: str, given: str | None = None) -> str:
    """Run a Python program of the site in that environment; return what it printed. Raises CalledProcessError."""
    return tried(environ, *words, given=given, check=True).stdout


def tried(
    environ: Mapping[str, str], *words: str, given: str | None = None, check: bool = False
) -> subprocess.CompletedProcess[str]:
    """The same for a program that may end with another status than 0: what it printed on stderr comes behind."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=PROJECT_DIR,
        env=dict(environ),
        input=given,
        stdout=subprocess.PIPE,
        stderr=None if check else subprocess.STDOUT,
        text=True,
        check=False,
    )
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)} ended with status {done.returncode}:\n{done.stdout}")
    return done


def installed(place: Path, name: str) -> Path:
    """Install a script of deploy/ where the servers' account can run it, as the operator does in /usr/local/sbin."""
    there = place / name
    shutil.copy(PROJECT_DIR / "deploy" / name, there)
    there.chmod(0o755)
    return there


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def path_of(running: Postgres) -> str:
    """The PATH under which scripts of deploy/ find PostgreSQL's programs: those of this server first."""
    return f"{running.binaries}:{os.environ['PATH']}"
