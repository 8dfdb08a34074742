"""The drill: a site is backed up while it runs, restored elsewhere, and the copy adds up and is read by its pages."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client

from cardroom.config.databases import database_settings, format_database, opened
from cardroom.config.values import database
from cardroom.floor.models import Shift
from cardroom.ops.backup.archive import backup_restore
from cardroom.ops.backup.copying import CopyFailed, CopyRefused, tables
from cardroom.ops.backup.tally import tally_of
from cardroom.people.models import Player, Staff
from cardroom.reports.models import ShiftReport
from tests.cast import Cast

from .conftest import Manage, tallies
from .test_move import silent

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


# The archive is the same whichever database it is of, so that the run on PostgreSQL restores it once.
@pytest.mark.parametrize("engine", ["on_sqlite", pytest.param("on_postgres", marks=pytest.mark.postgresql)])
def test_what_was_backed_up_is_restored_adds_up_and_is_read_by_the_site(
    backup: Path, manage: Manage, client: Client, engine: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue(engine)
    before = tallies()
    Player.objects.create(room_id=Shift.objects.get().room_id, name="After the backup")
    done = manage("restore", backup, url=url)
    assert (done.returncode, done.stderr) == (0, "")
    with opened("named", database_settings(database(url))) as named:
        assert done.stdout.startswith(f"Restoring into the {format_database(named)}.\n")
    assert "rows, sums and values as the backup says" in done.stdout
    assert "all holds" in done.stdout
    with opened("restored", database_settings(database(url))) as target:
        assert {model._meta.db_table: tally_of(model, "restored") for model in tables()} == before
        assert ShiftReport.objects.using("restored").get().figures == ShiftReport.objects.get().figures
        with pytest.raises(CopyRefused, match="The target is in use"):
            backup_restore(backup, target, silent)
    assert read_by_the_site(manage, url) == read_here(client)


def test_a_backup_says_what_is_in_it_and_is_its_owners_alone(backup: Path, played: Cast) -> None:
    with zipfile.ZipFile(backup) as archive:
        assert sorted(archive.namelist()) == ["manifest.json", "site.sqlite3"]
        manifest = json.loads(archive.read("manifest.json"))
    assert manifest["tables"] == tallies()
    played.table.refresh_from_db()
    head = {
        "chain": f"table:{played.table.pk}",
        "seq": played.table.chain_seq,
        "hash": played.table.chain_hash,
    }
    assert head in manifest["heads"]


def test_a_backup_is_never_written_over(backup: Path, manage: Manage) -> None:
    before = backup.read_bytes()
    done = manage("backup", backup)
    assert done.returncode == 1
    assert "is there already" in done.stderr
    assert backup.read_bytes() == before


def test_a_backup_that_cannot_be_written_is_said(played: Cast, manage: Manage, tmp_path: Path) -> None:
    done = manage("backup", tmp_path / "nowhere" / "house.backup")
    assert done.returncode == 1
    assert "No backup was written" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_backup_is_refused_and_nothing_is_restored(
    backup: Path, on_sqlite: str, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.backup"
    cut.write_bytes(backup.read_bytes()[:-1000])
    altered = tmp_path / "altered.backup"
    with zipfile.ZipFile(backup) as whole, zipfile.ZipFile(altered, "w") as archive:
        archive.writestr("manifest.json", whole.read("manifest.json"))
        archive.writestr("site.sqlite3", whole.read("site.sqlite3").replace(b"Ana", b"Eva"))
    text = tmp_path / "text.backup"
    text.write_text("no archive")
    for file, why in (
        (cut, "is no backup, or not a whole one"),
        (altered, "is damaged"),
        (text, "is no backup"),
        (tmp_path / "none", "There is no file"),
    ):
        with (
            opened("target", database_settings(database(on_sqlite))) as target,
            pytest.raises(CopyRefused, match=why),
        ):
            backup_restore(file, target, silent)
    assert not (tmp_path / "blank.sqlite3").exists()


def test_a_manifest_that_says_something_else_is_found_before_anything_stays(
    backup: Path, on_sqlite: str, tmp_path: Path
) -> None:
    lying = tmp_path / "lying.backup"
    with zipfile.ZipFile(backup) as whole, zipfile.ZipFile(lying, "w") as archive:
        manifest = json.loads(whole.read("manifest.json"))
        manifest["tables"]["floor_transfer"]["cents"]["cents"] += 1
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr("site.sqlite3", whole.read("site.sqlite3"))
    with opened("target", database_settings(database(on_sqlite))) as target:
        with pytest.raises(CopyFailed, match=r"floor_transfer\.cents: \d+ cents here, \d+ there"):
            backup_restore(lying, target, silent)
        assert tallies("target")["floor_transfer"]["rows"] == 0


def test_a_journal_that_does_not_hold_is_backed_up_as_it_is_and_said(
    played: Cast, manage: Manage, migrated_once: None, tmp_path: Path
) -> None:
    with connections["default"].cursor() as cursor:
        cursor.execute("UPDATE floor_table SET chain_seq = chain_seq - 1 WHERE id = %s", [played.table.pk])
    file = tmp_path / "broken.backup"
    done = manage("backup", file)
    assert done.returncode == 1
    assert "the journal does not hold" in done.stderr
    assert f"BREAK  table:{played.table.pk}" in done.stderr
    assert file.exists()
