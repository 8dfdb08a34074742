"""Tips by the API: a shift from rule to closed sheet, strict bodies, and what a person may read."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Shift
from cardroom.rooms.gaming_day import gaming_day
from cardroom.tips.models import HandIn, PoolRule, PoolSheet
from tests.api.client import Caller
from tests.cast import PIN, Cast, open_cast, written


@pytest.fixture
def cast(db: None) -> Cast:
    return open_cast()


def room(cast: Cast) -> str:
    return f"rooms/{cast.room.pk}"


def shift(cast: Cast) -> str:
    return f"{room(cast)}/shifts/{Shift.objects.get().pk}"


@pytest.mark.postgresql
def test_a_shifts_tips_are_handed_in_shared_out_and_closed(cast: Cast) -> None:
    today = gaming_day(cast.room, timezone.now())
    rule = {"title": "House pool", "effective_from": today.isoformat(), "sharing": "keep", "support": "share"}
    manager = Caller(cast, "room_manager")
    made = manager.post(
        f"{room(cast)}/pool-rules", {**rule, "support_bp": 1000, "support_roles": ["support"]}
    )
    assert made.status == 200, made.said
    (listed,) = Caller(cast, "dealer").get(f"{room(cast)}/pool-rules").said
    assert (listed["in_force"], listed["support_roles"]) == (True, ["support"])
    floor = Caller(cast, "floor")
    dealer, runner = cast.people["dealer"].pk, cast.people["support"].pk
    first = floor.post(f"{shift(cast)}/hand-ins", {"dealer_id": dealer, "cents": 5000}).said["hand_in"]
    floor.post(f"{shift(cast)}/hand-ins", {"dealer_id": dealer, "cents": 1005})
    approver = {"username": "floor_2", "pin": PIN}
    back = floor.post(f"{room(cast)}/hand-ins/{first}/reverse", {"reason": "twice", "approver": approver})
    assert back.status == 200, back.said
    assert [line["cents"] for line in floor.get(f"{shift(cast)}/hand-ins").said] == [5000, 1005, -5000]
    entered = floor.post(f"{shift(cast)}/hours", {"staff_id": runner, "minutes": 90, "work": "chip runner"})
    assert entered.status == 200, entered.said
    assert [line["minutes"] for line in floor.get(f"{shift(cast)}/hours").said] == [90]
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.get().pk)
    boss = Caller(cast, "shift_manager")
    assert boss.post(f"{shift(cast)}/tokes/close", {"total_cents": 6005}).code == "moved_on"
    closed = boss.post(f"{shift(cast)}/tokes/close", {"total_cents": 1005})
    assert closed.status == 200, closed.said
    document = Caller(cast, "inspector").get(f"{shift(cast)}/tokes").said
    assert (document["answers"]["state"], document["notes"][0][:25]) == (
        "closed",
        "Closed by Shift manager. ",
    )
    assert [row["share_cents"] for row in document["grids"]["dealers"]["rows"]] == [905]
    assert [row["share_cents"] for row in document["grids"]["support"]["rows"]] == [100]
    own = Caller(cast, "support").get(f"{shift(cast)}/tokes/own").said
    assert own["answers"]["share_cents"] == 100
    late = floor.post(f"{shift(cast)}/hand-ins", {"dealer_id": dealer, "cents": 5})
    assert (late.status, late.code) == (409, "sheet_closed")


@pytest.mark.parametrize(
    ("body", "status", "code", "path"),
    [
        ({"cents": 500}, 400, "missing_key", "dealer_id"),
        ({"dealer_id": 1, "cents": "5"}, 400, "wrong_type", "cents"),
        ({"dealer_id": 1, "cents": 5.5}, 400, "wrong_type", "cents"),
        ({"dealer_id": 1, "cents": 5, "why": "x"}, 400, "unknown_key", "why"),
        ({"dealer_id": 1, "cents": -5}, 422, "bad_amount", "cents"),
        ({"dealer_id": 10**9, "cents": 5}, 422, "unknown_person", "dealer_id"),
    ],
)
def test_what_is_no_hand_in_is_refused_with_its_place_and_nothing_is_written(
    cast: Cast, body: dict[str, Any], status: int, code: str, path: str
) -> None:
    before = written()
    reply = Caller(cast, "floor").post(f"{shift(cast)}/hand-ins", body)
    assert (reply.status, reply.code, reply.path) == (status, code, path), reply.said
    assert written() == before


def test_a_supervisor_in_a_rule_is_refused_with_the_clause(cast: Cast) -> None:
    rule = {"title": "x", "effective_from": "2099-01-01", "sharing": "hours", "support": "share"}
    reply = Caller(cast, "room_manager").post(
        f"{room(cast)}/pool-rules", {**rule, "support_bp": 100, "support_roles": ["floor"]}
    )
    assert (reply.status, reply.code, reply.path) == (422, "supervisor_shares", "support_roles[0]")
    assert "Lab. Code 351" in reply.said["error"]["message"]
    assert not PoolRule.objects.exists()


def test_the_same_hand_in_sent_twice_is_one(cast: Cast) -> None:
    body = {"dealer_id": cast.people["dealer"].pk, "cents": 500}
    floor = Caller(cast, "floor")
    twice = [floor.post(f"{shift(cast)}/hand-ins", body, key="once", version=0) for _ in range(2)]
    assert twice[0].said == twice[1].said
    assert HandIn.objects.count() == 1


def test_a_wrong_pin_takes_nothing_back(cast: Cast) -> None:
    floor = Caller(cast, "floor")
    body = {"dealer_id": cast.people["dealer"].pk, "cents": 500}
    made = floor.post(f"{shift(cast)}/hand-ins", body).said["hand_in"]
    approver = {"username": "floor_2", "pin": "not it"}
    reply = floor.post(f"{room(cast)}/hand-ins/{made}/reverse", {"reason": "twice", "approver": approver})
    assert (reply.status, reply.code) == (403, "approver_not_known")
    assert HandIn.objects.count() == 1


@pytest.mark.postgresql
def test_a_dealer_reads_their_own_and_a_shift_of_elsewhere_is_none(cast: Cast) -> None:
    dealer, other = Caller(cast, "dealer"), cast.people["dealer_2"].pk
    assert dealer.get(f"{shift(cast)}/tokes/own").status == 200
    assert dealer.get(f"{shift(cast)}/tokes/people/{other}").status == 403
    number = Shift.objects.get().pk
    rival = Caller(cast, "rival_shift_manager")
    for path in ("tokes", "tokes/own", "hand-ins", "hours"):
        assert rival.get(f"{shift(cast)}/{path}").status == 404
        assert rival.get(f"rooms/{cast.rival.pk}/shifts/{number}/{path}").status == 404
    assert rival.post(f"rooms/{cast.rival.pk}/shifts/{number}/tokes/close", {"total_cents": 0}).status == 404
    assert not PoolSheet.objects.exists()
