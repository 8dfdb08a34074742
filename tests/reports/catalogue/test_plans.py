"""What a report of one shift reads is found by an index: the rounds of years that lie before make it no slower."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.floor.models import Shift
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.shift.inputs import inputs_read
from tests.cast import Cast

from ..played_shift import drawn, played_cast

#: Tables that grow with every round. Drop boxes, waivers and pauses are few.
FACTS = "round|transfer|turn|offer|seating|down|procedure|alert|journalentry"
NAMED = re.compile(rf'"?(floor_(?:{FACTS}))"?(?: AS)? "?(\w+)"?')


@pytest.fixture
def cast(db: None) -> Cast:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL plans by what it has counted, and reads small tables whole")
    return played_cast()


def walks(captured: CaptureQueriesContext) -> Iterator[tuple[str, str]]:
    """Yield each table of facts that a query walks through from end to end, and the query."""
    for query in captured.captured_queries:
        sql = query["sql"]
        if not sql.lstrip().startswith(("SELECT", "WITH")):
            continue
        # A name that stands for a subquery too is that of rows which were found already.
        aliases = {alias: table for table, alias in NAMED.findall(sql) if f") AS {alias}" not in sql}
        assert connection.connection is not None
        for *_, step in connection.connection.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall():
            walked = re.match(r"SCAN (\w+)|SEARCH (\w+) USING (?:AUTOMATIC|.*\(corrects_id=\?\))", step)
            name = (walked[1] or walked[2]) if walked else ""
            if (
                walked
                and walked[2]
                and "(corrects_id=" in step
                and f'"{name}"."corrects_id" IS NULL' not in sql
            ):
                continue  # the correction of a round that was found
            table = str(aliases.get(name, name))
            if re.fullmatch(rf"floor_(?:{FACTS})", table):
                yield table, sql


@pytest.mark.parametrize("name", [name for name, report in REPORTS.items() if report.by_shift])
def test_no_report_of_a_shift_walks_through_all_there_is(cast: Cast, name: str) -> None:
    with CaptureQueriesContext(connection) as captured:
        drawn(cast, name, shift=Shift.objects.get().pk)
    assert len(captured) > 0
    assert list(walks(captured)) == []


def test_nor_does_the_shift_report(cast: Cast) -> None:
    with CaptureQueriesContext(connection) as captured:
        inputs_read(Shift.objects.get())
    assert len(captured) > 5
    assert list(walks(captured)) == []


def test_a_walk_is_told_of(cast: Cast) -> None:
    with CaptureQueriesContext(connection) as captured, connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM floor_round AS U0 WHERE U0.positions > 0")
        cursor.execute('SELECT 1 FROM floor_round WHERE "floor_round"."corrects_id" IS NULL')
    assert [table for table, _ in walks(captured)] == ["floor_round"] * 2
