"""A site that was played in, and real databases that hold nothing yet."""

from __future__ import annotations

import base64
import contextlib
import datetime
import io
import sqlite3
import stat
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from pytest_django import DjangoDbBlocker

from cardroom.config.databases import database_settings, opened
from cardroom.config.environment import PROJECT_DIR
from cardroom.config.values import database
from cardroom.floor.commands.filed_documents import game_document_attach
from cardroom.floor.commands.filings import games
from cardroom.floor.commands.shifts import shift_close
from cardroom.ops.backup.copying import tables
from cardroom.ops.backup.proving import sqlite_url
from cardroom.ops.backup.tally import Tally, tally_of
from cardroom.reports.shift.making import shift_report_make
from tests.cast import Cast
from tests.databases import tables_made
from tests.kept import kept
from tests.reports.played_shift import play_shift
from tests.servers.postgres import Postgres

Manage = Callable[..., "Done"]
Tallies = dict[str, Tally]


@pytest.fixture(scope="package")
def postgres() -> Iterator[Postgres]:
    with Postgres() as server:
        yield server


@pytest.fixture
def blank_postgres(postgres: Postgres) -> str:
    """The address of a new PostgreSQL database without a table."""
    return _created(postgres)


@pytest.fixture(scope="package")
def migrated(postgres: Postgres, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> str:
    """The name of a database that was migrated and never used, to make others like it."""
    url = _created(postgres, "migrated")
    with django_db_blocker.unblock(), opened("migrated", database_settings(database(url))):
        tables_made("migrated")
    return "migrated"


@pytest.fixture(scope="package")
def migrated_file(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Path:
    """An SQLite file that was migrated and never used."""
    file = tmp_path_factory.mktemp("migrated") / "migrated.sqlite3"
    with django_db_blocker.unblock(), opened("migrated", database_settings(database(sqlite_url(file)))):
        tables_made("migrated")
    return file


@pytest.fixture
def migrated_once(migrated_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a copy begin with tables that were made once, where it would run all migrations on a blank SQLite file."""

    def migrate(command: str, *, database: str, **options: object) -> None:
        target = connections[database]
        if target.introspection.table_names():
            return  # migrated before
        assert (command, target.vendor) == ("migrate", "sqlite")
        with contextlib.closing(sqlite3.connect(migrated_file)) as tables:
            tables.backup(target.connection)

    monkeypatch.setattr("cardroom.ops.backup.copying.call_command", migrate)


@pytest.fixture
def on_postgres(postgres: Postgres, migrated: str) -> str:
    """The address of a new PostgreSQL database that was migrated and never used."""
    return _created(postgres, template=migrated)


def _created(postgres: Postgres, name: str | None = None, *, template: str = "template1") -> str:
    name = name or f"new_{uuid.uuid4().hex[:12]}"
    folder = str(postgres.directory)
    with psycopg.connect(host=folder, user="cardroom", dbname="postgres", autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return f"postgresql://cardroom@/{name}?host={folder}"


@pytest.fixture
def on_sqlite(tmp_path: Path) -> str:
    """The address of an SQLite file that is not there yet."""
    return sqlite_url(tmp_path / "blank.sqlite3")


@pytest.fixture
def played(transactional_db: None) -> Cast:
    """A shift in which everything happens, closed, with its report. It is over, and may be some minutes old."""
    return kept(played_out, fresh=datetime.timedelta(minutes=20))


def played_out() -> Cast:
    cast = Cast()
    shift = play_shift(cast)
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
    shift_report_make(shift.pk)
    drafted = cast.send_room(games.draft, "compliance", number=9, rulebook="california")
    named = {"game_id": drafted["game"], "digest": drafted["digest"], "name": "approval.pdf"}
    content = base64.b64encode(b"%PDF-1.7\n%%EOF\n").decode()
    cast.send_room(game_document_attach, "compliance", **named, content=content)
    return cast


def tallies(alias: str = "default") -> Tallies:
    return {model._meta.db_table: tally_of(model, alias) for model in tables()}


@pytest.fixture
def backup(played: Cast, manage: Manage, tmp_path: Path) -> Path:
    """A backup of the site that was played in."""
    if connections["default"].vendor != "sqlite":
        pytest.skip("PostgreSQL is backed up by its own means")
    file = tmp_path / "house.backup.sqlite3"
    done = manage("backup", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert "all holds" in done.stdout
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    return file


class Done(NamedTuple):
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def manage(site_environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Manage:
    """Run a command of `manage.py` here, on this test's database; with `url`, in a process of its own on that one.

    What the command itself starts in a process of its own finds the same database.
    """
    for name in ("CARDROOM_DATABASE_URL", "DJANGO_SETTINGS_MODULE"):
        monkeypatch.setenv(name, site_environ[name])

    def run(*arguments: str | Path, url: str | None = None, given: str = "") -> Done:
        if url is not None:
            done = subprocess.run(
                [sys.executable, PROJECT_DIR / "manage.py", *arguments],
                cwd=PROJECT_DIR,
                env={**site_environ, "CARDROOM_DATABASE_URL": url},
                capture_output=True,
                text=True,
                check=False,
            )
            return Done(done.returncode, done.stdout, done.stderr)
        monkeypatch.setattr(sys, "stdin", io.StringIO(given))
        out = io.StringIO()
        try:
            call_command(*map(str, arguments), stdout=out)
        except CommandError as refusal:
            return Done(1, out.getvalue(), str(refusal))
        return Done(0, out.getvalue(), "")

    return run
