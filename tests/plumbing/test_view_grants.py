"""What an operator granted on views and tables is there after `migrate` and `grant_site_role`; the site's role may not migrate."""

from __future__ import annotations

import io

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from cardroom.core.sql_views import drop_views, make_views, registered_views
from tests.sql import asked, run

pytestmark = pytest.mark.postgresql

AUDITOR, SITE = "an_auditor_of_the_tests", "a_site_of_the_tests"


@pytest.fixture
def auditor(db: None) -> str:
    """A role that may read one view, hand that on, read two columns of another view, and read a table; everybody a third view."""
    if connection.vendor != "postgresql":
        pytest.skip("roles are a matter of PostgreSQL")
    run(f"CREATE ROLE {AUDITOR}")
    run(f"GRANT SELECT ON rounds TO {AUDITOR} WITH GRANT OPTION")
    run(f"GRANT SELECT (gaming_day, cents) ON fees TO {AUDITOR}")
    run("GRANT SELECT ON tips TO PUBLIC")
    run(f"GRANT SELECT ON floor_round TO {AUDITOR}")
    return AUDITOR


def may_read() -> dict[str, bool]:
    return {
        "rounds": asked(f"SELECT has_table_privilege('{AUDITOR}', 'rounds', 'SELECT WITH GRANT OPTION')"),
        "cents of fees": asked(f"SELECT has_column_privilege('{AUDITOR}', 'fees', 'cents', 'SELECT')"),
        "players of fees": asked(f"SELECT has_column_privilege('{AUDITOR}', 'fees', 'player', 'SELECT')"),
        "tips": asked(f"SELECT has_table_privilege('{AUDITOR}', 'tips', 'SELECT')"),
        "counts": asked(f"SELECT has_table_privilege('{AUDITOR}', 'counts', 'SELECT')"),
        "the table of rounds": asked(f"SELECT has_table_privilege('{AUDITOR}', 'floor_round', 'SELECT')"),
    }


GRANTED = {
    "rounds": True,
    "cents of fees": True,
    "players of fees": False,
    "tips": True,
    "counts": False,
    "the table of rounds": True,
}


def views_there() -> int:
    names = ", ".join(f"'{view.name}'" for view in registered_views())
    return int(
        asked(f"SELECT count(*) FROM pg_views WHERE schemaname = current_schema() AND viewname IN ({names})")
    )


def before_migrate() -> None:
    for app in apps.get_app_configs():
        drop_views(app, using="default")


def after_migrate() -> None:
    for app in apps.get_app_configs():
        make_views(app, using="default")


def test_grants_are_there_after_migrate_and_grant_site_role(auditor: str) -> None:
    assert may_read() == GRANTED
    before_migrate()
    assert views_there() == 0
    after_migrate()
    assert (views_there(), may_read()) == (len(registered_views()), GRANTED)
    call_command("migrate", verbosity=0)
    run(f"CREATE ROLE {SITE}")
    call_command("grant_site_role", SITE, stdout=io.StringIO())
    assert may_read() == GRANTED


def test_grants_are_there_after_a_migrate_that_failed_and_was_run_again(auditor: str) -> None:
    before_migrate()
    before_migrate()  # by the process that runs it again: there is no view to read grants from
    after_migrate()
    assert may_read() == GRANTED
    assert asked("SELECT obj_description('django_migrations'::regclass)") is None


def test_what_an_operator_wrote_on_the_table_of_migrations_stays(auditor: str) -> None:
    run("COMMENT ON TABLE django_migrations IS 'looked at on Monday'")
    before_migrate()
    noted = asked("SELECT obj_description('django_migrations'::regclass)")
    assert noted.startswith("looked at on Monday") and AUDITOR in noted
    after_migrate()
    assert asked("SELECT obj_description('django_migrations'::regclass)") == "looked at on Monday"


def test_a_role_that_is_gone_meanwhile_gets_nothing_and_the_others_have_theirs(auditor: str) -> None:
    run(f"GRANT SELECT ON counts TO {auditor}")
    run(f"CREATE ROLE {SITE}")
    run(f"GRANT SELECT ON rounds TO {SITE}")
    before_migrate()
    run(f"DROP ROLE {SITE}")
    after_migrate()
    assert may_read() == {**GRANTED, "counts": True}


def test_migrate_with_nothing_to_do_leaves_the_views_where_they_are(auditor: str) -> None:
    for app in apps.get_app_configs():
        drop_views(app, using="default", plan=[])
    assert views_there() == len(registered_views())


def test_migrate_as_the_sites_role_is_refused_before_anything_is_changed(auditor: str) -> None:
    run(f"CREATE ROLE {SITE}")
    call_command("grant_site_role", SITE, stdout=io.StringIO())
    owner = asked("SELECT current_user")
    run(f"SET ROLE {SITE}")
    try:
        with pytest.raises(CommandError) as refusal:
            call_command("migrate", verbosity=0)
    finally:
        run("RESET ROLE")
    text = str(refusal.value)
    assert text.startswith(f"{SITE} does not own the tables of this database ({owner} does)")
    assert "cardroom-migrate" in text and "nothing has changed" in text
    assert (views_there(), may_read()) == (len(registered_views()), GRANTED)


def test_a_role_that_may_make_no_table_is_refused_in_an_empty_schema(auditor: str) -> None:
    run(f"CREATE ROLE {SITE}")
    run("CREATE SCHEMA of_nobody")
    run(f"GRANT USAGE ON SCHEMA of_nobody TO {SITE}")
    run("CREATE TABLE of_nobody.django_migrations (id bigserial, app text, name text, applied timestamptz)")
    run(f"ALTER TABLE of_nobody.django_migrations OWNER TO {SITE}")
    run("SET LOCAL search_path = of_nobody")
    run(f"SET ROLE {SITE}")
    try:
        with pytest.raises(CommandError, match="may not make tables in this database"):
            call_command("migrate", verbosity=0)
    finally:
        run("RESET ROLE")
        run("SET LOCAL search_path = public")
