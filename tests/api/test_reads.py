"""What can be read: rooms, people, tables, rounds and journal, page by page."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.models import JournalEntry, Shift
from cardroom.people.models import Employment, Role
from cardroom.reports.shift.making import shift_report_make
from tests.cast import Cast, sheet

from .client import Caller, Hand


def test_everybody_sees_the_rooms_where_they_hold_a_role(cast: Cast) -> None:
    both = cast.people["floor_2"]
    Employment.objects.create(staff=both, room=cast.room, role=Role.DEALER)
    Employment.objects.create(staff=both, room=cast.rival, role=Role.INSPECTOR)
    rooms = Caller(cast, "floor_2").get("rooms").said
    assert [(room["name"], room["roles"]) for room in rooms] == [
        ("Cache Slough", ["dealer", "floor"]),
        ("Gold Bar", ["inspector"]),
    ]
    assert Caller(cast, "outsider").get("rooms").said == []


@pytest.mark.postgresql
def test_a_room_shows_its_day_shift_tables_people_and_schedules(running: Cast) -> None:
    floor = Caller(running, "floor")
    room = f"rooms/{running.room.pk}"
    seen = floor.get(room)
    assert seen.headers["ETag"] == f'"{seen.said["version"]}"'
    assert seen.said["shift"]["name"] == "Swing"
    assert seen.said["gaming_day"] == seen.said["shift"]["gaming_day"]
    tables = floor.get(f"{room}/tables").said
    assert [(table["number"], table["state"]) for table in tables] == [(7, "open"), (8, "closed")]
    assert {schedule["number"] for schedule in floor.get(f"{room}/schedules").said} == {1, 2}
    dealers = {dealer["id"] for dealer in floor.get(f"{room}/dealers").said}
    wanted = ("dealer", "dealer_2", "floor", "floor_2", "shift_manager")
    assert dealers == {running.people[who].pk for who in wanted}


@pytest.mark.postgresql
def test_players_are_found_by_a_part_of_their_name(running: Cast) -> None:
    floor = Caller(running, "floor")
    players = f"rooms/{running.room.pk}/players"
    assert len(floor.get(players).said) == 10
    assert [player["name"] for player in floor.get(f"{players}?search=A").said] == [
        "Ana",
        "Fay",
        "Hal",
        "Ida",
    ]
    found = floor.get(f"{players}?search=house").said
    assert [(player["name"], player["works_here"]) for player in found] == [("Jo of the house", True)]
    assert floor.get(f"{players}?search=Rae").said == []  # of another room
    assert floor.get(f"{players}?search=%25").said == []  # no wildcard


def test_a_table_says_who_must_be_offered_the_bank_and_what_may_not_be_done(
    hand: Hand, dealer: Caller
) -> None:
    state = dealer.get(hand.table).said
    assert (state["turn"]["player"], state["next"]["kind"]) == ("Cy", "keep")
    assert state["why_not"]["round_open"] is None
    assert state["why_not"]["round_settle"]["code"] == "no_round"
    hand.play({4: 1000})
    hand.play({4: 1000})
    state = dealer.get(hand.table).said
    assert (state["next"]["kind"], state["next"]["seat"]) == ("offer", 4)
    assert "Cy" in state["next"]["reason"]


def test_a_table_that_is_set_to_nothing_yet_can_be_read(cast: Cast) -> None:
    state = Caller(cast, "floor").get(f"tables/{cast.table.pk}").said
    assert (state["state"], state["schedule"], state["round"], state["turn"]) == ("closed", None, None, None)


@pytest.mark.postgresql
def test_rounds_are_listed_the_latest_first_and_narrowed(hand: Hand, dealer: Caller, running: Cast) -> None:
    for _ in range(2):
        hand.play({4: 1000})
    running.bank_to(4)
    hand.open()
    rounds = f"{hand.table}/rounds"
    everything = dealer.get(rounds).said
    assert [row["number"] for row in everything["results"]] == [3, 2, 1]
    assert everything["next"] is None
    assert [row["number"] for row in dealer.get(f"{rounds}?state=settled").said["results"]] == [2, 1]
    day = everything["results"][0]["gaming_day"]
    assert len(dealer.get(f"{rounds}?gaming_day={day}").said["results"]) == 3
    assert dealer.get(f"{rounds}?gaming_day=2001-01-01").said["results"] == []
    shift = Shift.objects.get()
    # The round that is still betting belongs to no shift yet.
    assert len(dealer.get(f"{rounds}?shift={shift.pk}").said["results"]) == 2
    row = dealer.get(f"{rounds}?state=settled&limit=1").said["results"][0]
    assert row["bank"] == {"seat": 3, "player": "Cy", "wager": 20000}
    assert (row["player_fees_cents"], row["bank_fee_cents"], row["paid_cents"]) == (100, 100, 2000)


@pytest.mark.postgresql
def test_a_list_is_read_page_by_page_while_it_grows(hand: Hand, dealer: Caller, running: Cast) -> None:
    for seat in (3, 4, 5):
        if seat != 3:
            running.bank_to(seat)
        running.send(round_record, "dealer", sheet=sheet({6: 1000}, bank=seat))
        running.send(round_record, "dealer", sheet=sheet({6: 1000}, bank=seat))
    page = dealer.get(f"{hand.table}/rounds?state=settled&limit=2").said
    numbers = [row["number"] for row in page["results"]]
    running.bank_to(6)
    running.send(round_record, "dealer", sheet=sheet({4: 1000}, bank=6))
    while page["next"]:
        page = dealer.get(page["next"].removeprefix("/api/")).said
        numbers += [row["number"] for row in page["results"]]
    assert numbers == [6, 5, 4, 3, 2, 1]


@pytest.mark.postgresql
def test_the_record_of_a_round_has_its_sheet_settlement_and_transfers(hand: Hand, dealer: Caller) -> None:
    round_ = hand.play({4: 1000}).said["round"]
    record = dealer.get(f"rounds/{round_}").said
    assert record["sheet"]["positions"][0]["player"] == "Dee"
    assert record["settlement"]["bank"]["lost"] == 2000
    moved = [(t["kind"], t["source"], t["target"], t["seat"], t["cents"]) for t in record["transfers"]]
    assert moved == [
        ("fee", "seat", "drop", 4, 100),
        ("fee", "bank", "drop", 3, 100),
        ("pay", "bank", "seat", 4, 1000),
        ("pay", "bank", "seat", 4, 1000),
    ]


@pytest.mark.postgresql
def test_the_journal_of_a_table_is_read_as_the_chain_that_it_is(hand: Hand, running: Cast) -> None:
    hand.play({4: 1000})
    inspector = Caller(running, "inspector")
    entries: list[dict[str, Any]] = []
    following = f"{hand.table}/journal?limit=7"
    while following:
        page = inspector.get(following.removeprefix("/api/")).said
        entries += page["results"]
        following = page["next"]
    assert len(entries) == JournalEntry.objects.filter(table=running.table).count()
    for later, earlier in itertools.pairwise(entries):
        assert (later["seq"], later["previous_hash"]) == (earlier["seq"] + 1, earlier["hash"])
    assert entries[-1]["previous_hash"] == ""
    assert entries[0]["command"] == "round_settle"


@pytest.mark.postgresql
def test_offers_are_read_with_their_answers(hand: Hand, dealer: Caller) -> None:
    offers = dealer.get(f"{hand.table}/offers").said["results"]
    assert [(offer["seat"], offer["answer"]) for offer in offers] == [
        (3, "accepted"),
        (2, "declined"),
        (1, "declined"),
    ]


def test_a_shift_report_is_there_once_it_is_made(hand: Hand, running: Cast) -> None:
    hand.play({4: 1000})
    shift = Shift.objects.get()
    manager = Caller(running, "shift_manager")
    report = f"rooms/{running.room.pk}/shifts/{shift.pk}/report"
    early = manager.get(report)
    assert (early.status, early.code) == (404, "no_report")
    running.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
    assert manager.get(report).code == "no_report"
    shift_report_make(shift.pk)
    made = manager.get(report)
    assert made.status == 200
    assert made.said["figures"]["total"]["drop_expected_cents"] == 200
    assert {head["chain"] for head in made.said["heads"]} >= {f"table:{running.table.pk}"}
    elsewhere = manager.get(f"rooms/{running.rival.pk}/shifts/{shift.pk}/report")
    assert (elsewhere.status, elsewhere.code) == (404, "not_found")


@pytest.mark.postgresql
def test_shifts_are_listed_the_latest_first(running: Cast) -> None:
    first = Shift.objects.get()
    running.send_room(shift_close, "shift_manager", confirmed=True, shift_id=first.pk)
    running.send_room(shift_open, "shift_manager", name="Graveyard")
    shifts = Caller(running, "inspector").get(f"rooms/{running.room.pk}/shifts").said["results"]
    assert [(shift["name"], shift["closed_by"]) for shift in shifts] == [
        ("Graveyard", None),
        ("Swing", "Shift manager"),
    ]


@pytest.mark.parametrize("what", ["rounds?state=settled", "offers", "journal"])
def test_a_longer_list_takes_no_more_queries(hand: Hand, running: Cast, what: str) -> None:
    manager = Caller(running, "shift_manager")
    hand.play({4: 1000})
    hand.play({4: 1000})
    running.bank_to(7)  # a reason that refers to a player is among the first too
    manager.get(f"{hand.table}/{what}")
    with CaptureQueriesContext(
        connection,
    ) as short:
        manager.get(f"{hand.table}/{what}")
    hand.play({4: 1000, 5: 1000})
    hand.play({4: 1000, 5: 1000})
    running.bank_to(3)
    hand.play({4: 1000, 5: 1000})
    with CaptureQueriesContext(connection) as long:
        manager.get(f"{hand.table}/{what}")
    assert len(long) == len(short)


def test_a_round_with_more_transfers_takes_no_more_queries(hand: Hand, dealer: Caller) -> None:
    small = hand.play({4: 1000}).said["round"]
    large = hand.play(dict.fromkeys((1, 2, 4, 5, 6, 7), 1000)).said["round"]
    dealer.get(f"rounds/{small}")
    with CaptureQueriesContext(connection) as few:
        dealer.get(f"rounds/{small}")
    with CaptureQueriesContext(connection) as many:
        dealer.get(f"rounds/{large}")
    assert len(many) == len(few)


@pytest.mark.parametrize(
    "address", ["nothing/here", "rooms/%0A1", "rooms/1%0A/shifts/2/report", "%F1%91%80%98"]
)
def test_an_address_that_is_none_is_told_in_the_apis_own_shape(
    cast: Cast, client: Client, address: str
) -> None:
    client.force_login(cast.people["floor"])
    answer = client.get(f"/api/{address}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
