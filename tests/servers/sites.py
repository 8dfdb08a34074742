"""An empty site for one run: a database and a state directory of its own, passed to programs by the environment; and running those."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cardroom.config.environment import PROJECT_DIR, VARIABLES
from tests.servers.postgres import Postgres

#: The databases that a site runs on, as command lines name them, and their proper names.
DATABASES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


@contextlib.contextmanager
def database_address(name: str) -> Iterator[str | None]:
    """Give the CARDROOM_DATABASE_URL of an empty database: a server's, inside the block, or None for a file."""
    if name == "sqlite":
        yield None
        return
    with Postgres() as server:
        server.make_database()
        yield server.url


def site_environ(state_dir: Path, database: str | None) -> dict[str, str]:
    """Return the environment of a site: without the variables of the site that this process itself may be set up for.

    Nor with what tests in a browser set for their own process, which `check --deploy` refuses.
    """
    left = {*VARIABLES, "DJANGO_ALLOW_ASYNC_UNSAFE"}
    environ = {name: value for name, value in os.environ.items() if name not in left}
    environ |= {"CARDROOM_STATE_DIR": str(state_dir), "CARDROOM_SECRET_KEY": secrets.token_urlsafe(64)}
    if database is not None:
        environ["CARDROOM_DATABASE_URL"] = database
    return environ


def python(
    environ: Mapping[str, str], *words: str, given: str | None = None, directory: Path = PROJECT_DIR
) -> str:
    """Run a Python program of the site, in that environment and checkout; return what it printed. Raises RuntimeError.

    What it wrote on stderr goes on to this process's once it has ended.
    """
    done = _run(environ, words, given, directory, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise RuntimeError(
            f"{' '.join(words)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    sys.stderr.write(done.stderr)
    return done.stdout


def tried(environ: Mapping[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """The same for a program that may end with another status than 0: with what it printed on stderr, in order."""
    return _run(environ, words, None, PROJECT_DIR, stderr=subprocess.STDOUT)


def _run(
    environ: Mapping[str, str], words: Sequence[str], given: str | None, directory: Path, *, stderr: int
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=directory,
        env=dict(environ),
        input=given,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        check=False,
    )
