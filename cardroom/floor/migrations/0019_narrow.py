# ruff: noqa: S608 -- the SQL is put together from names in this file alone
"""Words become codes, keys of what a house has some thousands of become short, and doubled indexes go (docs/storage.md).

Every table is altered once, whatever changes in it: there may be millions of rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

from cardroom.floor.append_only import conduct_triggers, floor_triggers
from cardroom.floor.models.codes import (
    ACCOUNTS,
    ACTS,
    ANSWERS,
    CLAUSES,
    ENDS,
    PROCEDURES,
    ROLES,
    ROTATIONS,
    RULEBOOKS,
    TRANSFERS,
    WAGERS,
)
from cardroom.packed import ChainField, PackedTextField, ShortKey, WordField
from fees.triggers import install_triggers_again, triggers_lifted

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState


class Narrow(Operation):
    """Alter fields of one model, rows and all.

    `worded` names the constraints whose conditions name words; `unindexed` the columns that lose an index of their own.
    SQLite copies the table where `copied`, else its rows alone are changed.
    """

    reversible = False

    def __init__(
        self,
        model_name: str,
        *,
        fields: dict[str, models.Field[Any, Any]],
        worded: tuple[str, ...] = (),
        unindexed: tuple[str, ...] = (),
        copied: bool = True,
    ) -> None:
        self.model_name = model_name
        self.fields = fields
        self.worded = worded
        self.unindexed = unindexed
        self.copied = copied

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # Models that were made of the state are made anew once, and not after each field with all that are related.
        made = state.__dict__.pop("apps", None)
        for name, field in self.fields.items():
            migrations.AlterField(self.model_name, name, field).state_forwards(app_label, state)
        if made is not None:
            state.apps = made
            state.reload_model(app_label, self.model_name.lower())

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        old = from_state.apps.get_model(app_label, self.model_name)
        new = to_state.apps.get_model(app_label, self.model_name)
        if schema_editor.connection.vendor == "sqlite":
            self._on_sqlite(schema_editor, old, new)
        else:
            self._on_postgresql(schema_editor, old, new)

    def _on_sqlite(self, schema_editor: Any, old: Any, new: Any) -> None:
        values = {
            field.column: value
            for field in map(new._meta.get_field, self.fields)
            if (value := _in_new_words(field, "sqlite")) is not None
        }
        update = f"UPDATE {new._meta.db_table} SET {', '.join(f'{name} = {value}' for name, value in values.items())}"
        if not self.copied:
            with triggers_lifted(schema_editor.connection):
                schema_editor.execute(update, params=None)
            return
        # The rows come over in the old words, and the new table's conditions name the new ones.
        schema_editor.execute("PRAGMA ignore_check_constraints = ON")
        schema_editor._remake_table(
            old, alter_fields=[(old._meta.get_field(name), new._meta.get_field(name)) for name in self.fields]
        )
        schema_editor.execute(update, params=None)
        schema_editor.execute("PRAGMA ignore_check_constraints = OFF")

    def _on_postgresql(self, schema_editor: Any, old: Any, new: Any) -> None:
        table = new._meta.db_table
        worded = [each for each in new._meta.constraints if each.name in self.worded]
        for constraint in worded:
            schema_editor.remove_constraint(old, constraint)
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(
                _LONE_INDEXES, [table, [new._meta.get_field(name).column for name in self.unindexed]]
            )
            for (index,) in cursor.fetchall():
                schema_editor.execute(f"DROP INDEX {index}")
        changes = []
        for field in map(new._meta.get_field, self.fields):
            value = _in_new_words(field, "postgresql") or field.column
            kind = field.db_type(schema_editor.connection)
            changes.append(f"ALTER {field.column} TYPE {kind} USING {value}")
        schema_editor.execute(f"ALTER TABLE {table} {', '.join(changes)}", params=None)
        for constraint in worded:
            schema_editor.add_constraint(new, constraint)


#: The indexes of one plain column each, of a table and among columns.
_LONE_INDEXES = """
    SELECT indexrelid::regclass::text FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
    WHERE indrelid = %s::regclass AND indnatts = 1 AND NOT indisunique AND indpred IS NULL AND attname = ANY(%s)
