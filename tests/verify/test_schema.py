"""Triggers, constraints, indexes and views that are not as the models declare them are named, on both databases."""

from __future__ import annotations

import io
import re

import pytest
from django.core.checks import Tags, run_checks
from django.core.management import call_command
from django.db import connection

from cardroom.core.schema_verification import schema_verify
from tests.cast import open_cast

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
ON_SQLITE, ON_POSTGRESQL = "sqlite", "postgresql"

#: What an owner of the database does, on which of the two, and what is said of it.
ATTACKS = [
    (ON_SQLITE, 'DROP TRIGGER "refuse_update_floor_transfer"', "trigger refuse_update_floor_transfer of floor_transfer: is declared, and"),
    (ON_POSTGRESQL, 'DROP TRIGGER "refuse_update_floor_transfer" ON floor_transfer', "trigger refuse_update_floor_transfer of floor_transfer: is declared, and"),
    (ON_POSTGRESQL, 'ALTER TABLE floor_transfer DISABLE TRIGGER "refuse_update_floor_transfer"', "trigger refuse_update_floor_transfer of floor_transfer: is not as declared"),
    (ON_POSTGRESQL, 'ALTER TABLE floor_transfer DISABLE TRIGGER "refuse_truncate_floor_transfer"', "trigger refuse_truncate_floor_transfer of floor_transfer"),
    (
        ON_POSTGRESQL,
        'CREATE OR REPLACE FUNCTION "refuse_update_floor_transfer"() RETURNS trigger LANGUAGE plpgsql AS \'BEGIN RETURN NEW; END\'',
        "trigger refuse_update_floor_transfer of floor_transfer: is not as declared",
    ),
    (
        ON_SQLITE,
        'CREATE TRIGGER later AFTER INSERT ON floor_transfer BEGIN UPDATE floor_transfer SET cents = 1 WHERE id = NEW.id; END',
        "trigger later of floor_transfer: no model declares it",
    ),
    (
        ON_POSTGRESQL,
        "CREATE RULE silent AS ON UPDATE TO floor_round DO INSTEAD NOTHING",
        "rule silent of floor_round: no model declares it",
    ),
    (ON_SQLITE, "DROP INDEX one_open_shift", "index one_open_shift of floor_shift: is declared, and"),
    (ON_POSTGRESQL, "DROP INDEX one_open_shift", "index one_open_shift of floor_shift: is declared, and"),
    (
        ON_POSTGRESQL,
        "ALTER TABLE floor_buyin DROP CONSTRAINT a_buy_in_is_taken_back_for_a_reason_by_two",
        "constraint a_buy_in_is_taken_back_for_a_reason_by_two of floor_buyin: is declared, and",
    ),
    (
        ON_POSTGRESQL,
        "ALTER TABLE floor_buyin DROP CONSTRAINT a_buy_in_is_taken_back_for_a_reason_by_two, ADD CONSTRAINT a_buy_in_is_taken_back_for_a_reason_by_two CHECK (cents <> 0)",
        "constraint a_buy_in_is_taken_back_for_a_reason_by_two of floor_buyin: is not as declared",
    ),
    (ON_POSTGRESQL, "ALTER TABLE floor_round ALTER COLUMN taken_cents DROP NOT NULL", "column taken_cents of floor_round: is not as"),
    (ON_SQLITE, "ALTER TABLE floor_round ADD COLUMN forged integer", "table floor_round: is not as declared"),
    (ON_POSTGRESQL, "ALTER TABLE floor_round ADD COLUMN forged integer", "column forged of floor_round: no model declares it"),
    (ON_POSTGRESQL, "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database()); END $$", "session_replication_role is replica for database "),
    (ON_POSTGRESQL, "ALTER ROLE CURRENT_USER SET session_replication_role = replica", "session_replication_role is replica for role "),
    (ON_POSTGRESQL, "SET LOCAL session_replication_role = replica", "session_replication_role is replica for this session"),
    (ON_POSTGRESQL, "ALTER TABLE floor_transfer DISABLE TRIGGER ALL", "constraint floor_transfer_"),
    (ON_POSTGRESQL, 'ALTER TABLE floor_transfer ENABLE REPLICA TRIGGER "refuse_update_floor_transfer"', "trigger refuse_update_floor_transfer of floor_transfer: is not as declared"),
    (ON_SQLITE, "DROP VIEW rounds", "view rounds: is declared, and"),
]  # fmt: skip


def test_a_column_that_is_gone_is_a_break_and_not_the_end_of_the_run() -> None:
    open_cast()
    out = io.StringIO()
    with connection.cursor() as cursor:
        cursor.execute("DROP VIEW IF EXISTS exceptions")
        cursor.execute('ALTER TABLE floor_deck RENAME COLUMN "colour" TO "color"')
    with pytest.raises(SystemExit):
        call_command("verify", stdout=out)
    assert "rows_held: the database cannot be read as the models declare it" in out.getvalue()
    assert "floor_deck" in out.getvalue() and "breaks." in out.getvalue()


