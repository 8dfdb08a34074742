"""Closed gaming days as Parquet: what is in the files, when they are written, and that a half written one is never taken."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
import time_machine
from django.core.management import CommandError, call_command
from pytest_django import Settings

from cardroom.config.environment import PROJECT_DIR
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.models import JournalEntry, Round, Transfer
from cardroom.jobs.lifecycle import job_run
from cardroom.jobs.models import Job
from cardroom.reports.checkpoints.against import Kept, against_breaks
from cardroom.reports.exports import making
from cardroom.reports.exports.audit import record_breaks
from cardroom.reports.exports.making import export_make, exports_ask
from cardroom.reports.exports.manifest import file_faults, newest
from cardroom.reports.exports.schema import DATASETS, SCHEMA
from cardroom.reports.exports.store import Store, StoreRefused
from cardroom.reports.models import DayExport, PeriodReport
from cardroom.reports.tasks import make_due_reports
from tests.cast import Cast
from tests.kept import kept
from tests.reports.commands import as_superuser
from tests.reports.periods.test_period_reports import DAY, OVER, correct, two_shifts
from tests.verify.signed import keyed, sign_due

#: Views and queries are worded for each database.
pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]
FOLDER = f"cache-slough/{DAY}"


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(OVER, tick=False) as traveller:
        yield traveller


@pytest.fixture
def cast(clock: time_machine.Traveller, db: None) -> Cast:
    """A gaming day of two shifts is over and reported; a round of the first was corrected in the second."""
    cast = kept(two_shifts)
    make_due_reports()
    make_due_reports()
    return cast


@pytest.fixture
def place(settings: Settings, tmp_path: Path) -> Path:
    settings.EXPORT_URL = str(tmp_path / "exports")
    (tmp_path / "exports").mkdir()
    return tmp_path / "exports"


def run_due() -> list[Job]:
    """Ask for what is due, and run it."""
    exports_ask()
    jobs = list(Job.objects.filter(kind="day_export", state="waiting"))
    for job in jobs:
        job_run(job.pk)
        job.refresh_from_db()
    return jobs


def test_a_closed_day_is_written_whole_and_read_by_duckdb_and_pandas(
    cast: Cast, clock: time_machine.Traveller, place: Path
) -> None:
    [job] = run_due()
    assert (job.state, job.error) == ("finished", "")
    made = DayExport.objects.get()
    manifest = (place / FOLDER / "v1" / "manifest.json").read_text()
    assert (made.version, made.manifest, made.manifest_hash) == (
        1,
        manifest,
        hashlib.sha256(manifest.encode()).hexdigest(),
    )
    files = {each["file"]: each for each in json.loads(manifest)["files"]}
    assert set(files) == {dataset.file for dataset in DATASETS}
    for name, said in files.items():
        content = (place / FOLDER / "v1" / name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (said["bytes"], said["sha256"])
        frame = pd.read_parquet(place / FOLDER / "v1" / name)
        assert len(frame) == said["rows"], name
        assert said["rows"] or name == "tips.parquet", name
    entry = JournalEntry.objects.get(command="day_export")
    assert entry.data["manifest"] == made.manifest_hash
    assert entry.data["files"] == {each["name"]: each["sha256"] for each in files.values()}
    total = PeriodReport.objects.get(kind="day").typed_figures["total"]
    said = duckdb.sql(
        f"""SELECT sum(CASE WHEN target = 'drop' THEN cents WHEN source = 'drop' THEN -cents ELSE 0 END)
        FROM '{place}/{FOLDER}/v1/transfers.parquet'"""
    ).fetchall()
    assert said == [(total["drop_expected_cents"],)]
    assert run_due() == []


def test_names_of_people_and_texts_are_in_no_file(
    cast: Cast, clock: time_machine.Traveller, place: Path
) -> None:
    """What erasing a name may leave: ids. Words of a file are codes, names of games, shifts and firms."""
    run_due()
    shown: set[str] = set()
    for dataset in DATASETS:
        frame = pd.read_parquet(place / FOLDER / "v1" / dataset.file)
        for name in frame.select_dtypes(exclude="number").columns:
            shown |= {str(value) for value in frame[name].unique()}
    people = {str(each) for each in cast.people.values()} | {each.name for each in cast.players.values()}
    assert {"cache-slough", "settled"} <= shown
    assert not people & shown and "misread" not in shown


def test_columns_are_of_the_declared_types(cast: Cast, clock: time_machine.Traveller, place: Path) -> None:
    run_due()
    types = {
        "id": "BIGINT", "int": "INTEGER", "cents": "BIGINT", "microseconds": "BIGINT", "text": "VARCHAR", "day": "DATE",
        "flag": "BOOLEAN", "instant": "TIMESTAMP WITH TIME ZONE",
    }  # fmt: skip
    for dataset in DATASETS:
        path = place / FOLDER / "v1" / dataset.file
        described = duckdb.sql(f"DESCRIBE SELECT * FROM '{path}'").fetchall()
        assert [(name, type_) for name, type_, *_ in described] == [
            (column.name, types[column.type]) for column in dataset.columns
        ]
        compressed = duckdb.sql(f"SELECT DISTINCT compression FROM parquet_metadata('{path}')").fetchall()
        assert compressed == [("ZSTD",)] or dataset.name == "tips"
        [[metadata]] = duckdb.sql(
            f"SELECT decode(value) FROM parquet_kv_metadata('{path}') WHERE decode(key) = 'cardroom.schema'"
        ).fetchall()
        assert metadata == str(SCHEMA)
    opened = duckdb.sql(
        f"SELECT opened_utc FROM '{place}/{FOLDER}/v1/rounds.parquet' ORDER BY round_id"
    ).fetchall()
    assert [value for (value,) in opened] == list(
        Round.objects.order_by("pk").values_list("opened_at", flat=True)
    )


def test_every_transfer_of_the_day_is_there_once(
    cast: Cast, clock: time_machine.Traveller, place: Path
) -> None:
    run_due()
    frame = pd.read_parquet(place / FOLDER / "v1" / "transfers.parquet")
    facts = Transfer.objects.order_by("pk").values_list(
        "pk", "kind", "source", "target", "cents", "player_id"
    )
    named = frame[["transfer_id", "kind", "source", "target", "cents", "player_id"]].astype(object)
    assert [tuple(None if pd.isna(cell) else cell for cell in row) for row in named.to_numpy()] == list(facts)


def test_a_restated_day_is_written_again_and_the_former_version_stays(
    cast: Cast, clock: time_machine.Traveller, place: Path
) -> None:
    run_due()
    before = {path: path.read_bytes() for path in (place / FOLDER / "v1").iterdir()}
    restate(cast, clock)
    [job] = run_due()
    assert (job.state, job.cause) == ("finished", "restated")
    assert {path: path.read_bytes() for path in (place / FOLDER / "v1").iterdir()} == before
    second, first = DayExport.objects.filter(gaming_day=DAY)
    said = json.loads((place / FOLDER / "v2" / "manifest.json").read_text())
    assert (said["version"], said["replaces"], said["report"]["revision"]) == (2, first.manifest_hash, 1)
    assert second.report.restates == first.report


def restate(cast: Cast, clock: time_machine.Traveller) -> None:
    """Have somebody correct a round of the day in the next one: the reports of the day are made again."""
    clock.shift(3600)
    cast.send_room(shift_open, "shift_manager", name="Day")
    correct(cast)
    for _ in range(3):
        make_due_reports()


def test_a_day_that_does_not_hold_is_not_written_and_the_job_says_why(
    cast: Cast, clock: time_machine.Traveller, place: Path
) -> None:
    moved = Transfer.objects.filter(target="drop", kind="fee").earliest("pk")
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_transfer SET cents = cents + 100 WHERE id = %s", [moved.pk])
    [job] = run_due()
    assert job.state == "waiting" and "does not hold, and its day is not exported" in job.error
    assert "player_fees_cents of table 7 does not tie out" in job.error and "manage.py verify" in job.error
    assert not list(place.iterdir()) and not DayExport.objects.exists()


def test_a_round_that_the_engine_settles_otherwise_is_named(
    cast: Cast, clock: time_machine.Traveller, place: Path
) -> None:
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_round SET exhausted = true WHERE id = (SELECT MIN(id) FROM floor_round)")
    [job] = run_due()
    assert "its exhausted is not what the engine settles" in job.error


@pytest.mark.parametrize("at", ["files", "record", "manifest"])
def test_what_was_broken_off_is_never_whole_and_is_gone_on_with(
    cast: Cast, clock: time_machine.Traveller, place: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    """A worker is killed between two files, before the database has the export, and before the manifest is written."""

    class Killed(Exception):
        pass

    write = Store.write

    def broken(self: Store, name: str, content: bytes) -> None:
        if (at == "files" and name.endswith("transfers.parquet")) or (
            at == "manifest" and "manifest" in name
        ):
            raise Killed
        write(self, name, content)

    def not_recorded(*args: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Store, "write", broken)
        if at == "record":
            patch.setattr(making, "_recorded", not_recorded)
        [job] = run_due()
    assert (job.state, job.tries) == ("waiting", 1)
    store = Store(str(place))
    assert newest(store, "cache-slough", DAY) is None
    assert DayExport.objects.count() == (at == "manifest")
    if at == "manifest":  # and what it had written is cut off
        path = place / FOLDER / "v1" / "fees.parquet"
        path.write_bytes(path.read_bytes()[:-10])
    clock.shift(120)
    job_run(job.pk)
    job.refresh_from_db()
    assert job.state == "finished"
    whole = newest(store, "cache-slough", DAY)
    assert whole.version == (2 if at == "manifest" else 1)
    assert list(file_faults(store, whole)) == []


def test_a_store_that_a_restored_database_does_not_know_is_not_written_over(
    cast: Cast, clock: time_machine.Traveller, place: Path
) -> None:
    run_due()
    before = (place / FOLDER / "v1" / "manifest.json").read_bytes()
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM reports_dayexport")
    assert export_make(PeriodReport.objects.get(kind="day")).version == 2
    assert (place / FOLDER / "v1" / "manifest.json").read_bytes() == before


def test_the_audit_compares_the_files_with_the_rows(
    cast: Cast, clock: time_machine.Traveller, place: Path
) -> None:
    run_due()
    assert audit() == (0, "1 gaming days of Cache Slough: all holds.")
    folder = place / FOLDER / "v1"
    fees = (folder / "fees.parquet").read_bytes()
    (folder / "fees.parquet").write_bytes(fees[:-1])
    status, said = audit()
    assert (
        status == 1
        and "fees.parquet (gaming day 2026-11-30) has " in said
        and "cut off or written over" in said
    )
    assert "manage.py export_days cache-slough 2026-11-30 --again" in said
    (folder / "fees.parquet").write_bytes(fees)
    manifest = (folder / "manifest.json").read_text()
    (folder / "manifest.json").write_text(manifest.replace('"schema":1', '"schema":2'))
    assert (
        "has schema 2, and this version of the software reads schema 1. Upgrade this software" in audit()[1]
    )
    (folder / "manifest.json").write_text(manifest.replace('"version":1', '"version":1,"x":1'))
    assert "manifest.json of version 1 is not what the journal says" in audit()[1]
    (folder / "manifest.json").unlink()
    assert "version 1 has no manifest.json in the store" in audit()[1]
    (folder / "manifest.json").write_text(manifest)
    with as_superuser() as cursor:
        cursor.execute(
            "UPDATE floor_transfer SET kind = 'rake' WHERE id = (SELECT MIN(id) FROM floor_transfer WHERE kind = 'fee')"
        )
    status, said = audit()
    assert status == 1 and "fees.parquet has " in said and "kind fee is rake now" in said


def audit() -> tuple[int, str]:
    """The exit status of the command, and what it says after which store and database it reads."""
    out = io.StringIO()
    status = 0
    try:
        call_command("audit_exports", "cache-slough", stdout=out)
    except SystemExit as ended:
        status = int(str(ended.code))
    return status, out.getvalue().strip().partition("\n")[2]


def test_verify_and_a_checkpoint_hold_what_was_exported(
    cast: Cast, clock: time_machine.Traveller, place: Path, settings: Settings, tmp_path: Path
) -> None:
    key = keyed(settings, tmp_path)
    run_due()
    made = sign_due()
    exported = DayExport.objects.get()
    [named] = json.loads(made.document)["exports"]
    assert (named["manifest"], named["day"]) == (exported.manifest_hash, DAY.isoformat())
    assert (
        named["files"]["fees"]
        == hashlib.sha256((place / FOLDER / "v1" / "fees.parquet").read_bytes()).hexdigest()
    )
    assert list(record_breaks()) == []
    outside = [Kept("outside", made.signed)]
    assert list(against_breaks(outside, {key})) == []
    with as_superuser() as cursor:
        cursor.execute(
            """UPDATE reports_dayexport SET manifest = replace(manifest, '"version":1', '"version":9')"""
        )
    [found, other, *_] = record_breaks()
    assert (
        "its manifest does not have the fingerprint beside it" in found
        and "the row and its manifest differ" in other
    )
    assert any("names Export of gaming day 2026-11-30" in what for what in against_breaks(outside, {key}))


def test_commands_write_and_name_files_and_refuse_what_they_do_not_know(
    cast: Cast, clock: time_machine.Traveller, place: Path
) -> None:
    out = io.StringIO()
    call_command("export_days", "cache-slough", stdout=out)
    assert "1 gaming days of Cache Slough written, 0 could not be." in out.getvalue()
    call_command("export_days", "cache-slough", "2026-11-30", "--again", stdout=out)
    assert "2026-11-30: version 2" in out.getvalue()
    out = io.StringIO()
    call_command("export_files", "fees", "cache-slough", "2026-11-01", "2026-11-30", stdout=out)
    assert out.getvalue().split() == [str(place / FOLDER / "v2" / "fees.parquet")]
    for words, refusal in (
        (["elsewhere"], "There is no room 'elsewhere'. Rooms of this site: cache-slough, gold-bar."),
        (["cache-slough", "yesterday"], "'yesterday' is no gaming day: write it as 2026-11-20."),
        (["cache-slough", "2026-11-30", "2026-11-01"], "2026-11-01 is before 2026-11-30."),
    ):
        with pytest.raises(CommandError, match=re.escape(refusal)):
            call_command("export_days", *words)


def test_without_a_place_nothing_is_asked_for_and_the_commands_say_what_to_set(
    cast: Cast, clock: time_machine.Traveller, settings: Settings
) -> None:
    settings.EXPORT_URL = None
    assert run_due() == []
    with pytest.raises(CommandError, match="set CARDROOM_EXPORT_URL"):
        call_command("audit_exports", "cache-slough")


def test_a_package_that_is_missing_is_named_with_how_to_install_it(
    cast: Cast, clock: time_machine.Traveller, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    [job] = run_due()
    assert (
        "The Python package fsspec is not installed" in job.error and "requirements-parquet.txt" in job.error
    )


def test_a_place_that_cannot_be_written_is_a_failure_that_says_where(
    cast: Cast, clock: time_machine.Traveller, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "cache-slough").write_text("no directory")
    settings.EXPORT_URL = str(tmp_path)
    [job] = run_due()
    assert job.state == "waiting" and f"v1/rounds.parquet at {tmp_path}: " in job.error


def test_a_place_that_is_away_is_refused_and_never_made(
    cast: Cast, clock: time_machine.Traveller, place: Path
) -> None:
    """A disk that is not mounted lacks the directory: what is written then would be hidden once it is mounted."""
    away = place.with_name("away")
    place.rename(away)
    [job] = run_due()
    assert job.state == "waiting" and job.error.startswith(f"{place} is no directory that is there.")
    assert not place.exists() and not DayExport.objects.exists()
    away.rename(place)
    clock.shift(120)
    job_run(job.pk)
    made = DayExport.objects.get()
    place.rename(away)
    for words in (
        ["audit_exports", "cache-slough"],
        ["export_files", "fees", "cache-slough"],
    ):
        with pytest.raises(CommandError, match="is no directory that is there"):
            call_command(*words)
    with pytest.raises(StoreRefused, match="is no directory that is there"):
        export_make(made.report)  # its manifest is not to be taken for one that is missing
    assert not place.exists() and DayExport.objects.count() == 1


def test_a_place_that_is_taken_away_while_a_file_is_written_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "is_dir", lambda self: True)
    with pytest.raises(StoreRefused, match="Cannot write a/b/c"):
        Store(str(tmp_path / "exports")).write("a/b/c", b"")
    assert not (tmp_path / "exports").exists()


def documented(language: str) -> str:
    """The code of that language in docs/parquet.md, about the room and the day of these tests."""
    [code] = re.findall(
        rf"```{language}\n(.*?)```", (PROJECT_DIR / "docs" / "parquet.md").read_text(), re.DOTALL
    )
    return str(code).replace("alder-creek", "cache-slough")


def fees_of_report() -> dict[str, int]:
    """Cents of the drop's fees of the day by game, as its report has them."""
    games = PeriodReport.objects.get(kind="day", restatement__isnull=True).typed_figures["games"]
    return {game["title"]: game["drop_cents"] for game in games}


