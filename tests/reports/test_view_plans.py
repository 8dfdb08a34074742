"""A view that is asked for a gaming day, a table or a month reads the rows of these: no index is passed by, whatever lies before."""

from __future__ import annotations

import pytest
from django.db import connection

from cardroom.core.sql_views import registered_views
from cardroom.floor.models import Shift
from tests.kept import kept
from tests.measure.growth.facts import facts_put_in
from tests.measure.growth.pages import most_read
from tests.measure.growth.views import most_of, questions
from tests.measure.growth.years import COPIES, RARE, repeat_past

from .periods.test_period_reports import two_shifts

pytestmark = pytest.mark.postgresql

#: Days before the one that was played, each two days apart.
DAYS = 1000


@pytest.fixture
def history(db: None) -> None:
    """A gaming day of two shifts, and `DAYS` like it before, where the planner takes an index wherever there is one.

    Left to itself it reads a small table whole.
    """
    if connection.vendor != "postgresql":
        pytest.skip("about PostgreSQL's plans; rooms run on it")
    kept(two_shifts)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        facts_put_in()
        repeat_past(2, 1, dict.fromkeys([*COPIES, *RARE], DAYS))
        cursor.execute("SET session_replication_role = replica")  # no trigger
        cursor.execute("UPDATE drop_variancecheck SET is_over = true")
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("ANALYZE drop_variancecheck")
        for view in registered_views():
            cursor.execute(f"SELECT COUNT(*) FROM {view.name}")  # a name of ours
            assert cursor.fetchone()[0] > DAYS, f"add a fact that {view.name} shows to tests/measure/growth"
        for way in ("seqscan", "hashjoin", "mergejoin"):
            cursor.execute(f"SET LOCAL enable_{way} = off")


@pytest.mark.usefixtures("history")
def test_no_view_reads_more_than_the_days_that_it_is_asked_for() -> None:
    found = [(most_read(asked.name, asked.query), asked.most) for asked in questions()]
    assert len(found) > len(registered_views())
    over = [
        f"{read.page}: {read.rows} rows of {read.relation or read.step}"
        for read, most in found
        if read.rows > most
    ]
    assert not over, "\n".join(over)


@pytest.mark.usefixtures("history")
def test_a_view_that_hides_its_days_from_the_planner_is_told_of() -> None:
    day = Shift.objects.order_by("gaming_day")[DAYS].gaming_day
    for hidden in (
        "SELECT *, LAG(round_number) OVER (ORDER BY round_id) AS before FROM rounds",
        "SELECT room, MAX(gaming_day) AS gaming_day FROM fees GROUP BY room, shift",
        "SELECT *, COALESCE(shift_gaming_day, gaming_day) AS day FROM exceptions",
    ):
        column = "day" if " AS day" in hidden else "gaming_day"
        read = most_read("hidden", f"SELECT * FROM ({hidden}) AS hidden WHERE {column} = '{day}'")
        assert read.rows > most_of(day, day), hidden
