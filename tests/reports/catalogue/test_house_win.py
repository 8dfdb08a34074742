"""House win and hold of tables that the house banks: by slips and by rounds, worked by hand; what a report leaves out there."""

from __future__ import annotations

import csv
import datetime
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client

from cardroom.documents.document import Mark
from cardroom.floor.commands.bank import turn_end
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tray import buy_in_take_back, slip_take_back
from cardroom.floor.models import BuyIn, MeterMovement, Round, Shift, Table
from cardroom.floor.reads.rotation import day_period, room_rotation, table_rotation
from cardroom.reports.catalogue.questions import listed_in
from cardroom.reports.models import ShiftReport
from cardroom.reports.periods.document import period_report_document
from cardroom.reports.periods.period import day_of, month_of
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.shift.trays import format_hold
from cardroom.reports.stored.exports import report_csv
from cardroom.reports.stored.figure_types import Sums
from cardroom.reports.stored.selectors import period_report_of, report_of
from cardroom.reports.tasks import make_due_reports
from cardroom.reports.verification.verify import Checked, period_reports_verify, reports_verify
from tests.cast import PLAYERS, Cast, closed_cast, sheet
from tests.kept import kept
from tests.pdf_text import pages_of

from ..commands import as_superuser, close_shift
from ..house import LOW, PAIR, TENS, House, at
from ..played_shift import answers, drawn, play_shift, rows
from ..test_sql_views import select
from .test_agreement import page_shows

pytestmark = pytest.mark.postgresql

DAY = datetime.date(2026, 11, 30)
MORNING = datetime.datetime(2026, 11, 30, 14, 30, tzinfo=datetime.UTC)
OVER = datetime.datetime(2026, 12, 1, 14, 0, tzinfo=datetime.UTC)

#: What the first shift of `play_two_shifts` comes to, in cents. Round 1: the house takes ante and play of 2000 from seat 5
#: and pays ante and play of 1000 to seat 4. Round 3: it takes the progressive's 100 and pays ante and play of 500 with the
#: bonus of 5 to 1; the meter pays 250,000.
WON = 4000 - 2000 + 100 - 1000 - 2500
FIRST: dict[str, int] = {
    "buy_ins_cents": 30_000,
    "drop_expected_cents": 30_000,
    "taken_cents": 4000 + 100,
    "paid_cents": 2000 + 1000 + 2500 + 250_000,
    "meter_wins_cents": 250_000,
    "meter_contributions_cents": 20,
    "house_win_cents": WON,
    "tray_opened_cents": 500_000,
    "tray_fills_cents": 100_000,
    "tray_credits_cents": 40_000,
    "tray_closed_cents": 528_000,
    "win_by_slips_cents": 528_000 + 40_000 + 30_000 - 500_000 - 100_000,
    # 500,000 + 100,000 - 40,000 - 30,000 - 1,400 should have been there, and 600 less were.
    "tray_variance_cents": -600,
    "tray_noted_cents": -600,
    "trays_not_closed": 0,
    "rounds_settled": 2,
    "voids_after_deal": 1,
}
#: And the second: 2000 taken from seat 4; and of the first shift's round 1 seat 5 had won 4000 instead of losing them.
SECOND: dict[str, int] = {
    "buy_ins_cents": 0,
    "taken_cents": 2000 - 4000,
    "paid_cents": 4000,
    "house_win_cents": 2000 - 8000,
    "meter_wins_cents": 0,
    "tray_opened_cents": 528_000,
    "tray_closed_cents": 530_000,
    "win_by_slips_cents": 2000,
    "tray_variance_cents": 8000,
    "tray_noted_cents": 8000,
    "rounds_settled": 1,
    "corrections": 1,
}


def play_first(house: House) -> None:
    house.slip("opener", 500_000)
    house.buy_in(4, 20_000)
    house.buy_in(5, 10_000)
    house.record(at(4, PAIR, {"ante": 1000}), at(5, LOW, {"ante": 2000}))
    house.slip("fill", 100_000)
    house.void(5, 1000)
    house.win_the_meter(5, 250_000, added=20)
    house.slip("credit", 40_000)


