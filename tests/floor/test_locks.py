"""The locks of commands: closing a shift beside rounds that are posted, and what PostgreSQL undoes to end a deadlock."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import InternalError, OperationalError, connection, transaction
from django.utils import timezone

from cardroom.config.failures import DATABASE_AWAY, failure_of
from cardroom.core.row_digests import rows_gathered
from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.rounds import bets_close, bets_place, round_open, round_void
from cardroom.floor.commands.seats import down_start, player_seat
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.errors import Busy, FloorError, NotNow, Stale
from cardroom.floor.execution.carry_out import Answer, RoomCommand
from cardroom.floor.execution.locks import Undone, lock_row, lock_tables
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.journal import journal_append
from cardroom.floor.models import JournalEntry, Round, Shift, Table
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from tests.cast import Cast, running_cast
from tests.filing import table_settings
from tests.waiting import until_somebody_waits

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


def in_thread(command: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """Run `command` in a thread on a connection of its own; the list gets what it returned or raised."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(command())
        except (FloorError, InternalError, OperationalError) as error:
            outcome.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, outcome


def closes_as_before(cast: Cast, shift_id: int) -> None:
    """What closing a shift locked before: the room's row and its tables' rows `FOR UPDATE`."""
    with transaction.atomic():
        room = Room.objects.select_for_update().get(pk=cast.room.pk)
        list(Table.objects.select_for_update().filter(room=room).order_by("id"))
        Shift.objects.filter(pk=shift_id).update(
            closed_at=timezone.now(), closed_by=cast.people["shift_manager"]
        )


def closes(cast: Cast, shift_id: int) -> None:
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift_id)


def close_beside_a_round(cast: Cast, close: Callable[[Cast, int], None]) -> list[Any]:
    """Write a fact at a table, begin to close the shift, commit; return what the two came to.

    Foreign keys are checked as a transaction commits: the fact's wants its room's row (`FOR KEY SHARE`) after the close
    has locked it, while the close wants the table's row.
    """
    shift = Shift.objects.get()
    outcomes: list[Any] = []
    try:
        with transaction.atomic(), rows_gathered():
            table = Table.objects.select_for_update(no_key=True).get(pk=cast.table.pk)
            journal_append(holder=table, actor=cast.people["dealer"], at=timezone.now(), command="round_note")
            closing, closed = in_thread(lambda: close(cast, shift.pk))
            until_somebody_waits()
        outcomes.append("written")
    except OperationalError as error:
        outcomes.append(error)
    closing.join(timeout=30)
    return outcomes + closed


def deadlocks(outcomes: list[Any]) -> int:
    return [getattr(getattr(each, "__cause__", None), "sqlstate", "") for each in outcomes].count("40P01")


def test_closing_a_shift_beside_a_round_that_is_posted_is_no_deadlock() -> None:
    cast = running_cast()
    assert close_beside_a_round(cast, closes) == ["written", None]
    assert Shift.objects.get().closed_at is not None
    assert JournalEntry.objects.filter(command="round_note").count() == 1


def test_a_shift_is_closed_with_what_is_open_once_its_tables_are_locked() -> None:
    """A round that is opened while the close waits for its table is in the list that the close answers and records."""
    cast = running_cast()
    shift = Shift.objects.get()
    with transaction.atomic():
        cast.send(round_open, "dealer", bank_wager_cents=20000)
        close = functools.partial(cast.send_room, shift_close, "shift_manager", confirmed=True)
        closing, closed = in_thread(lambda: close(shift_id=shift.pk))
        until_somebody_waits()
    closing.join(timeout=30)
    assert {item["kind"]: item["count"] for item in closed[0]["open"]}["rounds"] == 1
    listed = JournalEntry.objects.get(command="shift_close").data["left_open"]
    assert "rounds" in [item["kind"] for item in listed]


def test_with_the_locks_of_before_it_is_one_on_postgresql() -> None:
    """The negative control."""
    cast = running_cast()
    outcomes = close_beside_a_round(cast, closes_as_before)
    assert deadlocks(outcomes) == (1 if connection.vendor == "postgresql" else 0)


