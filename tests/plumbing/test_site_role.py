"""The site's role on PostgreSQL: it does the site's work, and can neither change facts nor lift the triggers."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import Error, ProgrammingError, connection, transaction

from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Round, Shift, Transfer
from cardroom.ops.site_role import role_powers
from cardroom.reports.models import ShiftReport
from cardroom.reports.shift.making import shift_report_make
from tests.cast import running_cast, sheet

ROLE = "a_role_of_the_site"
APPEND_ONLY = sorted(
    model._meta.db_table
    for model in apps.get_models()
    if {guard.event for guard in getattr(model, "guards", ()) if guard.when is None} >= {"UPDATE", "DELETE"}
)

pytestmark = pytest.mark.postgresql


@pytest.fixture
def postgresql(db: None) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("roles are a matter of PostgreSQL")


def run(query: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(query)


@pytest.fixture
def site_role(postgresql: None) -> Iterator[str]:
    """The connection commands as the site's role, which was granted what the site needs."""
    run(f"CREATE ROLE {ROLE}")
    call_command("grant_site_role", ROLE, stdout=io.StringIO())
    run(f"SET ROLE {ROLE}")
    yield ROLE
    run("RESET ROLE")


def test_the_sites_role_does_the_work_of_a_shift(site_role: str) -> None:
    cast = running_cast()
    assert cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 2000}))
    shift = Shift.objects.get()
    cast.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
    assert shift_report_make(shift.pk).figures["total"]["rounds_settled"] == 1
    out = io.StringIO()
    call_command("verify", stdout=out)
    assert "all holds." in out.getvalue()


def test_the_sites_role_does_the_work_of_a_day(site_role: str) -> None:
    """Counts, tips, waivers, voids and corrections too, as a simulated day has them, and its reports."""
    options = {"days": 1, "tables": 1, "seed": 3, "rounds_per_hour": 4, "always_open": True, "reports": True}
    call_command("simulate", **options, room=ROLE.replace("_", "-"), stdout=io.StringIO())
    assert ShiftReport.objects.count() == 3
    assert Round.objects.filter(state=Round.State.SETTLED).count() > 50


def test_the_sites_role_changes_no_fact_and_lifts_no_trigger(site_role: str) -> None:
    cast = running_cast()
    cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
    assert Transfer.objects.exists()
    table = Transfer._meta.db_table
    refused = {
        f"UPDATE {table} SET cents = cents + 1": "permission denied",
        f"DELETE FROM {table}": "permission denied",
        f"TRUNCATE {table} CASCADE": "permission denied",
        f"ALTER TABLE {table} DISABLE TRIGGER ALL": "must be owner",
        f"DROP TRIGGER refuse_update_{table} ON {table}": "must be owner",
        f"ALTER TABLE {table} DROP CONSTRAINT a_transfer_moves_something": "must be owner",
        f"DROP TABLE {table} CASCADE": "must be owner",
        f"CREATE OR REPLACE FUNCTION refuse_update_{table}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'": "permission denied for schema",
        "SET session_replication_role = replica": "permission denied",
        "CREATE TABLE of_my_own (id int)": "permission denied",
    }
    for query, text in refused.items():
        with pytest.raises(ProgrammingError, match=text):
            run(query)
    # A settled round refuses by its trigger: the role may update rounds, as those in play change.
    with pytest.raises(Error, match="a settled or void round never changes"):
        run(f"UPDATE {Round._meta.db_table} SET taken_cents = 0")


def test_no_append_only_table_may_be_changed_by_the_sites_role(site_role: str) -> None:
    allowed = {}
    with connection.cursor() as cursor:
        for table in APPEND_ONLY:
            may = []
            for word in ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE"):
                cursor.execute("SELECT has_table_privilege(%s, %s)", [table, word])
                if cursor.fetchone()[0]:
                    may.append(word)
            allowed[table] = may
    assert allowed == {table: ["SELECT", "INSERT"] for table in APPEND_ONLY}


def test_the_check_of_a_deployment_says_which_of_the_two_roles_it_is(postgresql: None) -> None:
    def said() -> list[str]:
        found = run_checks(tags=["database"], include_deployment_checks=True, databases=["default"])
        return [str(message.id) for message in found if str(message.id).startswith("cardroom.")]

    assert said() == ["cardroom.W001"], "the tests' own role owns the tables"
    run(f"CREATE ROLE {ROLE}")
    call_command("grant_site_role", ROLE, stdout=io.StringIO())
    try:
        run(f"SET ROLE {ROLE}")
        assert said() == ["cardroom.I001"]
        assert role_powers(connection).owned == ()
    finally:
        run("RESET ROLE")
    run(f"GRANT TRUNCATE ON {Transfer._meta.db_table} TO {ROLE}")
    try:
        run(f"SET ROLE {ROLE}")
        assert said() == ["cardroom.W001"]
    finally:
        run("RESET ROLE")
    call_command("grant_site_role", ROLE, stdout=io.StringIO())
    try:
        run(f"SET ROLE {ROLE}")
        assert said() == ["cardroom.I001"], "granting anew takes every other privilege away"
    finally:
        run("RESET ROLE")


def test_granting_is_refused_for_a_role_that_is_not_there_and_for_the_owner(postgresql: None) -> None:
    with pytest.raises(CommandError, match="There is no role 'nobody_here'"):
        call_command("grant_site_role", "nobody_here")
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        (own,) = cursor.fetchone()
    with pytest.raises(CommandError, match="Sign in as the owner of the tables"):
        call_command("grant_site_role", own)


def test_on_sqlite_the_check_says_that_the_file_can_be_altered(db: None) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("of SQLite alone")
    found = run_checks(tags=["database"], include_deployment_checks=True, databases=["default"])
    assert "cardroom.W002" in [message.id for message in found]
    with pytest.raises(CommandError, match="Roles are a matter of PostgreSQL"):
        call_command("grant_site_role", ROLE)


def test_append_only_tables_are_found() -> None:
    assert Transfer._meta.db_table in APPEND_ONLY
    assert len(APPEND_ONLY) > 10
