"""Two commands at the same moment, in two threads with connections of their own, held to the two orders one after the other.

The first command is held at its end, before its commit, until the second one waits for a lock or has ended. What is in the
database then must be what it is after one of the two orders: every row of every table that either has written, ids, hashes
and instants included, for the clock stands still and the sequences are set back before each run. Commands without a lock in
common (one of a table, one of its room) may write in turn: of them ids, hashes and microseconds are left out.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import json
import queue
import re
import threading
import time
from collections.abc import Callable, Collection, Iterator
from typing import Any

import psycopg
from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet

from cardroom.floor.execution import carry_out
from tests.cast import Cast

from .calls import At, Call, Calls, calls_taken

#: Ids of new rows begin here, and in each state later than in the one before: they are seen in any row that names them.
_first_ids = itertools.count(2_000_000_000, 100_000)
_WRITTEN = re.compile(r'^(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')
_MASKS = (
    (re.compile(r"\b20\d{8}\b"), "ID"),
    (re.compile(r"\b[0-9a-f]{40,64}\b"), "HASH"),
    (re.compile(r"(T\d\d:\d\d:\d\d)\.\d+"), r"\1"),
    (re.compile(r'"(?:chain_)?seq": \d+'), '"seq": N'),
)
PATIENCE_SECONDS = 20.0
#: The rows that are there and were not, and those that were and are not, by table.
Content = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What two commands came to, and what they have left in the database."""

    results: tuple[str, str]
    content: Content

    @property
    def masked(self) -> tuple[tuple[str, str], str]:
        """The same without ids, hashes and microseconds."""
        text = json.dumps(
            {
                table: [sorted(_masked(row) for row in rows) for rows in both]
                for table, both in self.content.items()
            },
            sort_keys=True,
        )
        return self.results, text


def _masked(row: str) -> str:
    for pattern, word in _MASKS:
        row = pattern.sub(word, row)
    return row


