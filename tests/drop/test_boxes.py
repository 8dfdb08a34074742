"""Boxes: put on, dropped by two people, one at a table, one use at a time."""

from __future__ import annotations

import pytest

from cardroom.drop.models import DropBox
from cardroom.floor.commands.boxes import MOST_NUMBER, boxes_drop, boxes_place
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.errors import BadInput, FloorError, Forbidden, NotFound, NotNow
from cardroom.floor.models import JournalEntry, Shift, Table
from cardroom.people.models import Role
from tests.floor.site import Site

from .room import CountRoom, chips


def test_a_box_belongs_to_a_table_and_a_shift_with_who_put_it_on(site: CountRoom) -> None:
    box = site.place(12)
    assert (box.number, box.table, box.shift) == (12, site.table, Shift.objects.get())
    assert box.placed_by == site.floor
    assert box.state == DropBox.State.ON_TABLE
    entry = JournalEntry.objects.get(command="boxes_place")
    assert entry.data["boxes"] == [{"box": box.pk, "number": 12, "kind": "drop", "table": site.table.pk}]


def test_several_boxes_are_put_on_in_one_command_or_none_of_them(site: CountRoom) -> None:
    other = Table.objects.create(room=site.room, number=8)
    wanted = [{"table": site.table.pk, "number": 12}, {"table": other.pk, "number": 12}]
    with pytest.raises(NotNow, match="Box 12 hangs at Table 7") as refused:
        site.send_room(boxes_place, site.floor, boxes=wanted)
    assert (refused.value.code, refused.value.path) == ("box_in_use", "boxes[1].number")
    assert not DropBox.objects.exists()
    wanted[1]["number"] = 13
    assert len(site.send_room(boxes_place, site.floor, boxes=wanted)["boxes"]) == 2


def test_a_table_has_one_box_at_a_time(site: CountRoom) -> None:
    site.place(12)
    with pytest.raises(NotNow, match="Box 12 hangs at Table 7") as refused:
        site.place(13)
    assert (refused.value.code, refused.value.path) == ("box_on_table", "boxes[0].table")


def test_a_box_is_used_again_only_when_it_has_been_counted(site: CountRoom) -> None:
    box = site.dropped(12)
    with pytest.raises(NotNow, match="waits for its count"):
        site.place(12)
    site.counted(box, chips())
    assert site.place(12).pk != box.pk


def test_a_drop_takes_two_people_and_keeps_time_and_names(site: CountRoom) -> None:
    box = site.dropped()
    box.refresh_from_db()
    assert (box.dropped_by, box.witness) == (site.counters[0], site.counters[1])
    assert box.dropped_at is not None and box.dropped_at >= box.placed_at
    entry = JournalEntry.objects.get(command="boxes_drop")
    assert (entry.actor, entry.data["witness"]) == (site.counters[0], site.counters[1].pk)


def test_nobody_is_their_own_witness_and_a_dealer_is_none(site: CountRoom) -> None:
    box = site.place()
    for witness, code in ((site.floor, "same_person"), (site.dealer, "witness_may_not")):
        with pytest.raises(Forbidden) as refused:
            site.send_room(boxes_drop, site.floor, boxes=[box.pk], witness=witness)
        assert refused.value.code == code
    with pytest.raises(Forbidden, match="no role in"):
        site.send_room(boxes_drop, site.floor, boxes=[box.pk], witness=Site("Other Room").people[Role.COUNT])
    box.refresh_from_db()
    assert box.dropped_at is None


def test_a_box_is_dropped_once_and_one_of_elsewhere_not_at_all(site: CountRoom) -> None:
    box, second = site.dropped(), site.place(13)
    with pytest.raises(NotNow, match="Box 12 was pulled from Table 7 before"):
        site.drop(second, box)
    second.refresh_from_db()
    assert second.dropped_at is None, "all of them or none"
    other = CountRoom("Other Room")
    other.open()
    with pytest.raises(NotFound):
        site.drop(other.place(5))


@pytest.mark.parametrize("number", [0, -1, MOST_NUMBER + 1, True, 1.5, "12", None])
def test_a_number_that_cannot_be_painted_on_a_box_is_refused(site: CountRoom, number: object) -> None:
    with pytest.raises(BadInput) as refused:
        site.send_room(boxes_place, site.floor, boxes=[{"table": site.table.pk, "number": number}])
    assert (refused.value.code, refused.value.path) == ("bad_number", "boxes[0].number")


def test_without_a_shift_no_box_is_put_on_and_a_table_of_elsewhere_has_none(site: CountRoom) -> None:
    theirs = Site("Other Room").table
    with pytest.raises(BadInput, match="no table"):
        site.place(12, theirs)
    site.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get().pk)
    with pytest.raises(NotNow, match="No shift is open"):
        site.place(12)


def test_a_box_may_be_dropped_after_its_shift_and_blocks_the_next_one_until_then(site: CountRoom) -> None:
    box = site.place(12)
    site.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get().pk)
    site.send_room(shift_open, name="Graveyard")
    with pytest.raises(NotNow, match=r"hangs at Table 7 since Swing"):
        site.place(13)
    site.drop(box)
    assert site.place(13).shift.name == "Graveyard"


@pytest.mark.parametrize("boxes", [[], None])
def test_a_command_without_a_box_is_refused(site: CountRoom, boxes: list[int] | None) -> None:
    for command, more in ((boxes_place, {}), (boxes_drop, {"witness": site.counters[1]})):
        with pytest.raises(FloorError) as refused:
            site.send_room(command, site.floor, boxes=boxes or [], **more)
        assert refused.value.code == "no_boxes"


def test_commands_of_the_count_do_not_make_the_rooms_version_old(site: CountRoom) -> None:
    before = site.room.version
    site.room.refresh_from_db()
    before = site.room.version
    site.dropped()
    site.room.refresh_from_db()
    assert site.room.version == before
