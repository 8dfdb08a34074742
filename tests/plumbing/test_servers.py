"""The suite's servers are real, passed to the command by variables, and stopped after it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardroom.config.environment import PROJECT_DIR
from tests.servers import postgres

pytestmark = pytest.mark.outside

ASK = """
import os, urllib.parse
import psycopg
address = urllib.parse.urlsplit(os.environ["CARDROOM_DATABASE_URL"])
folder = urllib.parse.parse_qs(address.query)["host"][0]
with psycopg.connect(host=folder, user="cardroom", dbname="postgres") as connection:
    print(folder, connection.execute("SHOW server_version_num").fetchone()[0])
raise SystemExit(7)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A directory for temporary files that the server's account can enter, which pytest's own is not."""
    with tempfile.TemporaryDirectory(prefix="cardroom-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def run_beside_postgres(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.servers", "postgres", "--", *command],
        cwd=PROJECT_DIR,
        env={**os.environ, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_command_finds_the_server_its_status_is_passed_on_and_nothing_stays(folder: Path) -> None:
    done = run_beside_postgres(folder, sys.executable, "-c", ASK)
    assert done.returncode == 7, done.stderr
    home, version = done.stdout.split()
    assert Path(home).parent == folder
    assert int(version) >= 140000
    assert list(folder.iterdir()) == []
    assert not any(home.encode() in _read(path) for path in Path("/proc").glob("[0-9]*/cmdline"))


def test_a_command_that_cannot_be_run_leaves_no_server(folder: Path) -> None:
    assert run_beside_postgres(folder, "/nowhere/nothing").returncode != 0
    assert list(folder.iterdir()) == []


def test_postgres_runs_from_a_copy_where_its_account_cannot_enter_the_checkout(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_open_to_all", lambda _: False)
    server = postgres.Postgres()
    server.directory, server._user = folder, "nobody"
    copied = server._reachable(postgres.postgres_binaries())
    assert copied.is_relative_to(folder)
    done = subprocess.run([copied / "initdb", "--version"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "PostgreSQL" in done.stdout


def test_without_a_command_it_says_how_it_is_used() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.servers", "postgres"],
        cwd=PROJECT_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "usage:" in done.stderr) == (2, True)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
