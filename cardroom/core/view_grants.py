"""What operators granted on SQL views in PostgreSQL, kept while `migrate` drops the views and makes them anew.

A grant goes with its view. So grants are noted before views are dropped, and given again once they are made. They are noted
in the database, since a `migrate` that fails between the two is run again by another process: as a comment on Django's
table of migrations, which is the owner's, as the views are.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

_TABLE: Final = "django_migrations"
#: What our part of the comment begins with; what an operator wrote before it stays.
_MARK: Final = "Grants on views that migrate gives again: "
_PUBLIC: Final = ""
_WORDS: Final = frozenset(
    {"SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN"}
)


class Grant(NamedTuple):
    """A privilege on a view, or on one column of it ("" for all), of a role ("" for PUBLIC)."""

    view: str
    column: str
    role: str
    privilege: str
    may_grant: bool


def note(connection: BaseDatabaseWrapper, views: Collection[str]) -> None:
    """Note what is granted on `views`, beside what is noted already; those that are not there are passed over."""
    if connection.vendor != "postgresql" or not (found := _granted(connection, views)):
        return
    _write(connection, [*_noted(connection), *found])


def give_again(connection: BaseDatabaseWrapper, views: Collection[str]) -> None:
    """Give again what is noted of `views`, to roles and on columns that are still there, and note it no longer."""
    if connection.vendor != "postgresql" or not (noted := _noted(connection)):
        return
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolname FROM pg_roles")
        roles = {name for (name,) in cursor.fetchall()} | {_PUBLIC}
        for grant in dict.fromkeys(each for each in noted if each.view in views):
            columns = {
                each.name for each in connection.introspection.get_table_description(cursor, grant.view)
            }
            if grant.role not in roles or grant.column not in columns | {""} or grant.privilege not in _WORDS:
                continue
            column = f" ({quote(grant.column)})" if grant.column else ""
            to = quote(grant.role) if grant.role else "PUBLIC"
            option = " WITH GRANT OPTION" if grant.may_grant else ""
            cursor.execute(f"GRANT {grant.privilege}{column} ON {quote(grant.view)} TO {to}{option}")
    _write(connection, [each for each in noted if each.view not in views])


def _granted(connection: BaseDatabaseWrapper, views: Collection[str]) -> list[Grant]:
    """What others than its owner hold on each view, from PostgreSQL's catalogue."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH view AS (
                SELECT oid, relname, relowner, relacl FROM pg_class
                WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace AND relname = ANY(%s)
            ), granted AS (
                SELECT relname, '' AS attname, relowner, (aclexplode(relacl)).* FROM view
                UNION ALL
                SELECT relname, attname, relowner, (aclexplode(attacl)).* FROM view JOIN pg_attribute ON attrelid = view.oid
            )
            SELECT relname, attname, COALESCE(rolname, ''), privilege_type, is_grantable
            FROM granted LEFT JOIN pg_roles ON pg_roles.oid = grantee
            WHERE grantee <> relowner AND (grantee = 0 OR rolname IS NOT NULL)
            ORDER BY 1, 2, 3, 4
            """,
            [list(views)],
        )
        return [Grant(*row) for row in cursor.fetchall()]


def _comment(connection: BaseDatabaseWrapper) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COALESCE(obj_description(to_regclass(%s), 'pg_class'), '')", [_TABLE])
        return str(cursor.fetchone()[0])


def _noted(connection: BaseDatabaseWrapper) -> list[Grant]:
    _, _, noted = _comment(connection).partition(_MARK)
    return [Grant(*each) for each in json.loads(noted)] if noted else []


def _write(connection: BaseDatabaseWrapper, grants: Collection[Grant]) -> None:
    theirs, _, _ = _comment(connection).partition(_MARK)
    ours = _MARK + json.dumps(list(dict.fromkeys(grants))) if grants else ""
    with connection.cursor() as cursor:
        # Commands like this one take no parameters: the server words it, with the text quoted.
        worded = "SELECT format('COMMENT ON TABLE %%I IS %%L', %s::text, %s::text)"
        cursor.execute(worded, [_TABLE, theirs + ours or None])
        cursor.execute(cursor.fetchone()[0])
