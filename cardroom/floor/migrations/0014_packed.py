# ruff: noqa: S608 -- the SQL is put together from names in this file alone; values are parameters
"""Documents are packed, hashes become bytes, and indexes that nothing asks for go (docs/storage.md).

Every table is altered once, whatever changes in it: there may be millions of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

from cardroom.floor.append_only import conduct_triggers, floor_triggers
from cardroom.packed import DigestField, PackedJSONField, pack, unpack
from fees.triggers import install_triggers_again, triggers_lifted

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState

#: What is packed, and what is a digest, by table.
_PACKED = {
    "floor_round": ("bets", "fees", "sheet", "settlement"),
    "floor_journalentry": ("data",),
    "floor_storedanswer": ("answer",),
}
_DIGESTS = {"floor_journalentry": ("hash",)}
_ROWS = 1000


class AlterTogether(Operation):
    """Alter fields of one model, and remove one: SQLite, which copies a table to alter it, copies it once."""

    reversible = False

    def __init__(
        self, model_name: str, *, fields: dict[str, models.Field[Any, Any]], removed: str = ""
    ) -> None:
        self.model_name = model_name
        self.fields = fields
        self.removed = removed
        self._altered = [migrations.AlterField(model_name, name, field) for name, field in fields.items()]
        self._removed = [migrations.RemoveField(model_name, removed)] if removed else []

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        for operation in (*self._altered, *self._removed):
            operation.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if schema_editor.connection.vendor == "sqlite":
            old = from_state.apps.get_model(app_label, self.model_name)
            new = to_state.apps.get_model(app_label, self.model_name)
            editor: Any = schema_editor
            editor._remake_table(
                old,
                delete_field=old._meta.get_field(self.removed) if self.removed else None,
                alter_fields=[(old._meta.get_field(name), new._meta.get_field(name)) for name in self.fields],
            )
            return
        for operation in (*self._altered, *self._removed):
            if not isinstance(getattr(operation, "field", None), PackedJSONField | DigestField):
                operation.database_forwards(app_label, schema_editor, from_state, to_state)
        table = to_state.apps.get_model(app_label, self.model_name)._meta.db_table
        types = [
            *(
                f"ALTER {name} TYPE bytea USING convert_to({name}::text, 'UTF8')"
                for name in _PACKED.get(table, ())
            ),
            *(f"ALTER {name} TYPE bytea USING decode({name}, 'hex')" for name in _DIGESTS.get(table, ())),
        ]
        if types:
            schema_editor.execute(f"ALTER TABLE {table} {', '.join(types)}")


def documents_pack(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Pack every document there is. So far its text stands in the new columns."""
    connection = schema_editor.connection
    with triggers_lifted(connection), connection.cursor() as cursor:
        for table, packed in _PACKED.items():
            digests = _DIGESTS.get(table, ())
            names = (*packed, *digests)
            update = f"UPDATE {table} SET {', '.join(f'{name} = %s' for name in names)} WHERE id = %s"
            last = 0
            while True:
                cursor.execute(
                    f"SELECT {', '.join(names)}, id FROM {table} WHERE id > %s ORDER BY id LIMIT {_ROWS}",
                    [last],
                )
                if not (rows := cursor.fetchall()):
                    break
                last = rows[-1][-1]
                cursor.executemany(update, [_packed(row, len(packed)) for row in rows])


def _packed(row: Sequence[Any], documents: int) -> list[Any]:
    """A row whose first columns are documents, the last its id, and those between digests."""
    *values, pk = row
    return [
        *(None if text is None else pack(unpack(_bytes(text))) for text in values[:documents]),
        *(bytes.fromhex(digest) if isinstance(digest, str) else digest for digest in values[documents:]),
        pk,
    ]


def _bytes(text: Any) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _key(to: str, related_name: str = "+", **options: Any) -> models.ForeignKey[Any, Any]:
    """A foreign key without an index of its own."""
    return models.ForeignKey(
        to, django.db.models.deletion.PROTECT, db_index=False, related_name=related_name, **options
    )


