"""A simulated day many times over: what was played on it copied into later gaming days, a million rounds in minutes.

Shifts, boxes and counts of a copied day are commands of their own, by the services that the simulation calls too. What
happened at the tables is copied in SQL, a shift at a time, under ids, instants and gaming days of its own, and the
tables' journals say it all again, each entry with the digests of the rows that were copied and the hash that it must
have. So `manage.py verify` accepts the whole, and the shift reports tie out.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import functools
import random
from collections.abc import Callable, Iterator
from typing import Any

from django.db import connection, models, transaction

from cardroom.core.notifications import notifications_muted
from cardroom.core.row_digests import RowDigests, digests_of_table, rows_gathered
from cardroom.demo.simulation.drop import CountRoom
from cardroom.demo.simulation.month import ALL_HOURS, Wanted, people_playing, simulate
from cardroom.demo.simulation.people import People
from cardroom.demo.simulation.rooms import simulated_room
from cardroom.floor.commands.shifts import close_shift, shift_open
from cardroom.floor.execution.locks import lock_row
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.journal import entry_hash
from cardroom.floor.models import (
    Alert,
    Down,
    DropBox,
    JournalEntry,
    Offer,
    Procedure,
    Round,
    Seating,
    Shift,
    Table,
    Transfer,
    Turn,
)
from cardroom.floor.models.alerts import OPEN
from cardroom.rooms.gaming_day import gaming_day_bounds
from cardroom.rooms.models import Room

#: What is copied, in an order in which each names none that comes after it, and the instant by which it has its shift.
_COPIED: dict[type[models.Model], str] = {
    Down: "started_at",
    Seating: "seated_at",
    Turn: "began_at",
    Offer: "answered_at",
    Round: "opened_at",
    Transfer: "made_at",
    Procedure: "made_at",
    Alert: "raised_at",
}
_ENTRY = [field for field in JournalEntry._meta.concrete_fields if not field.primary_key]
#: Where the data of an entry name a row that is copied.
_NAMED: dict[str, type[models.Model]] = {
    "round": Round,
    "corrects": Round,
    "turn": Turn,
    "procedure": Procedure,
    "alert": Alert,
}
_BY_TABLE = {model._meta.db_table: model for model in _COPIED}
#: Commands of the first day alone: from then on a table has its game and its decks.
_ONCE = ("table_set", "deck_place")
#: A day of early summer is played: no clock changes in the weeks that follow.
_AS_IT_ENDS = datetime.datetime(2026, 5, 4, 13, 1, tzinfo=datetime.UTC)
_ONE_DAY = datetime.timedelta(days=1)
#: Entries that are written at once.
_CHUNK = 5000


def day_played(tables: int, rounds_per_hour: int, on_progress: Callable[[str], None]) -> SimulatedDay:
    """Return the one gaming day that a room of so many tables plays, all of them always open.

    It is played in a database that has none yet; one that has it, and copies of it, is found again.
    """
    wanted = Wanted(
        days=1, tables=tables, seed=1, rounds_per_hour=rounds_per_hour, open_tenths=ALL_HOURS, plain=True
    )
    first = Shift.objects.select_related("room").order_by("opened_at").first()
    room = simulated_room() if first is None else first.room
    if first is None:
        for progress in simulate(room, wanted, _AS_IT_ENDS):
            on_progress(f"{progress.rounds:,} rounds played")
    return SimulatedDay(room, people_playing(room, wanted))


def database_settled() -> None:
    """Leave the database as days of play would have left it, and not a minute of writing.

    PostgreSQL counts and tidies its rows by itself, with time; SQLite does not, and its log is never so long in a room.
    """
    tidy = "VACUUM (ANALYZE)" if connection.vendor == "postgresql" else "PRAGMA wal_checkpoint(TRUNCATE)"
    with connection.cursor() as cursor:
        cursor.execute(tidy)


class SimulatedDay:
    """The first day of the room, as `simulate` has left it, and how many copies of it there are already."""

    def __init__(self, room: Room, people: People) -> None:
        self.room = room
        self.people = people
        days = list(
            Shift.objects.filter(room=room).order_by().values_list("gaming_day", flat=True).distinct()
        )
        self.day, self.last = min(days), max(days)
        self.shifts = list(Shift.objects.filter(room=room, gaming_day=self.day).order_by("opened_at"))
        self.begins, self.ends = gaming_day_bounds(room, self.day)
        self._first = {model: _highest(model, models.Min("id")) for model in _COPIED}
        self._cycles = 1 + max(
            _highest(model, models.Max("cycle", filter=models.Q(shift__in=self.shifts)))
            for model in (Turn, Offer)
        )
        self._copies = len(days) - 1

    def copy_until(self, rounds: int, on_progress: Callable[[str], None]) -> int:
        """Copy the day into one gaming day after another until so many rounds are stored; return how many are."""
        stored = Round.objects.count()
        while stored < rounds:
            with transaction.atomic(), rows_gathered(), notifications_muted():
                self._copy(self._next_day())
            stored = Round.objects.count()
            on_progress(f"{stored:,} rounds stored")
        return stored

    @functools.cached_property
    def _entries(self) -> dict[int, list[JournalEntry]]:
        """The journal of each table."""
        found = {}
        for table in self._tables():
            journal = JournalEntry.objects.filter(table=table, at__lt=self.ends)
            found[table.pk] = list(journal.exclude(command__in=_ONCE).order_by("seq"))
        return found

    def _tables(self) -> list[Table]:
        return list(Table.objects.filter(room=self.room, chain_seq__gt=0).order_by("pk"))

    def _next_day(self) -> datetime.date:
        """The next gaming day that is long enough: one has 23 hours when the clocks change."""
        while True:
            self.last += _ONE_DAY
            since, until = gaming_day_bounds(self.room, self.last)
            if until - since >= self.ends - self.begins:
                return self.last

    def _copy(self, day: datetime.date) -> None:
        room = lock_row(Room, self.room.pk)
        self._copies += 1
        count_room = CountRoom(room, self.people, random.Random(f"{day}"))
        copy = _Copy(
            day=day,
            later=gaming_day_bounds(room, day)[0] - self.begins,
            up={model: _highest(model, models.Max("id")) - self._first[model] + 1 for model in _COPIED},
            cycles=self._cycles * self._copies,
        )
        tables = self._tables()
        read = dict.fromkeys(self._entries, 0)
        for shift, floor in zip(self.shifts, self.people.floors, strict=True):
            assert shift.closed_at is not None  # the simulated day is over
            begins, ends = shift.opened_at + copy.later, shift.closed_at + copy.later
            made = shift_open.run(
                RoomTransaction.at_instant(room, self.people.manager, begins), name=shift.name
            )
            after = begins + datetime.timedelta(minutes=2)
            count_room.drop(after)
            opened = Shift.objects.get(pk=made["shift"])
            count_room.place(
                opened, dict.fromkeys(tables, False), after + datetime.timedelta(minutes=1), floor
            )
            with _references_taken_on_trust():
                for model, began in _COPIED.items():
                    before = _highest(model, models.Max("id"))
                    _insert(model, copy, opened, began, (shift.opened_at, shift.closed_at))
                    copy.digests.update(
                        {
                            (model, pk): digest
                            for pk, digest in digests_of_table(model, after=before)
                            if digest
                        }
                    )
            for table in tables:
                read[table.pk] = self._write_on(table, copy, read[table.pk], shift.closed_at)
            count_room.count(begins + datetime.timedelta(minutes=25))
            close_shift(RoomTransaction.at_instant(room, self.people.manager, ends), opened.pk)
        if connection.vendor == "postgresql":
            for model in _COPIED:
                _count_on(model)

    def _write_on(self, table: Table, copy: _Copy, place: int, until: datetime.datetime) -> int:
        """Write the journal of `table` on from `place` of the simulated day to `until`; return the place reached."""
        entries = self._entries[table.pk]
        rows: list[list[Any]] = []
        while place < len(entries) and entries[place].at < until:
            rows.append(copy.said_again(entries[place], table))
            place += 1
            if len(rows) == _CHUNK:
                _entries_insert(rows)
                rows.clear()
        _entries_insert(rows)
        head = {"chain_seq": table.chain_seq, "chain_hash": table.chain_hash}
        Table.objects.filter(pk=table.pk).update(**head)
        return place


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Copy:
    """One copy of the day: `later` by so much, ids `up` by so much for each model, and runs of offers by `cycles`.

    `digests` are those of the rows that it has so far.
    """

    day: datetime.date
    later: datetime.timedelta
    up: dict[type[models.Model], int]
    cycles: int
    digests: dict[tuple[type[models.Model], int], str] = dataclasses.field(default_factory=dict)

    def said_again(self, entry: JournalEntry, table: Table) -> list[Any]:
        """Return the columns of an entry of the simulated day as the next of the chain of `table`; move its head there.

        Where its data name a copied row, they name the copy; all else in them stays. It covers the rows that are copied.
        """
        table.chain_seq += 1
        columns = {field.attname: getattr(entry, field.attname) for field in _ENTRY}
        again = JournalEntry(
            **{**columns, "at": entry.at + self.later, "seq": table.chain_seq, "rows": self._rows(entry)}
        )
        again.data = {
            name: value + self.up[_NAMED[name]] if name in _NAMED else value
            for name, value in entry.data.items()
        }
        again.hash = table.chain_hash = entry_hash(again, table.chain_hash)
        return [_prepared(field, getattr(again, field.attname)) for field in _ENTRY]

    def _rows(self, entry: JournalEntry) -> RowDigests:
        rows: RowDigests = {}
        for name, digests in entry.rows.items():
            if (model := _BY_TABLE.get(name)) is not None:
                pks = (int(pk) + self.up[model] for pk in digests)
                rows[name] = {str(pk): self.digests[model, pk] for pk in pks if (model, pk) in self.digests}
        return rows


def _prepared(field: models.Field[Any, Any], value: Any) -> Any:
    return field.get_db_prep_save(value, connection)


def _entries_insert(rows: list[list[Any]]) -> None:
    names = ", ".join(f'"{field.column}"' for field in _ENTRY)
    places = ", ".join(["%s"] * len(_ENTRY))
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {JournalEntry._meta.db_table} ({names}) VALUES ({places})", rows)


@contextlib.contextmanager
def _references_taken_on_trust() -> Iterator[None]:
    """Let PostgreSQL look nothing up that copied rows name: half of the time would go to it, and they are all there."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")


