"""`make release-database`: keep a database of this version, as the suite upgrades one of each release to the present.

Run it on the commit of the release, before its migrations are frozen by it. It makes both databases as an operator does,
lets `world.py` play in them as the site's role, and writes tests/upgrades/VERSION/. `OF=VERSION` makes those of a release that
is out anew, by the code of that release and the `world.py` of this checkout.
"""

from __future__ import annotations

import json
import lzma
import re
import shutil
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
from .released_code import checkout

#: Lines of pg_dump that psql alone reads, or that older servers do not know.
_OF_ONE_VERSION = re.compile(
    r"\\(?:un)?restrict \w+|SET (?:transaction_timeout|idle_in_transaction_session_timeout) = 0;"
)


def main(of: str = "") -> int:
    """Make both databases and write them; refuses where this version has them already."""
    kept = KEPT / (of or VERSION)
    if kept.exists() and not of:
        print(f"{kept} is there already: the database of a release is made once.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="cardroom-release-") as name, server_with_roles() as server:
        place = Path(name)
        code = released(of, place) if of else PROJECT_DIR
        state, on_server, on_file = place / "state", place / "on_server.json", place / "on_file.json"
        state.mkdir()
        with Valkey(private_socket(state)):
            roles_made(server)
            owner = site_environ(state, address(server, OWNER))
            run(code, owner, "manage.py", "migrate", "--verbosity", "0")
            run(code, owner, "manage.py", "grant_site_role", SITE)
            run(code, site_environ(state, address(server, SITE)), "-m", "tests.upgrades.world", on_server)
            dump = dumped(server)
            file = site_environ(state, None)
            run(code, file, "manage.py", "migrate", "--verbosity", "0")
            run(code, file, "-m", "tests.upgrades.world", on_file)
        database = sqlite3.connect(state / "cardroom.sqlite3", isolation_level=None)
        database.execute("PRAGMA journal_mode = DELETE")
        database.close()
        image = (state / "cardroom.sqlite3").read_bytes()
        written = on_server.read_text(encoding="utf-8")
        assert written == on_file.read_text(encoding="utf-8"), (
            "the two databases were played in different ways"
        )
        frozen = json.dumps(migrations(code), indent=2) + "\n"
    kept.mkdir(exist_ok=True)
    (kept / "postgresql.sql.xz").write_bytes(lzma.compress(dump.encode(), preset=9 | lzma.PRESET_EXTREME))
    (kept / "sqlite3.xz").write_bytes(lzma.compress(image, preset=9 | lzma.PRESET_EXTREME))
    (kept / "migrations.json").write_text(frozen, encoding="utf-8")
    (kept / "commands.json").write_text(written, encoding="utf-8")
    for path in sorted(kept.iterdir()):
        print(f"{path.relative_to(PROJECT_DIR)}: {path.stat().st_size:,} bytes")
    return 0


def released(version: str, place: Path) -> Path:
    """The code of a release under `place`, with what plays in its database from this checkout."""
    code = checkout(version, place)
    there = code / "tests" / "upgrades"
    there.mkdir(exist_ok=True)
    for name in ("__init__.py", "playing.py", "world.py"):
        shutil.copy(Path(__file__).with_name(name), there)
    return code


def dumped(server: Postgres) -> str:
    """The database as SQL that any driver runs: INSERTs in place of COPY."""
    command = [
        server.binaries / "pg_dump", "--host", str(server.directory), "--username", OWNER, "--dbname", "site",
        "--inserts", "--rows-per-insert", "200", "--no-comments",
    ]  # fmt: skip
    made = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    # Bytes, and lines by line feeds alone: texts hold other ends of lines, which stay as they are. What is left out stands in lines of its own.
    return "\n".join(line for line in made.split("\n") if not _OF_ONE_VERSION.fullmatch(line))


def run(code: Path, environ: dict[str, str], *words: str | Path) -> None:
    """Run a Python program of a checkout."""
    environ = {**environ, "DJANGO_SETTINGS_MODULE": "cardroom.config.settings"}
    subprocess.run([sys.executable, *words], cwd=code, env=environ, check=True, stdout=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