"""


def _in_new_words(field: Any, vendor: str) -> str | None:
    """The SQL by which a column's old value becomes the new one; None where it stays what it is."""
    name = field.column
    if isinstance(field, WordField):
        codes = " ".join(f"WHEN '{word}' THEN '{code}'" for word, code in field.codes.items())
        return f"CASE {name} {codes} ELSE {name} END"
    if isinstance(field, ChainField):
        number = f"CAST(substr({name}, CASE WHEN {name} LIKE 'table:%' THEN 7 ELSE 6 END) AS integer)"
        return f"CASE WHEN {name} LIKE 'table:%' THEN {number} ELSE -{number} END"
    if isinstance(field, PackedTextField):
        # A text that is not packed is read as well, as JSON.
        return f"json_quote({name})" if vendor == "sqlite" else f"convert_to(to_json({name})::text, 'UTF8')"
    return None


def journal_key(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make an entry's place in its chain its key on PostgreSQL, which keeps an index for each key.

    Ids stand in the order of the table, so that one is found by the range of pages where it must be.
    On SQLite the id is the row's own number and takes no index.
    """
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            """
            ALTER TABLE floor_journalentry
                DROP CONSTRAINT floor_journalentry_pkey,
                DROP CONSTRAINT one_entry_at_a_place_of_a_chain,
                ADD CONSTRAINT one_entry_at_a_place_of_a_chain PRIMARY KEY (chain, seq);
            CREATE INDEX journal_in_order ON floor_journalentry USING brin (id) WITH (autosummarize = on)
            """
        )


def _key(to: str, related_name: str = "+", **options: Any) -> ShortKey[Any, Any]:
    return ShortKey(
        to, django.db.models.deletion.PROTECT, db_index=False, related_name=related_name, **options
    )


_MAYBE: dict[str, Any] = {"null": True, "blank": True}
_ACCOUNTS = [
    ("seat", "player at a seat"),
    ("bank", "player-dealer"),
    ("drop", "drop box"),
    ("tokes", "toke box"),
    ("jackpot", "jackpot box"),
    ("tray", "house tray"),
    ("meter", "progressive meter"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("fees", "0003_filed_is_final"),
        ("floor", "0018_variance_overdue"),
        ("people", "0003_support_staff"),
        ("rooms", "0006_retention"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        Narrow(
            "transfer",
            fields={
                "room": _key("rooms.room"),
                "table": _key("floor.table"),
                "shift": _key("floor.shift", "transfers"),
                "time_collection": _key("floor.timecollection", "transfers", **_MAYBE),
                "player": _key("people.player", **_MAYBE),
                "kind": WordField(
                    max_length=16,
                    choices=[
                        ("fee", "collection fee"),
                        ("fee_refund", "fee given back"),
                        ("take", "wager taken"),
                        ("pay", "wager paid"),
                        ("toke", "tip won"),
                        ("time", "time collection"),
                        ("jackpot", "jackpot collection"),
                        ("jackpot_refund", "jackpot collection given back"),
                        ("rake", "house rake"),
                    ],
                    codes=TRANSFERS,
                ),
                "source": WordField(max_length=8, choices=_ACCOUNTS, codes=ACCOUNTS),
                "target": WordField(max_length=8, choices=_ACCOUNTS, codes=ACCOUNTS),
                "wager": WordField(max_length=20, blank=True, codes=WAGERS),
            },
            worded=("a_transfer_is_of_a_round_or_of_time",),
        ),
        Narrow(
            "journalentry",
            fields={
                "room": _key("rooms.room", "journal"),
                "table": _key(
                    "floor.table", "journal", help_text="Empty in the chain of the room itself.", **_MAYBE
                ),
                "chain": ChainField(max_length=40, help_text="room:N or table:N."),
                "seq": models.PositiveIntegerField(),
                "actor": _key(settings.AUTH_USER_MODEL),
                "roles": WordField(
                    max_length=120, codes=ROLES, help_text="Roles the actor held in the room at that moment."
                ),
                "act": WordField(max_length=40, codes=ACTS),
            },
        ),
        Narrow(
            "round",
            fields={
                "room": _key("rooms.room", "rounds"),
                "table": _key("floor.table", "rounds"),
                "shift": _key("floor.shift", "rounds", **_MAYBE),
                "dealer": _key(settings.AUTH_USER_MODEL),
                "bank_player": ShortKey(
                    "people.player", django.db.models.deletion.PROTECT, related_name="banked", **_MAYBE
                ),
                "schedule": _key("fees.feeschedule", "rounds", **_MAYBE),
                "voided_by": _key(settings.AUTH_USER_MODEL, **_MAYBE),
                "void_approved_by": _key(settings.AUTH_USER_MODEL, **_MAYBE),
                "corrected_by": _key(settings.AUTH_USER_MODEL, **_MAYBE),
                "correction_approved_by": _key(settings.AUTH_USER_MODEL, **_MAYBE),
                "rulebook": WordField(max_length=40, codes=RULEBOOKS),
                "rotation": WordField(
                    max_length=40,
                    blank=True,
                    default="",
                    help_text="Profile by which the bank rotated as it opened; empty: not recorded, the rulebook's.",
                    codes=ROTATIONS,
                ),
            },
            copied=False,
        ),
        Narrow(
            "offer",
            fields={
                "room": _key("rooms.room"),
                "table": _key("floor.table", "offers"),
                "shift": _key("floor.shift", "offers"),
                "player": _key("people.player", "offers"),
                "recorded_by": _key(settings.AUTH_USER_MODEL),
                "cycle": models.PositiveIntegerField(),
                "answer": WordField(
                    max_length=10,
                    choices=[
                        ("accepted", "accepted"),
                        ("declined", "declined"),
                        ("absent", "away from the table"),
                        ("ineligible", "may not bank"),
                    ],
                    codes=ANSWERS,
                ),
                "reason": PackedTextField(
                    max_length=200,
                    blank=True,
                    help_text="Why the seat was offered, or why it may not bank.",
                ),
            },
            worded=("one_accepted_offer_a_cycle",),
            unindexed=("shift",),
        ),
        Narrow(
            "turn",
            fields={
                "room": _key("rooms.room"),
                "table": _key("floor.table", "turns"),
                "shift": _key("floor.shift", "turns", help_text="Open as it began."),
                "player": ShortKey("people.player", django.db.models.deletion.PROTECT, related_name="turns"),
                "rotation": WordField(
                    max_length=40,
                    blank=True,
                    default="",
                    help_text="Profile by which the bank rotated as it began; empty: not recorded, the rulebook's.",
                    codes=ROTATIONS,
                ),
                "ended_why": WordField(
                    max_length=10,
                    blank=True,
                    choices=[
                        ("passed", "the bank was accepted by another player"),
                        ("renewed", "everybody declined; the same player began a new turn"),
                        ("left", "the player gave up the bank"),
                        ("closed", "the table closed"),
                        ("mistake", "the answer that began it was recorded by mistake"),
                    ],
                    codes=ENDS,
                ),
            },
            unindexed=("room", "table", "shift"),
        ),
        Narrow(
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
                "kind": WordField(
                    max_length=16,
                    choices=[
                        ("inspected", "deck looked over"),
                        ("idle_ended", "first player came to an idle table"),
                        ("deck_chosen", "deck dealt out of turn"),
                        ("dealt", "round dealt"),
                        ("fees_dropped", "fees dropped"),
                        ("bank_card", "card of the bank turned up"),
                        ("recut", "recut"),
                        ("stub_count", "stub counted"),
                        ("device_count", "wrong deck reported by the shuffler"),
                        ("count_waived", "round let go without a count"),
                        ("irregularity", "irregularity"),
                    ],
                    codes=PROCEDURES,
                ),
                "clause": WordField(max_length=80, blank=True, codes=CLAUSES),
            },
            worded=(
                "a_round_is_dealt_once",
                "fees_are_dropped_once_a_round",
                "a_procedure_of_a_round_names_it",
                "a_supervisor_orders_for_a_reason",
            ),
        ),
        migrations.RunPython(journal_key),
        install_triggers_again(floor_triggers),
        install_triggers_again(conduct_triggers),
    ]