def _highest(model: type[models.Model], of: models.Aggregate) -> int:
    found: int | None = model._default_manager.aggregate(found=of)["found"]
    return found or 0


def _insert(
    model: type[models.Model],
    copy: _Copy,
    shift: Shift,
    began: str,
    bounds: tuple[datetime.datetime, datetime.datetime],
) -> None:
    """Copy the rows of the simulated day whose instant `began` lies in `bounds` into `shift`."""
    fields = model._meta.concrete_fields
    since, until = bounds
    of_the_day = model._default_manager.filter(**{f"{began}__gte": since, f"{began}__lt": until})
    if model is Alert:
        of_the_day = of_the_day.exclude(OPEN)  # one of a kind stands at a table at a time
    where, values = _where(of_the_day)
    names = ", ".join(f'"{field.column}"' for field in fields)
    taken = ", ".join(_expression(field, copy, shift) for field in fields)
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({names}) SELECT {taken} FROM {table} {where}", values)


def _where(rows: models.QuerySet[Any]) -> tuple[str, tuple[Any, ...]]:
    text, values = rows.order_by("id").values("id").query.sql_with_params()
    return text[text.index(" WHERE ") :], values


def _expression(field: models.Field[Any, Any], copy: _Copy, shift: Shift) -> str:
    name = f'"{field.column}"'
    if field.primary_key:
        return f"{name} + {copy.up[field.model]}"
    if isinstance(field, models.ForeignKey):
        if field.related_model is Shift:
            return f"CASE WHEN {name} IS NULL THEN NULL ELSE {shift.pk} END"
        if (
            field.related_model is DropBox
        ):  # boxes are put on anew: that of the same table and kind in the shift
            return (
                f"(SELECT b.id FROM floor_dropbox AS b JOIN floor_dropbox AS old ON old.table_id = b.table_id "
                f"AND old.kind = b.kind WHERE old.id = {name} AND b.shift_id = {shift.pk})"
            )
        up = copy.up.get(field.related_model, 0) if isinstance(field.related_model, type) else 0
        return f"{name} + {up}" if up else name
    if isinstance(field, models.DateTimeField):
        seconds = int(copy.later.total_seconds())
        if connection.vendor == "postgresql":
            return f"{name} + interval '{seconds} seconds'"
        # As Django writes instants: six digits of a second, or none.
        return f"replace(strftime('%Y-%m-%d %H:%M:%f', {name}, '+{seconds} seconds') || '000', '.000000', '')"
    if isinstance(field, models.DateField):
        return f"DATE '{copy.day}'" if connection.vendor == "postgresql" else f"'{copy.day}'"
    if field.name == "cycle":
        return f"{name} + {copy.cycles}"
    return name


def _count_on(model: type[models.Model]) -> None:
    """Let PostgreSQL give ids after the copied ones."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"
        )