def play_two_shifts() -> Cast:
    """A day of two shifts: table 7 stays open over the change, and a round of the first is corrected in the second."""
    with time_machine.travel(MORNING) as clock:
        house = House()
        house.open()
        play_first(house)
        clock.move_to(MORNING + datetime.timedelta(hours=9))
        house.slip("closer", 528_000, "one chip of $5 and one of $1 fell into the tip box")
        house.close()
        house.send_room(shift_open, name="Graveyard")
        house.slip("opener", 528_000)
        house.record(at(4, LOW, {"ante": 1000}))
        house.correct(Round.objects.earliest("pk"), 5, TENS)
        clock.move_to(OVER - datetime.timedelta(minutes=5))
        house.slip("closer", 530_000, "round 1 was paid right and recorded wrongly")
        house.close()
        make_due_reports()
    return house


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MORNING, tick=False) as traveller:
        yield traveller


@pytest.fixture
def cast(clock: time_machine.Traveller, db: None) -> Cast:
    """Two shifts of one day, which is over."""
    cast = kept(report_two_shifts)
    clock.move_to(OVER)
    return cast


def report_two_shifts() -> Cast:
    cast = play_two_shifts()
    with time_machine.travel(OVER, tick=False):
        make_due_reports()
        make_due_reports()
    return cast


def reports() -> list[ShiftReport]:
    made = [report_of(shift) for shift in Shift.objects.order_by("pk")]
    return [report for report in made if report is not None]


def these(sums: Sums, like: dict[str, int]) -> dict[str, Any]:
    """The figures that `like` names."""
    return {name: sums[name] for name in like}  # type: ignore[literal-required]


def test_win_by_slips_and_by_rounds_worked_by_hand(cast: Cast) -> None:
    first, second = reports()
    for report, expected in ((first, FIRST), (second, SECOND)):
        assert report.typed_figures["differences"] == []
        assert these(report.typed_figures["total"], expected) == expected
        [seven, eight] = report.typed_figures["tables"]
        assert (seven["banked_by"], eight["banked_by"]) == ("house", "house")
        assert these(seven, expected) == expected
        assert eight["trays_not_closed"] == eight["win_by_slips_cents"] == 0
    # A void before the settlement moved nothing, and the tips would not have.
    assert first.typed_figures["total"]["tips_cents"] == 0


def test_the_shift_report_tells_win_hold_and_counts_and_nothing_of_banks_fees_and_rotation(
    cast: Cast,
) -> None:
    first, second = (shift_document_of(report) for report in reports())
    said = answers(first)
    assert (said["win_by_slips_cents"], said["hold"]) == (-2000, "−6.7%")
    [variance] = [row for row in rows(first, "to_look_at") if row["what"] == "Tray variance"]
    assert variance["detail"] == "win by slips less win by rounds −$6"
    assert {"exceptions", "exhausted_banks"} & set(said) == set()
    assert rows(first, "house_win")[0] == {
        "table": 7,
        "win_by_slips_cents": -2000,
        "house_win_cents": WON,
        "tray_variance_cents": -600,
        "tray_noted_cents": -600,
        "buy_ins_cents": 30_000,
        "hold": "−6.7%",
        "tray": "closed",
    }
    assert [row["tray"] for row in rows(first, "house_win")] == ["closed", "not used"]
    counts = rows(first, "house_win_counts")
    assert [(row["kind"], row["expected_cents"], row["counted_cents"]) for row in counts] == [
        ("opener", None, 500_000),
        ("closer", 528_600, 528_000),
    ]
    assert [row["variance_cents"] for row in rows(second, "house_win_counts")] == [0, 8000]
    assert counts[1]["note"] == "one chip of $5 and one of $1 fell into the tip box"
    for document in (first, second):
        names = {grid.name for grid in document.grids}
        absent = {"fees", "coverage", "conduct", "bands", "exceptions_waivers", "exceptions_times"}
        assert not names & absent
        assert not [name for name in names if name.startswith(("collection_", "rotation_", "coverage_"))]
        assert rows(document, "exceptions_off_file") == []
        text = json.dumps([[grid.title, [c.heading for c in grid.columns]] for grid in document.grids])
        for word in ("Player-dealer", "player-dealer", "fees", "Rotation", "uncovered"):
            assert word not in text + " ".join(document.notes) + " ".join(a.label for a in document.answers)
    header = next(csv.reader(io.StringIO(report_csv(reports()[0]))))
    assert "house win by rounds" in header
    assert not {"bank fees", "turns begun", "offers accepted"} & set(header)


