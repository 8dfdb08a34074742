"""PostgreSQL role of the site, which owns no table: its grants, and Django system checks (cardroom.W001, W002, E003).

Two roles share a database. The owner runs `migrate` and nothing else: tables, triggers and views are its own. The site,
its worker and beat sign in as another, which `grant_site_role` gives what their work needs: to read and add rows
everywhere, and to change or remove them where no guard (`cardroom.core.triggers`) refuses that for every row. So a stolen
password of the site's role can neither drop nor disable a trigger, nor truncate, nor command as a replica.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from django.apps import apps
from django.core import checks
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from cardroom.core.site_rights import tables_without_rights

_MIGRATIONS = "django_migrations"


def grant_queries(connection: BaseDatabaseWrapper, role: str) -> list[str]:
    """Return the SQL that gives `role` the site's privileges on the current schema, and takes all others from it there."""
    quote = connection.ops.quote_name
    to, schema = quote(role), quote(_schema(connection))
    tables, views = _relations(connection)
    queries = [
        f"REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {to}",
        f"REVOKE CREATE ON SCHEMA {schema} FROM {to}, PUBLIC",  # before PostgreSQL 15 everybody may create there
        f"GRANT USAGE ON SCHEMA {schema} TO {to}",
        f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {to}",
    ]
    refused = dict(_refused(apps.get_models(include_auto_created=True)))
    for table in tables:
        allowed = [
            word for word in ("INSERT", "UPDATE", "DELETE") if word not in refused.get(table, frozenset())
        ]
        privileges = ["SELECT"] if table == _MIGRATIONS else ["SELECT", *allowed]
        queries.append(f"GRANT {', '.join(privileges)} ON {quote(table)} TO {to}")
    queries += [f"GRANT SELECT ON {quote(view)} TO {to}" for view in views]
    return queries


def _refused(models: Iterable[type[Model]]) -> Iterator[tuple[str, frozenset[str]]]:
    """The statements that the guards of a table refuse on every row, by table."""
    for model in models:
        events = {guard.event for guard in getattr(model, "guards", ()) if guard.when is None}
        yield model._meta.db_table, frozenset(events)


def _relations(connection: BaseDatabaseWrapper) -> tuple[list[str], list[str]]:
    with connection.cursor() as cursor:
        found = connection.introspection.get_table_list(cursor)
    tables = sorted(each.name for each in found if each.type in ("t", "p"))
    return tables, sorted(each.name for each in found if each.type == "v")


def _schema(connection: BaseDatabaseWrapper) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        return str(cursor.fetchone()[0])


def role_exists(connection: BaseDatabaseWrapper, role: str) -> bool:
    """Tell whether the PostgreSQL server has the role."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        return cursor.fetchone() is not None


@dataclasses.dataclass(frozen=True)
class RolePowers:
    """What the role of a connection may do to the tables of its schema beyond the site's work."""

    role: str
    is_superuser: bool
    owned: tuple[str, ...]
    may_truncate: tuple[str, ...]

    @property
    def is_site(self) -> bool:
        """Whether the role is only the site's."""
        return not (self.is_superuser or self.owned or self.may_truncate)


def role_powers(connection: BaseDatabaseWrapper) -> RolePowers:
    """Return the powers of the role that the connection commands as, from PostgreSQL's catalogue.

    A role owns what a role owns that it is a member of: it may act as that one.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolname, rolsuper FROM pg_roles WHERE rolname = current_user")
        role, is_superuser = cursor.fetchone()
        cursor.execute(
            """
            SELECT relname, pg_has_role(current_user, relowner, 'MEMBER'), has_table_privilege(pg_class.oid, 'TRUNCATE')
            FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE relkind IN ('r', 'p') AND nspname = current_schema() ORDER BY relname
            """
        )
        rows = cursor.fetchall()
    owned = tuple(name for name, owns, _ in rows if owns)
    return RolePowers(role, is_superuser, owned, tuple(name for name, _, truncates in rows if truncates))


@checks.register(checks.Tags.database, deploy=True)
def check_site_role(databases: Iterable[str] | None = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Say which of the two roles the site signs in as: `manage.py check --deploy --database default`."""
    return [_message(connections[alias]) for alias in databases or () if alias == "default"]


def _message(connection: BaseDatabaseWrapper) -> checks.CheckMessage:
    hint = "docs/deployment.md#two-roles-on-postgresql says how the site gets a role of its own."
    if connection.vendor != "postgresql":
        return checks.Warning(
            "The database is an SQLite file: a process that can write the file can alter its triggers.",
            hint="A room that deals for money keeps its records on PostgreSQL, where the site gets a role of its own.",
            id="cardroom.W002",
        )
    powers = role_powers(connection)
    if lacking := tables_without_rights(connection):
        return checks.Error(
            f"{powers.role} may not read {len(lacking)} tables, or add rows to them ({', '.join(lacking[:3])} …).",
            hint=f"As the owner: manage.py grant_site_role {powers.role} (after each migrate, restore and move_to).",
            id="cardroom.E003",
        )
    if powers.is_site:
        text = f"The site signs in to PostgreSQL as {powers.role}, which owns no table: triggers are out of its reach."
        return checks.Info(text, id="cardroom.I001")
    if powers.is_superuser:
        why = "is a superuser"
    elif powers.owned:
        why = f"owns {len(powers.owned)} tables ({', '.join(powers.owned[:3])} …)"
    else:
        why = f"may truncate {', '.join(powers.may_truncate[:3])}"
    text = f"The site signs in to PostgreSQL as {powers.role}, which {why}: it could alter the triggers that guard the facts."
    return checks.Warning(text, hint=hint, id="cardroom.W001")
