"""Reads the rows of a gaming day and writes them as Parquet, typed as `schema` says."""

from __future__ import annotations

import collections
import datetime
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.db import connection

from cardroom.floor.commands.watch import clock_account
from cardroom.floor.models import Shift, Table
from cardroom.floor.reads.bank_time import bank_time

from ..periods.period import Period
from ..queries.query import ReportQuery
from ..queries.table_time import times_at_tables
from .manifest import Manifest, NotWhole, content_of, how_to_write_again
from .schema import BANK_TIME, BY_NAME, DATASETS, SCHEMA, TABLE_TIME, Column, Dataset
from .store import Store, package

#: Rows that are converted, and written as a row group, at a time.
ROWS_AT_ONCE: Final = 50_000
_COMPRESSION: Final = "zstd"
_MICROSECOND: Final = datetime.timedelta(microseconds=1)

Values = Sequence[Any]


class Written(NamedTuple):
    """A file as it is to be stored: its content, and how many rows it has."""

    dataset: Dataset
    content: bytes
    rows: int


def day_written(period: Period) -> list[Written]:
    """Return every file of a gaming day. Read inside one snapshot (`cardroom.config.databases.snapshot`)."""
    return [_written(dataset, rows_of(dataset, period)) for dataset in DATASETS]


def rows_of(dataset: Dataset, period: Period) -> Iterator[Values]:
    """Yield the rows of a file, in its order, with the values that `schema` declares."""
    if dataset.view:
        return _rows_of_view(dataset, period)
    return {TABLE_TIME.name: _table_time, BANK_TIME.name: _bank_time}[dataset.name](period)


def arrow_schema(dataset: Dataset) -> Any:
    """Return the Arrow schema of a file; its metadata says which schema of ours it is, and what each column means."""
    arrow = package("pyarrow")
    types = {
        "id": arrow.int64(),
        "int": arrow.int32(),
        "cents": arrow.int64(),
        "microseconds": arrow.int64(),
        "text": arrow.string(),
        "day": arrow.date32(),
        "flag": arrow.bool_(),
        "instant": arrow.timestamp("us", tz="UTC"),
    }
    fields = [
        arrow.field(column.name, types[column.type], nullable=column.nullable, metadata={"text": column.text})
        for column in dataset.columns
    ]
    return arrow.schema(fields, metadata={"cardroom.schema": str(SCHEMA), "cardroom.file": dataset.name})


def table_read(content: bytes) -> Any:
    """Return a Parquet file's content as an Arrow table."""
    package("pyarrow")
    return package("pyarrow.parquet").read_table(io.BytesIO(content))


def stored_table(store: Store, manifest: Manifest, name: str) -> Any:
    """Return a file that a manifest names as an Arrow table, of the columns, types and rows that are said of it. Raises NotWhole."""
    arrow, dataset, said = package("pyarrow"), BY_NAME[name], manifest.files[name]
    content = content_of(store, manifest, name)
    fault = None
    try:
        table = table_read(content)
        table.validate(full=True)
    except (arrow.ArrowException, OSError) as error:
        fault = f"cannot be read as Parquet ({type(error).__name__})"
    else:
        if not table.schema.equals(arrow_schema(dataset)):
            fault = f"does not have the columns and types of schema {SCHEMA}"
        elif table.num_rows != said.rows:
            fault = f"has {table.num_rows:,} rows and not the {said.rows:,} of its manifest"
    if fault is not None:
        raise NotWhole(
            f"{store}/{manifest.folder}/{said.file} (gaming day {manifest.day}) {fault}, though it has the fingerprint of its "
            f"manifest: something else than the site wrote both. See who may write there. {how_to_write_again(manifest.room, manifest.day)}"
        )
    return table


def _written(dataset: Dataset, rows: Iterable[Values]) -> Written:
    arrow, parquet = package("pyarrow"), package("pyarrow.parquet")
    schema, into, count = arrow_schema(dataset), io.BytesIO(), 0
    with parquet.ParquetWriter(into, schema, compression=_COMPRESSION) as writer:
        for batch in _batches(rows):
            count += len(batch)
            arrays = [
                arrow.array(values, type=field.type)
                for values, field in zip(zip(*batch, strict=True), schema, strict=True)
            ]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))
    return Written(dataset, into.getvalue(), count)


