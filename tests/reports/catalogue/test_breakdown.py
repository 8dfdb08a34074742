"""By game, table, dealer and provider: each of them comes to what the other reports say of the same shift."""

from __future__ import annotations

import datetime

import pytest
import time_machine

from cardroom.documents.document import ReportDocument
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Shift
from cardroom.reports.shift.making import shift_report_make
from tests.cast import Cast, closed_cast
from tests.filing import table_settings

from ..commands import close_shift
from ..played_shift import answers, drawn, play_hours, play_shift, rows

MORNING = datetime.datetime(2026, 11, 14, 18, 10, tzinfo=datetime.UTC)
DAY = datetime.date(2026, 11, 14)


@pytest.fixture
def played(db: None) -> tuple[Cast, Shift]:
    with time_machine.travel(MORNING, tick=False) as clock:
        cast = closed_cast()
        play_shift(cast)  # with voids, a correction and an exhausted bank
        clock.shift(datetime.timedelta(hours=1))
        shift = close_shift(cast)
        shift_report_make(shift.pk)
    return cast, shift


def test_every_table_comes_to_what_the_report_of_the_shift_says(played: tuple[Cast, Shift]) -> None:
    cast, shift = played
    document = drawn(cast, "breakdown", first=DAY, last=DAY)
    total = shift_report_make(shift.pk).figures["total"]
    for name in ("games", "tables", "dealers"):
        grid = document.grid(name)
        assert grid is not None
        assert grid.totals is not None
        assert grid.totals["drop_cents"] == total["drop_expected_cents"] > 0, name
        assert grid.totals["rounds"] == total["rounds_settled"] > 0, name
        assert grid.totals["tips_cents"] == total["tips_cents"], name
        assert grid.totals["uncovered_cents"] == total["uncovered_cents"] > 0, name
    providers = document.grid("providers")
    assert providers is not None
    assert providers.totals is not None
    assert providers.totals["uncovered_cents"] == total["uncovered_cents"]
    assert providers.totals["exhausted"] == total["exhausted_banks"]
    [game] = rows(document, "games")
    assert (game["share"], game["change"]) == ("100.0%", "none")
    assert answers(document)["rounds_an_hour"] == rows(document, "tables")[0]["rounds_an_hour"]


def test_each_row_opens_the_rounds_that_make_it(played: tuple[Cast, Shift]) -> None:
    cast, _ = played
    grid = drawn(cast, "breakdown", first=DAY, last=DAY).grid("dealers")
    assert grid is not None
    [row] = grid.rows
    dealer = cast.people["dealer"]
    assert row.links["dealer"].endswith(f"/reports/rounds/?from={DAY}&to={DAY}&dealer={dealer.pk}")
    log = drawn(cast, "rounds", first=DAY, last=DAY, options={"dealer": str(dealer.pk)})
    assert answers(log)["drop_cents"] == row.values["drop_cents"]


def test_a_drop_is_held_against_the_same_days_before(db: None) -> None:
    documents: list[ReportDocument] = []
    with time_machine.travel(MORNING, tick=False) as clock:
        cast = closed_cast()
        for hours, again in ((2, False), (3, True)):
            if again:
                clock.move_to(MORNING + datetime.timedelta(days=7))
                cast.send_room(shift_open, "shift_manager", name="Swing")
            else:
                cast.open()
            play_hours(cast, clock, hours)
            close_shift(cast)
        clock.shift(datetime.timedelta(days=1))
        day = DAY + datetime.timedelta(days=7)
        documents.append(drawn(cast, "breakdown", first=day, last=day))
    [document] = documents
    [table] = rows(document, "tables")
    assert (table["drop_cents"], table["change"]) == (600, "+$2 · +50.0%")


@pytest.mark.postgresql
def test_the_time_of_a_table_is_a_games_from_its_first_round_to_the_first_of_another(db: None) -> None:
    with time_machine.travel(MORNING, tick=False) as clock:
        cast = closed_cast()
        cast.open()
        play_hours(cast, clock, 2)
        cast.send(
            table_set,
            "floor",
            **table_settings(cast.room, options={"coverage": "net"}),
        )
        play_hours(cast, clock, 1)
        close_shift(cast)
        document = drawn(cast, "breakdown", first=DAY, last=DAY)
    games = rows(document, "games")
    assert [(game["rounds"], game["table_seconds"]) for game in games] == [(2, 7200), (1, 3600)]
    assert [game["rounds_an_hour"] for game in games] == ["1.0", "1.0"]
    totals = {name: (document.grid(name) or pytest.fail(name)).totals or {} for name in ("games", "tables")}
    assert totals["games"]["table_seconds"] == totals["tables"]["table_seconds"] == 10800