_MAYBE: dict[str, Any] = {"null": True, "blank": True}


class Migration(migrations.Migration):
    dependencies = [
        ("fees", "0003_filed_is_final"),
        ("floor", "0013_errands"),
        ("people", "0003_support_staff"),
        ("rooms", "0006_retention"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(model_name="journalentry", name="journal_of_a_room"),
        AlterTogether(
            "journalentry",
            fields={
                "room": _key("rooms.room", "journal"),
                "table": _key(
                    "floor.table", "journal", help_text="Empty in the chain of the room itself.", **_MAYBE
                ),
                "actor": _key(settings.AUTH_USER_MODEL),
                "data": PackedJSONField(
                    default=dict, help_text="What was done, with before and after where something changed."
                ),
                "hash": DigestField(max_length=64),
            },
            removed="previous_hash",
        ),
        AlterTogether(
            "round",
            fields={
                "room": _key("rooms.room", "rounds"),
                "table": _key("floor.table", "rounds"),
                "shift": _key("floor.shift", "rounds", **_MAYBE),
                "dealer": _key(settings.AUTH_USER_MODEL),
                "schedule": _key("fees.feeschedule", "rounds", **_MAYBE),
                "voided_by": _key(settings.AUTH_USER_MODEL, **_MAYBE),
                "void_approved_by": _key(settings.AUTH_USER_MODEL, **_MAYBE),
                "corrected_by": _key(settings.AUTH_USER_MODEL, **_MAYBE),
                "correction_approved_by": _key(settings.AUTH_USER_MODEL, **_MAYBE),
                "bets": PackedJSONField(default=list),
                "fees": PackedJSONField(
                    default=list,
                    help_text="The quote fixed when bets closed, as in the round sheet, or the house rake as it was taken.",
                ),
                "sheet": PackedJSONField(null=True, blank=True),
                "settlement": PackedJSONField(null=True, blank=True),
            },
        ),
        AlterTogether("storedanswer", fields={"answer": PackedJSONField()}),
        AlterTogether(
            "transfer",
            fields={
                "room": _key("rooms.room"),
                "table": _key("floor.table"),
                "shift": _key("floor.shift", "transfers"),
                "time_collection": _key("floor.timecollection", "transfers", **_MAYBE),
                "player": _key("people.player", **_MAYBE),
                "reverses": _key("floor.transfer", "reversals", **_MAYBE),
            },
        ),
        AlterTogether(
            "offer",
            fields={
                "room": _key("rooms.room"),
                "table": _key("floor.table", "offers"),
                "after_turn": _key("floor.turn", "offers_after", **_MAYBE),
                "player": _key("people.player", "offers"),
                "recorded_by": _key(settings.AUTH_USER_MODEL),
            },
        ),
        AlterTogether(
            "procedure",
            fields={
                "room": _key("rooms.room"),
                "table": _key("floor.table", "procedures"),
                "deck": _key("floor.deck", "procedures", **_MAYBE),
                "recorded_by": _key(settings.AUTH_USER_MODEL),
                "ordered_by": _key(
                    settings.AUTH_USER_MODEL,
                    help_text="The supervisor who ordered it, where it takes one.",
                    **_MAYBE,
                ),
            },
        ),
        migrations.AddIndex(
            model_name="transfer",
            index=models.Index(
                fields=["time_collection"],
                condition=models.Q(time_collection__isnull=False),
                name="transfers_of_a_time_collection",
            ),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.UniqueConstraint(
                fields=["reverses"],
                condition=models.Q(reverses__isnull=False),
                name="a_transfer_is_taken_back_once",
            ),
        ),
        migrations.RunPython(documents_pack),
        install_triggers_again(floor_triggers),
        install_triggers_again(conduct_triggers),
    ]