def queried(place: str, connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """What the documented query says of the exports at a place: cents by game."""
    rows = connection.execute(documented("sql").replace("/srv/exports", place)).fetchall()
    assert {day for day, _, _ in rows} == {DAY}
    return {game: int(dollars * 100) for _, game, dollars in rows}


def test_the_documented_query_of_duckdb_adds_up_the_newest_version_of_a_day(
    cast: Cast, clock: time_machine.Traveller, place: Path
) -> None:
    run_due()
    before = fees_of_report()
    assert queried(str(place), duckdb.connect()) == before and sum(before.values()) > 0
    restate(cast, clock)
    run_due()
    assert (place / FOLDER / "v2" / "manifest.json").exists()
    assert queried(str(place), duckdb.connect()) == fees_of_report()


def test_the_documented_code_of_pandas_adds_up_the_newest_version_of_a_day(
    cast: Cast,
    clock: time_machine.Traveller,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_due()
    restate(cast, clock)
    run_due()
    monkeypatch.setattr(subprocess, "check_output", run_here)
    found: dict[str, Any] = {}
    exec(documented("python"), found)  # the page's own code
    fees = found["fees"]
    assert found["files"] == [str(place / FOLDER / "v2" / "fees.parquet")]
    assert fees[fees["box"] == "drop"].groupby("game")["cents"].sum().to_dict() == fees_of_report()
    assert str(sum(fees_of_report().values())) in capsys.readouterr().out or len(fees_of_report()) > 1


def run_here(command: list[str], *, text: bool) -> str:
    """Run a command of the site in this process, whose database has the day: what `subprocess.check_output` does elsewhere."""
    assert text and command[:2] == [sys.executable, "manage.py"]
    out = io.StringIO()
    call_command(*command[2:], stdout=out)
    return out.getvalue()
