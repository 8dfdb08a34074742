"""Digests of rows: what a command wrote is noted as it is written, and its journal entry keeps a digest of each row.

A digest is the first 40 hex digits of SHA-256 over the canonical JSON (`cardroom.core.canonical`) of
`["floor_round", {"id": 7, "number": 3, …}]`: the table, and every column with its value. Words and whole numbers are
as they are, a document as the JSON that it is, an instant in UTC with microseconds
(`2026-11-30T20:00:00.000000+00:00`), a day as `2026-11-30`, a time of day as `06:00:00`, no value as null. A column that a
later release has added is left out while it holds the value that rows of before got (`DigestPolicy.later`).

Every model is covered this way unless it says otherwise in its `digest_policy`. Inside `rows_gathered`, which every
command's lock opens, the rows that `save` and `delete` write are noted by Django's signals. Queries send no signals: rows
are written at once by `rows_create`, `row_update` and `rows_update`, never by `bulk_create` and `QuerySet.update` themselves. The
journal takes what was noted with `pop_pending`. A row that was inserted or saved whole is digested as it was written; of
one that was saved in part, all columns are read back.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import functools
import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from django.db import models

from cardroom.core.dates import utc_exact

from .canonical import canonical_bytes

#: Hex digits of a digest: 160 bits.
DIGITS: Final = 40
#: The entry in place of a digest for a row that a command deleted.
DELETED: Final = ""
#: Digests by table and by id in words, as an entry of the journal keeps them.
RowDigests = dict[str, dict[str, str]]

M = TypeVar("M", bound=models.Model)


@dataclasses.dataclass(frozen=True, kw_only=True)
class DigestPolicy:
    """How `verify` covers the rows of a model; said as its attribute `digest_policy`. Without it: all rows, all columns.

    `why` is the reason for what is left out, and is listed in docs/verify.md.
    """

    #: Why no row has a digest. What else proves them, if anything does, is named there too.
    not_digested: str = ""
    #: Why a row may be there that no command has written yet; once a command has written it, it is covered.
    may_predate_journal: str = ""
    #: Columns that are left out, each with the reason.
    columns: Mapping[str, str] = dataclasses.field(default_factory=dict)
    #: Columns that came after the first release, each with the value that its migration gave the rows that were there. A
    #: digest has such a column only where it holds another value, so that digests of those rows hold on.
    later: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    #: Whether a row, given its columns, is a fact yet; one that is none is not digested.
    is_fact: Callable[[Mapping[str, Any]], bool] | None = None


_WHOLE: Final = DigestPolicy()
_OF_OTHERS: Final = DigestPolicy(not_digested="a table of a package that the site is built with")


def policy_of(model: type[models.Model]) -> DigestPolicy:
    """Return how the rows of a model are covered. A history's are covered as those of the model whose history it is."""
    first: Any = model._meta.auto_created
    if first:  # the table between two models, which belongs to the first
        return policy_of(first)
    if not model.__module__.startswith("cardroom."):
        return _OF_OTHERS
    if (told_of := getattr(model, "instance_type", None)) is None:
        declared: DigestPolicy = getattr(model, "digest_policy", _WHOLE)
        return declared
    of = policy_of(told_of)
    if of.not_digested:
        return of
    return DigestPolicy(
        may_predate_journal=of.may_predate_journal
        or "what the administration changes has a history and no command",
        later=of.later,
    )


def is_digested(model: type[models.Model]) -> bool:
    """Tell whether commands leave digests of the rows of a model."""
    return not policy_of(model).not_digested


