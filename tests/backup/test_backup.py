"""A site on SQLite is backed up while it runs, and the copy, moved to another database, adds up and is read by its pages."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client

from cardroom.config.databases import database_settings, format_database, opened
from cardroom.config.values import database
from cardroom.floor.models import Shift
from cardroom.ops.backup.copying import CopyRefused
from cardroom.ops.backup.online import sqlite_backup
from cardroom.ops.backup.proving import sqlite_url
from cardroom.people.models import Player, Staff
from cardroom.reports.models import ShiftReport
from tests.cast import Cast

from .conftest import Manage, tallies

pytestmark = [pytest.mark.outside, pytest.mark.real_time, pytest.mark.django_db(transaction=True)]

#: Asks the site, as the compliance officer, for the report of a shift: its status, and its text's digest.
READ = """
import hashlib
from django.test import Client
from cardroom.people.models import Staff
visitor = Client(SERVER_NAME="localhost")
visitor.force_login(Staff.objects.get(username="compliance"))
answer = visitor.get("/shifts/{shift}/report.json")
print(answer.status_code, hashlib.sha256(answer.content).hexdigest())
"""


def read_by_the_site(manage: Manage, url: str) -> str:
    done = manage("shell", "--no-imports", "-c", READ.format(shift=Shift.objects.get().pk), url=url)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("200 ")]
    return line


def read_here(client: Client) -> str:
    client.force_login(Staff.objects.get(username="compliance"))
    answer = client.get(f"/shifts/{Shift.objects.get().pk}/report.json")
    return f"{answer.status_code} {hashlib.sha256(answer.content).hexdigest()}"


@pytest.mark.parametrize("engine", ["on_sqlite", "on_postgres"])
def test_what_was_backed_up_is_moved_into_a_database_adds_up_and_is_read_by_the_site(
    backup: Path, manage: Manage, client: Client, engine: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue(engine)
    before = tallies()
    Player.objects.create(room_id=Shift.objects.get().room_id, name="After the backup")
    done = manage("move_to", url, url=sqlite_url(backup))
    assert (done.returncode, done.stderr) == (0, "")
    with opened("named", database_settings(database(url))) as named:
        assert done.stdout.startswith(
            f"Copying the SQLite file {backup} into the {format_database(named)}.\n"
        )
        granted = "manage.py grant_site_role ROLE" in done.stdout
        assert granted == (named.vendor == "postgresql"), "on PostgreSQL the site cannot start before"
    assert "all holds" in done.stdout
    with opened("restored", database_settings(database(url))):
        assert tallies("restored") == before
        assert ShiftReport.objects.using("restored").get().figures == ShiftReport.objects.get().figures
    assert read_by_the_site(manage, url) == read_here(client)


def test_a_backup_is_a_database_that_the_site_runs_on_and_verifies(
    backup: Path, manage: Manage, client: Client
) -> None:
    url = sqlite_url(backup)
    done = manage("verify", url=url)
    assert done.returncode == 0
    assert done.stdout.startswith(f"Verifying the SQLite file {backup}.\n")
    assert read_by_the_site(manage, url) == read_here(client)


def test_a_backup_in_which_a_figure_was_changed_does_not_verify(
    backup: Path, played: Cast, manage: Manage
) -> None:
    with contextlib.closing(sqlite3.connect(backup, isolation_level=None)) as altered:
        altered.execute("DROP TRIGGER refuse_update_floor_transfer")
        altered.execute(
            "UPDATE floor_transfer SET cents = cents + 1 WHERE id = (SELECT min(id) FROM floor_transfer)"
        )
    done = manage("verify", url=sqlite_url(backup))
    assert done.returncode == 1
    assert "BREAK  " in done.stdout


def test_a_backup_that_was_cut_is_no_database_to_move_from(
    backup: Path, manage: Manage, on_sqlite: str, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.sqlite3"
    cut.write_bytes(backup.read_bytes()[:-50_000])
    text = tmp_path / "text.sqlite3"
    text.write_text("no database, whatever its name says" * 100)
    for file, why in ((cut, "malformed"), (text, "file is not a database")):
        done = manage("move_to", on_sqlite, url=sqlite_url(file))
        assert done.returncode == 1
        assert why in done.stderr
        assert "Traceback" not in done.stderr


def test_a_backup_is_never_written_over(backup: Path, manage: Manage) -> None:
    before = backup.read_bytes()
    done = manage("backup", backup)
    assert done.returncode == 1
    assert "is there already" in done.stderr
    assert backup.read_bytes() == before


def test_a_name_that_is_taken_while_the_backup_is_made_is_left_as_it_is(played: Cast, tmp_path: Path) -> None:
    if connections["default"].vendor != "sqlite":
        pytest.skip("PostgreSQL is backed up by its own means")
    file = tmp_path / "house.sqlite3"
    with pytest.raises(CopyRefused, match="by somebody else"), sqlite_backup(connections["default"], file):
        file.write_text("the other one")
    assert file.read_text() == "the other one"
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_backup_that_cannot_be_written_is_said(played: Cast, manage: Manage, tmp_path: Path) -> None:
    if connections["default"].vendor != "sqlite":
        pytest.skip("PostgreSQL is backed up by its own means")
    done = manage("backup", tmp_path / "nowhere" / "house.sqlite3")
    assert done.returncode == 1
    assert "No backup was written" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_journal_that_does_not_hold_is_backed_up_as_it_is_and_said(
    played: Cast, manage: Manage, tmp_path: Path
) -> None:
    if connections["default"].vendor != "sqlite":
        pytest.skip("PostgreSQL is backed up by its own means")
    with connections["default"].cursor() as cursor:
        cursor.execute("UPDATE floor_table SET chain_seq = chain_seq - 1 WHERE id = %s", [played.table.pk])
    file = tmp_path / "broken.sqlite3"
    done = manage("backup", file)
    assert done.returncode == 1
    assert "the journal does not hold" in done.stderr
    assert f"BREAK  table:{played.table.pk}" in done.stderr
    assert file.exists()


def test_on_postgresql_the_command_names_its_own_way_and_writes_nothing(
    manage: Manage, on_postgres: str, tmp_path: Path
) -> None:
    done = manage("backup", tmp_path / "house.backup", url=on_postgres)
    assert done.returncode == 1
    assert "Nothing was written: the PostgreSQL database" in done.stderr
    assert "docs/deployment.md#backups" in done.stderr
    assert list(tmp_path.iterdir()) == []
