"""Waivers and time at the API: what a table charges, what is let go there, what is collected by the clock."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import pytest
import time_machine

from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Round, TimeCollection, Waiver
from tests.cast import PIN, Cast
from tests.filing import table_settings
from tests.floor.charging import TIMED, WAIVING, filed

from .client import Caller, Hand

_FLOOR = {"username": "floor", "pin": PIN}
#: A Friday evening in California, seven minutes past nine.
EVENING = datetime.datetime(2026, 11, 21, 5, 7, tzinfo=datetime.UTC)


@pytest.fixture
def waiving(running: Cast) -> Cast:
    """The running table on a schedule that publishes waivers."""
    schedule = filed(running, WAIVING)
    running.send(
        table_set,
        "floor",
        **table_settings(running.room, rulebook="california", options={}, schedule_id=schedule.pk),
    )
    running.hang_box(107, kind="jackpot")
    return running


@pytest.fixture
def timed(cast: Cast) -> Iterator[tuple[Cast, time_machine.Traveller]]:
    """Table 7 on half hours of $6.50, with players at three seats who sat down at 21:07."""
    with time_machine.travel(EVENING, tick=False) as clock:
        cast.open(seats=(1, 2, 4))
        schedule = filed(cast, TIMED)
        cast.send(
            table_set,
            "floor",
            **table_settings(cast.room, rulebook="california", options={}, schedule_id=schedule.pk),
        )
        yield cast, clock


def test_a_table_says_what_it_charges_and_by_which_rules_a_fee_may_be_waived(waiving: Cast) -> None:
    answer = Caller(waiving, "inspector").get(f"tables/{waiving.table.pk}/charges").said
    assert [(row["payer"], row["cents"], row["box"]) for row in answer["tariff"]] == [
        ("player", 100, "drop"),
        ("bank", 100, "drop"),
        ("bank", 200, "drop"),
        ("player", 50, "jackpot"),
    ]
    assert answer["tariff"][-1]["text"] == "Each player, for each Ante, into the jackpot"
    assert [(rule["key"], rule["covers"], rule["most_positions"]) for rule in answer["waiver_rules"]] == [
        ("first_hand", "player", None),
        ("short_handed", "all", 2),
        ("bank_free", "bank", None),
        ("promotion", "players", None),
        ("half", "bank", None),
    ]
    assert [rule["portion_cents"] for rule in answer["waiver_rules"]] == [None, None, None, None, 50]
    assert (answer["waivers"], answer["time"]) == ([], None)


def test_a_dealer_waives_with_a_supervisors_signature_and_the_round_says_so(waiving: Cast) -> None:
    dealer = Caller(waiving, "dealer")
    hand = Hand(dealer)
    hand.open()
    hand.bet({4: 1000, 5: 2000})
    table = f"tables/{waiving.table.pk}"
    wanted = {"rule": "bank_free", "reason": "slow night"}
    refused = dealer.post(f"{table}/rounds/current/waivers", wanted)
    assert (refused.status, refused.code) == (403, "supervisor_required")
    made = dealer.post(f"{table}/rounds/current/waivers", {**wanted, "approver": _FLOOR})
    assert made.status == 200, made.said
    [waiver] = dealer.get(f"{table}/charges").said["waivers"]
    assert (waiver["id"], waiver["ordered_by"]) == (made.said["waiver"], str(waiving.people["floor"]))
    closed = dealer.post(f"{table}/rounds/current/close-bets", {})
    fees = {fee["seat"]: fee for fee in closed.said["fees"]}
    assert (fees[3]["cents"], fees[3]["waived"], fees[3]["waiver"]) == (0, 100, "bank_free")
    assert (fees[4]["cents"], fees[4]["jackpot"]) == (100, 50)
    again = dealer.post(f"{table}/rounds/current/waivers", {**wanted, "approver": _FLOOR})
    assert (again.status, again.code) == (409, "waived_before")
    late = dealer.post(f"{table}/rounds/current/waivers", {**wanted, "rule": "promotion", "approver": _FLOOR})
    assert (late.status, late.said["returned_cents"]) == (200, 200)
    assert [row["returned_cents"] for row in dealer.get(f"{table}/waivers").said["results"]] == [200, 0]
    assert Round.objects.get().drop_cents == 0


def test_a_withdrawn_waiver_stays_on_the_list(waiving: Cast) -> None:
    floor = Caller(waiving, "floor")
    hand = Hand(Caller(waiving, "dealer"))
    hand.open()
    hand.bet({4: 1000})
    table = f"tables/{waiving.table.pk}"
    made = floor.post(f"{table}/rounds/current/waivers", {"rule": "short_handed", "reason": "slow night"})
    gone = floor.post(f"{table}/rounds/current/waivers/{made.said['waiver']}/withdraw")
    assert gone.status == 200, gone.said
    again = floor.post(f"{table}/rounds/current/waivers/{made.said['waiver']}/withdraw")
    assert (again.status, again.code) == (409, "no_waiver")
    [row] = floor.get(f"{table}/waivers").said["results"]
    assert (row["reason"], row["withdrawn_by"]) == ("slow night", str(waiving.people["floor"]))


def test_a_waiver_without_its_rule_or_reason_is_refused_by_its_path(waiving: Cast) -> None:
    floor = Caller(waiving, "floor")
    hand = Hand(Caller(waiving, "dealer"))
    hand.open()
    hand.bet({4: 1000})
    address = f"tables/{waiving.table.pk}/rounds/current/waivers"
    for body, path in (
        ({"reason": "x"}, "rule"),
        ({"rule": "made_up", "reason": "x"}, "rule"),
        ({"rule": "first_hand", "reason": "x"}, "seat"),
        ({"rule": "bank_free"}, "reason"),
    ):
        reply = floor.post(address, body)
        assert (reply.status in (400, 422), reply.path) == (True, path), reply.said
    assert not Waiver.objects.exists()


def test_time_is_due_collected_listed_and_taken_back(timed: tuple[Cast, time_machine.Traveller]) -> None:
    cast, clock = timed
    dealer = Caller(cast, "dealer")
    table = f"tables/{cast.table.pk}"
    assert dealer.get(f"{table}/charges").said["time"] == {
        "period": "half_hour",
        "fee_cents": 650,
        "due": [],
    }
    early = dealer.post(f"{table}/time-collections", {})
    assert (early.status, early.code) == (409, "no_time_due")
    clock.move_to(EVENING + datetime.timedelta(minutes=24))
    due = dealer.get(f"{table}/charges").said["time"]["due"]
    assert [(seat["seat"], seat["periods"], seat["cents"], seat["since"]) for seat in due] == [
        (seat, 1, 650, "2026-11-21T05:30:00Z") for seat in (1, 2, 4)
    ]
    some = dealer.post(f"{table}/time-collections", {"seats": [1, 4]})
    assert (some.status, some.said["cents"], some.said["seats"]) == (200, 1300, [1, 4])
    taken = dealer.post(
        f"{table}/time-collections/{some.said['collection']}/take-back",
        {"reason": "seat 4 had paid", "approver": _FLOOR},
    )
    assert (taken.status, taken.said["cents"]) == (200, -1300)
    back, made = dealer.get(f"{table}/time-collections").said["results"]
    assert (back["reverses"], back["reason"], made["taken_back"]) == (
        made["id"],
        "seat 4 had paid",
        back["id"],
    )
    assert sum(row.cents for row in TimeCollection.objects.all()) == 0
    assert not Round.objects.exists()
