"""Reports from a real streaming standby: never outdated, never written to, and from the database where it is away."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import InternalError, OperationalError, connection, connections, transaction
from django.test import override_settings
from django.utils import timezone

from cardroom.config import replica
from cardroom.config.databases import database_settings, opened, replica_settings
from cardroom.config.environment import EnvironmentRefused, read_environment
from cardroom.config.replica import REPLICA, ReplicaRouter, ReplicaWritten, read_from_replica
from cardroom.config.values import Database
from cardroom.core.reading import read_reports
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Round, Shift, Table
from cardroom.jobs.lifecycle import job_run
from cardroom.jobs.models import Job
from cardroom.ops.replica_check import check_replica
from cardroom.people.models import Staff
from cardroom.reports.background.limits import draw
from cardroom.reports.background.overview import background_of
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.commands.background_reports import background_report_start
from cardroom.reports.queries.query import ReportQuery
from cardroom.rooms.models import Room
from tests.cast import Cast, running_cast
from tests.servers.postgres import Postgres, Standby

pytestmark = [
    pytest.mark.outside,
    pytest.mark.postgresql,
    pytest.mark.alone,
    pytest.mark.django_db(transaction=True),
]

FROM_STANDBY, FROM_DATABASE = "Read from the standby, which had everything", "Read from the database itself: "


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[Standby]:
    """A standby of the server that the suite runs on."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no standby")
    host = connections.settings["default"]["HOST"]
    if not host.startswith("/"):
        pytest.skip("the suite's server is not on this machine: no standby of it can be made")
    with Standby(host) as standby:
        yield standby


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return running_cast()


def database_of(server: Postgres) -> Database:
    default = connections.settings["default"]
    return Database(
        engine="postgresql", name=default["NAME"], user="cardroom", host=str(server.directory), options={}
    )


@pytest.fixture
def standby(server: Standby, cast: Cast) -> Iterator[Standby]:
    """The site with that standby, as CARDROOM_REPLICA_URL sets it."""
    with at(server):
        yield server
    server.psql("SELECT pg_wal_replay_resume()")


@contextlib.contextmanager
def at(server: Postgres) -> Iterator[None]:
    """The site with a standby at a server."""
    with (
        opened(REPLICA, replica_settings(database_of(server))),
        override_settings(HAS_REPLICA=True, DATABASE_ROUTERS=[ReplicaRouter()]),
    ):
        yield


def rounds_report(cast: Cast) -> Any:
    """A report of today that goes through rounds."""
    shift = Shift.objects.get()
    query = ReportQuery(
        room=cast.room,
        first=shift.gaming_day,
        last=shift.gaming_day,
        staff=cast.people["compliance"],
        now=timezone.now(),
    )
    return draw(REPORTS["rotation"], query)


def notes(document: Any) -> str:
    return " ".join(document.notes)


def test_a_report_is_read_from_the_standby_with_what_was_just_recorded(cast: Cast, standby: Standby) -> None:
    cast.play({4: 1000})
    assert FROM_STANDBY in notes(from_standby := rounds_report(cast))
    with override_settings(HAS_REPLICA=False):
        from_database = rounds_report(cast)
    assert from_standby.grids == from_database.grids
    assert (from_standby.answers, from_database.notes) == (from_database.answers, from_standby.notes[:-1])


def test_a_standby_that_is_behind_is_not_read_from_and_it_is_said(cast: Cast, standby: Standby) -> None:
    standby.psql("SELECT pg_wal_replay_pause()")
    cast.play({4: 1000})
    document = rounds_report(cast)
    assert FROM_DATABASE + "the standby is " in notes(document) and " bytes behind it" in notes(document)
    assert any(grid.rows for grid in document.grids), "the round that the standby lacks is on it"
    with pytest.raises(replica.NotLevel, match="bytes behind"), read_from_replica(0.1):
        pass


def test_a_standby_that_comes_after_is_waited_for(cast: Cast, standby: Standby) -> None:
    standby.psql("SELECT pg_wal_replay_pause()")
    cast.play({4: 1000})

    def resumed() -> None:
        time.sleep(0.5)
        standby.psql("SELECT pg_wal_replay_resume()")

    resuming = threading.Thread(target=resumed)
    resuming.start()
    begun = time.monotonic()
    with read_from_replica(10) as level:
        assert Round.objects.filter(ended_at__isnull=False).count() == 1
    resuming.join()
    assert time.monotonic() - begun > 0.4 and level.is_reached and level.last_at is not None


