"""The indexes by which the board and a reading of a table find rounds: years of them make neither slower."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardroom.floor.models import Shift
from cardroom.floor.reads.board import room_board
from cardroom.floor.reads.table_reading import read_table
from cardroom.floor.reads.tray import open_tray

from .site import Site, house_site


@pytest.fixture(autouse=True)
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


def test_the_board_counts_in_indexes_of_the_shift(open_site: Site) -> None:
    with CaptureQueriesContext(connection) as captured:
        room_board(open_site.room, Shift.objects.get(), timezone.now())
    assert indexes(captured) == {
        "rounds_in_play",
        "last_rounds_of_a_table",
        "rounds_of_a_shift",
        "transfers_of_a_shift",
    }


def test_a_tray_is_added_up_in_the_index_of_its_shift(db: None) -> None:
    site = house_site("massachusetts")
    with CaptureQueriesContext(connection) as captured:
        open_tray(site.table)
    assert indexes(captured) == {"transfers_of_a_shift"}


def test_a_table_is_read_without_its_rounds_that_have_ended(open_site: Site) -> None:
    with CaptureQueriesContext(connection) as captured:
        read_table(open_site.table)
    assert indexes(captured) == {"rounds_in_play"}
