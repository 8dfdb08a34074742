"""A house copied from one database into another, row by row and under the same ids, on SQLite and PostgreSQL alike."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from cardroom.core.migrated import migrations_missing, migrations_unknown

from .tally import Tally, TallyKeeper, differences, tally_of

#: What is not copied: sign-ins (people sign in again) and signs of life, which belong to the house that was left.
LEFT_BEHIND = frozenset({"sessions.Session", "jobs.Heartbeat"})
#: What migrating a database writes by itself. The rows of the source take their place.
_WRITTEN_BY_MIGRATE = frozenset({"contenttypes.ContentType", "auth.Permission"})
_BATCH = 500


class CopyRefused(Exception):
    """A house cannot be copied from here, or not to there; nothing was written. The message says what to do."""


class CopyFailed(Exception):
    """What was copied is not what was there; it was rolled back. The message names each difference."""


def tables() -> list[type[models.Model]]:
    """Return the models whose rows make up a house, in the order of their names."""
    found = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and model._meta.label not in LEFT_BEHIND
    ]
    return sorted(found, key=lambda model: model._meta.label)


def why_not_from(source: BaseDatabaseWrapper) -> str | None:
    """A house is copied from a database that is migrated as far as this version goes, and no further."""
    if missing := migrations_missing(source):
        return (
            f"The source lacks {len(missing)} migrations ({missing[0]} …). Run manage.py migrate on it first."
        )
    if unknown := migrations_unknown(source):
        return f"The source was migrated by a newer version ({unknown[0]}). Copy it with that version."
    return None


def why_not_to(target: BaseDatabaseWrapper) -> str | None:
    """A house is copied to a database that holds nothing: a blank one, or one that was migrated and never used."""
    present = set(target.introspection.table_names())
    if unknown := migrations_unknown(target):
        return f"The target was migrated by a newer version ({unknown[0]}). Copy into a blank database."
    if present and "django_migrations" not in present:
        return f"The target holds tables of something else ({min(present)} …). Copy into a blank database."
    held = [
        model._meta.db_table
        for model in tables()
        if model._meta.db_table in present
        and model._meta.label not in _WRITTEN_BY_MIGRATE
        and _holds_any(target, model._meta.db_table)
    ]
    if held:
        return f"The target is in use: {', '.join(held[:5])} hold rows. Copy into a blank database."
    return None


@contextlib.contextmanager
def held_still(source: BaseDatabaseWrapper) -> Iterator[None]:
    """See the source as it is now until the end of the block, while others go on writing to it.

    On SQLite its transactions must be DEFERRED (`settings_for_reading`): the first read fixes what is seen.
    """
    with transaction.atomic(using=source.alias):
        if source.vendor == "postgresql":
            with source.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def house_copy(
    source: BaseDatabaseWrapper,
    target: BaseDatabaseWrapper,
    say: Callable[[str], None],
    *,
    expected: Mapping[str, Tally] | None = None,
) -> dict[str, Tally]:
    """Copy every row of a house, prove that both sides hold the same, and return what they hold by table.

    `expected` is what the source was once said to hold, proven too. The target is migrated first and then filled in one transaction: a copy that fails or is broken off leaves it
    empty, and may be begun anew. Raises CopyRefused, CopyFailed and the database's own errors.
    """
    if why := why_not_from(source) or why_not_to(target):
        raise CopyRefused(why)
    call_command("migrate", database=target.alias, interactive=False, verbosity=0)
    held: dict[str, Tally] = {}
    with held_still(source), transaction.atomic(using=target.alias):
        ContentType.objects.using(target.alias).all().delete()  # and the permissions with them
        for model in tables():
            table = model._meta.db_table
            held[table] = _table_copy(model, source.alias, target.alias)
            say(f"{table}: {held[table]['rows']} rows")
        target.check_constraints()
        with target.cursor() as cursor:
            for statement in target.ops.sequence_reset_sql(no_style(), tables()):
                cursor.execute(statement)
        found = {model._meta.db_table: tally_of(model, target.alias) for model in tables()}
        if unlike := [*differences(held, found), *differences(held if expected is None else expected, found)]:
            raise CopyFailed("What was copied is not what was there:\n" + "\n".join(unlike))
    ContentType.objects.clear_cache()
    return held


def _table_copy(model: type[models.Model], source: str, target: str) -> Tally:
    keeper = TallyKeeper(model)
    rows = model._base_manager.using(source).order_by("pk").iterator(chunk_size=_BATCH)
    while batch := list(itertools.islice(rows, _BATCH)):
        for row in batch:
            keeper.add(row)
        model._base_manager.using(target).bulk_create(batch)
    return keeper.tally


def _holds_any(connection: BaseDatabaseWrapper, table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608  # a model's own table
        return cursor.fetchone() is not None