@pytest.mark.outside
def test_forty_shifts_close_while_rounds_are_posted() -> None:
    """Nothing but answers and refusals, and no round came into a shift after its close."""
    cast = running_cast()
    open_second_table(cast)
    done = threading.Event()
    posted: list[Any] = []
    tables = [(cast.table, "dealer", 4), (cast.second_table, "dealer_2", 2)]
    posting = [
        in_thread(
            functools.partial(post_until, done, posted, cast=cast, table=table, dealer=dealer, seat=seat)
        )
        for table, dealer, seat in tables
    ]
    try:
        for turn in range(40):
            shift = Shift.objects.get(closed_at__isnull=True)
            until_more_is_posted(posted)
            unless_busy(functools.partial(closes, cast, shift.pk))
            unless_busy(functools.partial(cast.send_room, shift_open, "shift_manager", name=f"Shift {turn}"))
    finally:
        done.set()
        for thread, _ in posting:
            thread.join(timeout=30)
    assert [outcome for _, outcomes in posting for outcome in outcomes] == [None, None]
    assert {type(each) for each in posted} <= {dict, Stale, NotNow, Busy}
    assert [type(each) for each in posted].count(dict) > 80
    for round_ in Round.objects.filter(shift__closed_at__isnull=False).select_related("shift"):
        assert (round_.bets_closed_at or round_.ended_at) <= round_.shift.closed_at


def open_second_table(cast: Cast) -> None:
    """Open table 8 beside table 7, with two players and the bank at seat 1."""
    table = cast.second_table
    settings = table_settings(cast.room, schedule_id=cast.schedule(1).pk)
    cast.send(table_set, "floor", table, **settings)
    cast.send(table_open, "floor", table)
    cast.hang_box(80, table=table)
    cast.send(down_start, "floor", table, dealer_id=cast.people["dealer_2"].pk)
    for seat, player in enumerate(cast.waiting[:2], 1):
        cast.send(player_seat, "floor", table, seat=seat, player_id=player.pk)
    cast.send(offer_answer, "floor", table, seat=1, answer="accepted")


def post_until(
    done: threading.Event, posted: list[Any], *, cast: Cast, table: Table, dealer: str, seat: int
) -> None:
    """Open rounds and void them, which never fills a turn at the bank; note what each command came to.

    A pause follows each command: SQLite hands its write lock to whichever connection asks at a moment when it is free, so
    two threads that never pause could keep the close out for as long as they run.
    """
    floor = cast.people["floor"]
    bets = [{"seat": seat, "wagers": {"ante": 1000}}]
    while not done.is_set():
        for command, arguments in (
            (round_open, {"bank_wager_cents": 20000}),
            (bets_place, {"positions": bets}),
            (bets_close, {}),
            (round_void, {"reason": "misdeal", "approver": floor}),
        ):
            try:
                posted.append(cast.send(command, dealer, table, **arguments))
            except FloorError as error:
                posted.append(error)
            time.sleep(0.02)


def until_more_is_posted(posted: list[Any]) -> None:
    """Wait until four more commands were given at the tables."""
    wanted = len(posted) + 4
    for _ in range(2000):
        if len(posted) >= wanted:
            return
        time.sleep(0.005)
    raise AssertionError("nothing is posted any more")


def unless_busy(command: Callable[[], Any]) -> Any:
    """Give a command again for as long as it is busy, as a person would."""
    for _ in range(20):
        try:
            return command()
        except Busy:
            continue
    raise AssertionError("busy twenty times in a row")


class Undoing:
    """A command on a room that the database undoes the first `times` that it is carried out."""

    def __init__(self, times: int, error: type[psycopg.Error] = psycopg.errors.DeadlockDetected) -> None:
        self.left, self.error, self.runs = times, error, 0

    def __call__(self, tx: RoomTransaction) -> Answer:
        self.runs += 1
        tx.journal("shift_open", {"run": self.runs})
        if self.left:
            self.left -= 1
            raise OperationalError("undone") from self.error()
        return {"run": self.runs}

    @property
    def command(self) -> RoomCommand[[]]:
        def command(tx: RoomTransaction) -> Answer:
            return self(tx)

        return room_command_of(command)


