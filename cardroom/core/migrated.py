"""Lists migrations of this version that a database lacks."""

from __future__ import annotations

import functools

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def migrations_missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the migrations of this version that a database lacks, as "app.name". Raises DatabaseError."""
    applied = MigrationRecorder(connection).applied_migrations()
    return [f"{app}.{name}" for app, name in _migrations() if (app, name) not in applied]


def migrations_unknown(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the migrations of a database that this version does not know: a newer one wrote them."""
    known = set(_migrations())
    return [
        f"{app}.{name}"
        for app, name in MigrationRecorder(connection).applied_migrations()
        if (app, name) not in known
    ]


@functools.cache
def _migrations() -> list[tuple[str, str]]:
    """Every migration of this version. Its files do not change under a running process."""
    return sorted(MigrationLoader(None).disk_migrations)
