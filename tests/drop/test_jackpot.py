"""What is collected for a jackpot has a box of its own (4 CCR 12384(a)(2)): expected, counted and kept apart from the drop."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from cardroom.drop.models import DropBox
from cardroom.drop.reads.boxes import box_count, shift_count
from cardroom.drop.reads.expected import box_expected_cents, rounds_of, table_cents
from cardroom.floor.commands.boxes import boxes_place
from cardroom.floor.errors import BadInput, NotNow
from cardroom.floor.models import Round, Shift, Table, Transfer
from tests.api.client import Caller
from tests.cast import PIN, open_cast

from .room import CountTeam, chips


def jackpot_placed(team: CountTeam, number: int = 107, table: Table | None = None) -> DropBox:
    wanted = {"table": (table or team.table).pk, "number": number, "kind": "jackpot"}
    return DropBox.objects.get(pk=team.send_room(boxes_place, "floor", boxes=[wanted])["boxes"][0])


def collected(round_: Round, cents: int) -> None:
    """Write down that a round put `cents` of a player into the jackpot box, or none where none hangs."""
    copied = {name: getattr(round_, name) for name in ("room", "table", "shift")}
    Transfer.objects.create(
        **copied,
        round=round_,
        kind="jackpot",
        source="seat",
        target="jackpot",
        box=DropBox.objects.filter(table=round_.table, kind="jackpot", dropped_at=None).first(),
        seat=4,
        cents=cents,
        made_at=round_.ended_at or round_.opened_at,
    )


def test_a_jackpot_box_expects_the_jackpots_collection_and_the_drop_box_the_fees(team: CountTeam) -> None:
    drop, jackpot = team.place(7), jackpot_placed(team)
    team.play({4: 2000})  # $1 of the player, $1 of the bank
    collected(Round.objects.get(), 50)
    assert (box_expected_cents(drop), box_expected_cents(jackpot)) == (200, 50)
    assert [each.cents for each in rounds_of(jackpot)] == [50]
    assert [each.cents for each in rounds_of(drop)] == [200]
    shift = Shift.objects.get()
    assert (table_cents(shift), table_cents(shift, "jackpot")) == (
        {team.table.pk: 200},
        {team.table.pk: 50},
    )
    team.drop(drop, jackpot)
    team.counted(drop, chips(c100=2))
    team.counted(jackpot, chips(c50=1))
    count = shift_count(shift)
    assert (count.complete, count.expected_cents, count.difference_cents) == (True, 250, 0)


def test_one_box_of_each_kind_hangs_at_a_table(team: CountTeam) -> None:
    team.place(7)
    box = jackpot_placed(team)
    assert str(box) == "Jackpot box 107"
    with pytest.raises(NotNow, match="Jackpot box 107 hangs at Table 7"):
        jackpot_placed(team, 108)
    with pytest.raises(BadInput, match="no box of kind 'tips'"):
        team.send_room(boxes_place, "floor", boxes=[{"table": team.table.pk, "number": 9, "kind": "tips"}])
    copied = {name: getattr(box, name) for name in ("room", "table", "shift", "placed_at", "placed_by")}
    for bad in ({"kind": "jackpot", "number": 108}, {"kind": "tips", "number": 108}):
        with pytest.raises(DatabaseError), transaction.atomic():
            DropBox.objects.create(**copied, **bad)
    assert DropBox.objects.count() == 2


def test_a_table_that_collected_for_a_jackpot_without_its_box_is_told(team: CountTeam) -> None:
    drop = team.place(7)
    team.play({4: 2000})
    collected(Round.objects.get(), 50)
    team.drop(drop)
    team.counted(drop, chips(c100=2))
    count = shift_count(Shift.objects.get())
    assert (count.without_box, count.complete) == ([(7, 50, "jackpot")], False)
    assert count.without_box[0].what == "a jackpot box"


def test_no_figure_of_a_jackpot_box_comes_before_its_count_stands(db: None) -> None:
    cast = open_cast()
    at = f"rooms/{cast.room.pk}"
    floor = Caller(cast, "floor")
    wanted = {"boxes": [{"table": cast.table.pk, "number": 107, "kind": "jackpot"}]}
    (box,) = floor.post(f"{at}/boxes", wanted).said["boxes"]
    witness = {"username": "count", "pin": PIN}
    assert floor.post(f"{at}/boxes/drop", {"boxes": [box], "witness": witness}).status == 200
    counted: dict[str, Any] = {"pieces": [{"kind": "chip", "cents": 50, "pieces": 3}]}
    entered = Caller(cast, "count").post(f"{at}/boxes/{box}/count", counted)
    assert (entered.said["stands"], entered.said["counts"]) == (False, 1)
    assert not [key for key in entered.said if key.endswith("_cents")]
    for who in ("count", "compliance", "shift_manager"):
        record = Caller(cast, who).get(f"{at}/boxes/{box}").said
        assert (record["kind"], record["sheets"], record["rounds"]) == ("jackpot", [], [])
        assert record["counted_cents"] is record["expected_cents"] is record["difference_cents"] is None
    outsider = Caller(cast, "rival_compliance").get(f"{at}/boxes/{box}")
    assert outsider.status == 404
    assert box_count(DropBox.objects.get(pk=box)).expected_cents is None
