"""The figures of a shift report: right to the cent, in a fixed number of queries, proven against themselves."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_settle,
    round_void,
)
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.models import Round, Table, Transfer
from cardroom.people.models import Player
from cardroom.reports.shift.figures import TRAYS
from cardroom.reports.shift.inputs import inputs_read
from cardroom.reports.stored.figure_types import HOUSE_FIGURES, WAYS
from cardroom.rooms.gaming_day import gaming_day_bounds
from tests.cast import JACK_HIGH, Cast
from tests.filing import table_settings

from ..commands import as_superuser, close_shift, of_table, report


def test_every_figure_of_a_shift_worked_by_hand(running: Cast) -> None:
    # Round 1. The bank's K-7-4 qualifies and beats nothing of A-Q-2 and A-Q-T: seats 1 and 5 win ante and
    # play. Seat 4's J-8-5 loses both. Clockwise from seat 4: take 10 + 10, then pay 50 + 50 to seat 5, and
    # seat 1 is owed 30 + 30, of which W = 150 - 20 - 100 = 30 is there: its ante is paid, its play wager is
    # uncovered.
    running.play({1: 3000, 4: 1000, 5: 5000}, wager=15000, hands={4: JACK_HIGH})
    # Round 2. A tip on a winning ante goes to the tip box with its winnings: 2 + 2.
    running.send(round_open, bank_wager_cents=50000)
    running.send(bets_place, positions=[{"seat": 5, "wagers": {"ante": 2000}, "tips": {"ante": 200}}])
    running.send(bets_close)
    running.send(round_deal)
    running.send(
        round_settle, bank_hand="Kh 7d 4c", positions=[{"seat": 5, "hand": "As Qc Td", "decision": "play"}]
    )
    # The bank has had its two rounds: seat 4 declines, seat 5 is away, seat 6 takes it.
    running.send(offer_answer, seat=4, answer="declined")
    running.send(offer_answer, seat=5, answer="absent")
    running.send(offer_answer, seat=6, answer="accepted")
    # A void before the first card gives its fees back, and so does one after it.
    running.bet({1: 1000, 2: 1000})
    running.send(bets_close)
    running.send(round_void, reason="device failure", approver=running.people["floor"])
    running.deal({1: 10000, 2: 500})
    running.send(round_void, reason="wrong deck count", approver=running.people["shift_manager"])

    made = report(running)

    assert made.typed_figures["differences"] == []
    assert made.typed_figures["over_limit"] == []
    schedule = running.room.feeschedule_versions.get(number=1)
    low = {"schedule": schedule.pk, "number": 1, "version": schedule.version, "fee_cents": 100}
    high = {**low, "fee_cents": 200}
    first = Round.objects.get(number=1)
    assert first.bank_fee_band and first.bank_fee_band.startswith("$5 ")
    assert of_table(made) == {
        "table": running.table.pk,
        "number": 7,
        "banked_by": "players",
        "rounds_settled": 2,
        "rounds_by_eye": 0,
        "corrections": 0,
        "voids_before_deal": 1,
        "voids_after_deal": 1,
        "total_table_action_cents": 9000 + 2000,
        "player_fees_cents": 3 * 100 + 100 + 2 * 100 + 2 * 100,
        "bank_fees_cents": 100 + 100 + 100 + 200,
        "bank_fees": [
            {**low, "band": first.bank_fee_band, "rounds": 3, "cents": 300},
            {**high, "band": Round.objects.get(number=4).bank_fee_band, "rounds": 1, "cents": 200},
        ],
        "time_fees_cents": 0,
        "rake_cents": 0,
        "fees_waived_cents": 0,
        "jackpot_expected_cents": 0,
        "fees_refunded_cents": 300 + 400,
        "drop_expected_cents": 400 + 200,
        "tips_cents": 400,
        "taken_cents": 2000,
        "paid_cents": 13000 + 4000 + 200,
        "uncovered_cents": 3000,
        "exhausted_banks": 1,
        "turns_begun": 2,
        "offers": {"accepted": 2, "declined": 3, "absent": 1, "ineligible": 0},
        "runs_over_limit": 0,
        **dict.fromkeys((*HOUSE_FIGURES, *TRAYS, "trays_not_closed"), 0),
    }  # fmt: skip


def test_the_total_is_the_sum_of_its_tables_band_by_band(running: Cast) -> None:
    running.play({4: 1000})
    first = running.table
    # A second table of the same room, on the same schedule, where only the higher band was in use.
    running.table = Table.objects.create(room=running.room, number=2)
    elsewhere = {
        seat: Player.objects.create(room=running.room, name=f"Second {seat}") for seat in running.players
    }
    running.players = elsewhere
    from cardroom.floor.commands.seats import down_start, player_seat
    from cardroom.floor.commands.tables import table_open, table_set

    schedule = running.room.feeschedule_versions.get(number=1)
    running.send(
        table_set,
        "floor",
        **table_settings(running.room, rulebook="california", options={}, schedule_id=schedule.pk),
    )
    running.send(table_open, "floor")
    running.hang_box(20)
    running.send(down_start, "floor", dealer_id=running.people["floor"].pk)
    for seat, player in elsewhere.items():
        running.send(player_seat, "floor", seat=seat, player_id=player.pk)
    running.people["dealer"] = running.people["floor"]
    running.bank_to(1)
    running.play({4: 10000, 5: 10000}, wager=100000)

    figures = report(running).typed_figures

    assert [table["number"] for table in figures["tables"]] == [2, 7, 8]
    assert [table["table"] for table in figures["tables"]] == [
        running.table.pk,
        first.pk,
        running.second_table.pk,
    ]
    for figure in (*WAYS, "rounds_settled", "turns_begun", "exhausted_banks"):
        assert figures["total"][figure] == sum(table[figure] for table in figures["tables"]), figure  # type: ignore[literal-required]
    assert figures["total"]["rounds_settled"] == 2
    assert [(fees["fee_cents"], fees["rounds"], fees["cents"]) for fees in figures["total"]["bank_fees"]] == [
        (100, 1, 100),
        (200, 1, 200),
    ]
    assert figures["total"]["offers"]["accepted"] == 2


def test_a_table_where_nothing_happened_stands_there_with_zeros(running: Cast) -> None:
    Table.objects.create(room=running.room, number=9)
    made = report(running)
    idle = of_table(made, 9)
    assert idle["rounds_settled"] == 0 and idle["drop_expected_cents"] == 0 and idle["bank_fees"] == []


def test_a_round_belongs_to_the_shift_that_was_open_when_its_bets_closed(running: Cast) -> None:
    running.play({4: 1000})
    running.deal({4: 2000})
    first = close_shift(running)
    running.send_room(shift_open, name="Graveyard")
    running.settle({4: 2000})
    running.bank_to(4)
    running.play({5: 4000})
    second = close_shift(running)
    from cardroom.reports.shift.making import shift_report_make

    assert of_table(shift_report_make(first.pk))["total_table_action_cents"] == 3000
    assert of_table(shift_report_make(second.pk))["total_table_action_cents"] == 4000
    assert of_table(shift_report_make(first.pk))["turns_begun"] == 1
    assert of_table(shift_report_make(second.pk))["turns_begun"] == 1


def test_the_rooms_of_others_are_left_out(running: Cast) -> None:
    other = running.at_rival().running()
    other.play({4: 1000})
    figures = report(running).typed_figures
    assert [table["table"] for table in figures["tables"]] == [running.table.pk, running.second_table.pk]
    assert figures["total"]["rounds_settled"] == 0


def test_the_number_of_queries_does_not_grow_with_the_rounds(running: Cast) -> None:
    running.play({4: 1000})
    shift = Round.objects.get().shift
    assert shift is not None
    with CaptureQueriesContext(connection) as few:
        inputs_read(shift)
    for seat in (4, 5, 6):
        running.play({7: 1000, 1: 2000})
        if seat != 4:
            running.play({7: 1000, 1: 2000})
        running.bank_to(seat)
    assert Round.objects.count() > 5
    with CaptureQueriesContext(connection) as many:
        inputs = inputs_read(shift)
    assert inputs.rounds[0]["settled"] > 5
    assert len(many) == len(few) == 22


#: What a hand in the database might change, and the figures that must then be named. The SQL takes the id of
#: the second settled round.
TAMPERED: list[tuple[str, dict[str, dict[str, int]]]] = [
    (
        "UPDATE floor_round SET player_fees_cents = player_fees_cents + 100 WHERE id = %s",
        {
            "player_fees_cents": {"transfers": 200, "rounds": 300, "quotes": 200},
            "drop_expected_cents": {"transfers": 400, "rounds": 500},
        },
    ),
    (
        "UPDATE floor_round SET bank_fee_cents = 0 WHERE id = %s",
        {
            "bank_fees_cents": {"transfers": 200, "rounds": 100, "quotes": 200},
            "drop_expected_cents": {"transfers": 400, "rounds": 300},
        },
    ),
    (
        "DELETE FROM floor_transfer WHERE kind = 'take' AND round_id = %s",
        {"taken_cents": {"transfers": 2000, "rounds": 4000, "settlements": 4000}},
    ),
    (
        "UPDATE floor_round SET uncovered_cents = 1 WHERE id = %s",
        {"uncovered_cents": {"rounds": 1, "settlements": 0}},
    ),
    (
        "UPDATE floor_round SET total_table_action_cents = 999 WHERE id = %s",
        {"total_table_action_cents": {"rounds": 1999, "bets": 2000}},
    ),
    (
        "UPDATE floor_round SET refunded_cents = 100 WHERE id = %s",
        {
            "fees_refunded_cents": {"transfers": 0, "rounds": 100},
            "drop_expected_cents": {"transfers": 400, "rounds": 300},
        },
    ),
    (
        "UPDATE floor_round SET tips_cents = 5, paid_cents = 7 WHERE id = %s",
        {
            "tips_cents": {"transfers": 0, "rounds": 5, "settlements": 0},
            "paid_cents": {"transfers": 0, "rounds": 7, "settlements": 0},
        },
    ),
    (
        "UPDATE floor_round SET settlement = '{}' WHERE id = %s",
        {"taken_cents": {"transfers": 4000, "rounds": 4000, "settlements": 2000}},
    ),
]


@pytest.mark.parametrize(
    ("sql", "named"), TAMPERED, ids=[sql.split("WHERE")[0].strip() for sql, _ in TAMPERED]
)
def test_a_difference_names_the_figure_and_the_round(
    running: Cast, sql: str, named: dict[str, dict[str, int]]
) -> None:
    running.play({4: 1000}, hands={4: JACK_HIGH})
    running.play({4: 1000}, hands={4: JACK_HIGH})
    touched = Round.objects.get(number=2)
    with as_superuser() as cursor:
        cursor.execute(sql, [touched.pk])

    differences = report(running).typed_figures["differences"]

    assert {difference["figure"]: difference["ways"] for difference in differences} == named
    for difference in differences:
        assert (difference["table"], difference["number"]) == (running.table.pk, 7)
        assert difference["rounds_at_fault"] == 1
        assert difference["rounds"] == [
            {"id": touched.pk, "gaming_day": touched.gaming_day.isoformat(), "number": 2}
        ]


def test_two_mistakes_that_cancel_out_are_found_all_the_same(running: Cast) -> None:
    running.play({4: 1000}, hands={4: JACK_HIGH})
    running.play({4: 1000}, hands={4: JACK_HIGH})
    first, second = Round.objects.order_by("id")
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_round SET taken_cents = taken_cents + 5 WHERE id = %s", [first.pk])
        cursor.execute("UPDATE floor_round SET taken_cents = taken_cents - 5 WHERE id = %s", [second.pk])
    (difference,) = report(running).typed_figures["differences"]
    assert difference["ways"] == {"transfers": 4000, "rounds": 4000, "settlements": 4000}
    assert [ref["id"] for ref in difference["rounds"]] == [first.pk, second.pk]


def test_a_transfer_noted_under_another_shift_is_found(running: Cast) -> None:
    running.play({4: 1000}, hands={4: JACK_HIGH})
    first = close_shift(running)
    running.send_room(shift_open, name="Graveyard")
    running.play({4: 1000}, hands={4: JACK_HIGH})
    moved = Transfer.objects.filter(kind="take", shift=first).order_by("id").first()
    second = Round.objects.get(number=2).shift
    assert moved is not None and second is not None
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_transfer SET shift_id = %s WHERE id = %s", [second.pk, moved.pk])
    (difference,) = report(running).typed_figures["differences"]
    assert difference["figure"] == "taken_cents"
    assert difference["ways"] == {"transfers": 3000, "rounds": 2000, "settlements": 2000}
    assert [ref["number"] for ref in difference["rounds"]] == [1]


def test_the_figures_say_what_they_are_about(running: Cast) -> None:
    closing = timezone.now().replace(microsecond=0) + datetime.timedelta(hours=1)
    with time_machine.travel(closing, tick=False):
        shift = close_shift(running)
    from cardroom.reports.shift.making import shift_report_make

    subject: dict[str, Any] = dict(shift_report_make(shift.pk).typed_figures["subject"])
    assert subject.pop("opened_at").endswith("Z")
    assert subject == {
        "room": running.room.pk,
        "room_name": "Cache Slough",
        "time_zone": "America/Los_Angeles",
        "shift": shift.pk,
        "shift_name": "Swing",
        "gaming_day": shift.gaming_day.isoformat(),
        "day_ends_at": gaming_day_bounds(running.room, shift.gaming_day)[1].strftime("%Y-%m-%dT%H:%M:%SZ"),
        "opened_by": str(running.people["shift_manager"]),
        "closed_at": closing.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "closed_by": str(running.people["shift_manager"]),
    }
