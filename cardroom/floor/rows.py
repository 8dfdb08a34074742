"""Many rows at once: ids known before the rows are written, and one statement for all of them."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from django.db import connection, models

from cardroom.packed import ChainField, DigestField, PackedTextField, WordField

#: Rows that go into one statement on PostgreSQL, which takes 65,535 values at most.
_AT_ONCE = 200
#: Fields whose values the database does not take as they are.
_PREPARED = (
    *(models.JSONField, DigestField, PackedTextField, WordField, ChainField),
    *(models.DateField, models.DecimalField, models.UUIDField),
)


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
    names = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    table = connection.ops.quote_name(model._meta.db_table)
    columns = itemgetter(*(field.attname for field in fields))
    prepared = [(place, field) for place, field in enumerate(fields) if isinstance(field, _PREPARED)]
    seen: dict[Any, Any] = {}
    insert = f"INSERT INTO {table} ({names}) VALUES"  # the model's own names alone
    values = [_values(list(columns(row.__dict__)), prepared, seen) for row in rows]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.executemany(f"{insert} ({places})", values)
            return
        for begin in range(0, len(values), _AT_ONCE):
            some = values[begin : begin + _AT_ONCE]
            cursor.execute(
                f"{insert} {', '.join([f'({places})'] * len(some))}", [value for row in some for value in row]
            )


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
