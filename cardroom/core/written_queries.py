"""Queries in SQL of our own that give objects: for the few that every command and page asks.

Django puts a query together anew each time it is asked. One that joins five tables takes it thirty times as long as the
database takes to answer; here that is done once. The objects are those that Django would make of the same rows.
"""

from __future__ import annotations

import datetime
import functools
import json
import string
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import connection, models

M = TypeVar("M", bound=models.Model)

#: Ids that a column of either database can hold: of any other there is no row.
_IDS: Final = range(1, 2**63)


class WrittenQuery:
    """A query whose SQL is written once, and read into objects of the models that it names.

    `{down}` in the SQL stands for the columns of the model given as `down`, read through the alias `down`, and
    `{down.ended_at}` for that field alone. What is selected after them comes as the database gives it.
    """

    def __init__(self, sql: str, /, **named: type[models.Model]) -> None:
        self._written, self._named = sql, named

    @functools.cached_property
    def _put_together(self) -> tuple[str, list[_Whole | _Single], int]:
        """The SQL with its columns, what each makes of a row, and how many columns those are. Not before the apps are loaded."""
        sql, selected, columns = [], list[_Whole | _Single](), 0
        for words, named, _, _ in string.Formatter().parse(self._written):
            sql.append(words)
            if named is None:
                continue
            alias, _, field = named.partition(".")
            model = self._named[alias]
            selected.append(_Single(model, field, columns) if field else _Whole(model, columns))
            names = [connection.ops.quote_name(name) for name in selected[-1].columns]
            sql.append(", ".join(f"{alias}.{name}" for name in names))
            columns += len(names)
        return "".join(sql), selected, columns

    def rows(self, *given: Any, end: str = "") -> list[tuple[Any, ...]]:
        """Return the rows for the values `given`: an object for each model, None where an outer join has found none.

        `end` is added to the SQL, as the clause that locks what is read.
        """
        sql, selected, columns = self._put_together
        with connection.cursor() as cursor:
            cursor.execute(sql + end, given)
            found = cursor.fetchall()
        return [(*(each.read(row) for each in selected), *row[columns:]) for row in found]


class _Whole:
    """The columns of a model among those of a row, from `start` on."""

    def __init__(self, model: type[models.Model], start: int) -> None:
        fields = model._meta.concrete_fields
        self.columns = [str(field.column) for field in fields]
        self._model = model
        self._names = [field.attname for field in fields]
        self._place = slice(start, start + len(fields))
        self._id = start + self._names.index(model._meta.pk.attname)
        self._readers = [(place, read) for place, field in enumerate(fields) if (read := _reader_of(field))]

    def read(self, row: Sequence[Any]) -> models.Model | None:
        """The object of a row."""
        if row[self._id] is None:
            return None
        values = list(row[self._place])
        for place, read in self._readers:
            if values[place] is not None:
                values[place] = read(values[place])
        return self._model.from_db(connection.alias, self._names, values)


class _Single:
    """The column of one field of a model in a row, at `place`."""

    def __init__(self, model: type[models.Model], name: str, place: int) -> None:
        field: Any = model._meta.get_field(name)
        self.columns = [str(field.column)]
        self._place, self._reader = place, _reader_of(field)

    def read(self, row: Sequence[Any]) -> Any:
        """The value of a row."""
        value = row[self._place]
        return value if value is None or self._reader is None else self._reader(value)


def _reader_of(field: models.Field[Any, Any]) -> Callable[[Any], Any] | None:
    """Return how a value of a field is read from what either database gives; None where it is taken as it is."""
    if isinstance(field, models.ForeignKey):
        return _reader_of(field.target_field)
    if isinstance(field, models.JSONField):
        return functools.partial(json.loads, cls=field.decoder)
    if isinstance(field, models.DateTimeField):
        return _aware
    if isinstance(field, models.TimeField):
        return field.to_python
    if isinstance(
        field,
        (models.CharField, models.TextField, models.IntegerField, models.BooleanField, models.DateField),
    ):
        return None
    raise TypeError(
        f"{field} has values of a kind that no written query reads: say in _reader_of how they are"
    )


def _aware(value: datetime.datetime) -> datetime.datetime:
    """An instant: SQLite's come without a zone, and are UTC."""
    return value if value.tzinfo is not None else value.replace(tzinfo=datetime.UTC)


def row_by_id(model: type[M], pk: int, *related: str, end: str = "") -> M:
    """Return the row of a model with that id, and with it those `related` to it by its own foreign keys; one query.

    Raises ObjectDoesNotExist.
    """
    found = _by_id(model, *related).rows(pk, end=end) if pk in _IDS else []
    if not found:
        raise ObjectDoesNotExist(f"{model.__name__} {pk} does not exist")
    row: M
    row, *others = found[0]
    for name, other in zip(related, others, strict=True):
        setattr(row, name, other)
    return row


@functools.cache
def _by_id(model: type[models.Model], *related: str) -> WrittenQuery:
    name = connection.ops.quote_name
    named, joins = {"it": model}, []
    for place, foreign in enumerate(related):
        field: Any = model._meta.get_field(foreign)
        other = f"it_{place}"
        named[other] = field.related_model
        joins.append(
            f"{'LEFT' if field.null else 'INNER'} JOIN {name(field.related_model._meta.db_table)} {other}"
            f" ON {other}.{name(field.target_field.column)} = it.{name(field.column)}"
        )
    sql = (
        f"SELECT {', '.join(f'{{{each}}}' for each in named)} FROM {name(model._meta.db_table)} it"  # noqa: S608  # our own tables
        f" {' '.join(joins)} WHERE it.{name(str(model._meta.pk.column))} = %s"
    )
    return WrittenQuery(sql, **named)
