"""The tray through the API: its commands, what is read, and chips of any shape."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardroom.demo.replay import Replay
from cardroom.floor.chips import MOST_CHIPS, MOST_DENOMINATIONS
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Shift, Table, TraySlip
from cardroom.floor.verification.tray import trays_verify
from tests.cast import PIN, Cast, uncounted_cast

from .client import Caller, Reply

FLOOR = {"username": "floor", "pin": PIN}


@pytest.fixture
def cast(db: None) -> Cast:
    return uncounted_cast()


def post(cast: Cast, address: str, body: dict[str, Any], who: str = "dealer") -> Reply:
    return Caller(cast, who).send("POST", f"tables/{cast.table.pk}/{address}", body)


def opened(cast: Cast) -> Reply:
    return post(cast, "tray/open", {"chips": {"2500": 100, "500": 100}, "approver": FLOOR})


def test_slips_and_buy_ins_are_written_and_read(cast: Cast) -> None:
    caller, here = Caller(cast, "inspector"), f"tables/{cast.table.pk}"
    before = caller.get(f"{here}/tray").said
    assert (before["is_open"], before["opener"], before["expected_cents"]) == (False, None, None)
    said = opened(cast).said
    assert (said["number"], said["cents"], said["expected_cents"]) == (1, 300_000, None)
    bought = post(cast, "buy-ins", {"seat": 4, "cents": 20_000}).said
    filled = post(
        cast, "tray/fills", {"chips": {"2500": 40, "100": 0}, "note": "green", "approver": FLOOR}
    ).said
    assert post(cast, "tray/credits", {"chips": {"10000": 5}, "approver": FLOOR}).said["number"] == 3
    tray = caller.get(f"{here}/tray").said
    assert tray == {
        **tray,
        "is_open": True,
        "opened_cents": 300_000,
        "filled_cents": 100_000,
        "credited_cents": 50_000,
        "bought_in_cents": 20_000,
        "expected_cents": 330_000,
        "counted_cents": None,
    }
    back = {"reason": "the wrong table", "approver": FLOOR}
    assert post(cast, f"tray/slips/{filled['slip']}/take-back", back).said["cents"] == -100_000
    assert post(cast, f"buy-ins/{bought['buy_in']}/take-back", back).said["cents"] == -20_000
    closed = post(cast, "tray/close", {"chips": {"2500": 100}, "approver": FLOOR})
    assert closed.said["expected_cents"] == 250_000
    slips = caller.get(f"{here}/tray/slips").said["results"]
    assert [(slip["number"], slip["kind"], slip["cents"]) for slip in slips] == [
        (5, "closer", 250_000),
        (4, "fill", -100_000),
        (3, "credit", 50_000),
        (2, "fill", 100_000),
        (1, "opener", 300_000),
    ]
    assert (slips[3]["chips"], slips[3]["taken_back"], slips[3]["note"]) == (
        {"2500": 40},
        slips[1]["id"],
        "green",
    )
    assert (slips[0]["made_by"], slips[0]["approved_by"]) == ("Dealer", "Floor")
    assert caller.get(f"rooms/{cast.room.pk}/tray-slips").said["results"] == slips
    page = caller.get(f"{here}/tray/slips?limit=2").said
    assert [slip["number"] for slip in caller.get(page["next"].removeprefix("/api/")).said["results"]] == [
        3,
        2,
    ]
    buy_ins = caller.get(f"{here}/buy-ins").said["results"]
    assert [(each["seat"], each["player"], each["cents"]) for each in buy_ins] == [
        (4, "Dee", -20_000),
        (4, "Dee", 20_000),
    ]
    assert caller.get(f"{here}/tray").said["variance_cents"] == 0


def test_the_table_says_why_it_cannot_begin(cast: Cast) -> None:
    assert post(cast, "rounds", {}).code == "no_tray_opener"
    why_not = Caller(cast, "dealer").get(f"tables/{cast.table.pk}").said["why_not"]
    assert why_not["round_open"]["code"] == why_not["tray_fill"]["code"] == "no_tray_opener"
    assert why_not["tray_open"] is None
    opened(cast)
    why_not = Caller(cast, "dealer").get(f"tables/{cast.table.pk}").said["why_not"]
    assert why_not["table_close"]["code"] == why_not["tray_open"]["code"] == "tray_open"
    assert why_not["round_open"] is None


def test_a_slip_without_a_second_person_or_with_a_wrong_pin_is_none(cast: Cast) -> None:
    assert post(cast, "tray/open", {"chips": {}}).status == 400
    wrong = {"username": "floor", "pin": "wrong"}
    assert post(cast, "tray/open", {"chips": {}, "approver": wrong}).status == 403
    own = {"username": "dealer", "pin": PIN}
    assert post(cast, "tray/open", {"chips": {}, "approver": own}).code == "second_person_required"


WORTHS = st.one_of(
    st.sampled_from(["1", "50", "100", "2500", "999999999"]), st.text(max_size=12), st.integers().map(str)
)
NUMBERS = st.one_of(
    st.integers(-2, MOST_CHIPS + 2), st.integers(), st.booleans(), st.none(), st.text(max_size=3)
)


def test_chips_of_any_shape_are_added_up_or_refused(cast: Cast) -> None:
    opened(cast)

    @settings(
        max_examples=60,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.dictionaries(WORTHS, NUMBERS, max_size=MOST_DENOMINATIONS + 3))
    def ask(chips: dict[str, Any]) -> None:
        with transaction.atomic():
            reply = post(cast, "tray/fills", {"chips": chips, "approver": FLOOR})
            transaction.set_rollback(True)
        assert reply.status in (200, 400, 422), reply.said
        if reply.status == 200:
            assert reply.said["cents"] == sum(int(worth) * number for worth, number in chips.items()) > 0
        else:
            assert reply.path.startswith("chips"), reply.said

    ask()


def test_rounds_that_are_replayed_have_a_tray_counted_for_each_shift(cast: Cast) -> None:
    position = {"seat": 4, "hand": "Ts 8h 5c", "wagers": {"ante": 1000}, "decision": "play"}
    raw = json.dumps({"rulebook": "massachusetts", "bank_hand": "Kh 7d 4c", "positions": [position]}).encode()
    table = Table.objects.get(pk=cast.table.pk)  # with its room as it is now
    replay = Replay(table, cast.people["shift_manager"])
    for _ in range(2):
        replay.prepare()
        replay.play(raw)
        shift = Shift.objects.get(closed_at=None)
        cast.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
    slips = list(TraySlip.objects.order_by("pk").values_list("kind", "cents", "expected_cents"))
    opened = slips[0][1]  # each round takes $20
    assert slips == [
        ("opener", opened, None),
        ("closer", opened + 2000, opened + 2000),
        ("opener", opened + 2000, opened + 2000),
    ]
    assert list(trays_verify()) == []