@dataclasses.dataclass(frozen=True)
class _Shape:
    """The columns of a model that are digested, in order of their names, and how each value is worded."""

    table: str
    names: tuple[str, ...]
    attributes: tuple[str, ...]
    words: tuple[tuple[int, Callable[[Any], Any]], ...]
    later: tuple[tuple[str, Any], ...]
    is_fact: Callable[[Mapping[str, Any]], bool] | None

    def covered(self, values: Sequence[Any]) -> bytes | None:
        """Return what is hashed of a row whose `attributes` have these values; None for one that is no fact yet."""
        row = dict(zip(self.names, values, strict=True))
        if self.is_fact is not None and not self.is_fact(row):
            return None
        for place, word in self.words:
            if (value := values[place]) is not None:
                row[self.names[place]] = word(value)
        for name, value in self.later:
            if row[name] == value:
                del row[name]
        return canonical_bytes([self.table, row])

    def digest(self, values: Sequence[Any]) -> str | None:
        """Return the digest of such a row; None for one that is no fact yet."""
        covered = self.covered(values)
        return None if covered is None else hashlib.sha256(covered).hexdigest()[:DIGITS]


@functools.cache
def _shape(model: type[models.Model]) -> _Shape:
    policy = policy_of(model)
    left_out = policy.columns
    fields = sorted(
        (field for field in model._meta.concrete_fields if field.column not in left_out),
        key=lambda field: str(field.column),
    )
    return _Shape(
        table=model._meta.db_table,
        names=tuple(str(field.column) for field in fields),
        attributes=tuple(field.attname for field in fields),
        words=tuple(
            (place, word) for place, field in enumerate(fields) if (word := _word_of(field)) is not None
        ),
        later=tuple(policy.later.items()),
        is_fact=policy.is_fact,
    )


def _word_of(field: models.Field[Any, Any]) -> Callable[[Any], Any] | None:
    """Return how a value of a field is worded; None where it is taken as it is."""
    if isinstance(field, models.ForeignKey):
        return _word_of(field.target_field)
    if isinstance(field, models.DateTimeField):
        return utc_exact
    if isinstance(field, (models.DateField, models.TimeField)):
        return _iso
    if isinstance(field, (models.CharField, models.TextField, models.GenericIPAddressField)):
        return str
    if isinstance(field, (models.IntegerField, models.BooleanField, models.JSONField)):
        return None
    raise TypeError(
        f"{field} has values of a kind that no digest is worded for: say in _word_of how they are"
    )


def _iso(value: datetime.date | datetime.time) -> str:
    return value.isoformat()


def digest_of(row: models.Model) -> str | None:
    """Return the digest of a row as its object says it; None for one that is no fact yet."""
    shape = _shape(type(row))
    return shape.digest([getattr(row, name) for name in shape.attributes])


def text_of(row: models.Model) -> str | None:
    """Return the canonical JSON that the digest of a row is taken of; None for one that is no fact yet."""
    shape = _shape(type(row))
    covered = shape.covered([getattr(row, name) for name in shape.attributes])
    return None if covered is None else covered.decode()


def digests_read(model: type[models.Model], pks: Iterable[Any]) -> Iterator[tuple[Any, str | None]]:
    """Read rows and yield the id and digest of each that there is, in any order."""
    # Whole objects: to name every column to `values_list` takes longer than to make the few that are read here.
    for row in model._base_manager.filter(pk__in=pks).order_by():
        yield row.pk, digest_of(row)


def digests_of_table(
    model: type[models.Model], *, after: Any = None, chunk: int = 2000
) -> Iterator[tuple[Any, str | None]]:
    """Read a table in order of its ids, or what of it lies `after` one, and yield the id and digest of each row."""
    shape = _shape(model)
    rows = model._base_manager.order_by("pk").values_list("pk", *shape.attributes)
    if after is not None:
        rows = rows.filter(pk__gt=after)
    for pk, *values in rows.iterator(chunk_size=chunk):
        yield pk, shape.digest(values)


#: What was noted of a row: its digest, or None where the row is read back.
Pending = dict[tuple[type[models.Model], Any], str | None]


class _Gathered(threading.local):
    """The rows that the transaction of this thread has written and no entry of the journal covers; None outside of one."""

    pending: Pending | None = None


_gathered = _Gathered()


class RowsUncovered(RuntimeError):
    """A command wrote rows after its last journal entry, or wrote none: write the entry after them."""


