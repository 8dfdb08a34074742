"""Attacks of somebody who owns the database: one column of one row at a time, in every table, and rows taken, put in, swapped.

`python -m tests.verify` writes the outcome to docs/measured/verify-attacks.md.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.db import IntegrityError, connection, models, transaction

from cardroom.core.history_verification import histories_verify, models_with_history
from cardroom.floor.models import JournalEntry, Table
from cardroom.floor.verification.rows import (
    NewestDigests,
    RowsChecked,
    digested_models,
    newest_digests,
    table_breaks,
)
from cardroom.reports.models import Checkpoint
from cardroom.reports.verification import verify
from cardroom.reports.verification.verify import Checked
from cardroom.rooms.models import Room

from .world import checks_off, constraints_dropped

DIGESTS, HISTORY, CHAIN = "digest in the journal", "history", "chain of the journal"
#: What else `verify` looks at, by what the table of attacks calls it.
OTHERS: dict[str, Callable[[Checked], Iterator[str]]] = {
    "name, against its digest": verify.names_held,
    "count, added up": verify.counts_verify,
    "job, against the journal": verify.runs_verify,
    "report, added up again": verify.reports_verify,
    "report of a day or month": verify.period_reports_verify,
    "round, settled and charged again": verify.rounds_again,
    "slip or buy-in": verify.slips_verify,
    "movement of a meter": verify.movements_verify,
    "document of a filing": verify.filed_documents_verify,
    "sheet of tips": verify.tips_verify,
    "signature of a checkpoint": verify.checkpoints_verify,
}
#: So many other values are tried where some are taken.
_TRIES = 40


@dataclasses.dataclass(frozen=True, order=True)
class Outcome:
    """What came of one attack: by what it was found, or "" if by nothing."""

    table: str
    what: str
    found_by: str
    text: str = ""


class Attacker:
    """Attacks one table after another, in a transaction that the caller rolls back."""

    def __init__(self) -> None:
        self._newest: NewestDigests = newest_digests()
        #: What is said of the world before any attack: rows that were put in are no play.
        self._before = {found for finds in OTHERS.values() for found in finds(Checked())}

    def columns(self, model: type[models.Model], *, thorough: bool = True) -> Iterator[Outcome]:
        """Change each column, in the first and the last row of the table; yield what came of it.

        Without `thorough` by digests and histories alone, and in the two rows by turns, which is quick.
        """
        with _undone(), checks_off():
            constraints_dropped(model)
            ends = _first_and_last(model)
            for number, field in enumerate(model._meta.concrete_fields):
                for pk in ends if thorough else [ends[number % len(ends)]]:
                    yield self._attacked(
                        model, field.column, partial(_changed, model, field, pk), thorough=thorough
                    )

    def rows(self, model: type[models.Model]) -> Iterator[Outcome]:
        """Take a row out, put a copy of one in, and let two rows swap what they say; yield what came of each."""
        with _undone(), checks_off():
            constraints_dropped(model)
            first, *last = _first_and_last(model)
            yield self._attacked(model, "row taken out", partial(_deleted, model, first))
            yield self._attacked(model, "row put in", partial(_copied, model, first))
            if last:
                yield self._attacked(model, "two rows swapped", partial(_swapped, model, first, last[0]))

    def _attacked(
        self, model: type[models.Model], what: str, attack: Callable[[], None], *, thorough: bool = True
    ) -> Outcome:
        with _undone():
            attack()
            found_by, text = next(self._found(model, thorough), ("", ""))
        return Outcome(model._meta.db_table, what, found_by, text)

    def _found(self, model: type[models.Model], thorough: bool) -> Iterator[tuple[str, str]]:
        """Yield by what an attack on a table is found, the quickest first."""
        if model in digested_models():
            yield from ((DIGESTS, str(found)) for found in table_breaks(model, self._newest, RowsChecked()))
        told_of = getattr(model, "instance_type", model)
        if told_of in models_with_history():
            yield from ((HISTORY, str(found)) for found in histories_verify([told_of]))
        if not thorough:
            return
        if model in (JournalEntry, Table, Room, Checkpoint):
            yield from ((CHAIN, found) for found in verify.journal_verify(Checked()))
        if model.__module__.startswith("cardroom."):
            for name, finds in OTHERS.items():
                yield from ((name, found) for found in finds(Checked()) if found not in self._before)


@contextlib.contextmanager
def _undone() -> Iterator[None]:
    """Undo what the block does to the database."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _first_and_last(model: type[models.Model]) -> list[Any]:
    pks = model._base_manager.order_by("pk").values_list("pk", flat=True)
    first, last = pks.first(), pks.last()
    assert first is not None, f"{model._meta.label} has no row to attack: put one in (tests/verify/world.py)"
    return [first] if first == last else [first, last]