def test_the_schema_of_the_models_holds() -> None:
    assert list(schema_verify()) == []


@pytest.mark.parametrize(("vendor", "sql", "text"), ATTACKS)
def test_a_schema_that_was_changed_is_named(vendor: str, sql: str, text: str) -> None:
    if vendor != connection.vendor:
        pytest.skip(f"an attack on {vendor}")
    with connection.cursor() as cursor:
        cursor.execute(sql)
    assert [found for found in schema_verify() if found.startswith(text)] != []


def test_values_swapped_between_two_lists_of_a_table_are_named() -> None:
    """On SQLite the text of a table is written over, as its owner can: each value is still somewhere in it."""
    if connection.vendor != ON_SQLITE:
        pytest.skip("PostgreSQL lists each constraint by itself")
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE name = 'floor_procedure'")
        (before,) = cursor.fetchone()
        one, two = (f", {values.split(', ')[1]}, " for values in re.findall(r"IN \(([^()]*)\)", before)[:2])
        after = before.replace(one, "#").replace(two, one).replace("#", two)
        assert after != before and sorted(after.split(", ")) == sorted(before.split(", "))
        cursor.execute("PRAGMA writable_schema = ON")
        cursor.execute("UPDATE sqlite_master SET sql = %s WHERE name = 'floor_procedure'", [after])
        try:
            assert [
                found for found in schema_verify() if found.startswith("table floor_procedure: is not as")
            ]
            assert "cardroom.E001" in checked()
        finally:
            cursor.execute("UPDATE sqlite_master SET sql = %s WHERE name = 'floor_procedure'", [before])
            cursor.execute("PRAGMA writable_schema = OFF")


def test_the_deployment_check_names_replicas() -> None:
    if connection.vendor != ON_POSTGRESQL:
        pytest.skip("SQLite has no replicas")
    assert "cardroom.E001" not in checked()
    with connection.cursor() as cursor:
        cursor.execute("ALTER ROLE CURRENT_USER SET session_replication_role = replica")
    assert "cardroom.E001" in checked()


def checked() -> list[str]:
    """The ids of what `check --deploy --database default` says of the database."""
    found = run_checks(tags=[Tags.database], include_deployment_checks=True, databases=["default"])
    return [str(message.id) for message in found]


def test_a_trigger_whose_condition_was_changed_is_named() -> None:
    """Put back under its own name, refusing nothing."""
    name, table = "refuse_update_floor_round", "floor_round"
    on_table = f' ON "{table}"' if connection.vendor == ON_POSTGRESQL else ""
    does = f'EXECUTE FUNCTION "{name}"()' if on_table else "BEGIN SELECT 1; END"
    with connection.cursor() as cursor:
        cursor.execute(f'DROP TRIGGER "{name}"{on_table}')
        cursor.execute(f'CREATE TRIGGER "{name}" BEFORE UPDATE ON "{table}" FOR EACH ROW WHEN (1 = 0) {does}')
    assert [
        found for found in schema_verify() if found.startswith(f"trigger {name} of {table}: is not")
    ] != []


def test_a_schema_that_was_dumped_and_restored_is_as_declared() -> None:
    """PostgreSQL words a list of texts in another way once it has read it from its own words, as pg_restore has it do."""
    if connection.vendor != ON_POSTGRESQL:
        pytest.skip("of PostgreSQL alone")
    checks = """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE contype = 'c' AND connamespace = current_schema()::regnamespace AND conrelid <> 0
    """
    indexes = "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index WHERE indpred IS NOT NULL AND indrelid::regclass::text LIKE 'jobs_%'"
    with connection.cursor() as cursor:
        cursor.execute(checks)
        found = cursor.fetchall()
        assert any("ARRAY" in words for _, _, words in found)
        for table, name, words in found:
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}", ADD CONSTRAINT "{name}" {words}')
        cursor.execute(indexes)
        for name, words in cursor.fetchall():
            cursor.execute(f"DROP INDEX {name}")
            cursor.execute(words)
        assert list(schema_verify()) == []
        kept = "CHECK (kind IN ('drop', 'jackpot', 'forged'))"
        name = "a_box_is_for_fees_or_for_the_jackpot"
        cursor.execute(f"ALTER TABLE floor_dropbox DROP CONSTRAINT {name}, ADD CONSTRAINT {name} {kept}")
        [wrong] = schema_verify()
        assert (
            wrong.startswith(f"constraint {name} of floor_dropbox: is not as declared") and "forged" in wrong
        )
