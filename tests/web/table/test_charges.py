"""Waivers and time on the table page, by plain posts: one touch where one is enough, a signature where it takes one."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
import time_machine

from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Round, TimeCollection, Waiver
from tests.cast import PIN, Cast
from tests.filing import table_settings
from tests.floor.charging import TIMED, WAIVING, filed
from tests.web.conftest import Person
from tests.web.play import play_by_commands

#: A Friday evening in California, seven minutes past nine.
EVENING = datetime.datetime(2026, 11, 21, 5, 7, tzinfo=datetime.UTC)


def charge(cast: Cast, document: dict[str, object]) -> None:
    schedule = filed(cast, document)
    cast.send(
        table_set,
        "floor",
        **table_settings(cast.room, rulebook="california", options={}, schedule_id=schedule.pk),
    )


@pytest.fixture
def waiving(running: Cast) -> Cast:
    """The running table on a schedule that publishes waivers."""
    charge(running, WAIVING)
    running.hang_box(107, kind="jackpot")
    return running


def betting(browser: Person) -> None:
    play_by_commands(browser.cast, {4: "10", 5: "20"}, until="bets")
    browser.at_table()


def test_the_floor_waives_and_the_button_says_what_is_left_to_drop(
    waiving: Cast, person: Callable[[str], Person]
) -> None:
    dealer, floor = person("dealer"), person("floor")
    betting(dealer)
    assert "drop $3 + jackpot $1" in dealer.text
    floor.at_table()
    floor.command("waive", rule="short_handed", reason="slow night")
    assert "drop $0 + jackpot $1" in floor.text
    assert "$3 waived" in floor.text
    assert "all fees of the round (Short-handed: slow night)" in floor.text
    floor.command("no-more-bets")
    round_ = Round.objects.get()
    assert (round_.waived_cents, round_.player_fees_cents, round_.jackpot_cents) == (300, 0, 100)
    assert "$1 into the jackpot" in floor.text


def test_after_the_deal_the_page_says_to_whom_what_goes_back(
    waiving: Cast, person: Callable[[str], Person]
) -> None:
    dealer, floor = person("dealer"), person("floor")
    betting(dealer)
    dealer.command("no-more-bets")
    dealer.command("deal")
    floor.at_table()
    assert "Waive a fee" in floor.text
    floor.command("waive", rule="promotion", reason="slow night")
    assert "Return from the drop box: $1 to seat 4, $1 to seat 5." in floor.text
    assert Waiver.objects.get().returned_cents == 200
    floor.command("waiver-off")
    assert "Return from the drop box" not in floor.text
    assert Round.objects.get().player_fees_cents == 200


def test_a_dealer_needs_the_supervisors_signature(waiving: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    betting(dealer)
    fields = {"rule": "first_hand", "seat": "4", "reason": "new player"}
    dealer.command("waive", **fields, approver="floor", approver_pin="wrong")
    assert not Waiver.objects.exists()
    dealer.at_table()
    dealer.command("waive", **fields, approver="floor", approver_pin=PIN)
    assert Waiver.objects.get().ordered_by == waiving.people["floor"]
    dealer.command("waiver-off")
    assert Waiver.objects.get().withdrawn_by == waiving.people["dealer"]


def test_a_waiver_that_no_longer_holds_greys_the_next_step_and_says_why(
    waiving: Cast, person: Callable[[str], Person]
) -> None:
    dealer, floor = person("dealer"), person("floor")
    betting(dealer)
    floor.at_table()
    floor.command("waive", rule="short_handed", reason="slow night")
    dealer.at_table()
    dealer.command("bets", **{"wagers-6-ante": "10"})
    assert "published for at most 2 positions, and 3 have wagers here" in dealer.text
    assert "Withdraw the waiver first" in dealer.text


def test_a_table_whose_schedule_knows_neither_shows_neither(
    running: Cast, person: Callable[[str], Person]
) -> None:
    floor = person("floor")
    floor.at_table()
    assert "Waive a fee" not in floor.text
    assert "Collect time" not in floor.text


def test_time_is_collected_by_one_touch_or_seat_by_seat(cast: Cast, person: Callable[[str], Person]) -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        cast.open(seats=(1, 2, 4))
        charge(cast, TIMED)
        dealer = person("dealer")
        dealer.at_table()
        assert "Collect time:" not in dealer.text
        clock.move_to(EVENING + datetime.timedelta(minutes=24))
        dealer.at_table()
        assert "Collect time: 3 seats, $19.50 for the half hour." in dealer.text
        dealer.command("time-some", seats="2")
        assert TimeCollection.objects.get().cents == 650
        assert "Collect time: 2 seats, $13 for the half hour." in dealer.text
        dealer.command("time")
        assert "Collect time:" not in dealer.text
        last = str(TimeCollection.objects.latest("id").pk)
        signed = {"approver": "floor", "approver_pin": PIN}
        dealer.command("time-back", collection_id=last, reason="wrong table", **signed)
        assert "Collect time: 2 seats, $13 for the half hour." in dealer.text