@contextlib.contextmanager
def rows_gathered() -> Iterator[None]:
    """Note the rows that are written inside the block, inside the transaction of a command.

    Within another one the rows are noted there, and forgotten where the block fails and is undone alone. Raises
    RowsUncovered where the outermost block ends with rows that no entry of the journal covers.
    """
    before = _gathered.pending
    _gathered.pending = {} if before is None else dict(before)
    try:
        yield
    except BaseException:
        _gathered.pending = before
        raise
    noted = _gathered.pending
    _gathered.pending = noted if before is not None else None
    if before is None and noted:
        rows = ", ".join(sorted({f"{model._meta.label} {pk}" for model, pk in noted}))
        raise RowsUncovered(f"no entry of the journal covers what was written to {rows}")


def pop_pending() -> Pending:
    """Return what was noted since the last call, for the place that has acted."""
    if _gathered.pending is None:
        raise RuntimeError("rows are written inside rows_gathered, which every lock opens")
    noted, _gathered.pending = _gathered.pending, {}
    return noted


def pending_digests(noted: Pending) -> RowDigests:
    """Return the digests of rows that were noted, as an entry of the journal keeps them."""
    found: RowDigests = {}
    unread: dict[type[models.Model], list[Any]] = {}
    for (model, pk), digest in noted.items():
        if digest is None:
            unread.setdefault(model, []).append(pk)
        else:
            found.setdefault(model._meta.db_table, {})[str(pk)] = digest
    for model, pks in unread.items():
        for pk, digest in digests_read(model, pks):
            if digest is not None:
                found.setdefault(model._meta.db_table, {})[str(pk)] = digest
    return found


def rows_create(rows: Sequence[M]) -> list[M]:
    """Insert rows of one model at once, and note them."""
    if not rows:
        return []
    model = type(rows[0])
    made = model._base_manager.bulk_create(rows)
    for row in made:
        row_note(row, whole=True)
    return made


def rows_update(rows: models.QuerySet[Any], **columns: Any) -> None:
    """Give rows of a query other values at once, and note them, unless no digest holds such a column."""
    if not columns.keys() - policy_of(rows.model).columns.keys():
        rows.update(**columns)
        return
    pks = list(rows.values_list("pk", flat=True))
    rows.model._base_manager.filter(pk__in=pks).update(**columns)
    rows_note(rows.model, pks)


def row_update(row: models.Model, **columns: Any) -> None:
    """Give a row that is locked, and was read whole, other values, in its object too; note it as the object says it."""
    for column, value in columns.items():
        setattr(row, column, value)
    type(row)._base_manager.filter(pk=row.pk).update(**columns)
    if columns.keys() - policy_of(type(row)).columns.keys():
        row_note(row, whole=True)


def rows_note(model: type[models.Model], pks: Iterable[Any]) -> None:
    """Note rows that a query has changed, to be read back."""
    if _gathered.pending is not None and is_digested(model):
        _gathered.pending.update({(model, pk): None for pk in pks})


def row_note(row: models.Model, *, whole: bool) -> None:
    """Note a row that was written; `whole`: all columns as its object says them."""
    if _gathered.pending is not None and is_digested(type(row)):
        if not whole:
            _gathered.pending[type(row), row.pk] = None
        elif (digest := digest_of(row)) is not None:
            _gathered.pending[type(row), row.pk] = digest


def on_save(
    sender: type[models.Model], instance: models.Model, update_fields: Any, raw: bool, **kwargs: Any
) -> None:
    """Note a row that was saved: a receiver of `post_save`."""
    if not raw:
        row_note(instance, whole=update_fields is None)


def on_delete(sender: type[models.Model], instance: models.Model, **kwargs: Any) -> None:
    """Note a row that was deleted: a receiver of `post_delete`."""
    if _gathered.pending is not None and is_digested(sender):
        _gathered.pending[sender, instance.pk] = DELETED
