"""A held seat: until when, no offer but `absent` with its reason, no bets repeated, and a reminder once the time is over."""

from __future__ import annotations

import datetime

import pytest
import time_machine

from cardroom.floor.commands.bank import offer_answer, offers_decline
from cardroom.floor.commands.rounds import round_open, round_record
from cardroom.floor.commands.seats import player_leave, player_move, seat_hold, seat_hold_end
from cardroom.floor.errors import FloorError
from cardroom.floor.models import JournalEntry, Offer
from cardroom.floor.reads.bets import bets_to_repeat
from cardroom.floor.reads.prompts import prompts_of
from cardroom.floor.reads.rotation import hours_period, room_rotation
from cardroom.floor.reads.table_record import table_record
from tests.cast import Cast, sheet


def test_the_bank_is_not_offered_to_a_held_seat_which_is_recorded_as_absent(running: Cast) -> None:
    """Seat 3 has banked twice; seat 4, which is asked next, is held: seat 5 is asked, and 4 is on record as absent."""
    cast = running
    for _ in range(2):
        cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 1000}))
    assert cast.state().step.seat == 4
    held = cast.send(seat_hold, "dealer", seat=4, minutes=10)
    record = table_record(cast.state())
    assert record["seats"][3]["held_until"] == held["held_until"]
    assert cast.state().step.seat == 5
    cast.send(offer_answer, "dealer", seat=5, answer="declined")
    absent, declined = Offer.objects.order_by("pk")[Offer.objects.count() - 2 :]
    assert (absent.seat, absent.answer, absent.passed_over) == (4, "absent", True)
    assert absent.reason.startswith("away: the seat is held until ")
    assert (declined.seat, declined.answer) == (5, "declined")
    # Back, and asked in the next run alone: an answer holds for its run.
    cast.send(seat_hold_end, "dealer", seat=4)
    assert cast.state().step.seat == 6
    assert cast.send(offers_decline, "dealer")["bank_seat"] == 3, (
        "absent counts as an answer: seat 3 begins anew"
    )
    period = hours_period(1, cast.state().now)
    assert [each.text for table in room_rotation(cast.room, period) for each in table.exceptions] == []
    journal = JournalEntry.objects.filter(command__startswith="seat_hold").order_by("pk")
    assert [(entry.command, entry.data["until"]) for entry in journal] == [
        ("seat_hold", held["held_until"]),
        ("seat_hold_end", held["held_until"]),
    ]


def test_bets_of_a_held_seat_are_not_repeated_and_an_overrun_is_reminded_of(running: Cast) -> None:
    cast = running
    cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 1000}))
    with time_machine.travel(cast.state().now, tick=False) as clock:
        cast.send(seat_hold, "dealer", seat=4, minutes=5)
        cast.send(seat_hold, "dealer", seat=4, minutes=10)  # anew
        assert [bet["seat"] for bet in bets_to_repeat(cast.state(), 3)] == [5]
        assert "held_over" not in [prompt.kind for prompt in prompts_of(cast.state())]
        clock.shift(datetime.timedelta(minutes=11))
        [prompt] = [prompt for prompt in prompts_of(cast.state()) if prompt.kind == "held_over"]
        assert "Seat 4 was held for Dee until" in prompt.text
        assert (prompt.command, prompt.blocks) == ("seat_hold_end", False)
        cast.send(round_open, "dealer", bank_wager_cents=20000, repeat_bets=True)
    live = cast.state().live
    assert live is not None
    assert [bet["seat"] for bet in live.bets] == [5]
    # Whoever moves or comes again is there: the hold was of that stay.
    cast.send(player_move, "dealer", seat=4, to_seat=_freed(cast))
    assert all(sitting.held_until is None for sitting in cast.state().seatings.values())


def _freed(cast: Cast) -> int:
    cast.send(player_leave, "dealer", seat=7)
    return 7


@pytest.mark.parametrize("gone", [False, True])
def test_a_hold_of_an_empty_seat_and_the_end_of_none_are_refused(running: Cast, gone: bool) -> None:
    seat = 4
    if gone:
        running.send(player_leave, "dealer", seat=seat)
        with pytest.raises(FloorError, match="Nobody sits at seat 4: a seat is held for the player") as why:
            running.send(seat_hold, "dealer", seat=seat, minutes=10)
        assert (why.value.code, why.value.status) == ("seat_empty", 409)
    with pytest.raises(FloorError, match="Seat 4 is not held") as why:
        running.send(seat_hold_end, "dealer", seat=seat)
    assert why.value.code == "seat_not_held"
