"""Bulk insert for the simulation: ids known before the rows are written, and one statement for many rows."""

from __future__ import annotations

import datetime
import decimal
import functools
import json
import uuid
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from django.db import connection, models

#: Rows that go into one statement on PostgreSQL.
_AT_ONCE = 200
#: Fields whose values the database does not take as they are.
_PREPARED = (models.JSONField, models.DateField, models.DecimalField, models.UUIDField)
#: Values that PostgreSQL reads as their text.
_AS_TEXT = (datetime.date, decimal.Decimal, uuid.UUID)


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
    insert = _insert_of(model, rows[0].pk is not None, connection.vendor)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.executemany(insert.statement, insert.values(rows))
            return
        for begin in range(0, len(rows), _AT_ONCE):
            cursor.execute(insert.statement, [insert.document(rows[begin : begin + _AT_ONCE])])


class _Insert:
    """The statement that inserts rows of a model, with their ids where they are `keyed`.

    On PostgreSQL one document holds all rows: a statement of one parameter, whatever their number, which is planned
    once. On SQLite it is one of as many parameters as columns, for each row.
    """

    def __init__(self, model: type[models.Model], keyed: bool, vendor: str) -> None:
        fields = [field for field in model._meta.concrete_fields if keyed or not field.primary_key]
        self._keys = [str(field.column) for field in fields]
        self._columns = itemgetter(*(field.attname for field in fields))
        self._prepared = [
            (place, field) for place, field in enumerate(fields) if isinstance(field, _PREPARED)
        ]
        names = ", ".join(connection.ops.quote_name(key) for key in self._keys)
        table = connection.ops.quote_name(model._meta.db_table)
        if vendor == "sqlite":
            source = f"VALUES ({', '.join(['%s'] * len(fields))})"
        else:
            source = f"SELECT {names} FROM json_populate_recordset(NULL::{table}, %s::json)"  # noqa: S608  # own names
        self.statement = f"INSERT INTO {table} ({names}) {source}"

    def values(self, rows: Sequence[Any]) -> list[list[Any]]:
        """The rows as SQLite takes them."""
        seen: dict[Any, Any] = {}
        return [_values(list(self._columns(row.__dict__)), self._prepared, seen) for row in rows]

    def document(self, rows: Sequence[Any]) -> str:
        """The rows as PostgreSQL takes them."""
        listed = [dict(zip(self._keys, self._columns(row.__dict__), strict=True)) for row in rows]
        return json.dumps(listed, ensure_ascii=False, default=_text)


#: Made once for each model, with ids and without, on each kind of database.
_insert_of = functools.cache(_Insert)


def _values(
    values: list[Any], prepared: Sequence[tuple[int, models.Field[Any, Any]]], seen: dict[Any, Any]
) -> list[Any]:
    """The values of a row as the database takes them; `seen` are instants and days that were prepared before."""
    for place, field in prepared:
        value = values[place]
        if isinstance(value, datetime.date):
            known = seen.get(value)
            if known is None:
                known = seen[value] = field.get_db_prep_save(value, connection)
            values[place] = known
        elif value is not None:
            values[place] = field.get_db_prep_save(value, connection)
    return values


def _text(value: Any) -> str:
    """The text in which PostgreSQL reads what JSON has no word for."""
    if isinstance(value, _AS_TEXT):
        return str(value)
    raise TypeError(f"no column holds a {type(value).__name__}")