def _changed(model: type[models.Model], field: models.Field[Any, Any], pk: Any) -> None:
    """Give one column of one row another value of its kind."""
    value = was = model._base_manager.filter(pk=pk).values_list(field.attname, flat=True).get()
    column = field.column
    query = f'UPDATE "{model._meta.db_table}" SET "{column}" = %s WHERE "{model._meta.pk.column}" = %s'
    for tries_left in reversed(range(_TRIES)):
        value = other_value(field, value)
        if value == was:  # of a reference, all that there are: the next one leads nowhere
            value, field = other_value(field.target_field, was), field.target_field
        prepared = field.get_db_prep_save(value, connection)
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(query, [prepared, model._meta.pk.get_db_prep_value(pk, connection)])
                assert cursor.rowcount == 1
                return
        except IntegrityError:  # another row has that value, and it is unique
            if not tries_left:
                raise


def other_value(field: models.Field[Any, Any], was: Any) -> Any:
    """Another value of a column, as near to the one there was as an attacker would choose it."""
    while isinstance(field, models.ForeignKey):
        pks = field.related_model._base_manager.order_by("pk").values_list("pk", flat=True)
        if not field.unique and (other := pks.filter(pk__gt=was or 0).first() or pks.exclude(pk=was).first()):
            return other
        field = field.target_field
    if isinstance(field, models.BooleanField):
        return not was
    if isinstance(field, models.BinaryField):
        return bytes(was) + b"~"
    if isinstance(field, models.IntegerField):
        return 1 if was is None else was + (1000 if field.primary_key or field.unique else 7)
    if isinstance(field, (models.DateField, models.TimeField)):
        return _other_time(field, was)
    if isinstance(field, models.GenericIPAddressField):
        return "192.0.2.9" if was == "192.0.2.8" else "192.0.2.8"
    if isinstance(field, models.JSONField):
        return {**was, "forged": 1} if isinstance(was, dict) else [*(was or []), {"forged": 1}]
    if isinstance(field, (models.CharField, models.TextField)):
        return "x" if not was else was[:-1] + ("~" if was[-1] != "~" else "!")
    raise TypeError(f"say in tests/verify/attacks.py how {field} is attacked")


def _other_time(field: models.Field[Any, Any], was: Any) -> Any:
    if isinstance(field, models.DateTimeField):
        return (
            datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
            if was is None
            else was + datetime.timedelta(seconds=1)
        )
    if isinstance(field, models.DateField):
        return datetime.date(2026, 1, 1) if was is None else was + datetime.timedelta(days=1)
    return datetime.time(1, 2) if was is None else was.replace(minute=(was.minute + 1) % 60)


def _deleted(model: type[models.Model], pk: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f'DELETE FROM "{model._meta.db_table}" WHERE "{model._meta.pk.column}" = %s',
            [model._meta.pk.get_db_prep_value(pk, connection)],
        )
        assert cursor.rowcount == 1


def _row(model: type[models.Model], pk: Any) -> dict[str, Any]:
    names = [field.attname for field in model._meta.concrete_fields]
    return dict(zip(names, model._base_manager.filter(pk=pk).values_list(*names).get(), strict=True))


def _copied(model: type[models.Model], pk: Any) -> None:
    """Put a copy of a row in, with another id and other values where a column or columns are unique."""
    row, unique = _row(model, pk), _last_of_each_unique(model)
    for tries_left in reversed(range(_TRIES)):
        for field in model._meta.concrete_fields:
            if field.unique or field.name in unique:
                row[field.attname] = other_value(field, row[field.attname])
        try:
            with transaction.atomic():
                _inserted(model, row)
                return
        except IntegrityError:
            if not tries_left:
                raise


def _inserted(model: type[models.Model], row: dict[str, Any]) -> None:
    columns = ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields)
    values = [field.get_db_prep_save(row[field.attname], connection) for field in model._meta.concrete_fields]
    places = ", ".join(["%s"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ({places})', values)


def _last_of_each_unique(model: type[models.Model]) -> set[str]:
    together = [
        constraint.fields
        for constraint in model._meta.constraints
        if isinstance(constraint, models.UniqueConstraint)
        and constraint.fields
        and constraint.condition is None
    ]
    return {names[-1] for names in (*together, *model._meta.unique_together)}


def _swapped(model: type[models.Model], one: Any, two: Any) -> None:
    """Let two rows change places: each keeps its id and gets what the other says."""
    rows = {one: _row(model, one), two: _row(model, two)}
    for pk in (one, two):
        _deleted(model, pk)
    for pk, other in ((one, two), (two, one)):
        _inserted(model, {**rows[other], model._meta.pk.attname: pk})


def journal_reordered(chain: str, one: int, two: int) -> None:
    """Let two entries of a chain change places, with what they say."""
    with checks_off():
        constraints_dropped(JournalEntry)
        entries = JournalEntry.objects.filter(chain=chain)
        for seq, to in ((one, -1), (two, one), (-1, two)):
            with connection.cursor() as cursor:
                cursor.execute(
                    "UPDATE floor_journalentry SET seq = %s WHERE id = %s",
                    [to if to > 0 else 1_000_000, entries.get(seq=seq if seq > 0 else 1_000_000).pk],
                )