def room_command_of(function: Callable[[RoomTransaction], Answer]) -> RoomCommand[[]]:
    """A command that is not declared: it has no endpoint."""
    return RoomCommand(function=function, where="POST test", right=Right.RUN_SHIFTS, title="Test", tag="Test")


@pytest.mark.parametrize("error", [psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure])
def test_a_command_that_the_database_undid_is_carried_out_once_more(error: type[psycopg.Error]) -> None:
    cast = running_cast()
    entries, version = JournalEntry.objects.count(), Room.objects.get(pk=cast.room.pk).version
    undoing = Undoing(1, error)
    answer = cast.send_room(undoing.command, "shift_manager")
    assert (answer["run"], undoing.runs, answer["version"]) == (2, 2, version + 1)
    assert JournalEntry.objects.count() == entries + 1  # what the first run wrote was undone with it


def test_a_command_that_is_undone_twice_is_busy() -> None:
    cast = running_cast()
    entries = JournalEntry.objects.count()
    undoing = Undoing(2)
    with pytest.raises(Busy) as caught:
        cast.send_room(undoing.command, "shift_manager")
    assert (caught.value.code, caught.value.status, undoing.runs) == ("busy", 409, 2)
    assert JournalEntry.objects.count() == entries


def test_a_command_inside_another_transaction_is_not_run_again() -> None:
    """What the caller has written before it would be lost, and the caller not know."""
    cast = running_cast()
    undoing = Undoing(1)
    with pytest.raises(Undone), transaction.atomic():
        cast.send_room(undoing.command, "shift_manager")
    assert undoing.runs == 1


def test_a_fault_of_the_database_that_is_no_lock_stays_a_fault() -> None:
    cast = running_cast()
    undoing = Undoing(1, psycopg.errors.DiskFull)
    with pytest.raises(OperationalError):
        cast.send_room(undoing.command, "shift_manager")
    assert undoing.runs == 1


def test_a_command_that_lost_a_real_deadlock_is_carried_out_once_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another transaction locks a table and then the room, against the order: on PostgreSQL the command is ended once."""
    cast = running_cast()
    runs: list[bool] = []
    room_locked, table_locked = threading.Event(), threading.Event()

    def against_the_order() -> None:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL deadlock_timeout = '20s'")  # the other one finds out first
            lock_row(Table, cast.table.pk)
            table_locked.set()
            if connection.vendor == "postgresql":
                room_locked.wait(timeout=10)
            lock_row(Room, cast.room.pk)

    def in_order(tx: RoomTransaction) -> Answer:
        runs.append(True)
        room_locked.set()
        return {"tables": len(lock_tables(tx.room))}

    thread, outcome = in_thread(against_the_order)
    # The pause before the second run lets the other one end, however busy this machine is.
    monkeypatch.setattr("cardroom.floor.execution.locks.sleep", lambda seconds: thread.join(timeout=30))
    assert table_locked.wait(timeout=10)
    answer = cast.send_room(room_command_of(in_order), "shift_manager")
    thread.join(timeout=30)
    assert outcome == [None]
    assert answer["tables"] == 2
    assert len(runs) == (2 if connection.vendor == "postgresql" else 1)


def test_a_transaction_that_says_nothing_is_ended_and_its_table_is_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As of a web server whose machine has lost the network in the midst of a command."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite the database is on the same machine")
    cast = running_cast()
    monkeypatch.setattr("cardroom.floor.execution.locks.SILENCE_MS", 300)
    locked_, silent = threading.Event(), threading.Event()

    def says_nothing() -> None:
        with transaction.atomic():
            lock_row(Table, cast.table.pk)
            locked_.set()
            silent.wait(timeout=30)
            Table.objects.filter(pk=cast.table.pk).update(version=1)

    thread, outcome = in_thread(says_nothing)
    assert locked_.wait(timeout=10)
    with transaction.atomic():
        assert lock_row(Table, cast.table.pk).version > 1  # within the two seconds for which a lock is waited
    silent.set()
    thread.join(timeout=30)
    assert failure_of(outcome[0]) == DATABASE_AWAY