def test_page_pdf_and_api_show_what_the_document_says(cast: Cast) -> None:
    browser = Client()
    browser.force_login(cast.people["compliance"])
    report = reports()[0]
    document = shift_document_of(report)
    page = browser.get(f"/shifts/{report.shift_id}/report/").content.decode()
    page_shows(page, document)
    printed = "".join("".join(pages_of(browser.get(f"/shifts/{report.shift_id}/report.pdf").content)).split())
    for word in ("Housewinandhold,bytable", "Countsoftrays", "tipbox", "-6.7%"):
        assert word in printed
    of_api = browser.get(f"/api/rooms/{cast.room.pk}/shifts/{report.shift_id}/report").json()
    assert of_api["figures"]["total"]["win_by_slips_cents"] == -2000


def test_day_and_month_add_both_shifts_up(cast: Cast) -> None:
    for period in (day_of(cast.room, DAY), month_of(cast.room, DAY)):
        period_report = period_report_of(period)
        assert period_report is not None
        assert period_report.typed_figures["differences"] == []
        total = period_report.typed_figures["total"]
        assert (total["win_by_slips_cents"], total["house_win_cents"]) == (0, WON - 6000)
        assert (total["tray_variance_cents"], total["buy_ins_cents"]) == (7400, 30_000)
        assert total["tray_variance_cents"] == total["win_by_slips_cents"] - total["house_win_cents"]
        document = period_report_document(period_report)
        assert answers(document)["hold"] == "0.0%"
        assert rows(document, "house_win")[0]["house_win_cents"] == WON - 6000
        assert len(rows(document, "house_win_counts")) == 4
        assert document.grid("fees") is None
        assert document.grid("collection_hours") is None
    day, month = period_report_of(day_of(cast.room, DAY)), period_report_of(month_of(cast.room, DAY))
    assert day is not None
    assert month is not None
    by_shift = rows(period_report_document(day), "shifts")
    assert [(row["win_by_slips_cents"], row["house_win_cents"], row["hold"]) for row in by_shift] == [
        (-2000, WON, "−6.7%"),
        (2000, -6000, "none"),
    ]
    [of_day] = rows(period_report_document(month), "days")
    assert (of_day["win_by_slips_cents"], of_day["tray_variance_cents"], of_day["hold"]) == (0, 7400, "0.0%")
    checked = Checked()
    assert [*reports_verify(checked), *period_reports_verify(checked)] == []


def test_the_catalogue_tells_it_by_table_shift_and_day_and_ties_rounds_to_transfers(cast: Cast) -> None:
    document = drawn(cast, "house-win", first=DAY, last=DAY)
    said = answers(document)
    assert said["difference_cents"] == said["not_closed"] == 0
    assert (said["win_by_slips_cents"], said["win_by_rounds_cents"]) == (0, WON - 6000)
    [first, second] = rows(document, "tables_in_shifts")
    assert (first["win_by_rounds_cents"], second["win_by_rounds_cents"]) == (WON, -6000)
    assert (first["variance_cents"], second["variance_cents"]) == (-600, 8000)
    assert (first["meter_wins_cents"], first["added_cents"], first["drop_cents"]) == (250_000, 20, 30_000)
    for grid in ("tables", "days"):
        [row] = rows(document, grid)
        assert (row["win_by_slips_cents"], row["win_by_rounds_cents"]) == (0, WON - 6000)
    assert len(rows(document, "shifts")) == 2
    assert len(rows(document, "counts")) == 4
    with as_superuser() as cursor:
        cursor.execute(
            "UPDATE floor_round SET taken_cents = taken_cents + 700 WHERE revision = 0 AND number = 3"
        )
    assert answers(drawn(cast, "house-win", first=DAY, last=DAY))["difference_cents"] == 700