def test_a_report_of_a_closed_shift_is_never_of_a_standby_before_its_closing(
    cast: Cast, standby: Standby
) -> None:
    cast.play({4: 1000})
    standby.psql("SELECT pg_wal_replay_pause()")
    cast.send_room(shift_close, "shift_manager", shift_id=Shift.objects.get().pk, confirmed=True)
    with pytest.raises(replica.NotLevel), read_from_replica(0.1):
        pass
    closed, source = read_reports(lambda: Shift.objects.get().closed_at, 0.1)
    assert closed is not None and source.startswith(FROM_DATABASE)
    standby.psql("SELECT pg_wal_replay_resume()")
    closed, source = read_reports(lambda: Shift.objects.get().closed_at, 10)
    assert closed is not None and source.startswith(FROM_STANDBY)


def test_nothing_is_written_while_the_standby_is_read_from(cast: Cast, standby: Standby) -> None:
    table = cast.table
    with read_from_replica(10):
        with pytest.raises(ReplicaWritten, match="would be written while reports are read"):
            Table.objects.filter(pk=table.pk).update(version=0)
        with pytest.raises(ReplicaWritten):
            table.save()
        with pytest.raises(ReplicaWritten):
            Table.objects.select_for_update().get(pk=table.pk)
        with pytest.raises(ReplicaWritten):
            cast.play({4: 1000})
        read = Table.objects.get(pk=table.pk)
    assert read._state.db == REPLICA
    with pytest.raises(ReplicaWritten, match="that was read from the standby would be written"):
        read.save()
    with pytest.raises(ValueError, match="router prevents this relation"):
        table.room = read.room.__class__.objects.using(REPLICA).get(pk=read.room_id)
    assert not Round.objects.exists()


def test_the_connection_and_the_server_refuse_a_write_too(cast: Cast, standby: Standby) -> None:
    with pytest.raises(InternalError, match="read-only transaction"), connections[REPLICA].cursor() as cursor:
        cursor.execute("UPDATE floor_table SET version = 0")
    itself = dataclasses.replace(database_of(standby), host=connections.settings["default"]["HOST"])
    with (
        opened("itself", replica_settings(itself)) as written,
        written.cursor() as cursor,
        pytest.raises(InternalError, match="read-only transaction"),
    ):
        cursor.execute("UPDATE floor_table SET version = 0")


def test_what_is_read_after_the_block_is_of_the_database(cast: Cast, standby: Standby) -> None:
    with read_from_replica(10):
        table = Table.objects.get(pk=cast.table.pk)
    assert (table.room._state.db, table.rounds.db) == ("default", "default")


def test_a_standby_that_is_away_leaves_the_report_to_the_database(cast: Cast, server: Standby) -> None:
    cast.play({4: 1000})
    with Standby(connections.settings["default"]["HOST"]) as gone, at(gone):
        assert FROM_STANDBY in notes(rounds_report(cast))
        gone.stop()
        begun = time.monotonic()
        assert FROM_DATABASE + "the standby did not answer" in notes(rounds_report(cast))
        assert time.monotonic() - begun < 5
        [warning] = check_replica(["default"])
        assert warning.id == "cardroom.W006"


