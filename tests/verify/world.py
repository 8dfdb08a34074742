"""A small played world for attacks: two rooms, a closed and reported shift, an open one, and a row in every table."""

from __future__ import annotations

import base64
import datetime
from typing import Any

import time_machine
from django.apps import apps
from django.db import connection, models

from cardroom.core.row_digests import is_digested
from cardroom.core.triggers import triggers_lifted
from cardroom.floor.commands.filed_documents import game_document_attach
from cardroom.floor.commands.filings import games
from cardroom.floor.commands.player_photos import player_photo_set
from cardroom.floor.commands.players import player_set
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tray import buy_in
from cardroom.floor.execution.locks import locked
from cardroom.floor.journal import journal_append
from cardroom.floor.models import Shift
from cardroom.people.models import Pin
from cardroom.reports.tasks import make_due_reports
from cardroom.reports.verification.verify import Checked, checkpoint_make, journal_verify
from cardroom.rooms.models import Room
from cardroom.tips.commands.sheets import pool_close
from cardroom.tips.reads.pools import pool_made
from tests.drop.room import CountTeam
from tests.reports.verification.test_verify_attacks import NOON, reported_room

#: A document, in Base64.
PDF = base64.b64encode(b"%PDF-1.7\n%%EOF\n").decode()
LATER = NOON + datetime.timedelta(days=2)


def world() -> CountTeam:
    """Play it, through the commands; what no command of it writes is put in as a command would, with an entry of the journal."""
    room = reported_room()
    with time_machine.travel(LATER, tick=False):
        closed = Shift.objects.get()
        total = pool_made(closed, LATER).total_cents
        room.send_room(pool_close, shift_id=closed.pk, total_cents=total)
        room.send_room(shift_open, name="Graveyard")
        room.place(13)
        room.play({4: 2000, 5: 1000})
        house = room.at_rival()
        house.open(rulebook="massachusetts", box=True)
        house.send(buy_in, seat=4, cents=2000)
        house.play({4: 1000})
        drafted = room.send_room(games.draft, "compliance", number=9, rulebook="california")
        named = {"game_id": drafted["game"], "digest": drafted["digest"], "name": "approval.pdf"}
        room.send_room(game_document_attach, "compliance", **named, content=PDF)
        [sits, *_] = room.players.values()
        room.send_room(
            player_photo_set, "floor", player_id=sits.pk, content=player_photo_set.example["content"]
        )
        # A name of before, with the digest that proves it.
        room.send_room(player_set, "floor", player_id=room.waiting[0].pk, name="Lee Chan", other_name="陳麗")
        make_due_reports()
        walked = Checked()
        assert list(journal_verify(walked)) == []
        checkpoint_make(walked, LATER)
        _rows_put_in(room)
    return room


def _rows_put_in(room: CountTeam) -> None:
    """Put a row into each table that is empty: of people and settings by `save`, of facts under the lock of the room."""
    with checks_off():
        Pin.objects.all().delete()  # the cast's were set by no command, and so have no digest in the journal
        for model in models_attacked():
            if getattr(model, "instance_type", None) is None:
                _row_put_in(model, room)


def _row_put_in(model: type[models.Model], room: CountTeam) -> None:
    if model._base_manager.exists():
        return
    for field in model._meta.concrete_fields:
        if isinstance(field, models.ForeignKey) and not field.null:
            _row_put_in(field.related_model, room)
    constraints_dropped(model)
    if not is_digested(model):
        _made(model).save(force_insert=True)
        return
    with locked(Room, room.room.pk) as place:
        row = _made(model)
        row.save(force_insert=True)
        journal_append(
            holder=place, actor=room.people["shift_manager"], at=LATER, command="put_in", data={"row": row.pk}
        )


def models_attacked() -> list[type[models.Model]]:
    """Every table of the site, of the product and of what it is built with."""
    found = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return sorted(found, key=lambda model: model._meta.db_table)


class checks_off:  # noqa: N801  # used as a context manager, like contextlib's
    """Triggers lifted, and the constraints of the database not checked, as its owner can have it; inside a transaction."""

    def __init__(self, *tables: str) -> None:
        self._tables = tables
        self._lifted = triggers_lifted(connection, tables or None)

    def __enter__(self) -> None:
        self._lifted.__enter__()
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA ignore_check_constraints = ON")

    def __exit__(self, *error: object) -> None:
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA ignore_check_constraints = OFF")
        self._lifted.__exit__(*error)


def constraints_dropped(model: type[models.Model]) -> None:
    """Take checks and unique indexes of a table away. What SQLite keeps in the table itself stays; it ignores checks."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE UNIQUE%%' AND tbl_name = %s",
                [model._meta.db_table],
            )
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP INDEX "{name}"')
            return
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype IN ('c', 'x')",
            [model._meta.db_table],
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f'ALTER TABLE "{model._meta.db_table}" DROP CONSTRAINT "{name}"')
        cursor.execute(
            "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = %s::regclass AND indisunique "
            "AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)",
            [model._meta.db_table],
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP INDEX {name}")


def _made(model: type[models.Model]) -> models.Model:
    """A row with some value in every column, that satisfies what a column by itself requires."""
    return model(
        **{
            field.attname: _value(field)
            for field in model._meta.concrete_fields
            if not isinstance(field, models.AutoField)
        }
    )


#: A value for a column of each kind; of two kinds that fit, the first.
_VALUES: tuple[tuple[type[models.Field[Any, Any]], Any], ...] = (
    (models.BooleanField, False),
    (models.IntegerField, 1),
    (models.DateTimeField, LATER),
    (models.DateField, LATER.date()),
    (models.TimeField, LATER.time()),
    (models.JSONField, {}),
    (models.CharField, "x"),
    (models.TextField, "x"),
    (models.GenericIPAddressField, "192.0.2.1"),
    (models.BinaryField, b"x"),
)


def _value(field: models.Field[Any, Any]) -> Any:
    if isinstance(field, models.ForeignKey):
        if field.null and field.related_model is field.model:
            return None
        return field.related_model._base_manager.order_by("pk").values_list("pk", flat=True).last()
    if field.choices:
        return next(iter(dict(field.flatchoices)))
    if field.has_default():
        return field.get_default()
    for kind, value in _VALUES:
        if isinstance(field, kind):
            return value
    raise TypeError(f"say in tests/verify/world.py which value {field} gets")
