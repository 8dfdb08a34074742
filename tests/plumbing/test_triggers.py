"""Every trigger that a model declares stands once the site is migrated, and every model of facts declares some."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import connection

from cardroom.core.triggers import current_triggers, declared, install

pytestmark = pytest.mark.postgresql

#: Models whose rows change or go, and why that loses no fact.
CHANGING = {
    "people.staff": "accounts; their history is kept",
}


@pytest.mark.django_db
def test_every_trigger_stands_after_all_migrations() -> None:
    expected = {trigger.name for trigger in declared(apps.get_models(), connection.vendor)}
    assert len(expected) > 40
    assert expected == {trigger.name for trigger in current_triggers(connection)}


@pytest.mark.django_db
def test_installing_again_puts_back_what_was_lost_and_changes_nothing_else() -> None:
    before = current_triggers(connection)
    with connection.cursor() as cursor:
        table = ' ON "floor_offer"' if connection.vendor == "postgresql" else ""
        cursor.execute(f'DROP TRIGGER "refuse_delete_floor_offer"{table}')
    assert len(current_triggers(connection)) == len(before) - 1
    for app in apps.get_app_configs():
        install(app, using="default")
    assert current_triggers(connection) == before
