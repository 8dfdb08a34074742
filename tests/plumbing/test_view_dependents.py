"""What an operator made of our views is there after `migrate`, or `migrate` is refused before it changes anything."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from cardroom.core import sql_views, view_dependents
from cardroom.core.sql_views import View, drop_views, make_views, registered_views
from tests.sql import asked, run

pytestmark = pytest.mark.postgresql

OWNER, READER = "a_reporter_of_the_tests", "a_reader_of_the_tests"
NIGHTLY = (
    "CREATE VIEW reporting.nightly AS SELECT gaming_day, count(*) AS rounds FROM rounds GROUP BY gaming_day"
)


@pytest.fixture
def nightly(db: None) -> None:
    """A view of another role's in another schema, which reads `rounds`, and a role that may read both."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite drops a view that others read")
    for role in (OWNER, READER):
        run(f"CREATE ROLE {role}")
    run(f"CREATE SCHEMA reporting AUTHORIZATION {OWNER}")
    run(f"GRANT SELECT ON rounds, fees TO {OWNER}")
    run(f"SET ROLE {OWNER}")
    run(NIGHTLY)
    run("RESET ROLE")
    run(f"GRANT SELECT ON rounds, reporting.nightly TO {READER}")
    run(f"GRANT USAGE ON SCHEMA reporting TO {READER}")


@pytest.fixture
def changed_view() -> Iterator[Any]:
    """Declares a view in another way, as a later version does: `changed_view("rounds", before, after)` puts a part of it in place of another."""
    declared = {label: list(views) for label, views in sql_views._registered.items()}

    def change(name: str, before: str, after: str) -> None:
        for views in sql_views._registered.values():
            for place, view in enumerate(views):
                if view.name == name:
                    views[place] = dataclasses.replace(view, select=_in_place(view, before, after))
        view_dependents._declared.cache_clear()

    yield change
    sql_views._registered.update(declared)
    view_dependents._declared.cache_clear()


def _in_place(view: View, before: str, after: str) -> Any:
    assert before in view.select(sql_views.Dialect("postgresql"))
    return lambda dialect: view.select(dialect).replace(before, after)


def views_there() -> int:
    names = ", ".join(f"'{view.name}'" for view in registered_views())
    return int(
        asked(f"SELECT count(*) FROM pg_views WHERE schemaname = current_schema() AND viewname IN ({names})")
    )


def before_migrate() -> None:
    for app in apps.get_app_configs():
        view_dependents.refuse_migrate(using="default")
        drop_views(app, using="default")


def after_migrate() -> None:
    for app in apps.get_app_configs():
        make_views(app, using="default")


def may_read(view: str, role: str = READER) -> bool:
    return bool(asked(f"SELECT has_table_privilege('{role}', '{view}', 'SELECT')"))


def test_a_view_that_reads_ours_is_there_during_and_after_migrate(nightly: None) -> None:
    oid = asked("SELECT 'rounds'::regclass::oid")
    before_migrate()
    assert views_there() == 1, "the one that is read; the others are dropped"
    after_migrate()
    assert views_there() == len(registered_views())
    assert asked("SELECT 'rounds'::regclass::oid") == oid
    assert asked("SELECT count(*) FROM reporting.nightly") == 0
    assert may_read("rounds") and may_read("reporting.nightly") and may_read("fees", OWNER)
    call_command("migrate", verbosity=0)  # with nothing to do, it makes the views again too
    assert asked("SELECT count(*) FROM reporting.nightly") == 0


def test_a_column_that_comes_at_the_end_of_a_view_is_there_under_a_view_that_reads_it(
    nightly: None, changed_view: Any
) -> None:
    changed_view("rounds", "r.turn_id\n", "r.turn_id, 7 AS lucky_number\n")
    before_migrate()
    after_migrate()
    assert asked("SELECT count(lucky_number) FROM rounds") == 0
    assert asked("SELECT count(*) FROM reporting.nightly") == 0
    assert may_read("rounds")


def test_whatever_else_is_made_of_a_view_keeps_it(nightly: None) -> None:
    run(
        "CREATE MATERIALIZED VIEW reporting.by_day AS SELECT gaming_day, sum(cents) AS cents FROM fees GROUP BY 1"
    )
    run("CREATE FUNCTION reporting.all_counts() RETURNS SETOF counts LANGUAGE sql AS 'SELECT * FROM counts'")
    run("CREATE TABLE reporting.copies (tip tips, slips tray_slips[])")
    names = {view.name for view in registered_views()}
    assert sql_views.dependents(connection, names) == {
        "counts": ["function reporting.all_counts()"],
        "fees": ["reporting.by_day"],
        "rounds": ["reporting.nightly"],
        "tips": ["column tip of table reporting.copies"],
        "tray_slips": ["column slips of table reporting.copies"],
    }
    before_migrate()
    assert views_there() == 5
    after_migrate()
    assert views_there() == len(registered_views())
    assert asked("SELECT count(*) FROM reporting.by_day") == 0
    assert asked("SELECT count(*) FROM reporting.all_counts()") == 0


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (
            "r.number AS round_number",
            "r.number::text AS round_number",
            "its column round_number (integer) becomes round_number (text)",
        ),
        (
            "r.number AS round_number",
            "r.number AS number",
            "its column round_number (integer) becomes number (integer)",
        ),
        (", r.turn_id\n", "\n", "its column turn_id (bigint) goes"),
    ],
)
def test_migrate_is_refused_where_a_view_that_is_read_changes_otherwise(
    nightly: None, changed_view: Any, before: str, after: str, why: str
) -> None:
    definition = asked("SELECT pg_get_viewdef('rounds'::regclass)")
    changed_view("rounds", before, after)
    with pytest.raises(CommandError) as refusal:
        call_command("migrate", verbosity=0)
    text = str(refusal.value)
    assert text.startswith(f"reporting.nightly reads the view rounds, and {why}.\nSo migrate was not begun")
    assert "Keep how reporting.nightly is made" in text and "docs/sql.md" in text
    assert views_there() == len(registered_views())
    assert asked("SELECT pg_get_viewdef('rounds'::regclass)") == definition
    run("DROP VIEW reporting.nightly")
    call_command("migrate", verbosity=0)
    assert asked("SELECT pg_get_viewdef('rounds'::regclass)") != definition


def test_migrate_is_refused_where_a_column_of_a_table_changes_that_a_view_which_is_read_is_made_of(
    nightly: None,
) -> None:
    """The time zone of a room makes `opened_local`, and is no column of the view."""
    run("DROP VIEW reporting.nightly")
    for app in apps.get_app_configs():
        drop_views(app, using="default")
    run("ALTER TABLE rooms_room ALTER COLUMN time_zone TYPE varchar(63)")
    after_migrate()
    run(NIGHTLY)
    with pytest.raises(CommandError) as refusal:
        call_command("migrate", verbosity=0)
    assert str(refusal.value).startswith(
        "reporting.nightly reads the view rounds, and column time_zone (character varying(63)) of table rooms_room, "
        "which it is made of, becomes character varying(64)."
    )
    assert views_there() == len(registered_views())


def test_nothing_is_compared_where_nobody_reads_our_views(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_dependents, "_declared", lambda: pytest.fail("a scratch takes a second"))
    view_dependents.refuse_migrate(using="default")
