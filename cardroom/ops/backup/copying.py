"""Copies all rows of a site from one database to another with the same ids, on SQLite and PostgreSQL."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from cardroom.core.migrated import migrations_missing, migrations_unknown

from .tally import Tally, TallyKeeper, differences, tally_of

#: Models that are not copied: sessions (users sign in again) and process heartbeats, which are of the source's
#: processes.
LEFT_BEHIND = frozenset({"sessions.Session", "usersessions.UserSession", "jobs.Heartbeat"})
#: Rows that `migrate` creates. The rows of the source replace them.
_WRITTEN_BY_MIGRATE = frozenset({"contenttypes.ContentType", "auth.Permission"})
_BATCH = 500
#: Rows that hold a file each, of up to 10 MB.
_BATCH_OF_FILES = 5


class CopyRefused(Exception):
    """The source or the target is not fit for a copy; nothing was written. The message says what to do."""


class CopyFailed(Exception):
    """The copy differs from the source and was rolled back. The message names each difference."""


def tables() -> list[type[models.Model]]:
    """Return the models whose rows are copied, ordered by name."""
    found = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and model._meta.label not in LEFT_BEHIND
    ]
    return sorted(found, key=lambda model: model._meta.label)


def why_not_from(source: BaseDatabaseWrapper) -> str | None:
    """Refuse a source whose migrations are not exactly those of this version."""
    if missing := migrations_missing(source):
        return (
            f"The source lacks {len(missing)} migrations ({missing[0]} …). Run manage.py migrate on it first."
        )
    if unknown := migrations_unknown(source):
        return f"The source was migrated by a newer version ({unknown[0]}). Copy it with that version."
    return None


def why_not_to(target: BaseDatabaseWrapper) -> str | None:
    """Refuse a target that holds rows: it must be blank, or migrated and never used."""
    present = set(target.introspection.table_names())
    if unknown := migrations_unknown(target):
        return f"The target was migrated by a newer version ({unknown[0]}). Copy into a blank database."
    if present and "django_migrations" not in present:
        return f"The target holds tables of something else ({min(present)} …). Copy into a blank database."
    in_use = [
        model._meta.db_table
        for model in tables()
        if model._meta.db_table in present
        and model._meta.label not in _WRITTEN_BY_MIGRATE
        and _holds_any(target, model._meta.db_table)
    ]
    if in_use:
        return f"The target is in use: {', '.join(in_use[:5])} hold rows. Copy into a blank database."
    return None


@contextlib.contextmanager
def held_still(source: BaseDatabaseWrapper) -> Iterator[None]:
    """Read the source from one snapshot until the end of the block, without blocking writers.

    On SQLite its transactions must be DEFERRED (`settings_for_reading`): the first read takes the snapshot.
    """
    with transaction.atomic(using=source.alias):
        if source.vendor == "postgresql":
            with source.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def site_copy(
    source: BaseDatabaseWrapper, target: BaseDatabaseWrapper, say: Callable[[str], None]
) -> dict[str, Tally]:
    """Copy every row, compare both sides, and return the tallies by table.

    The target is migrated first and then filled in one
    transaction: a copy that fails or is interrupted leaves it empty and can be retried. Raises CopyRefused, CopyFailed
    and the database's own errors.
    """
    if why := why_not_from(source) or why_not_to(target):
        raise CopyRefused(why)
    call_command("migrate", database=target.alias, interactive=False, verbosity=0)
    tallies: dict[str, Tally] = {}
    with held_still(source), transaction.atomic(using=target.alias):
        ContentType.objects.using(target.alias).all().delete()  # and the permissions with them
        for model in tables():
            table = model._meta.db_table
            tallies[table] = _table_copy(model, source.alias, target.alias)
            say(f"{table}: {tallies[table]['rows']} rows")
        target.check_constraints()
        with target.cursor() as cursor:
            for query in target.ops.sequence_reset_sql(no_style(), tables()):
                cursor.execute(query)
        found = {model._meta.db_table: tally_of(model, target.alias) for model in tables()}
        if unlike := differences(tallies, found):
            raise CopyFailed("What was copied is not what was there:\n" + "\n".join(unlike))
    ContentType.objects.clear_cache()
    return tallies


def _table_copy(model: type[models.Model], source: str, target: str) -> Tally:
    keeper = TallyKeeper(model)
    holds_files = any(isinstance(field, models.BinaryField) for field in model._meta.concrete_fields)
    at_once = _BATCH_OF_FILES if holds_files else _BATCH
    rows = model._base_manager.using(source).order_by("pk").iterator(chunk_size=at_once)
    while batch := list(itertools.islice(rows, at_once)):
        for row in batch:
            keeper.add(row)
        model._base_manager.using(target).bulk_create(batch)
    return keeper.tally


def _holds_any(connection: BaseDatabaseWrapper, table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608  # a model's own table
        return cursor.fetchone() is not None