def _batches(rows: Iterable[Values]) -> Iterator[list[Values]]:
    batch: list[Values] = []
    for row in rows:
        batch.append(row)
        if len(batch) == ROWS_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _rows_of_view(dataset: Dataset, period: Period) -> Iterator[Values]:
    quote = connection.ops.quote_name
    columns = ", ".join(quote(column.source) for column in dataset.columns)
    order = ", ".join(quote(name) for name in dataset.order)
    day = quote(dataset.day)
    days = [f"{day} = %s"]
    if dataset.name == "exceptions":  # that of its shift; an override at no shift counts on its own day
        columns = columns.replace(day, f"COALESCE(shift_gaming_day, {day})")
        # Each column in a condition of its own, which an index meets: the COALESCE of both would read all there is.
        days = ["shift_gaming_day = %s", f"shift_gaming_day IS NULL AND {day} = %s"]
    convert = [_CONVERT[column.type] for column in dataset.columns]
    of_room = f"SELECT * FROM {quote(dataset.view)} WHERE room = %s"  # noqa: S608  # names of `schema` alone
    rows = " UNION ALL ".join(f"{of_room} AND {each}" for each in days)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {columns} FROM ({rows}) AS of_day ORDER BY {order}",  # noqa: S608
            [period.room.code, period.first.isoformat()] * len(days),
        )
        while found := cursor.fetchmany(ROWS_AT_ONCE):
            for row in found:
                yield [
                    _value(column, one, value)
                    for column, one, value in zip(dataset.columns, convert, row, strict=True)
                ]


def _value(column: Column, convert: Callable[[Any], Any], value: Any) -> Any:
    if value is None:
        if not column.nullable:
            raise ValueError(f"a row has no {column.name}, which every row of an export has")
        return None
    return convert(value)


def _instant(value: datetime.datetime | str) -> datetime.datetime:
    """SQLite gives instants of a view as text in UTC."""
    found = datetime.datetime.fromisoformat(value) if isinstance(value, str) else value
    return found.replace(tzinfo=datetime.UTC) if found.tzinfo is None else found.astimezone(datetime.UTC)


def _day(value: datetime.date | str) -> datetime.date:
    return datetime.date.fromisoformat(value) if isinstance(value, str) else value


_CONVERT: Final[dict[str, Callable[[Any], Any]]] = {
    "id": int,
    "int": int,
    "cents": int,
    "microseconds": int,
    "text": str,
    "day": _day,
    "flag": bool,
    "instant": _instant,
}


def _table_time(period: Period) -> Iterator[Values]:
    query = ReportQuery(
        room=period.room, first=period.first, last=period.first, staff=clock_account(), now=period.until
    )
    numbers = dict(Table.objects.filter(room=period.room).values_list("pk", "number"))
    shifts: dict[int, Shift] = {shift.pk: shift for shift in query.shifts}
    sums: collections.Counter[tuple[int, int, int]] = collections.Counter()
    for each in times_at_tables(query):
        sums[each.shift, numbers[each.table], each.dealer] += each.time // _MICROSECOND
    for (shift, table, dealer), microseconds in sorted(sums.items()):
        yield period.room.code, period.first, shifts[shift].name, table, dealer, microseconds


def _bank_time(period: Period) -> Iterator[Values]:
    found = bank_time(period.room, period.since, period.until)

    def place(share: Any) -> tuple[int, int, int]:
        return share.table.number, share.player.pk, 0 if share.provider is None else share.provider.pk

    for share in sorted(found.shares, key=place):
        firm = share.provider
        yield (
            *(period.room.code, period.first, share.table.number, share.player.pk),
            *(None if firm is None else firm.pk, None if firm is None else firm.name),
            *(share.turns, share.rounds, share.held // _MICROSECOND),
        )
