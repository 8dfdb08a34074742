"""Throwaway PostgreSQL servers for drills, set up as docs/deployment.md says: two roles, a WAL archive, a standby."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from psycopg import sql

from cardroom.config.environment import PROJECT_DIR
from tests.servers.ports import free_port
from tests.servers.postgres import DURABLE, Postgres
from tests.servers.sites import python, site_environ

OWNER, SITE, DATABASE = "cardroom_owner", "cardroom", "cardroom"
REPLICATION = "cardroom_replication"
#: One for all processes of a drill: those of one site open each other's sessions.
KEY = "of-drills-" * 8
_PASSWORDS = {OWNER: "of the owner", SITE: "of the site", REPLICATION: "of the standby"}


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


@contextlib.contextmanager
def pair(place: Path, *, synchronous: bool) -> Iterator[tuple[Postgres, Postgres]]:
    """A primary and its streaming standby, each on a data directory in `place`; the primary waits for it, or does not."""
    with primary() as first:
        with first.connect() as admin:
            # Without it a killed server's recovery removes WAL that pg_rewind would have to read.
            admin.execute("ALTER SYSTEM SET wal_keep_size = '1GB'")
            admin.execute("SELECT pg_reload_conf()")
            # What pg_rewind needs of the other server, without a superuser over the network (PostgreSQL's manual).
            admin.execute(f"ALTER ROLE {REPLICATION} REPLICATION")
            for name in (
                "pg_ls_dir(text, boolean, boolean)",
                "pg_stat_file(text, boolean)",
                "pg_read_binary_file(text)",
                "pg_read_binary_file(text, bigint, bigint, boolean)",
            ):
                admin.execute(f"GRANT EXECUTE ON FUNCTION {name} TO {REPLICATION}")
        data = place / "second"
        first.owned(data)
        _standby(place, first, data, first)
        with server(data) as second:
            wait_until_streaming(first)
            if synchronous:
                with first.connect() as admin:
                    admin.execute("ALTER SYSTEM SET synchronous_standby_names = 'other'")
                    admin.execute("SELECT pg_reload_conf()")
            yield first, second


def join(place: Path, old: Postgres, new: Postgres) -> None:
    """Make a killed primary the standby of another server, by the operator's script, and start it."""
    assert old.directory is not None
    _standby(place, old, old.directory / "data", new)
    old.start_again()


def _standby(place: Path, by: Postgres, data: Path, source: Postgres) -> None:
    words = f"host=127.0.0.1 port={source.port} user={REPLICATION} password='{_PASSWORDS[REPLICATION]}' application_name=other"
    by.run("env", f"PATH={path_of(by)}", installed(place, "cardroom-standby"), data, words)


def wait_until_streaming(running: Postgres) -> None:
    """Wait until a standby has all that the server has committed."""
    deadline = time.monotonic() + 60
    with running.connect() as admin:
        while not admin.execute(
            "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND flush_lsn >= pg_current_wal_flush_lsn() - 65536"
        ).fetchone():
            if time.monotonic() > deadline:
                raise TimeoutError("no standby streams from this server")
            time.sleep(0.1)


def address(*servers: Postgres, role: str = SITE, database: str = DATABASE) -> str:
    """The CARDROOM_DATABASE_URL of a database on a server, or on whichever of several takes writes."""
    hosts = ",".join(f"127.0.0.1:{each.port}" for each in servers)
    password = _PASSWORDS[role].replace(" ", "%20")
    several = "?target_session_attrs=read-write" if len(servers) > 1 else ""
    return f"postgresql://{role}:{password}@{hosts}/{database}{several}"


def environ(place: Path, *servers: Postgres, role: str = SITE, database: str = DATABASE) -> dict[str, str]:
    """The environment of a process of the site: its state directory is `place/state`, made where it is missing."""
    return base_environ(place, address(*servers, role=role, database=database))


def base_environ(place: Path, url: str | None = None) -> dict[str, str]:
    """The same with an address of any kind, or with none: a file in the state directory."""
    state = place / "state"
    state.mkdir(exist_ok=True)
    return site_environ(state, url) | {"CARDROOM_SECRET_KEY": KEY}


def migrate(place: Path, running: Postgres, database: str = DATABASE) -> None:
    """Do what `cardroom-migrate` does: migrate as the owner, and grant the site's role its rights."""
    as_owner = environ(place, running, role=OWNER, database=database)
    python(as_owner, "manage.py", "migrate", "--verbosity", "0")
    python(as_owner, "manage.py", "grant_site_role", SITE)


def installed(place: Path, name: str) -> Path:
    """Install a script of deploy/ where the servers' account can run it, as the operator does in /usr/local/sbin."""
    there = place / name
    shutil.copy(PROJECT_DIR / "deploy" / name, there)
    there.chmod(0o755)
    return there


def path_of(running: Postgres) -> str:
    """The PATH under which scripts of deploy/ find PostgreSQL's programs: those of this server first."""
    return f"{running.binaries}:{os.environ['PATH']}"
