"""Drop and count by the API: a drop from box to answer, strict bodies, and what it does not reveal."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.drop.models import CountSheet, DropBox
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.models import Table
from cardroom.people.models import Role
from tests.api.client import Caller, Reply
from tests.cast import PIN, Cast, sheet, written
from tests.kept import kept


@pytest.fixture
def cast(db: None) -> Cast:
    """The cast with a second counter, and a round of $40 at table 7: $3 in box 12, which hangs."""
    return kept(_cast)


def _cast() -> Cast:
    cast = Cast()
    cast.hire("count_2", Role.COUNT)
    cast.open(box=False)
    cast.hang_box(12)
    cast.bank_to(3)
    cast.send(round_record, "dealer", sheet=sheet({4: 2000, 5: 2000}))
    return cast


def room(cast: Cast) -> str:
    return f"rooms/{cast.room.pk}"


def pieces(**counted: int) -> dict[str, Any]:
    """`pieces(c100=3)` is three dollar chips."""
    return {"pieces": [{"kind": "chip", "cents": int(c[1:]), "pieces": n} for c, n in counted.items()]}


def dropped(cast: Cast, number: int = 12, table: Table | None = None) -> int:
    """Take a box off, once it is put on where it does not hang yet; return its id."""
    floor = Caller(cast, "floor")
    hanging = DropBox.objects.filter(number=number, dropped_at=None).values_list("pk", flat=True)
    if (box := hanging.first()) is None:
        wanted = {"boxes": [{"table": (table or cast.table).pk, "number": number}]}
        (box,) = floor.post(f"{room(cast)}/boxes", wanted).said["boxes"]
    witness = {"username": "count", "pin": PIN}
    off = floor.post(f"{room(cast)}/boxes/drop", {"boxes": [box], "witness": witness})
    assert off.status == 200, off.said
    return int(box)


def count(cast: Cast, who: str, box: int, **counted: int) -> Reply:
    return Caller(cast, who).post(f"{room(cast)}/boxes/{box}/count", pieces(**counted))


def test_a_drop_is_counted_corrected_and_answered(cast: Cast) -> None:
    box = dropped(cast)
    compliance = Caller(cast, "compliance")
    assert [each["state"] for each in compliance.get(f"{room(cast)}/boxes").said] == ["dropped"]
    assert count(cast, "count", box, c100=2).said["stands"] is False
    assert count(cast, "count_2", box, c100=2).said["stands"] is True
    (variance,) = compliance.get(f"{room(cast)}/variances").said
    assert (variance["expected_cents"], variance["difference_cents"], variance["variance"]) == (
        300,
        -100,
        "open",
    )
    answered = compliance.post(
        f"{room(cast)}/boxes/{box}/variance",
        {"status": "escalated", "text": "Nobody saw it fall.", "owner_id": cast.people["shift_manager"].pk},
    )
    assert answered.status == 200, answered.said
    record = compliance.get(f"{room(cast)}/boxes/{box}").said
    assert [note["owner"] for note in record["notes"]] == ["Shift manager"]
    assert sum(each["in_cents"] - each["out_cents"] for each in record["rounds"]) == 300
    corrected = Caller(cast, "count").post(
        f"{room(cast)}/boxes/{box}/correct",
        {
            **pieces(c100=3),
            "corrects": record["sheets"][-1]["id"],
            "reason": "under the tray",
            "approver": {"username": "count_2", "pin": PIN},
        },
    )
    assert corrected.status == 200, corrected.said
    shift = compliance.get(f"{room(cast)}/shifts/{cast.room.shifts.get().pk}/count").said
    assert (shift["complete"], shift["counted_cents"], shift["difference_cents"]) == (True, 300, 0)
    assert [(table["table_number"], table["counted_cents"]) for table in shift["tables"]] == [(7, 300)]
    assert compliance.get(f"{room(cast)}/variances").said == []
    record = compliance.get(f"{room(cast)}/boxes/{box}").said
    assert [each["total_cents"] for each in record["sheets"]] == [200, 200, 300]


def test_no_figure_comes_before_the_count_stands_nor_to_the_floor_after_it(cast: Cast) -> None:
    box = dropped(cast)
    count(cast, "count", box, c100=2)
    for who in ("count_2", "count", "compliance", "shift_manager"):
        record = Caller(cast, who).get(f"{room(cast)}/boxes/{box}").said
        assert (record["counts"], record["sheets"], record["rounds"]) == (1, [], [])
        assert record["counted_cents"] is record["expected_cents"] is record["difference_cents"] is None
    count(cast, "count_2", box, c100=2)
    record = Caller(cast, "floor").get(f"{room(cast)}/boxes/{box}").said
    assert (record["state"], record["counted_cents"], record["sheets"]) == ("counted", None, [])


@pytest.mark.parametrize(
    ("body", "status", "code", "path"),
    [
        ({}, 400, "missing_key", "pieces"),
        ({"pieces": "all"}, 400, "wrong_type", "pieces"),
        ({"pieces": [{"kind": "chip", "cents": 100, "pieces": 1.5}]}, 400, "wrong_type", "pieces[0].pieces"),
        (b'{"pieces": [{"kind": "chip", "cents": 100, "pieces": NaN}]}', 400, "bad_json", ""),
        ({"pieces": [{"kind": "chip", "cents": 100, "pieces": "3"}]}, 400, "wrong_type", "pieces[0].pieces"),
        ({"pieces": [{"kind": "chip", "cents": 100, "pieces": -3}]}, 422, "bad_pieces", "pieces[0].pieces"),
        (
            {"pieces": [{"kind": "chip", "cents": 100, "pieces": 10**11}]},
            422,
            "bad_pieces",
            "pieces[0].pieces",
        ),
        (
            {"pieces": [{"kind": "chip", "cents": 100, "pieces": 10**30}]},
            400,
            "out_of_range",
            "pieces[0].pieces",
        ),
        (
            {"pieces": [{"kind": "token", "cents": 100, "pieces": 3}]},
            422,
            "unknown_denomination",
            "pieces[0].cents",
        ),
        ({"pieces": [], "total_cents": 300}, 400, "unknown_key", "total_cents"),
    ],
)
def test_what_is_no_count_is_refused_with_its_place_and_nothing_is_written(
    cast: Cast, body: Any, status: int, code: str, path: str
) -> None:
    box = dropped(cast)
    before = written()
    reply = Caller(cast, "count").post(f"{room(cast)}/boxes/{box}/count", body)
    assert (reply.status, reply.code) == (status, code), reply.said
    assert reply.path == path or not path
    assert written() == before


def test_the_same_count_sent_twice_is_one_count(cast: Cast) -> None:
    box = dropped(cast)
    caller = Caller(cast, "count")
    twice = [
        caller.post(f"{room(cast)}/boxes/{box}/count", pieces(c100=2), key="once", version=0)
        for _ in range(2)
    ]
    assert [reply.status for reply in twice] == [200, 200]
    assert twice[0].said == twice[1].said
    assert CountSheet.objects.count() == 1
    other = caller.post(f"{room(cast)}/boxes/{box}/count", pieces(c100=3), key="once", version=0)
    assert (other.status, other.code) == (422, "key_reused")


def test_a_box_of_another_room_is_not_reached_through_ones_own(cast: Cast) -> None:
    box = dropped(cast)
    rival = Caller(cast, "rival_count")
    home = f"rooms/{cast.rival.pk}/boxes/{box}"
    assert rival.get(home).status == rival.get(f"{room(cast)}/boxes/{box}").status == 404
    assert rival.post(f"{home}/count", pieces(c100=1)).status == 404
    assert not CountSheet.objects.exists()


def test_a_wrong_pin_of_the_witness_leaves_the_box_on_its_table(cast: Cast) -> None:
    floor = Caller(cast, "floor")
    (box,) = floor.post(
        f"{room(cast)}/boxes", {"boxes": [{"table": cast.second_table.pk, "number": 9}]}
    ).said["boxes"]
    reply = floor.post(
        f"{room(cast)}/boxes/drop",
        {"boxes": [box], "witness": {"username": "count", "pin": "not it"}},
    )
    assert (reply.status, reply.code) == (403, "approver_not_known")
    assert DropBox.objects.get(pk=box).dropped_at is None


def test_a_shift_with_many_boxes_takes_no_more_queries_than_one_with_two(cast: Cast) -> None:
    address = f"{room(cast)}/shifts/{cast.room.shifts.get().pk}/count"
    compliance = Caller(cast, "compliance")

    def counted(number: int, table: Table) -> None:
        box = dropped(cast, number, table)
        for who in ("count", "count_2"):
            assert count(cast, who, box, c100=number).status == 200

    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            assert compliance.get(address).status == 200
        return len(made)

    counted(12, cast.table)
    counted(13, cast.second_table)
    few = queries()
    for number in range(20, 26):
        counted(number, Table.objects.create(room=cast.room, number=number))
    assert queries() == few
