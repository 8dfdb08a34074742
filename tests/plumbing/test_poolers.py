"""The site behind PgBouncer, and on several servers of which one takes writes: real programs."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import Error, InternalError, ProgrammingError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from cardroom.config.databases import database_settings, leave_read_only_servers, opened
from cardroom.config.values import database
from cardroom.core.site_rights import is_waiting_for_standby
from cardroom.ops.pooling_check import check_pooling, pools_transactions
from tests.servers.ports import free_port
from tests.servers.postgres import DURABLE, Postgres

pytestmark = [pytest.mark.outside, pytest.mark.django_db]


@pytest.fixture
def server() -> Iterator[Postgres]:
    with Postgres() as running:
        yield running


@pytest.fixture
def pgbouncer(server: Postgres, request: pytest.FixtureRequest) -> Iterator[str]:
    """PgBouncer in the pool mode that the test asks for, before the server; the address that leads through it."""
    program = shutil.which("pgbouncer")
    if program is None:
        pytest.skip("PgBouncer is not installed (Debian: apt-get install pgbouncer)")
    port = free_port()
    assert server.directory is not None
    (server.directory / "users.txt").write_text('"cardroom" ""\n')
    (server.directory / "pgbouncer.ini").write_text(
        f"[databases]\ncardroom = host={server.directory} user=cardroom dbname=postgres\n[pgbouncer]\n"
        f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        f"auth_file = {server.directory}/users.txt\npool_mode = {request.param}\ndefault_pool_size = 5\nquery_wait_timeout = 10\n"
    )
    as_user = [f"--user={server.directory.owner()}"] if os.geteuid() == 0 else []
    running = subprocess.Popen(
        [program, "--quiet", *as_user, str(server.directory / "pgbouncer.ini")], stderr=subprocess.DEVNULL
    )
    try:
        _wait_for(port)
        yield f"postgresql://cardroom@127.0.0.1:{port}/cardroom"
    finally:
        running.terminate()
        running.wait()


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("PgBouncer does not listen")


@pytest.fixture
def by_pgbouncer(pgbouncer: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The default database is the one behind PgBouncer, with what the settings prepare on PostgreSQL."""
    entry = database_settings(database(pgbouncer))
    entry["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 3}
    whole = {**connections.settings["default"], **entry}
    monkeypatch.setitem(connections.settings, "default", whole)
    with opened("through", entry) as through:
        monkeypatch.setattr("cardroom.ops.pooling_check.connections", {"default": through})
        yield


@pytest.mark.parametrize(
    ("pgbouncer", "shares"), [("session", False), ("transaction", True)], indirect=["pgbouncer"]
)
@pytest.mark.usefixtures("by_pgbouncer")
def test_the_check_tells_a_pooler_that_shares_connections_from_one_that_does_not(
    shares: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pools_transactions() is shares
    assert [found.id for found in check_pooling(["default"])] == (["cardroom.E002"] if shares else [])
    monkeypatch.setattr(settings, "TRANSACTION_POOLING", True)
    assert check_pooling(["default"]) == []


@pytest.mark.parametrize("pgbouncer", ["transaction"], indirect=True)
@pytest.mark.parametrize("prepared", [3, None])
def test_statements_are_prepared_on_connections_that_last_alone(pgbouncer: str, prepared: int | None) -> None:
    """The control is what the setting is for: prepared on one server process, asked of another."""
    entry = database_settings(database(pgbouncer))
    entry["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": prepared}
    with opened("one", entry) as one, opened("other", entry) as other:
        try:
            for _ in range(8):
                for each in (one, other):
                    with each.cursor() as cursor:
                        cursor.execute("SELECT %s::int", [7])
                        assert cursor.fetchone() == (7,)
        except (Error, ProgrammingError):
            assert prepared is not None
        else:
            assert prepared is None


def test_of_several_servers_the_one_that_takes_writes_is_used_also_after_they_have_changed_places() -> None:
    with Postgres() as first, Postgres() as second:
        ask(second, "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
        url = f"postgresql://cardroom@/postgres?host={first.directory},{second.directory}&target_session_attrs=read-write"
        with opened("either", database_settings(database(url))) as either:
            leave_read_only_servers(either)
            with either.cursor() as cursor:
                cursor.execute("CREATE TABLE on_first (id int)")
            ask(first, "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
            ask(
                second,
                "SET default_transaction_read_only = off",
                "ALTER SYSTEM RESET ALL",
                "SELECT pg_reload_conf()",
            )
            with pytest.raises(InternalError, match="read-only"):
                write_until_refused(either)
            either.close()
            with either.cursor() as cursor:
                cursor.execute("CREATE TABLE on_second (id int)")
        assert asked(second, "SELECT relname FROM pg_class WHERE relname LIKE 'on_%'") == ["on_second"]


def test_commits_that_wait_for_a_standby_that_is_away_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardroom.core.site_rights._STANDBY_SECONDS", 0)
    with (
        Postgres(settings={**DURABLE, "synchronous_standby_names": "nobody"}) as server,
        opened("watching", database_settings(database(_address(server)))) as watching,
    ):
        assert not is_waiting_for_standby(watching)
        writing = threading.Thread(target=ask, args=(server, "CREATE TABLE waited (id int)"))
        writing.start()
        deadline = time.monotonic() + 20
        while not is_waiting_for_standby(watching):
            assert time.monotonic() < deadline, "no commit waits"
            time.sleep(0.05)
        ask(server, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        writing.join(timeout=20)
        assert not is_waiting_for_standby(watching)


def write_until_refused(connection: BaseDatabaseWrapper) -> None:
    """A server reads its settings anew some time after it was told to."""
    with connection.cursor() as cursor:
        for number in range(10_000):
            cursor.execute(f"CREATE TABLE written_{number} (id int)")


def _address(server: Postgres) -> str:
    """The database that a new server has by itself."""
    return f"postgresql://cardroom@/postgres?host={server.directory}"


def ask(server: Postgres, *queries: str) -> None:
    with opened("asking", database_settings(database(_address(server)))) as asking, asking.cursor() as cursor:
        for query in queries:
            cursor.execute(query)


def asked(server: Postgres, query: str) -> list[str]:
    with opened("asking", database_settings(database(_address(server)))) as asking, asking.cursor() as cursor:
        cursor.execute(query)
        return [row[0] for row in cursor.fetchall()]
