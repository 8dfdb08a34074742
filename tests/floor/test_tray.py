"""The tray of a table that the house banks: slips, buy-ins, what should lie there, and what is refused.

The figures are worked by hand. Seat 1 beats the bank's king high and is paid its ante and its play wager; seat 6 loses both.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from cardroom.core.triggers import triggers_lifted
from cardroom.drop.models import DropBox
from cardroom.drop.reads.expected import bought_in_cents, box_expected_cents
from cardroom.floor.commands.boxes import box_waive, boxes_drop
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import round_open
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.tables import table_close, table_set
from cardroom.floor.commands.tray import (
    buy_in,
    buy_in_take_back,
    slip_take_back,
    tray_close,
    tray_credit,
    tray_fill,
    tray_open,
)
from cardroom.floor.errors import BadInput, FloorError, Forbidden, NotFound, NotNow
from cardroom.floor.models import BuyIn, JournalEntry, Round, Shift, Transfer, TraySlip
from cardroom.floor.open_items import open_items
from cardroom.floor.reads.tray import Tray, last_tray, open_tray
from cardroom.floor.verification.rows import rows_verify
from cardroom.floor.verification.tray import trays_verify
from cardroom.jobs.lifecycle import job_run
from cardroom.jobs.models import Job
from cardroom.people.models import Staff
from cardroom.rooms.models import Room
from tests.cast import BANK_HAND, HANDS, Cast
from tests.filing import table_settings
from tests.kept import kept

#: $3,000: a hundred of $25 and a hundred of $5.
OPENING = {"2500": 100, "500": 100}
THRESHOLD = 1000


def _uncounted() -> Cast:
    """Table 7 open, with its box, a dealer and players at seats 1 and 6; the house banks. The tray is closed."""
    cast = Cast()
    Room.objects.filter(pk=cast.room.pk).update(variance_threshold_cents=THRESHOLD)
    cast.open(rulebook="massachusetts", seats=(1, 6), tray=False)
    return cast


@pytest.fixture
def house(db: None) -> Cast:
    return kept(_uncounted)


@pytest.fixture
def opened(house: Cast) -> Cast:
    slip(house, tray_open, OPENING)
    return house


def slip(cast: Cast, command: Any, chips: dict[str, int], **more: Any) -> dict[str, Any]:
    """Write a slip as the dealer, signed by the floor."""
    return cast.send(command, chips=chips, approver=cast.people["floor"], **more)


def tray_of(cast: Cast) -> Tray:
    tray = open_tray(cast.table)
    assert tray is not None
    return tray


def expected(cast: Cast) -> int:
    return tray_of(cast).expected_cents


def refused(
    error: type[FloorError], code: str, command: Any, cast: Cast, actor: str | Staff = "dealer", **given: Any
) -> FloorError:
    """Give a command that is refused with `code`, and see that nothing was written."""
    before = (TraySlip.objects.count(), BuyIn.objects.count(), JournalEntry.objects.count())
    with pytest.raises(error) as raised:
        cast.send(command, actor, **given)
    assert raised.value.code == code, raised.value.message
    assert (TraySlip.objects.count(), BuyIn.objects.count(), JournalEntry.objects.count()) == before
    return raised.value


@pytest.mark.postgresql
def test_a_shift_at_a_table_that_adds_up(opened: Cast) -> None:
    assert expected(opened) == 300_000
    opened.send(buy_in, seat=1, cents=20_000)
    opened.send(buy_in, seat=6, cents=30_000)
    assert expected(opened) == 250_000
    opened.play({1: 1000, 6: 2500})  # pays $10 and $10, takes $25 and $25
    assert (tray_of(opened).won_cents, tray_of(opened).lost_cents) == (5000, 2000)
    assert expected(opened) == 253_000
    assert slip(opened, tray_fill, {"2500": 40})["number"] == 2
    assert slip(opened, tray_credit, {"10000": 5}, note="too many black")["number"] == 3
    assert expected(opened) == 303_000
    bought = BuyIn.objects.get(seat=6)
    opened.send(
        buy_in_take_back, buy_in_id=bought.pk, reason="counted twice", approver=opened.people["floor"]
    )
    assert expected(opened) == 333_000
    closed = slip(opened, tray_close, {"10000": 20, "2500": 50, "500": 16})
    assert closed == {**closed, "number": 4, "cents": 333_000, "expected_cents": 333_000}
    tray = last_tray(opened.table)
    assert tray is not None
    assert (tray.opened_cents, tray.filled_cents, tray.credited_cents) == (300_000, 100_000, 50_000)
    assert (tray.bought_in_cents, tray.won_cents, tray.lost_cents) == (20_000, 5000, 2000)
    assert (tray.counted_cents, tray.variance_cents) == (333_000, 0)
    # What the slips and the box say the house has won is what the rounds say: $30.
    by_slips = (
        tray.counted_cents
        + tray.credited_cents
        + tray.bought_in_cents
        - tray.opened_cents
        - tray.filled_cents
    )
    assert by_slips == tray.won_cents - tray.lost_cents == 3000
    assert list(trays_verify()) == []


def test_cash_for_chips_lies_in_the_drop_box(opened: Cast) -> None:
    opened.send(buy_in, seat=1, cents=20_000)
    bought = opened.send(buy_in, seat=6, cents=30_000)["buy_in"]
    box = DropBox.objects.get()
    assert (box_expected_cents(box), bought_in_cents(box)) == (50_000, 50_000)
    opened.send(buy_in_take_back, buy_in_id=bought, reason="the wrong seat", approver=opened.people["floor"])
    assert (box_expected_cents(box), bought_in_cents(box)) == (20_000, 20_000)
    moved = (
        Transfer.objects.filter(kind="buy_in").order_by("pk").values_list("source", "target", "seat", "cents")
    )
    assert list(moved) == [
        ("tray", "drop", 1, 20_000),
        ("tray", "drop", 6, 30_000),
        ("drop", "tray", 6, 30_000),
    ]


def test_a_fill_and_a_credit_are_taken_back_whole_by_slips_of_their_own(opened: Cast) -> None:
    filled = slip(opened, tray_fill, {"2500": 40})["slip"]
    credited = slip(opened, tray_credit, {"500": 20})["slip"]
    assert expected(opened) == 390_000
    for number, (pk, reads) in enumerate(((filled, 290_000), (credited, 300_000)), start=4):
        answer = opened.send(
            slip_take_back, slip_id=pk, reason="the wrong table", approver=opened.people["floor"]
        )
        assert (answer["number"], expected(opened)) == (number, reads)
        back = TraySlip.objects.get(pk=answer["slip"])
        old = TraySlip.objects.get(pk=pk)
        assert (back.cents, back.reverses, back.kind) == (-old.cents, old, old.kind)
        assert back.chips == {worth: -many for worth, many in old.chips.items()}
        refused(
            NotNow,
            "taken_back_before",
            slip_take_back,
            opened,
            slip_id=pk,
            reason="x",
            approver=opened.people["floor"],
        )
        refused(
            NotFound,
            "not_found",
            slip_take_back,
            opened,
            slip_id=back.pk,
            reason="x",
            approver=opened.people["floor"],
        )
    opener = TraySlip.objects.get(kind="opener")
    refused(
        NotFound,
        "not_found",
        slip_take_back,
        opened,
        slip_id=opener.pk,
        reason="x",
        approver=opened.people["floor"],
    )
    assert list(trays_verify()) == []


def test_a_variance_above_the_threshold_needs_a_note(opened: Cast) -> None:
    short = {"2500": 99, "500": 102}  # $15 short of $3,000
    error = refused(
        BadInput, "note_required", tray_close, opened, chips=short, approver=opened.people["floor"]
    )
    assert error.path == "note" and "$15 short" in error.message and "more than $10" in error.message
    slip(opened, tray_close, short, note=" three red are missing ")
    closer = TraySlip.objects.get(kind="closer")
    assert (closer.expected_cents, closer.difference_cents, closer.note) == (
        300_000,
        -1500,
        "three red are missing",
    )
    assert JournalEntry.objects.get(command="tray_close").reason == "three red are missing"
    # The opener is compared with what the closer counted; $10 is within the threshold.
    within = {"2500": 99, "500": 100}
    assert slip(opened, tray_open, within)["expected_cents"] == 298_500
    assert TraySlip.objects.latest("pk").difference_cents == -1000


def test_the_first_opener_is_held_against_nothing(house: Cast) -> None:
    assert slip(house, tray_open, {})["expected_cents"] is None
    assert TraySlip.objects.get().difference_cents is None


def test_no_round_opens_before_the_tray(house: Cast) -> None:
    refused(NotNow, "no_tray_opener", round_open, house)
    slip(house, tray_open, OPENING)
    house.play({1: 1000})
    slip(house, tray_close, {"2500": 99, "500": 101})
    refused(NotNow, "no_tray_opener", round_open, house)


def test_a_table_closes_and_is_set_to_another_bank_once_its_tray_is_closed(opened: Cast) -> None:
    refused(NotNow, "tray_open", table_close, opened, "floor")
    other = {"rulebook": "california", "schedule_id": opened.room.feeschedule_versions.get(number=1).pk}
    settings = table_settings(opened.room, **other)
    Room.objects.filter(pk=opened.room.pk).update(jurisdiction="california")
    refused(NotNow, "tray_open", table_set, opened, "floor", **settings)
    slip(opened, tray_close, OPENING)
    opened.send(table_close, "floor")
    refused(
        NotNow,
        "table_closed",
        tray_open,
        opened,
        "floor",
        chips=OPENING,
        approver=opened.people["shift_manager"],
    )


def test_a_tray_is_opened_once_and_closed_between_rounds(opened: Cast) -> None:
    refused(NotNow, "tray_open", tray_open, opened, chips=OPENING, approver=opened.people["floor"])
    opened.send(round_open)
    refused(NotNow, "round_live", tray_close, opened, chips=OPENING, approver=opened.people["floor"])


MOVES = pytest.mark.parametrize(
    ("command", "given"),
    [
        (tray_fill, {"chips": {"2500": 1}}),
        (tray_credit, {"chips": {"2500": 1}}),
        (tray_close, {"chips": OPENING}),
        (slip_take_back, {"slip_id": 1, "reason": "x"}),
        (buy_in_take_back, {"buy_in_id": 1, "reason": "x"}),
        (buy_in, {"seat": 1, "cents": 1000}),
    ],
    ids=lambda part: getattr(part, "name", ""),
)


@MOVES
def test_nothing_moves_in_a_tray_without_an_opener(house: Cast, command: Any, given: dict[str, Any]) -> None:
    signed = {} if command is buy_in else {"approver": house.people["floor"]}
    refused(NotNow, "no_tray_opener", command, house, **given, **signed)


@MOVES
def test_where_a_player_banks_there_is_no_tray(running: Cast, command: Any, given: dict[str, Any]) -> None:
    signed = {} if command is buy_in else {"approver": running.people["floor"]}
    refused(NotNow, "player_banked", command, running, **given, **signed)
    refused(NotNow, "player_banked", tray_open, running, chips={}, approver=running.people["floor"])


def test_no_more_leaves_the_tray_than_lies_there(house: Cast) -> None:
    slip(house, tray_open, {"2500": 4})  # $100
    refused(NotNow, "tray_short", tray_credit, house, chips={"2500": 5}, approver=house.people["floor"])
    refused(NotNow, "tray_short", buy_in, house, seat=1, cents=10_100)
    house.send(buy_in, seat=1, cents=10_000)
    refused(NotNow, "tray_short", buy_in, house, seat=1, cents=1)
    slip(house, tray_fill, {"100": 1})
    slip(house, tray_credit, {"100": 1})
    assert expected(house) == 0


def test_no_cash_is_taken_without_a_drop_box(opened: Cast) -> None:
    box = DropBox.objects.get()
    opened.send_room(boxes_drop, "floor", boxes=[box.pk], witness=opened.people["count"])
    refused(NotNow, "no_drop_box", buy_in, opened, seat=1, cents=1000)
    opened.play({1: 1000})  # a round puts nothing into the box
    opened.send(box_waive, "floor", reason="the boxes are late")
    opened.send(buy_in, seat=1, cents=1000)


def test_input_that_is_none_is_refused(opened: Cast) -> None:
    floor = opened.people["floor"]
    refused(BadInput, "bad_seat", buy_in, opened, seat=2, cents=1000)
    refused(BadInput, "bad_amount", buy_in, opened, seat=1, cents=0)
    refused(BadInput, "no_chips", tray_fill, opened, chips={"2500": 0}, approver=floor)
    for worth in ("25.00", "0", "-100", "٣", "1" * 10, ""):
        refused(BadInput, "unknown_denomination", tray_fill, opened, chips={worth: 1}, approver=floor)
    refused(BadInput, "bad_pieces", tray_fill, opened, chips={"100": -1}, approver=floor)
    refused(
        BadInput, "too_many", tray_fill, opened, chips={str(each): 1 for each in range(1, 22)}, approver=floor
    )
    filled = slip(opened, tray_fill, {"100": 1})["slip"]
    refused(BadInput, "reason_required", slip_take_back, opened, slip_id=filled, reason=" ", approver=floor)


def test_two_people_sign_and_one_of_them_keeps_trays(opened: Cast) -> None:
    given = {"chips": {"100": 1}}
    refused(
        Forbidden,
        "second_person_required",
        tray_fill,
        opened,
        "floor",
        approver=opened.people["floor"],
        **given,
    )
    refused(Forbidden, "approver_may_not", tray_fill, opened, approver=opened.people["count"], **given)
    # The floor signed in, the dealer signs; the other way round; and two of the floor.
    for actor, approver in (
        (opened.people["floor"], opened.people["dealer"]),
        (opened.people["dealer"], opened.people["floor"]),
        (opened.people["floor"], opened.people["shift_manager"]),
    ):
        opened.send(tray_fill, actor, approver=approver, **given)
    refused(
        Forbidden,
        "forbidden",
        tray_fill,
        opened,
        "count",
        approver=opened.people["floor"],
        **given,
    )


def test_each_shift_has_its_own_pair_where_a_table_stays_open(opened: Cast) -> None:
    day = Shift.objects.get()
    opened.send(buy_in, seat=1, cents=20_000)
    assert {item.kind: item.text for item in open_items(day)}["trays"] == (
        "Trays not counted: Table 7. Two people count each and close it."
    )
    opened.send_room(shift_close, shift_id=day.pk, confirmed=True)
    assert job_run(Job.objects.get().pk)  # the report of the day shift, with its tray open
    opened.send_room(shift_open, name="Graveyard")
    for command, given in (
        (round_open, {}),
        (buy_in, {"seat": 1, "cents": 1}),
        (tray_fill, {"chips": {"100": 1}, "approver": opened.people["floor"]}),
    ):
        refused(NotNow, "tray_of_another_shift", command, opened, **given)
    refused(NotNow, "tray_open", tray_open, opened, chips={}, approver=opened.people["floor"])
    slip(opened, tray_close, {"2500": 100, "500": 60})
    closer = TraySlip.objects.get(kind="closer")
    assert (closer.shift, closer.expected_cents) == (day, 280_000)
    assert Job.objects.latest("pk").cause == "tray_counted"  # its report is made again
    slip(opened, tray_open, {"2500": 100, "500": 60})
    graveyard = Shift.objects.get(name="Graveyard")
    pairs = [list(shift.tray_slips.values_list("kind", "cents").order_by("pk")) for shift in (day, graveyard)]
    assert pairs == [[("opener", 300_000), ("closer", 280_000)], [("opener", 280_000)]]
    assert "trays" in {item.kind for item in open_items(graveyard)}
    opened.play({6: 1000})
    assert expected(opened) == 282_000


def test_what_was_counted_since_is_not_taken_back(opened: Cast) -> None:
    filled = slip(opened, tray_fill, {"500": 4})["slip"]
    bought = opened.send(buy_in, seat=1, cents=2000)["buy_in"]
    slip(opened, tray_close, OPENING)
    slip(opened, tray_open, OPENING)
    given: dict[str, Any] = {"reason": "x", "approver": opened.people["floor"]}
    refused(NotNow, "counted_since", slip_take_back, opened, slip_id=filled, **given)
    refused(NotNow, "counted_since", buy_in_take_back, opened, buy_in_id=bought, **given)


def test_a_correction_moves_what_should_lie_there(opened: Cast) -> None:
    opened.play({6: 1000})  # takes $20
    assert expected(opened) == 302_000
    round_ = Round.objects.get()
    positions = [{"seat": 6, "wagers": {"ante": 1000}, "hand": HANDS[6], "decision": "fold"}]
    opened.send(
        round_correct,
        "floor",
        round_id=round_.pk,
        positions=positions,
        bank_hand=BANK_HAND,
        bank_wager_cents=None,
        reason="the player folded",
        approver=opened.people["shift_manager"],
    )
    assert expected(opened) == 301_000
    assert (tray_of(opened).won_cents, tray_of(opened).lost_cents) == (1000, 0)


@pytest.mark.postgresql
@pytest.mark.parametrize("table", ["floor_trayslip", "floor_buyin"])
def test_slips_and_buy_ins_are_append_only(opened: Cast, table: str) -> None:
    opened.send(buy_in, seat=1, cents=1000)
    for sql in (f"UPDATE {table} SET cents = cents + 1", f"DELETE FROM {table}"):
        with pytest.raises(DatabaseError, match=table), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("table", "change", "text"),
    [
        ("floor_trayslip", "cents = 1", "its chips come to 300000"),
        ("floor_trayslip", "cents = 1", "a column of it was changed"),
        ("floor_trayslip", "number = number + 5", "1 comes next"),
        ("floor_trayslip", "note = 'fine'", "a column of it was changed"),
        ("floor_trayslip", "expected_cents = 5", "5 cents were expected, and 299000 should have been"),
        ("floor_trayslip", "expected_cents = 5", "expects something else than the last closer counted"),
        ("floor_transfer", "cents = 5", "299000 cents were expected, and 299995 should have been"),
        ("floor_buyin", "cents = 1", "its transfer does not move what it says"),
        ("floor_buyin", "seat = 2", "a column of it was changed"),
    ],
)
def test_verification_finds_what_was_changed_past_the_triggers(
    opened: Cast, table: str, change: str, text: str
) -> None:
    opened.send(buy_in, seat=1, cents=1000)
    slip(opened, tray_close, {"2500": 100, "500": 98})
    assert list(trays_verify()) == []
    with triggers_lifted(connection, [table]), connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {change}")
    assert any(text in found for found in [*trays_verify(), *map(str, rows_verify())])
