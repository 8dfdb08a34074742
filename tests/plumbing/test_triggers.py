"""Every trigger that guards a table stands after all migrations: SQLite drops those of a table that it makes anew."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection

from cardroom.count.append_only import count_triggers
from cardroom.floor import append_only as floor
from cardroom.offered.append_only import game_triggers
from cardroom.reports import append_only as reports
from cardroom.tokes.append_only import toke_triggers
from fees.append_only import fee_triggers
from fees.triggers import Trigger

GUARDS: tuple[Callable[[str], list[Trigger]], ...] = (
    fee_triggers,
    game_triggers,
    count_triggers,
    toke_triggers,
    *(guard for name, guard in vars(floor).items() if name.endswith("_triggers")),
    *(guard for name, guard in vars(reports).items() if name.endswith("_triggers") and name[0] != "_"),
)
STANDING = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
}


@pytest.mark.django_db
def test_every_trigger_stands_after_all_migrations() -> None:
    expected = {trigger.name for guard in GUARDS for trigger in guard(connection.vendor)}
    with connection.cursor() as cursor:
        cursor.execute(STANDING[connection.vendor])
        standing = {name for (name,) in cursor.fetchall()}
    assert len(expected) > 40
    assert expected - standing == set()