def test_the_sql_view_says_the_same(cast: Cast) -> None:
    found = select("SELECT * FROM house_win ORDER BY win_by_slips_cents")
    assert [row["shift"] for row in found] == ["Swing", "Graveyard"]
    for row, expected in zip(found, (FIRST, SECOND), strict=True):
        assert {
            "buy_ins_cents": row["bought_in_cents"],
            "meter_wins_cents": row["meter_wins_cents"],
            "house_win_cents": row["win_by_rounds_cents"],
            "tray_opened_cents": row["opened_cents"],
            "tray_closed_cents": row["closed_cents"],
            "win_by_slips_cents": row["win_by_slips_cents"],
            "tray_variance_cents": row["difference_cents"],
        } == {
            name: expected[name]
            for name in (
                *("buy_ins_cents", "meter_wins_cents", "house_win_cents", "tray_opened_cents"),
                *("tray_closed_cents", "win_by_slips_cents", "tray_variance_cents"),
            )
        }
        assert row["win_by_transfers_cents"] == row["win_by_rounds_cents"]
        assert (row["table_number"], str(row["gaming_day"])) == (7, str(DAY))
    assert (float(found[0]["hold_percent"]), found[1]["hold_percent"]) == (-6.7, None)
    assert float(found[0]["win_by_slips_dollars"]) == -20.0


def test_rounds_one_by_one_come_to_the_win_and_no_page_misses_a_rotation(cast: Cast) -> None:
    document = drawn(cast, "rounds", first=DAY, last=DAY)
    assert answers(document) == {"rounds": 5, "won_cents": WON - 6000}
    grid = document.grid("rounds")
    assert grid is not None
    assert [column.name for column in grid.columns][5:] == [
        *("bank", "shown_card", "total_table_action_cents"),
        *("taken_cents", "paid_cents", "meter_cents", "won_cents"),
    ]
    [void] = rows(drawn(cast, "exceptions", first=DAY, last=DAY), "voids")
    assert not {"fees_cents", "given_back_cents"} & set(void)
    period = day_period(cast.room, DAY)
    # Table 8 was never set to a game.
    assert [each.table.number for each in room_rotation(cast.room, period)] == [8]
    of_table = table_rotation(Table.objects.get(pk=cast.table.pk), period)
    assert (of_table.exceptions, of_table.strays, of_table.figures.rounds) == ([], [], 0)
    browser = Client()
    browser.force_login(cast.people["compliance"])
    page = browser.get(f"/tables/{cast.table.pk}/rotation/?day={DAY}").content.decode()
    assert "The house banks at this table" in page
    for address in (
        f"/rooms/cache-slough/rotation/?day={DAY}",
        f"/rooms/cache-slough/rotation.pdf?day={DAY}",
    ):
        assert browser.get(address).status_code == 200


@pytest.mark.usefixtures("db")
def test_a_tray_without_a_closer_shows_no_win_by_slips_and_says_so() -> None:
    house = kept(House)
    house.open()
    play_first(house)
    report = house.report()
    total = report.typed_figures["total"]
    assert (total["win_by_slips_cents"], total["tray_variance_cents"]) == (None, None)
    assert (total["tray_closed_cents"], total["trays_not_closed"]) == (None, 1)
    assert total["house_win_cents"] == WON
    document = shift_document_of(report)
    said = {answer.name: answer for answer in document.answers}
    assert (said["win_by_slips_cents"].value, said["hold"].value) == (None, None)
    assert (said["win_by_slips_cents"].mark, said["win_by_slips_cents"].text) == (
        Mark.LOOK,
        "1 tray not closed",
    )
    found = {row["what"]: row["count"] for row in rows(document, "to_look_at")}
    assert found["Trays not closed"] == 1
    assert not {"Tray variance", "Trays"} & set(found)
    assert rows(document, "house_win")[0]["tray"] == "not closed"
    [row] = select("SELECT closed_cents, win_by_slips_cents, win_by_rounds_cents FROM house_win")
    assert row == {"closed_cents": None, "win_by_slips_cents": None, "win_by_rounds_cents": WON}
    # A closer that was made for the shift later restates its report.
    house.slip("closer", 528_600)
    again = shift_report_make(report.shift_id)
    assert (again.revision, again.typed_figures["total"]["win_by_slips_cents"]) == (1, WON)
    assert ("win by slips", None, WON) in [(each["what"], each["was"], each["now"]) for each in again.changes]