class Kept:
    """The database as it is now, table by table, so that it can be put back."""

    def __init__(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                "WHERE n.nspname = current_schema() AND c.relkind = 'r'"
            )
            names = [name for (name,) in cursor.fetchall()]
            cursor.execute("SELECT sequencename FROM pg_sequences WHERE schemaname = current_schema()")
            first_id = next(_first_ids)
            sets = ", ".join(f"setval('{name}', {first_id})" for (name,) in cursor.fetchall())
            self._set_back = f"SELECT {sets}"
        self.rows = {name: rows_of(name) for name in names}

    def set_back_sequences(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(self._set_back)

    def changed(self, tables: set[str]) -> Content:
        """The rows of these tables that were added, and those that are gone."""
        found: Content = {}
        for table in sorted(tables):
            now, before = rows_of(table), self.rows[table]
            if now != before:
                found[table] = (tuple(sorted(now - before)), tuple(sorted(before - now)))
        return found

    def put_back(self, changed: Content) -> None:
        """Write the rows that have changed as they were, past triggers and foreign keys."""
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for table, (new, gone) in changed.items():
                key = _key_of(table)
                if new:
                    pks = [json.loads(row)[key] for row in new]
                    cursor.execute(f'DELETE FROM "{table}" WHERE "{key}" = ANY(%s)', [pks])
                for row in gone:
                    cursor.execute(
                        f'INSERT INTO "{table}" SELECT * FROM jsonb_populate_record(NULL::"{table}", %s::jsonb)',
                        [row],
                    )


def rows_of(table: str) -> frozenset[str]:
    """Every row of a table as JSON."""
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT to_jsonb(t)::text FROM "{table}" t')
        return frozenset(row for (row,) in cursor.fetchall())


@functools.cache
def _key_of(table: str) -> str:
    from django.apps import apps

    for model in apps.get_models(include_auto_created=True):
        if model._meta.db_table == table:
            return str(model._meta.pk.column)
    return "id"


class Watch:
    """Notes which tables are written to over a connection."""

    def __init__(self) -> None:
        self.tables: set[str] = set()

    def __call__(self, execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        if isinstance(sql, str) and (found := _WRITTEN.match(sql)):
            self.tables.add(found[1])
        return execute(sql, params, many, context)


class Hand(threading.Thread):
    """A thread with a connection of its own, which gives one command after the other."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.pid = 0
        self.watch = Watch()
        self.held = threading.Event()
        self.go_on = threading.Event()
        self.ended = threading.Event()
        self.result = ""
        self._holds = False
        self._asked: queue.Queue[Any] = queue.Queue()
        self.start()
        self.ended.wait(PATIENCE_SECONDS)

    def give(self, call: Call, cast: Cast, key: str, *, holds: bool) -> None:
        """Begin to give a command; one that `holds` stops before its commit until `go_on` is set."""
        self._holds = holds
        for event in (self.held, self.go_on, self.ended):
            event.clear()
        self._asked.put((call, cast, key))

    def reached_end(self) -> None:
        """Called at the end of each command: the row locks are held, and nothing is committed."""
        if self._holds:
            self._holds = False
            self.held.set()
            self.go_on.wait(PATIENCE_SECONDS)

    def run(self) -> None:
        connection.ensure_connection()
        self.pid = connection.connection.info.backend_pid
        with connection.execute_wrapper(self.watch):
            self.ended.set()
            while (asked := self._asked.get()) is not None:
                call, cast, key = asked
                self.result = call.give(cast, key)
                self.held.set()
                self.ended.set()
        connection.close()

    def stop(self) -> None:
        self._asked.put(None)
        self.join(PATIENCE_SECONDS)


class Race:
    """Runs pairs of calls in one state of the world, which is in the database when it begins and when it ends."""

    def __init__(
        self, cast: Cast, kept: Kept, hands: tuple[Hand, Hand], monitor: psycopg.Connection[Any]
    ) -> None:
        self.cast, self.kept, self.hands, self._monitor = cast, kept, hands, monitor
        self._alone: dict[At, Outcome] = {}

    def calls(self, only: Collection[At] | None = None) -> Calls:
        """The commands that are taken in this state, of those in `only`."""
        return calls_taken(self.cast, self._take, only)

    def _take(self, call: Call) -> bool:
        outcome = self.in_turn(call)
        if outcome.results[0] != "ok":
            return False
        self._alone[call.command.name, call.number] = outcome
        return True

    def written_by(self, call: Call) -> frozenset[str]:
        """The tables that a command writes to in this state."""
        return frozenset(self._alone[call.command.name, call.number].content)

    def in_turn(self, *calls: Call) -> Outcome:
        """Give calls one after the other, and take it all back."""
        self.kept.set_back_sequences()
        watch, results = Watch(), []
        with transaction.atomic(), connection.execute_wrapper(watch):
            for turn, call in enumerate(calls):
                with transaction.atomic():
                    results.append(
                        call.give(self.cast, f"race-{call.command.name}{'-again' * self._again(calls, turn)}")
                    )
                    if results[-1] != "ok":
                        transaction.set_rollback(True)
            content = self.kept.changed(watch.tables)
            transaction.set_rollback(True)
        return Outcome((*results, "")[:2], content)  # type: ignore[arg-type]

    @staticmethod
    def _again(calls: tuple[Call, ...], turn: int) -> bool:
        return turn == 1 and calls[0].command is calls[1].command

    def orders(self, first: Call, second: Call) -> Iterator[Outcome]:
        """What the orders come to, each run when it is asked for: that of `first` first, and where both have locks of their
        own the other too.

        Two commands on one version of a place are the first alone, and the second is stale.
        """
        if _one_version(first, second):
            alone = self._alone[first.command.name, first.number]
            yield Outcome(("ok", "stale"), alone.content)
            return
        yield self.in_turn(first, second)
        if not _one_lock(first, second):
            back = self.in_turn(second, first)
            yield Outcome((back.results[1], back.results[0]), back.content)

    def together(self, first: Call, second: Call) -> Outcome:
        """Give both at once: `first` is held before its commit until `second` waits for it or has ended."""
        self.kept.set_back_sequences()
        one, two = self.hands
        tables = one.watch.tables = set()
        two.watch.tables = tables
        one.give(first, self.cast, f"race-{first.command.name}", holds=True)
        _wait(one.held)
        two.give(
            second,
            self.cast,
            f"race-{second.command.name}{'-again' if first.command is second.command else ''}",
            holds=False,
        )
        self._until_waits(two)
        one.go_on.set()
        _wait(one.ended)
        _wait(two.ended)
        outcome = Outcome((one.result, two.result), self.kept.changed(tables))
        self.kept.put_back(outcome.content)
        return outcome

    def _until_waits(self, hand: Hand) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not hand.ended.wait(0.002):
            row = self._monitor.execute(
                "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND wait_event_type = 'Lock'", [hand.pid]
            ).fetchone()
            if row is not None:
                return
            if time.monotonic() > deadline:
                raise AssertionError("the second command neither waits nor ends")

    def judged(self, first: Call, second: Call) -> str:
        """Run a pair: "" where it came to one of the two orders, else what it came to."""
        outcome, orders = self.together(first, second), []
        for order in self.orders(first, second):
            if outcome == order or (not _one_lock(first, second) and outcome.masked == order.masked):
                return ""
            orders.append(order)
        if any(result.startswith("error") for result in outcome.results):
            return " / ".join(outcome.results)
        if outcome.results not in [order.results for order in orders]:
            said = " / ".join(outcome.results)
            return f"{said}, and not {' or '.join('/'.join(order.results) for order in orders)}"
        tables = {
            table
            for table in outcome.content
            if all(outcome.content[table] != order.content.get(table) for order in orders)
        }
        return f"other rows than after either order: {', '.join(sorted(tables))}"


def _one_lock(first: Call, second: Call) -> bool:
    return (first.command.place, first.place) == (second.command.place, second.place)


def _one_version(first: Call, second: Call) -> bool:
    return _one_lock(first, second) and first.command.bumps_version and second.command.bumps_version


def _wait(event: threading.Event) -> None:
    if not event.wait(PATIENCE_SECONDS):
        raise AssertionError("a command does not end")


@contextlib.contextmanager
def racing() -> Iterator[Callable[[Cast, Kept], Race]]:
    """Two hands for races, inside the block; gives what makes a race in a state."""
    settings = connection.settings_dict
    stored = carry_out._store

    def store_and_hold(*args: Any, **kwargs: Any) -> None:
        stored(*args, **kwargs)
        here = threading.current_thread()
        if isinstance(here, Hand):
            here.reached_end()

    with contextlib.ExitStack() as undo:
        monitor = psycopg.connect(
            host=settings["HOST"],
            port=settings["PORT"] or None,
            user=settings["USER"],
            password=settings["PASSWORD"] or None,
            dbname=settings["NAME"],
            autocommit=True,
        )
        undo.callback(monitor.close)
        hands = (Hand(), Hand())
        for hand in hands:
            undo.callback(hand.stop)
        carry_out._store = store_and_hold
        undo.callback(setattr, carry_out, "_store", stored)
        yield lambda cast, kept: Race(cast, kept, hands, monitor)


@contextlib.contextmanager
def locks_off() -> Iterator[None]:
    """Let every lock on a row be none, inside the block: the negative control."""
    before = QuerySet.select_for_update
    QuerySet.select_for_update = lambda self, *args, **kwargs: self._chain()  # type: ignore[method-assign]
    try:
        yield
    finally:
        QuerySet.select_for_update = before  # type: ignore[method-assign]


@contextlib.contextmanager
def without_constraint(name: str) -> Iterator[bool]:
    """Take a unique constraint or index away inside the block; tell whether it could be."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = %s",
            [name],
        )
        constraint = cursor.fetchone()
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = %s", [name])
        index = cursor.fetchone()
        try:
            if constraint is not None:
                cursor.execute(f'ALTER TABLE {constraint[0]} DROP CONSTRAINT "{name}"')
            elif index is not None:
                cursor.execute(f'DROP INDEX "{name}"')
        except DatabaseError:  # a foreign key stands on it
            yield False
            return
    try:
        yield constraint is not None or index is not None
    finally:
        with connection.cursor() as cursor:
            if constraint is not None:
                cursor.execute(f'ALTER TABLE {constraint[0]} ADD CONSTRAINT "{name}" {constraint[1]}')
            elif index is not None:
                cursor.execute(index[0])
