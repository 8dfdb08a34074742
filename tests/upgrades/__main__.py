"""`make release-database`: keep a database of this version, as the suite upgrades one of each release to the present.

Run it on the commit of the release, before its migrations are frozen by it. It makes both databases as an operator does,
lets `world.py` play in them as the site's role, and writes tests/upgrades/VERSION/.
"""

from __future__ import annotations

import json
import lzma
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from cardroom.config.broker import private_socket
from cardroom.config.environment import PROJECT_DIR
from cardroom.config.version import VERSION
from cardroom.ops.supervisor.valkey import Valkey
from tests.servers.postgres import Postgres
from tests.servers.sites import site_environ

from .databases import KEPT, OWNER, SITE, address, migrations, roles_made, server_with_roles

#: Lines of pg_dump that psql alone reads, or that older servers do not know.
_OF_ONE_VERSION = re.compile(
    r"\\(?:un)?restrict \w+|SET (?:transaction_timeout|idle_in_transaction_session_timeout) = 0;"
)


def main() -> int:
    """Make both databases and write them; refuses where this version has them already."""
    kept = KEPT / VERSION
    if kept.exists():
        print(f"{kept} is there already: the database of a release is made once.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="cardroom-release-") as name, server_with_roles() as server:
        state = Path(name)
        with Valkey(private_socket(state)):
            roles_made(server)
            owner = site_environ(state, address(server, OWNER))
            run(owner, "manage.py", "migrate", "--verbosity", "0")
            run(owner, "manage.py", "grant_site_role", SITE)
            run(site_environ(state, address(server, SITE)), "-m", "tests.upgrades.world")
            dump = dumped(server)
            file = site_environ(state, None)
            run(file, "manage.py", "migrate", "--verbosity", "0")
            run(file, "-m", "tests.upgrades.world")
        database = sqlite3.connect(state / "cardroom.sqlite3", isolation_level=None)
        database.execute("PRAGMA journal_mode = DELETE")
        database.close()
        image = (state / "cardroom.sqlite3").read_bytes()
    kept.mkdir()
    (kept / "postgresql.sql.xz").write_bytes(lzma.compress(dump.encode(), preset=9 | lzma.PRESET_EXTREME))
    (kept / "sqlite3.xz").write_bytes(lzma.compress(image, preset=9 | lzma.PRESET_EXTREME))
    (kept / "migrations.json").write_text(json.dumps(migrations(), indent=2) + "\n", encoding="utf-8")
    for path in sorted(kept.iterdir()):
        print(f"{path.relative_to(PROJECT_DIR)}: {path.stat().st_size:,} bytes")
    return 0


def dumped(server: Postgres) -> str:
    """The database as SQL that any driver runs: INSERTs in place of COPY."""
    command = [
        server.binaries / "pg_dump", "--host", str(server.directory), "--username", OWNER, "--dbname", "site",
        "--inserts", "--rows-per-insert", "200", "--no-comments",
    ]  # fmt: skip
    made = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    # Bytes, and lines by line feeds alone: texts hold other ends of lines, which stay as they are. What is left out stands in lines of its own.
    return "\n".join(line for line in made.split("\n") if not _OF_ONE_VERSION.fullmatch(line))


def run(environ: dict[str, str], *words: str) -> None:
    """Run a Python program of this checkout."""
    environ = {**environ, "DJANGO_SETTINGS_MODULE": "cardroom.config.settings"}
    subprocess.run([sys.executable, *words], cwd=PROJECT_DIR, env=environ, check=True, stdout=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