@pytest.mark.usefixtures("db")
def test_two_pairs_of_counts_in_one_shift_and_a_correction_after_the_last_closer() -> None:
    house = kept(House)
    house.open()
    house.slip("opener", 100_000)
    round_ = house.record(at(4, LOW, {"ante": 1000}))
    house.slip("closer", 101_500, "a chip of $5 is gone")
    house.slip("opener", 90_000, "counted anew")
    house.slip("closer", 90_000)
    # Seat 4 is paid 2000 where 2000 were taken.
    house.correct(round_, 4, PAIR)
    total = house.report().typed_figures["total"]
    # 1500 by the first pair and nothing by the second.
    assert (total["win_by_slips_cents"], total["house_win_cents"]) == (1500, 2000 - 4000)
    assert (total["tray_variance_cents"], total["tray_noted_cents"]) == (3500, -500)
    [row] = select("SELECT win_by_slips_cents, win_by_rounds_cents, difference_cents FROM house_win")
    assert row == {"win_by_slips_cents": 1500, "win_by_rounds_cents": -2000, "difference_cents": 3500}


@pytest.mark.usefixtures("db")
def test_what_was_taken_back_counts_in_nothing_and_rounds_without_a_slip_in_no_win_by_slips() -> None:
    house = kept(House)
    house.open()
    house.slip("opener", 100_000)
    house.buy_in(4, 5000)
    fill = house.slip("fill", 7000)
    signed = {"reason": "the wrong table", "approver": house.people["floor"]}
    house.send(slip_take_back, "dealer", slip_id=fill.pk, **signed)
    house.send(buy_in_take_back, "dealer", buy_in_id=BuyIn.objects.get().pk, **signed)
    house.record(at(4, LOW, {"ante": 1000}))
    house.slip("closer", 102_000)
    [win] = rows(drawn(house, "house-win"), "tables_in_shifts")
    assert (win["drop_cents"], win["hold"], win["variance_cents"]) == (0, "none", 0)
    assert (win["win_by_slips_cents"], win["win_by_rounds_cents"]) == (2000, 2000)
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM floor_trayslip WHERE reverses_id IS NOT NULL")
        cursor.execute("DELETE FROM floor_trayslip")
    [win] = rows(drawn(house, "house-win"), "tables_in_shifts")
    assert (win["win_by_slips_cents"], win["win_by_rounds_cents"], win["not_closed"]) == (None, 2000, 1)
    total = house.report().typed_figures["total"]
    assert (total["win_by_slips_cents"], total["house_win_cents"], total["trays_not_closed"]) == (
        None,
        2000,
        1,
    )


#: What a hand in the database might change about round 1, and the figures that must then be named.
TAMPERED: list[tuple[str, dict[str, dict[str, int]]]] = [
    (
        "DELETE FROM floor_transfer WHERE kind = 'take' AND round_id = %s AND wager = 'play'",
        {
            "taken_cents": {"transfers": 2100, "rounds": 4100, "settlements": 4100},
            "house_win_cents": {"transfers": WON - 2000, "rounds": WON, "settlements": WON},
        },
    ),
    (
        "UPDATE floor_round SET meter_cents = 900 WHERE id = %s",
        {
            "house_win_cents": {"transfers": WON, "rounds": WON + 900, "settlements": WON},
            "meter_wins_cents": {"transfers": 250_000, "rounds": 250_900, "settlements": 250_000},
        },
    ),
    (
        "UPDATE floor_buyin SET cents = 20500 WHERE cents = 20000 AND %s > 0",
        {
            "buy_ins_cents": {"transfers": 30_000, "rounds": 30_500},
            "drop_expected_cents": {"transfers": 30_000, "rounds": 30_500},
        },
    ),
]


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(("sql", "named"), TAMPERED, ids=["transfers", "meter", "buy-in"])
def test_what_does_not_tie_out_is_named(sql: str, named: dict[str, dict[str, int]]) -> None:
    house = kept(House)
    house.open()
    play_first(house)
    with as_superuser() as cursor:
        cursor.execute(sql, [Round.objects.earliest("pk").pk])
    differences = house.report().typed_figures["differences"]
    assert {each["figure"]: each["ways"] for each in differences} == named


