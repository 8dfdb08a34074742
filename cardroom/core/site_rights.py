"""What a connection may not do that the site's work needs: tables that its role lacks rights on, and a read-only database."""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper


def tables_without_rights(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the tables of the schema that the connection's role may not read, or may not add rows to; SQLite has none.

    After a restore or a move the tables are the owner's alone until `manage.py grant_site_role`. Nobody but the owner
    writes the table of migrations.
    """
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE relkind IN ('r', 'p') AND nspname = current_schema()
              AND NOT (has_table_privilege(pg_class.oid, 'SELECT')
                       AND (relname = 'django_migrations' OR has_table_privilege(pg_class.oid, 'INSERT')))
            ORDER BY relname
            """
        )
        return [name for (name,) in cursor.fetchall()]


def is_read_only(connection: BaseDatabaseWrapper) -> bool:
    """Tell whether the server refuses every write: it is a standby, or set so. SQLite's file is asked by writing alone."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean"
        )
        return bool(cursor.fetchone()[0])
