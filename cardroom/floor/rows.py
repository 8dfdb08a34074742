"""Many rows at once: ids known before the rows are written, and one statement for all of them."""

from __future__ import annotations

import datetime
import decimal
import json
import uuid
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from django.db import connection, models

from cardroom.packed import ChainField, DigestField, PackedJSONField, PackedTextField, WordField

#: Rows that go into one statement on PostgreSQL.
_AT_ONCE = 200
#: Fields whose values the database does not take as they are.
_PREPARED = (
    *(models.JSONField, DigestField, PackedTextField, WordField, ChainField),
    *(models.DateField, models.DecimalField, models.UUIDField),
)
#: Values that PostgreSQL reads as their text.
_AS_TEXT = (datetime.date, decimal.Decimal, uuid.UUID)


def next_id(model: type[models.Model]) -> int:
    """Return an id that no row has had, for a row that is written before the next one is asked for.

    On SQLite nobody else may write until then: it is taken inside the transaction of an act.
    """
    if not connection.in_atomic_block:
        raise RuntimeError(
            f"an id of {model.__name__} that is taken outside a transaction may be another's too"
        )
    return Ids(model).next()


class Ids:
    """Ids of rows that are yet to be written: a row that names another, or is named in the journal, needs one before.

    Nobody else may write rows of the table before these are written; after that the next id is asked for afresh
    (`forget`), so that ids go up in the order in which rows were written, without gaps.
    """

    def __init__(self, model: type[models.Model]) -> None:
        self._table = model._meta.db_table
        self._last: int | None = None

    def next(self) -> int:
        """Return an id that no row has had."""
        if connection.vendor == "sqlite":
            self._last = (self._highest() if self._last is None else self._last) + 1
            return self._last
        with connection.cursor() as cursor:
            cursor.execute("SELECT nextval(pg_get_serial_sequence(%s, 'id'))", [self._table])
            taken: int = cursor.fetchone()[0]
        return taken

    def forget(self) -> None:
        """Ask the database afresh for the next id."""
        self._last = None

    def _highest(self) -> int:
        """The highest id that SQLite has given in this table, to rows that are gone too."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [self._table])
            row = cursor.fetchone()
        return 0 if row is None else int(row[0])


def rows_insert(model: type[models.Model], rows: Sequence[Any]) -> None:
    """Insert `rows` in as few statements as may be; a row without an id gets its own, which nobody is told.

    All rows have ids, or none has. A row is an object of the model, or any other with its columns as attributes.
    `bulk_create` would do the same in twice the time.
    """
    if not rows:
        return
    keyed = rows[0].pk is not None
    fields = [field for field in model._meta.concrete_fields if keyed or not field.primary_key]
    names = [connection.ops.quote_name(str(field.column)) for field in fields]
    table = connection.ops.quote_name(model._meta.db_table)
    columns = itemgetter(*(field.attname for field in fields))
    prepared = [(place, field) for place, field in enumerate(fields) if isinstance(field, _PREPARED)]
    insert = f"INSERT INTO {table} ({', '.join(names)})"  # the model's own names alone
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            seen: dict[Any, Any] = {}
            values = [_values(list(columns(row.__dict__)), prepared, seen) for row in rows]
            cursor.executemany(f"{insert} VALUES ({', '.join(['%s'] * len(fields))})", values)
            return
        # One document holds all rows: a statement of one parameter, whatever their number, which is planned once.
        rows_of = f"SELECT {', '.join(names)} FROM json_populate_recordset(NULL::{table}, %s::json)"  # noqa: S608  # own names
        keys = [str(field.column) for field in fields]
        for begin in range(0, len(rows), _AT_ONCE):
            some = [
                dict(zip(keys, _plain(list(columns(row.__dict__)), prepared), strict=True))
                for row in rows[begin : begin + _AT_ONCE]
            ]
            cursor.execute(f"{insert} {rows_of}", [json.dumps(some, ensure_ascii=False, default=_text)])


def row_insert(row: models.Model) -> None:
    """Insert one row, which has no children and nobody who waits for a signal of it."""
    rows_insert(type(row), [row])
    row._state.adding = False


def row_update(row: models.Model, **columns: Any) -> None:
    """Write columns of one row as they are given; the object itself is left to the caller."""
    fields: list[Any] = [type(row)._meta.get_field(name) for name in columns]
    to_write = ", ".join(f"{connection.ops.quote_name(str(field.column))} = %s" for field in fields)
    table = connection.ops.quote_name(row._meta.db_table)
    values = [
        field.get_db_prep_save(value, connection)
        for field, value in zip(fields, columns.values(), strict=True)
    ]
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {to_write} WHERE id = %s", [*values, row.pk])  # noqa: S608  # own names


def _values(
    values: list[Any], prepared: Sequence[tuple[int, models.Field[Any, Any]]], seen: dict[Any, Any]
) -> list[Any]:
    """The values of a row as the database takes them; `seen` are instants and days that were prepared before."""
    for place, field in prepared:
        value = values[place]
        if isinstance(field, WordField):
            values[place] = field.codes.get(value, value)
        elif isinstance(value, datetime.date):
            known = seen.get(value)
            if known is None:
                known = seen[value] = field.get_db_prep_save(value, connection)
            values[place] = known
        elif value is not None:
            values[place] = field.get_db_prep_save(value, connection)
    return values


def _plain(values: list[Any], prepared: Sequence[tuple[int, models.Field[Any, Any]]]) -> list[Any]:
    """The values of a row as PostgreSQL reads them out of a JSON document: its own JSON as it is, bytes in hex.

    What JSON has no word for follows as text (`_text`).
    """
    for place, field in prepared:
        value = values[place]
        own_json = isinstance(field, models.JSONField) and not isinstance(field, PackedJSONField)
        if value is None or own_json or isinstance(value, _AS_TEXT):
            continue
        stored = field.get_db_prep_save(value, connection)
        values[place] = f"\\x{stored.hex()}" if isinstance(stored, bytes) else stored
    return values


def _text(value: Any) -> str:
    """The text in which PostgreSQL reads what JSON has no word for."""
    if isinstance(value, _AS_TEXT):
        return str(value)
    raise TypeError(f"no column holds a {type(value).__name__}")
