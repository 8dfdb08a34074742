"""Repeats the past of the rooms of a PostgreSQL database as years before it: rows are copied by one statement a table.

The copies are for the planner alone: journal entries chain to nothing, and ids of what was not copied lead nowhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import connection, models
from django.db.backends.utils import CursorWrapper

from cardroom.drop.models import CountSheet, VarianceCheck, VarianceNote
from cardroom.floor.models import (
    BuyIn,
    Down,
    DropBox,
    ExpiryOverride,
    JournalEntry,
    MeterMovement,
    Offer,
    Procedure,
    RackCount,
    RackWithdrawal,
    Round,
    Seating,
    Shift,
    TimeCollection,
    Transfer,
    TraySlip,
    Turn,
    Waiver,
    Withdrawal,
)
from cardroom.inbox.models import Item, ItemStep
from cardroom.jobs.models import Job
from cardroom.reports.models import ShiftReport
from cardroom.tips.models import HandIn

#: Copies of a model for each thousand copies of the rounds, in the order of the tables' own references. Everything but the
#: rounds is thinned, for time: a million rounds have ten million transfers.
COPIES: Mapping[type[models.Model], int] = {
    Round: 1000,
    Shift: 100,
    Turn: 100,
    Offer: 100,
    Transfer: 100,
    Procedure: 100,
    Seating: 100,
    Down: 100,
    TimeCollection: 100,
    JournalEntry: 100,
    DropBox: 100,
    CountSheet: 100,
    VarianceCheck: 100,
    Item: 100,
    ItemStep: 100,
    Job: 100,
    ShiftReport: 100,
}
#: The same of facts of which a demo room has few or none (`facts.py`); SQL views show them. A table of a few pages is read whole.
RARE: Mapping[type[models.Model], int] = {
    VarianceNote: 1000,
    Withdrawal: 1000,
    Waiver: 1000,
    ExpiryOverride: 1000,
    TraySlip: 1000,
    BuyIn: 1000,
    RackCount: 1000,
    RackWithdrawal: 1000,
    MeterMovement: 1000,
    HandIn: 1000,
}
#: Between the ids of a row and of its copy, and between the places of an entry in its chain.
_STRIDE = 100_000
#: Counted on by themselves, and unique in a chain and at a table.
_COUNTED = {(JournalEntry, "seq"), (Offer, "cycle"), (TraySlip, "number")}
_IN_A_CLOSED_SHIFT = "shift_id IN (SELECT id FROM floor_shift WHERE closed_at IS NOT NULL)"
#: What is still going on is copied by nothing: a table has one open turn.
_OVER = {
    Round: "state IN ('settled', 'void')",
    Shift: "closed_at IS NOT NULL",
    Turn: "ended_at IS NOT NULL",
    Offer: _IN_A_CLOSED_SHIFT,
    Seating: "left_at IS NOT NULL",
    Down: "ended_at IS NOT NULL",
    Job: "ended_at IS NOT NULL",
    # Nor what waits for an answer: a variance that nobody explains would wait a thousand times.
    DropBox: f"{_IN_A_CLOSED_SHIFT} AND counted_at IS NOT NULL AND id NOT IN (SELECT box_id FROM drop_variancecheck WHERE is_over)",
}


def repeat_past(days: int, thousands: float, copies: Mapping[type[models.Model], int] = COPIES) -> None:
    """Copy the past of `days` gaming days `thousands` × 1,000 times, each that many days earlier, and gather statistics.

    `copies` says how many copies of a model a thousand are.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # no trigger, no foreign key
        for model, each in copies.items():
            with _without_indexes(cursor, model):
                cursor.execute(_copying(model, days, max(1, round(each * thousands))))
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("ANALYZE")


def _copying(model: type[models.Model], days: int, copies: int) -> str:
    quote = connection.ops.quote_name
    fields = model._meta.concrete_fields
    columns = [quote(field.column) for field in fields]
    values = ", ".join(_value(field, quote(field.column), days) for field in fields)
    where = f" WHERE {_OVER[model]}" if model in _OVER else ""
    table = quote(model._meta.db_table)
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) "
        f"SELECT {values} FROM {table}, generate_series(1, {copies}) AS copy{where}"
    )


def _value(field: models.Field[Any, Any], column: str, days: int) -> str:
    kind = field.get_internal_type()
    if field.primary_key or (
        field.remote_field is not None and field.remote_field.model in {**COPIES, **RARE}
    ):
        return f"{column} + copy * {_STRIDE}"
    if kind == "DateField":
        return f"{column} - copy * {days}"
    if kind == "DateTimeField":
        return f"{column} - copy * interval '{days} days'"
    if (field.model, field.name) == (Item, "key"):
        return f"{column} || ' ' || copy"
    return f"{column} + copy * {_STRIDE}" if (field.model, field.name) in _COUNTED else column


@contextlib.contextmanager
def _without_indexes(cursor: CursorWrapper, model: type[models.Model]) -> Iterator[None]:
    """Make the indexes of a table after the block: row by row it takes several times as long."""
    cursor.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND schemaname = current_schema() "
        "AND indexname NOT IN (SELECT conname FROM pg_constraint)",
        [model._meta.db_table],
    )
    indexes = cursor.fetchall()
    for name, _ in indexes:
        cursor.execute(f"DROP INDEX {connection.ops.quote_name(name)}")
    yield
    for _, definition in indexes:
        cursor.execute(definition)
