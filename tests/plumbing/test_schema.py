"""The migrations make the database that the suite tests on, which is made from the models (tests/settings.py)."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from cardroom.config.environment import PROJECT_DIR

pytestmark = pytest.mark.outside

_SCHEMA = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"


@pytest.mark.django_db
def test_migrations_make_the_same_tables_indexes_and_triggers_as_the_models(tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the schema is read from sqlite_master")
    made = tmp_path / "migrated.sqlite3"
    environ = {
        **os.environ,
        "CARDROOM_DATABASE_URL": f"sqlite:///{made}",
        "DJANGO_SETTINGS_MODULE": "cardroom.config.settings",
    }
    command = [sys.executable, PROJECT_DIR / "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=PROJECT_DIR, env=environ, check=True)
    with sqlite3.connect(made) as migrated:
        by_migrations = in_any_order(migrated.execute(_SCHEMA).fetchall())
    with connection.cursor() as cursor:
        cursor.execute(_SCHEMA)
        by_models = in_any_order(cursor.fetchall())
    assert "floor_round" in {name for _, name in by_models}
    assert by_models == by_migrations


def in_any_order(rows: list[tuple[str, str, str]]) -> dict[tuple[str, str], list[str]]:
    """What each object is made of, by its type and name: columns may be in another order."""
    return {(kind, name): sorted(sql.removesuffix(")").split(", ")) for kind, name, sql in rows}
