"""Boxes: put on, dropped by two people, one at a table, one use at a time."""

from __future__ import annotations

import pytest

from cardroom.drop.models import DropBox
from cardroom.floor.commands.boxes import MOST_NUMBER, boxes_drop, boxes_place
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.errors import BadInput, FloorError, Forbidden, NotFound, NotNow
from cardroom.floor.models import JournalEntry, Shift

from .room import CountTeam, chips


def test_a_box_belongs_to_a_table_and_a_shift_with_who_put_it_on(team: CountTeam) -> None:
    box = team.place(12)
    assert (box.number, box.table, box.shift) == (12, team.table, Shift.objects.get())
    assert box.placed_by == team.people["floor"]
    assert box.state == DropBox.State.ON_TABLE
    entry = JournalEntry.objects.get(command="boxes_place")
    assert entry.data["boxes"] == [{"box": box.pk, "number": 12, "kind": "drop", "table": team.table.pk}]


def test_several_boxes_are_put_on_in_one_command_or_none_of_them(team: CountTeam) -> None:
    wanted = [{"table": team.table.pk, "number": 12}, {"table": team.second_table.pk, "number": 12}]
    with pytest.raises(NotNow, match="Box 12 hangs at Table 7") as refused:
        team.send_room(boxes_place, "floor", boxes=wanted)
    assert (refused.value.code, refused.value.path) == ("box_in_use", "boxes[1].number")
    assert not DropBox.objects.exists()
    wanted[1]["number"] = 13
    assert len(team.send_room(boxes_place, "floor", boxes=wanted)["boxes"]) == 2


def test_a_table_has_one_box_at_a_time(team: CountTeam) -> None:
    team.place(12)
    with pytest.raises(NotNow, match="Box 12 hangs at Table 7") as refused:
        team.place(13)
    assert (refused.value.code, refused.value.path) == ("box_on_table", "boxes[0].table")


def test_a_box_is_used_again_only_when_it_has_been_counted(team: CountTeam) -> None:
    box = team.dropped(12)
    with pytest.raises(NotNow, match="waits for its count"):
        team.place(12)
    team.counted(box, chips())
    assert team.place(12).pk != box.pk


def test_a_drop_takes_two_people_and_keeps_time_and_names(team: CountTeam) -> None:
    box = team.dropped()
    box.refresh_from_db()
    assert (box.dropped_by, box.witness) == (team.counters[0], team.counters[1])
    assert box.dropped_at is not None and box.dropped_at >= box.placed_at
    entry = JournalEntry.objects.get(command="boxes_drop")
    assert (entry.actor, entry.data["witness"]) == (team.counters[0], team.counters[1].pk)


def test_nobody_is_their_own_witness_and_a_dealer_is_none(team: CountTeam) -> None:
    box = team.place()
    for witness, code in ((team.people["floor"], "same_person"), (team.people["dealer"], "witness_may_not")):
        with pytest.raises(Forbidden) as refused:
            team.send_room(boxes_drop, "floor", boxes=[box.pk], witness=witness)
        assert refused.value.code == code
    with pytest.raises(Forbidden, match="no role in"):
        team.send_room(boxes_drop, "floor", boxes=[box.pk], witness=team.people["rival_count"])
    box.refresh_from_db()
    assert box.dropped_at is None


def test_a_box_is_dropped_once_and_one_of_elsewhere_not_at_all(team: CountTeam) -> None:
    box, second = team.dropped(), team.place(13)
    with pytest.raises(NotNow, match="Box 12 was pulled from Table 7 before"):
        team.drop(second, box)
    second.refresh_from_db()
    assert second.dropped_at is None, "all of them or none"
    other = team.at_rival()
    other.open()
    with pytest.raises(NotFound):
        team.drop(other.place(5))


@pytest.mark.parametrize("number", [0, -1, MOST_NUMBER + 1, True, 1.5, "12", None])
def test_a_number_that_cannot_be_painted_on_a_box_is_refused(team: CountTeam, number: object) -> None:
    with pytest.raises(BadInput) as refused:
        team.send_room(boxes_place, "floor", boxes=[{"table": team.table.pk, "number": number}])
    assert (refused.value.code, refused.value.path) == ("bad_number", "boxes[0].number")


def test_without_a_shift_no_box_is_put_on_and_a_table_of_elsewhere_has_none(team: CountTeam) -> None:
    theirs = team.rival_table
    with pytest.raises(BadInput, match="no table"):
        team.place(12, theirs)
    team.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get().pk)
    with pytest.raises(NotNow, match="No shift is open"):
        team.place(12)


def test_a_box_may_be_dropped_after_its_shift_and_blocks_the_next_one_until_then(team: CountTeam) -> None:
    box = team.place(12)
    team.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get().pk)
    team.send_room(shift_open, name="Graveyard")
    with pytest.raises(NotNow, match=r"hangs at Table 7 since Swing"):
        team.place(13)
    team.drop(box)
    assert team.place(13).shift.name == "Graveyard"


@pytest.mark.parametrize("boxes", [[], None])
def test_a_command_without_a_box_is_refused(team: CountTeam, boxes: list[int] | None) -> None:
    for command, more in ((boxes_place, {}), (boxes_drop, {"witness": team.counters[1]})):
        with pytest.raises(FloorError) as refused:
            team.send_room(command, "floor", boxes=boxes or [], **more)
        assert refused.value.code == "no_boxes"


def test_commands_of_the_count_do_not_make_the_rooms_version_old(team: CountTeam) -> None:
    before = team.room.version
    team.room.refresh_from_db()
    before = team.room.version
    team.dropped()
    team.room.refresh_from_db()
    assert team.room.version == before
