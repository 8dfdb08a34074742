"""The databases of released versions, upgraded to this one: nothing is changed or lost, and the site goes on.

CONTRIBUTING.md says how a release's database is made. On PostgreSQL it is upgraded under the two roles of docs/deployment.md,
by what `deploy/cardroom-migrate` runs; an SQLite file by `migrate`, as `make run` does.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps

from cardroom.config.environment import PROJECT_DIR
from cardroom.core.commands import COMMANDS
from cardroom.core.row_digests import is_digested, policy_of
from tests.servers.postgres import Postgres
from tests.servers.sites import site_environ

from .databases import (
    KEPT,
    OWNER,
    SITE,
    Entry,
    Rows,
    address,
    changed,
    commands_of,
    connected,
    journal_of_postgresql,
    journal_of_sqlite,
    migrations,
    migrations_of,
    put_back,
    releases,
    roles_made,
    rows_of_postgresql,
    rows_of_sqlite,
    server_with_roles,
    sqlite_put_back,
)

#: Commands of a release that write no journal entry, and why.
WITHOUT_ENTRY: dict[str, str] = {
    f"{kind}_import_check": "says what an import would do, and does nothing"
    for kind in ("players", "providers", "staff")
}
#: Columns whose values a later version changes on purpose, by table: say in which version, and why. None so far.
CHANGED_ON_PURPOSE: dict[str, str] = {}

RELEASES = releases()


@pytest.fixture(params=RELEASES)
def version(request: pytest.FixtureRequest) -> str:
    """Each release in turn."""
    return str(request.param)


def test_a_database_of_each_release_is_kept() -> None:
    text = (PROJECT_DIR / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$", text, re.MULTILINE)
    assert sorted(released) == sorted(RELEASES), "make release-database (CONTRIBUTING.md)"
    for version in RELEASES:
        for name in ("postgresql.sql.xz", "sqlite3.xz"):
            assert 10_000 < (KEPT / version / name).stat().st_size < 1_000_000


def test_the_migrations_of_a_release_are_as_they_were(version: str) -> None:
    now, then = migrations(), migrations_of(version)
    other = [path for path, digest in then.items() if now.get(path) != digest]
    assert then and not other, (
        f"{other} were released in {version}, and are not what they were then: take the change back and add a migration "
        "(make migration APP=… NAME=…), which databases out there have not run yet"
    )


def test_every_command_of_a_release_is_in_the_journal_of_its_database(version: str, tmp_path: Path) -> None:
    file = tmp_path / "cardroom.sqlite3"
    sqlite_put_back(file, version)
    assert_commands_in(journal_of_sqlite(file), version)


def assert_commands_in(journal: set[Entry], version: str) -> None:
    """Each command of a release is carried out by the entry that `commands.json` names, but for those that write none."""
    written = commands_of(version)
    assert len(written) > 180 and {word for _, _, word in journal} & COMMANDS.keys() <= written.keys()
    assert {name for name, entry in written.items() if entry is None} <= WITHOUT_ENTRY.keys()
    gone = [name for name, entry in written.items() if entry is not None and tuple(entry) not in journal]
    assert gone == []


@pytest.fixture
def released(version: str) -> Iterator[Postgres]:
    """A server with the two roles and the database of a release."""
    with server_with_roles() as server:
        roles_made(server)
        put_back(server, version)
        yield server


def done(environ: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """Run a Python program of this checkout, as the operator does."""
    environ = {**environ, "DJANGO_SETTINGS_MODULE": "cardroom.config.settings"}
    return subprocess.run(
        [sys.executable, *words], cwd=PROJECT_DIR, env=environ, capture_output=True, text=True, check=False
    )


def whole(environ: dict[str, str], *words: str) -> str:
    """The same; it has to end well. Returns what it printed."""
    ended = done(environ, *words)
    assert ended.returncode == 0, (
        f"{words} ended with status {ended.returncode}:\n{ended.stdout}\n{ended.stderr}"
    )
    return ended.stdout


@pytest.mark.outside
def test_a_released_database_on_postgresql_is_upgraded_and_played_on(
    released: Postgres, version: str, tmp_path: Path
) -> None:
    before = rows_of_postgresql(released)
    assert_commands_in(journal_of_postgresql(released), version)
    as_owner, as_site = (site_environ(tmp_path, address(released, role)) for role in (OWNER, SITE))
    migrate(as_owner)
    assert_kept(before, rows_of_postgresql(released, before))

    # With a key of its own for the check alone: the release's checkpoints were signed by another, which is not kept.
    deployed = as_site | {"CARDROOM_CHECKPOINT_KEY_FILE": str(tmp_path / "key"), "CARDROOM_HTTPS": "1"}
    deployed |= {
        "CARDROOM_PUBLIC_URL": "https://floor.example.com",
        "CARDROOM_ALLOWED_HOSTS": "floor.example.com",
    }
    whole(deployed, "manage.py", "checkpoint_key")
    checked = done(
        deployed, "manage.py", "check", "--deploy", "--database", "default", "--fail-level", "WARNING"
    )
    assert checked.returncode == 0, checked.stderr
    assert "owns no table" in checked.stderr
    assert "all holds." in whole(as_site, "manage.py", "verify")
    assert_played_on(as_site)


@pytest.mark.outside
def test_a_released_database_of_make_run_is_upgraded_and_played_on(version: str, tmp_path: Path) -> None:
    file = tmp_path / "cardroom.sqlite3"
    sqlite_put_back(file, version)
    before = rows_of_sqlite(file)
    environ = site_environ(tmp_path, None)
    whole(environ, "manage.py", "migrate", "--verbosity", "0")
    assert_kept(before, rows_of_sqlite(file, before))
    assert "all holds." in whole(environ, "manage.py", "verify")
    assert_played_on(environ)


@pytest.mark.outside
def test_migrate_as_the_site_is_refused_and_leaves_the_release_as_it_was(
    released: Postgres, tmp_path: Path
) -> None:
    before = rows_of_postgresql(released)
    ended = done(site_environ(tmp_path, address(released, SITE)), "manage.py", "migrate")
    assert ended.returncode == 1
    assert f"CommandError: {SITE} does not own the tables of this database ({OWNER} does)" in ended.stderr
    assert "Traceback" not in ended.stderr and "cardroom-migrate" in ended.stderr
    assert_kept(before, rows_of_postgresql(released, before))
    migrate(site_environ(tmp_path, address(released, OWNER)))
    assert "all holds." in whole(site_environ(tmp_path, address(released, SITE)), "manage.py", "verify")


@pytest.mark.outside
def test_what_an_auditor_was_granted_on_a_release_is_there_after_the_upgrade(
    released: Postgres, tmp_path: Path
) -> None:
    with connected(released, "site", "postgres") as admin:
        admin.execute("CREATE ROLE auditor LOGIN")
        admin.execute("GRANT SELECT ON rounds, fees, exceptions TO auditor")
        # A view of the auditor's own in another schema, over views that have more columns in later versions.
        admin.execute("CREATE SCHEMA reporting AUTHORIZATION auditor")
    with connected(released, "site", "auditor") as auditor:
        auditor.execute(
            "CREATE VIEW reporting.by_table AS SELECT room, table_number, sum(cents) AS cents, count(DISTINCT round_id) AS rounds "
            "FROM fees JOIN rounds USING (round_id, room, table_number) GROUP BY room, table_number"
        )
        before = auditor.execute("SELECT * FROM reporting.by_table ORDER BY 1, 2").fetchall()
    migrate(site_environ(tmp_path, address(released, OWNER)))
    with connected(released, "site", "auditor") as auditor:
        for view in ("rounds", "fees", "exceptions"):
            row = auditor.execute(f"SELECT count(*) FROM {view}").fetchone()
            assert row is not None and row[0] > 0, view
        assert before == auditor.execute("SELECT * FROM reporting.by_table ORDER BY 1, 2").fetchall() != []
        # Which 0.1.0 did not have.
        auditor.execute("SELECT shift_gaming_day, turn_id FROM rounds")


def migrate(as_owner: dict[str, str]) -> None:
    """What `deploy/cardroom-migrate` runs, in its words."""
    script = (PROJECT_DIR / "deploy" / "cardroom-migrate").read_text(encoding="utf-8")
    commands = re.findall(r"^(?:exec )?\.venv/bin/python (manage\.py .+)$", script, re.MULTILINE)
    assert [command.split()[1] for command in commands] == ["migrate", "grant_site_role"]
    for command in commands:
        whole(as_owner, *command.split())


def assert_kept(before: Rows, after: Rows) -> None:
    """Every row that was there has the same values in every column that was there."""
    assert len(before) > 80 and all(
        rows.digests for table, rows in before.items() if table != "sqlite_sequence"
    )
    assert [table for table in changed(before, after) if table not in CHANGED_ON_PURPOSE] == []


def assert_played_on(environ: dict[str, str]) -> None:
    said = json.loads(whole(environ, "-m", "tests.upgrades.play_on").splitlines()[-1])
    assert said["rounds"] == 3, "one given offline, one whose cards were out before the upgrade, one after it"
    assert said["drop"] > 0


def test_a_column_that_came_after_a_release_is_said_to_where_rows_have_digests(
    version: str, tmp_path: Path
) -> None:
    """Without it the digests of the rows that were there do not hold (`DigestPolicy.later`, docs/verify.md)."""
    file = tmp_path / "cardroom.sqlite3"
    sqlite_put_back(file, version)
    then = {table: set(rows.columns) for table, rows in rows_of_sqlite(file).items()}
    unsaid = [
        f"{model._meta.label}: {field.column}"
        for model in apps.get_models()
        if model._meta.db_table in then and is_digested(model)
        for field in model._meta.concrete_fields
        if field.column
        not in then[model._meta.db_table] | policy_of(model).later.keys() | policy_of(model).columns.keys()
    ]
    assert unsaid == [], (
        "say in the model's digest_policy which value the rows of before have: DigestPolicy(later={…})"
    )