def test_a_standby_that_was_promoted_is_none_any_more(cast: Cast) -> None:
    """Not even by the bytes of its log, which go on."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no standby")
    with Standby(connections.settings["default"]["HOST"]) as other, at(other):
        assert check_replica(["default"]) == []
        other.psql("SELECT pg_promote()")
        with transaction.atomic(using=REPLICA):
            assert Room.objects.using(REPLICA).exists()
        assert "it takes writes of its own" in notes(rounds_report(cast))
        [fault] = check_replica(["default"])
        assert (fault.id, "takes writes of its own" in str(fault.msg)) == ("cardroom.E006", True)


def test_a_standby_that_does_not_follow_the_promoted_one_is_not_read_from(
    cast: Cast, standby: Standby
) -> None:
    """After a failover it may hold what was lost, further on in the log than the new database is."""
    with Standby(connections.settings["default"]["HOST"]) as promoted:
        promoted.psql("SELECT pg_promote()")
        with opened("promoted", database_settings(database_of(promoted))) as database:
            position = replica.position_of(database)
            with pytest.raises(
                replica.NotLevel, match="does not follow the database yet, which was promoted"
            ):
                replica.level_of(connections[REPLICA], position)
    with pytest.raises(replica.NotLevel, match="the database is a standby itself"):
        replica.position_of(connections[REPLICA])


def test_check_names_another_database(cast: Cast) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no standby")
    with Postgres() as other:
        import psycopg

        with psycopg.connect(
            host=str(other.directory), user="cardroom", dbname="postgres", autocommit=True
        ) as admin:
            admin.execute(f"CREATE DATABASE {connections.settings['default']['NAME']}")
        with at(other):
            [fault] = check_replica(["default"])
            assert "the standby is one of another database" in str(fault.msg)
            assert "the standby is one of another database" in notes(rounds_report(cast))


def test_the_page_of_the_background_says_how_far_it_is(cast: Cast, standby: Standby) -> None:
    until = time.monotonic() + 10
    while (said := background_of(cast.room, timezone.now()).standby) != "level":
        assert said.endswith(" bytes behind") and time.monotonic() < until
    standby.psql("SELECT pg_wal_replay_pause()")
    cast.play({4: 1000})
    assert background_of(cast.room, timezone.now()).standby.endswith(" bytes behind")
    with override_settings(HAS_REPLICA=False):
        assert background_of(cast.room, timezone.now()).standby == ""


def test_a_background_report_notes_how_far_it_is_and_where_it_was_read(cast: Cast, standby: Standby) -> None:
    cast.play({4: 1000})
    day = Shift.objects.get().gaming_day
    cast.send_room(background_report_start, "compliance", report="rotation", options={}, first=day, last=day)
    job = Job.objects.get(kind="background_report")
    assert job_run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done) == ("finished", 1), job.error
    assert job.result is not None and job.result["notes"][-1].startswith(FROM_STANDBY)


def test_a_reading_that_the_standby_breaks_off_is_done_by_the_database(cast: Cast, standby: Standby) -> None:
    """As where replay has to go on ("canceling statement due to conflict with recovery")."""
    calls = []

    def work() -> str:
        calls.append(replica.reading_alias())
        if calls[-1] == REPLICA:
            raise OperationalError("canceling statement due to conflict with recovery")
        return "whole"

    assert read_reports(work) == ("whole", FROM_DATABASE + "the standby did not answer.")
    assert calls == [REPLICA, "default"]


def test_verify_proves_the_standby(cast: Cast, standby: Standby) -> None:
    cast.play({4: 1000})
    out = io.StringIO()
    call_command("verify", replica=True, stdout=out)
    assert "Verifying the standby, PostgreSQL database" in out.getvalue() and "all holds" in out.getvalue()
    standby.psql("SELECT pg_wal_replay_pause()")
    Staff.objects.filter(pk=cast.people["dealer"].pk).update(first_name="Forged")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cardroom.reports.management.commands.verify.PATIENTLY", 0.1)
        with pytest.raises(CommandError, match=r"The standby was not verified.*bytes behind"):
            call_command("verify", replica=True, stdout=io.StringIO())


def test_verify_says_that_there_is_no_standby(db: None) -> None:
    with pytest.raises(CommandError, match="CARDROOM_REPLICA_URL is not set"):
        call_command("verify", replica=True, stdout=io.StringIO())


def test_the_empty_page_at_the_end_of_the_log_is_no_lag() -> None:
    page, segment = 8192, 16 * 1024 * 1024
    assert replica._without_header(segment + 40, page, segment) == segment
    assert replica._without_header(segment + page + 24, page, segment) == segment + page
    assert replica._without_header(segment + page + 40, page, segment) == segment + page + 40, (
        "a record ends there"
    )


def test_a_standby_of_a_file_is_refused() -> None:
    key = "k" * 20 + "0123456789" * 4
    with pytest.raises(EnvironmentRefused, match="CARDROOM_REPLICA_URL needs PostgreSQL"):
        read_environment({"CARDROOM_SECRET_KEY": key, "CARDROOM_REPLICA_URL": "postgresql://a:b@localhost/c"})
