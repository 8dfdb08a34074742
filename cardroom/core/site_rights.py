"""What keeps a connection from work: rights that its role lacks, a read-only server, an absent standby; and who may migrate."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.db import connections
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


#: A commit that waits longer for a synchronous standby waits for one that is away (seconds).
_STANDBY_SECONDS = 5


def is_waiting_for_standby(connection: BaseDatabaseWrapper) -> bool:
    """Tell whether commits of the connection's role wait for a synchronous standby that does not answer; SQLite has none."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT EXISTS (SELECT FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep'
                           AND state_change < clock_timestamp() - make_interval(secs => %s))
            """,
            [_STANDBY_SECONDS],
        )
        return bool(cursor.fetchone()[0])


def refuse_migrate(using: str, **kwargs: Any) -> None:
    """Refuse `migrate` by a role that does not own the tables, before anything is changed: a receiver of `pre_migrate`.

    It would drop what it may drop and end halfway. Raises CommandError.
    """
    connection = connections[using]
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT current_user, has_schema_privilege(current_schema(), 'CREATE'),
                   (SELECT array_agg(DISTINCT pg_get_userbyid(relowner)::text) FROM pg_class
                    WHERE relkind IN ('r', 'p', 'v') AND relnamespace = current_schema()::regnamespace
                      AND NOT pg_has_role(current_user, relowner, 'MEMBER'))
            """
        )
        role, may_create, owners = cursor.fetchone()
    if owners:
        raise CommandError(
            f"{role} does not own the tables of this database ({', '.join(owners)} does), so that migrate was not begun and "
            "nothing has changed. Sign in as the owner: cardroom-migrate does, and grants the site's role its rights "
            "afterwards (docs/deployment.md#upgrading)."
        )
    if not may_create:
        raise CommandError(
            f"{role} may not make tables in this database, so that migrate was not begun and nothing has changed. "
            "Sign in as the owner of the database: cardroom-migrate does (docs/deployment.md#two-roles-on-postgresql)."
        )
