"""House rake through the API: who may set it, what is refused, and what a round with it says."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.drop.reads.expected import table_cents
from cardroom.floor.models import Round, Shift, Table
from cardroom.reports.verification.fee_audit import audit_fees
from tests.cast import Cast
from tests.filing import table_settings

from .client import Caller
from .feed import Feed

RAKE = {"mode": "all", "cents": 150}
#: Seat 4 has staked $40 against funds of $20, and is dead; seat 5 is covered to the cent.
SHEET: dict[str, Any] = {
    "rulebook": "designated_player",
    "options": {"house_rake": RAKE},
    "bank": {"seat": 3, "wager": 2000},
    "bank_hand": "Kh 7d 4c",
    "positions": [
        {"seat": 4, "player": "Dee", "hand": "Js 8h 5c", "wagers": {"ante": 2000}, "decision": "play"},
        {"seat": 5, "player": "Eve", "hand": "As Qc Td", "wagers": {"ante": 1000}, "decision": "play"},
    ],
}


def set_table(who: Caller, cast: Cast, rake: dict[str, Any] | None = RAKE, **changes: Any) -> Any:
    settings = table_settings(cast.room, rulebook="designated_player", rake=rake)
    return who.send("PUT", f"tables/{cast.table.pk}/settings", {**settings, **changes})


def test_the_floor_sets_a_game_that_is_filed_with_it_and_the_table_shows_it(
    running: Cast, floor: Caller
) -> None:
    assert set_table(floor, running).status == 200
    assert floor.get(f"tables/{running.table.pk}").said["rake"] == RAKE
    listed = floor.get(f"rooms/{running.room.pk}/tables").said
    assert [row["rake"] for row in listed if row["table"] == running.table.pk] == [RAKE]
    assert set_table(floor, running, rake=None).status == 200
    assert floor.get(f"tables/{running.table.pk}").said["rake"] is None


@pytest.mark.parametrize(("who", "status"), [("dealer", 403), ("count", 403), ("outsider", 404)])
def test_nobody_else_sets_it(running: Cast, who: str, status: int) -> None:
    assert set_table(Caller(running, who), running).status == status
    assert Table.objects.get(pk=running.table.pk).rake is None


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"recording": "fees"}, "rake_needs_cards", "recording"),
        ({"rake": RAKE}, "unknown_key", "rake"),
        ({"options": {"house_rake": RAKE}}, "unknown_key", "options"),
    ],
)
def test_what_is_no_setting_of_a_raked_table_is_refused_with_its_place(
    running: Cast, floor: Caller, changes: dict[str, Any], code: str, path: str
) -> None:
    settings = table_settings(running.room, rulebook="designated_player", rake=RAKE)
    reply = floor.send("PUT", f"tables/{running.table.pk}/settings", {**settings, **changes})
    assert (reply.status in (400, 422), reply.code, reply.path) == (True, code, path)
    assert Table.objects.get(pk=running.table.pk).rulebook == "california"


@pytest.mark.parametrize(
    ("rake", "code"),
    [
        ({"mode": "winners", "cents": 100}, "bad_option"),
        ({"mode": "all", "cents": 0}, "bad_option"),
        ({"mode": "all", "cents": "5%"}, "bad_option"),
        ({"mode": "all"}, "bad_option"),
    ],
)
def test_what_is_no_rake_is_no_game_to_file(cast: Cast, rake: dict[str, Any], code: str) -> None:
    cast.room.jurisdiction = "designated_player"
    cast.room.save()
    fields = {"number": 3, "rulebook": "designated_player", "options": {"house_rake": rake}}
    reply = Caller(cast, "compliance").post(f"rooms/{cast.room.pk}/games", fields)
    assert (reply.status, reply.code, reply.path) == (422, code, "options.house_rake")


def test_a_round_with_a_dead_hand_drops_what_the_live_one_and_the_bank_pay(cast: Cast) -> None:
    """The round, its transfers, the box that it is counted in, and the fees computed again all say $3."""
    cast.open(seats=())
    feed = Feed(cast)
    feed.prepare(SHEET)
    answer = feed.record(SHEET)
    record = feed.floor.get(f"rounds/{answer['round']}").said
    assert (record["rake_cents"], record["drop_cents"]) == (300, 300)
    moved = [(row["kind"], row["source"], row["seat"], row["cents"]) for row in record["transfers"]]
    assert [row for row in moved if row[0] == "rake"] == [("rake", "seat", 5, 150), ("rake", "bank", 3, 150)]
    shift = Shift.objects.get()
    assert table_cents(shift) == {cast.table.pk: 300}
    outcome = audit_fees(Round.objects.all(), [shift.pk])
    assert (outcome.rounds, outcome.differing, outcome.charged[0]["recorded_cents"]) == (1, 0, 300)
