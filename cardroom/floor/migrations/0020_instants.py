# ruff: noqa: S608 -- the SQL is put together from names in this file alone
"""Instants of transfers and journal entries become numbers on SQLite, and a round's turn loses its index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

from cardroom.floor.append_only import floor_triggers
from cardroom.packed import InstantField
from fees.triggers import install_triggers_again

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState


class CountInstants(Operation):
    """Make a column of instants one of microseconds on SQLite; PostgreSQL has eight bytes for an instant as it is."""

    reversible = False

    def __init__(self, model_name: str, name: str) -> None:
        self.model_name = model_name
        self.name = name

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        migrations.AlterField(self.model_name, self.name, InstantField()).state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if schema_editor.connection.vendor != "sqlite":
            return
        old = from_state.apps.get_model(app_label, self.model_name)
        new = to_state.apps.get_model(app_label, self.model_name)
        field = new._meta.get_field(self.name)
        editor: Any = schema_editor
        editor._remake_table(old, alter_fields=[(old._meta.get_field(self.name), field)])
        schema_editor.execute(
            f"UPDATE {new._meta.db_table} SET {self.name} = {microseconds(self.name)}", params=None
        )


def microseconds(name: str) -> str:
    """The SQL that makes microseconds since 1970 of an instant as Django writes it: six digits of a second, or none."""
    seconds = f"CAST(strftime('%s', substr({name}, 1, 19)) AS integer)"
    return f"{seconds} * 1000000 + CAST(substr({name} || '.000000', 21, 6) AS integer)"


def turn_unindexed(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Nobody asks for the rounds of a turn alone. Not by AlterField, for which SQLite would copy every round."""
    editor: Any = schema_editor
    for name in editor._constraint_names(
        apps.get_model("floor", "round"), ["turn_id"], index=True, unique=False
    ):
        schema_editor.execute(f'DROP INDEX "{name}"')


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0019_narrow"),
    ]

    operations = [
        CountInstants("transfer", "made_at"),
        CountInstants("journalentry", "at"),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(turn_unindexed)],
            state_operations=[
                migrations.AlterField(
                    model_name="round",
                    name="turn",
                    field=models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="played",
                        to="floor.turn",
                    ),
                ),
            ],
        ),
        install_triggers_again(floor_triggers),
    ]
