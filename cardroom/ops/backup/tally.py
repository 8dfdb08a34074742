"""Tallies of tables, to compare two databases: row count, sums of cents, and a digest of all values."""

from __future__ import annotations

import datetime
import decimal
import hashlib
import json
import uuid
from collections.abc import Mapping
from typing import Any, TypedDict

from django.db import models

from cardroom.core.dates import utc_exact

#: Row digests are added modulo two to this power.
_DIGEST_BITS = 256


class Tally(TypedDict):
    """How many rows a table has, the sum of every column of cents, and the digest of all values (hex)."""

    rows: int
    cents: dict[str, int]
    digest: str


class TallyKeeper:
    """Tallies rows of one model in any order: each database collates text in its own way."""

    def __init__(self, model: type[models.Model]) -> None:
        self._columns = [field.attname for field in model._meta.concrete_fields]
        self._sums = {name: 0 for name in self._columns if name == "cents" or name.endswith("_cents")}
        self._rows = 0
        self._digest = 0

    def add(self, row: models.Model) -> None:
        """Add one row."""
        values = {name: getattr(row, name) for name in self._columns}
        self._rows += 1
        for name in self._sums:
            self._sums[name] += values[name] or 0
        self._digest += int.from_bytes(hashlib.sha256(_text(values).encode()).digest())

    @property
    def tally(self) -> Tally:
        """The tally so far."""
        digest = self._digest % (1 << _DIGEST_BITS)
        return Tally(rows=self._rows, cents=dict(self._sums), digest=f"{digest:064x}")


def tally_of(model: type[models.Model], alias: str) -> Tally:
    """Tally the table of `model` in the database `alias`."""
    keeper = TallyKeeper(model)
    for row in model._base_manager.using(alias).iterator(chunk_size=1000):
        keeper.add(row)
    return keeper.tally


def differences(expected: Mapping[str, Tally], found: Mapping[str, Tally]) -> list[str]:
    """Return each difference of two databases' tallies as text: table, figure, both values."""
    differing = []
    for table in sorted({*expected, *found}):
        here, there = expected.get(table), found.get(table)
        if here is None or there is None:
            differing.append(f"{table} is on one side alone")
            continue
        if here["rows"] != there["rows"]:
            differing.append(f"{table}: {here['rows']} rows here, {there['rows']} there")
        for name in sorted({*here["cents"], *there["cents"]}):
            sums = here["cents"].get(name), there["cents"].get(name)
            if sums[0] != sums[1]:
                differing.append(f"{table}.{name}: {sums[0]} cents here, {sums[1]} there")
        if here["rows"] == there["rows"] and here["digest"] != there["digest"]:
            differing.append(f"{table}: the same number of rows, but not the same values in them")
    return differing


def _text(values: Mapping[str, Any]) -> str:
    """A row serialized as text, identical on SQLite and PostgreSQL."""
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain)


def _plain(value: Any) -> str:
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return utc_exact(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return format(value.normalize(), "f")
    if isinstance(value, datetime.timedelta | uuid.UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    raise TypeError(f"a column holds a {type(value).__name__}, which the proof of a copy cannot compare yet")