@pytest.mark.usefixtures("db")
def test_where_no_house_banks_nothing_tells_of_it() -> None:
    cast = closed_cast()
    play_shift(cast)
    report = shift_report_make(close_shift(cast).pk)
    document = shift_document_of(report)
    names = {grid.name for grid in document.grids}
    assert not names & {"house_win", "trays", "house_rounds", "house_win_counts"}
    text = json.dumps([[grid.title, [c.heading for c in grid.columns]] for grid in document.grids])
    for word in ("House win", "House banks", "Tray", "tray", "meter", "bought in"):
        assert word not in text + " ".join(document.notes)
    assert not {"hold", "win_by_slips_cents"} & set(answers(document))
    assert "house win by rounds" not in report_csv(report)
    assert "house-win" not in {each.name for each in listed_in(cast.room)}
    browser = Client()
    browser.force_login(cast.people["compliance"])
    assert "House win" not in browser.get("/rooms/cache-slough/reports/").content.decode()
    assert not MeterMovement.objects.exists()


@pytest.mark.usefixtures("db")
def test_a_house_lists_no_report_about_banks_fees_and_rotation() -> None:
    cast = kept(House)
    cast.open()
    names = {each.name for each in listed_in(cast.room)}
    assert not names & {"collection", "fee-audit", "coverage", "rotation", "bank-time", "what-if"}
    assert "house-win" in names
    browser = Client()
    browser.force_login(cast.people["compliance"])
    page = browser.get("/rooms/cache-slough/reports/").content.decode()
    assert "House win and hold" in page
    assert "Rotation of the bank" not in page
    listed = browser.get(f"/api/rooms/{cast.room.pk}/reports").json()
    assert {each["name"] for each in listed} == names


@pytest.mark.usefixtures("db")
def test_a_table_that_players_and_then_the_house_banked_tells_of_both() -> None:
    house = kept(House)
    house.open(rulebook="california", seats=tuple(PLAYERS))
    house.bank_to(3)
    house.send(round_record, "dealer", sheet=sheet({4: 1000}))
    house.send(turn_end, "floor", reason="the house banks from now on")
    house.set_table()
    house.slip("opener", 100_000)
    house.record(at(4, LOW, {"ante": 1000}))
    house.slip("closer", 102_000)
    report = house.report()
    assert report.typed_figures["differences"] == []
    seven, eight = report.typed_figures["tables"]
    assert (seven["banked_by"], eight["banked_by"]) == ("both", "house")
    assert (seven["house_win_cents"], seven["win_by_slips_cents"], seven["rounds_settled"]) == (2000, 2000, 2)
    assert (seven["player_fees_cents"], seven["bank_fees_cents"]) == (100, 100)
    document = shift_document_of(report)
    assert [row["table"] for row in rows(document, "fees")] == [7]
    assert [row["rounds"] for row in rows(document, "rotation_tables")] == [1, 0]
    assert rows(document, "rotation_exceptions") == []
    assert sum(row["rounds"] for row in rows(document, "collection_schedules")) == 1
    assert {row["bank"] for row in rows(drawn(house, "rounds"), "rounds")} == {"Cy", "the house"}
    assert answers(drawn(house, "fee-audit"))["differing"] == 0


def test_hold_is_rounded_to_the_tenth_away_from_zero() -> None:
    assert format_hold(None, 100) is None
    assert format_hold(5, 0) == "none"
    assert format_hold(1, 3) == "33.3%"
    assert format_hold(-1, 1000) == "−0.1%"
    assert format_hold(-1, 10_000) == "0.0%"
    assert format_hold(125, 1000) == "12.5%"
    assert format_hold(1255, 10_000) == "12.6%"


@pytest.mark.usefixtures("cast")
def test_the_view_does_not_multiply_rows() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM house_win")
        assert cursor.fetchone() == (2,)
