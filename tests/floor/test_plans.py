"""The indexes by which the board and a reading of a table find rounds: years of them make neither slower."""

from __future__ import annotations

import copy
import datetime
import re
from collections import defaultdict
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardroom.floor.models import Round, Shift, Table, Turn
from cardroom.floor.reads.bank_time import bank_time
from cardroom.floor.reads.board import room_board
from cardroom.floor.reads.table_state import read_table
from cardroom.floor.reads.tray import open_tray
from tests.cast import Cast, house_cast

#: What was played at the other table, and the most rows of it that a query may read on either database.
PLAYED, MOST_READ = 4000, 40


@pytest.fixture
def by_rules() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL plans by what it has counted, and reads small tables whole")


def indexes(captured: CaptureQueriesContext) -> set[str]:
    """The indexes on rounds and transfers by which the queries find rows; on SQLite, which has no statistics here."""
    assert connection.connection is not None
    plans = (
        connection.connection.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
        for query in captured.captured_queries
    )
    found = [
        re.search(r"(?:SEARCH|SCAN) \w+(?: USING (?:COVERING )?INDEX (\w+))?", step)
        for plan in plans
        for *_, step in plan
    ]
    named = {match[1] or match[0] for match in found if match is not None}
    return {name for name in named if re.search("round|transfer", name)}


def index_of_constraint(columns: str) -> str:
    """SQLite's own name of the index that keeps some columns of a round unique."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name FROM pragma_index_list('floor_round') AS listed WHERE %s = "
            "(SELECT group_concat(name) FROM pragma_index_info(listed.name))", [columns]
        )  # fmt: skip
        [(name,)] = cursor.fetchall()
    return str(name)


@pytest.mark.usefixtures("by_rules")
def test_the_board_counts_in_indexes_of_the_shift(running: Cast) -> None:
    with CaptureQueriesContext(connection) as captured:
        room_board(running.room, Shift.objects.get(), timezone.now())
    assert indexes(captured) == {
        "rounds_in_play",
        index_of_constraint("table_id,gaming_day,number,revision"),
        "rounds_of_a_shift",
        "transfers_of_a_shift",
    }


@pytest.mark.usefixtures("by_rules")
def test_a_tray_is_added_up_in_the_index_of_its_shift(db: None) -> None:
    cast = house_cast("massachusetts")
    with CaptureQueriesContext(connection) as captured:
        open_tray(cast.table)
    assert indexes(captured) == {"transfers_of_a_shift"}


@pytest.mark.usefixtures("by_rules")
def test_a_table_is_read_without_its_rounds_that_have_ended(running: Cast) -> None:
    with CaptureQueriesContext(connection) as captured:
        read_table(running.table)
    assert indexes(captured) == {"rounds_in_play"}


@pytest.fixture
def idle(running: Cast) -> Table:
    """A table where nobody has ever played, in a room where much was played at another, in a shift that is over."""
    running.play({4: 1000})
    round_, turn, shift = Round.objects.get(), Turn.objects.get(), Shift.objects.get()
    day = datetime.timedelta(days=1)
    Shift.objects.bulk_create(
        [copied(shift, gaming_day=shift.gaming_day - day, opened_at=shift.opened_at - day, closed_by=shift.opened_by,
                closed_at=shift.opened_at - day / 2)]
    )  # fmt: skip
    over = Shift.objects.get(closed_at__isnull=False)
    Round.objects.bulk_create(
        copied(round_, gaming_day=over.gaming_day, shift=over, number=number, opened_at=round_.opened_at - day,
               ended_at=round_.ended_at - day)
        for number in range(1, PLAYED)
    )  # fmt: skip
    ages = (day + datetime.timedelta(seconds=seconds) for seconds in range(PLAYED, 1, -1))
    Turn.objects.bulk_create(
        copied(turn, shift=over, rounds=1, began_at=turn.began_at - age, ended_at=turn.began_at - age,
               ended_why=Turn.Ended.PASSED)
        for age in ages
    )  # fmt: skip
    Table.objects.create(room=running.room, number=99, schedule=running.table.schedule)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return Table.objects.get(number=99)


def copied(row: Any, **changes: Any) -> Any:
    """A row like another."""
    made = copy.copy(row)
    made.pk = None
    made._state = copy.copy(row._state)
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def rows_read(captured: CaptureQueriesContext) -> dict[str, int]:
    """How many rows of rounds and turns the queries read, by how they found them, on PostgreSQL."""
    read: dict[str, int] = defaultdict(int)

    def walk(node: dict[str, Any]) -> None:
        if node.get("Relation Name") in ("floor_round", "floor_turn"):
            found = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
            read[node.get("Index Name", node["Node Type"])] += round(found * node["Actual Loops"])
        for inner in node.get("Plans", ()):
            walk(inner)

    for query in captured.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query['sql']}")
            walk(cursor.fetchone()[0][0]["Plan"])
    return dict(read)


@pytest.mark.postgresql
@pytest.mark.parametrize("asked", ["the board", "a reading", "bank time"])
def test_nothing_walks_through_the_rounds_of_others_for_a_table_where_nobody_played(
    running: Cast, idle: Table, asked: str
) -> None:
    now = timezone.now()
    with CaptureQueriesContext(connection) as captured:
        if asked == "the board":
            room_board(running.room, Shift.objects.get(closed_at=None), now)
        elif asked == "a reading":
            read_table(idle)
        else:
            bank_time(running.room, now - datetime.timedelta(hours=1), now)
    if connection.vendor == "postgresql":
        read = rows_read(captured)
        assert max(read.values(), default=0) <= MOST_READ, read
    else:
        assert not [name for name in indexes(captured) if name.startswith("SCAN")]
