"""Databases of the suite: tables made from the models, and the rows that a test committed deleted again."""

from __future__ import annotations

from django.apps import apps
from django.core.management import call_command
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import override_settings

from cardroom.core.triggers import triggers_lifted

#: Tables whose rows `migrate` writes. They stay.
_WRITTEN_BY_MIGRATE = frozenset({"django_content_type", "auth_permission"})


def tables_made(alias: str) -> None:
    """Make the tables of a blank database from the models, and note every migration as carried out.

    It takes a fraction of the time of the migrations; tests/plumbing/test_schema.py compares them with the models.
    """
    with override_settings(MIGRATION_MODULES={app.label: None for app in apps.get_app_configs()}):
        call_command("migrate", database=alias, run_syncdb=True, verbosity=0)
    call_command("migrate", database=alias, fake=True, verbosity=0)


def tables() -> list[str]:
    """The tables of the site's models, less those that a migrated database has rows in."""
    models = apps.get_models(include_auto_created=True)
    return sorted({model._meta.db_table for model in models if model._meta.managed} - _WRITTEN_BY_MIGRATE)


def written(connection: BaseDatabaseWrapper) -> list[str]:
    """Those of the tables that hold any row; one query."""
    name, found = connection.ops.quote_name, tables()
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(f"EXISTS (SELECT 1 FROM {name(table)})" for table in found))
        return [table for table, holds in zip(found, cursor.fetchone(), strict=True) if holds]


def rows_deleted(connection: BaseDatabaseWrapper) -> None:
    """Delete every row but those of `migrate`, in one transaction; the triggers that refuse it are away inside it alone.

    Django would flush all tables and emit `post_migrate`, which makes triggers, views and permissions anew. Most tests
    write to some twenty tables.
    """
    rows_in = written(connection)
    if not rows_in:
        return
    with (
        transaction.atomic(using=connection.alias),
        triggers_lifted(connection, rows_in),
        connection.cursor() as cursor,
    ):
        for table in rows_in:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # our own table
