"""What is expected of a box ties to the cent to what its table collected, and the difference has an owner."""

from __future__ import annotations

import pytest

from cardroom.drop.acts.boxes import boxes_drop
from cardroom.drop.acts.variances import box_weigh_again, variance_answer
from cardroom.drop.models import DropBox, VarianceNote, Weighing
from cardroom.drop.reads.boxes import BoxCount, box_count, shift_count, variances_of
from cardroom.drop.reads.expected import box_expected_cents, rounds_of, table_cents
from cardroom.floor.acts.rounds import bets_close, round_deal, round_void
from cardroom.floor.errors import BadInput, Forbidden, NotNow
from cardroom.floor.models import Shift, Table, Transfer
from cardroom.people.models import Employment, Role
from cardroom.rooms.models import Room
from tests.floor.house import House

from .room import CountRoom, chips

pytestmark = pytest.mark.postgresql


def read(box: DropBox) -> BoxCount:
    return box_count(DropBox.objects.get(pk=box.pk))


def void(house: CountRoom) -> None:
    house.send(round_void, house.floor, reason="device failure", approver=house.manager)


def test_a_shifts_boxes_expect_what_its_tables_collected_to_the_cent(house: CountRoom) -> None:
    first = house.place(12)
    house.play({4: 2000, 5: 2000})  # $1 a player, $1 of the bank for $40
    house.drop(first)
    second = house.place(13)
    house.play({1: 3000, 4: 1000, 5: 5000})
    house.drop(second)
    shift = Shift.objects.get()
    drop = Transfer.objects.filter(target="drop")
    by_hand = {
        box.pk: sum(row.cents for row in drop if (row.made_at >= second.placed_at) == (box == second))
        for box in (first, second)
    }
    assert all(by_hand.values())
    house.counted(first, chips(c100=by_hand[first.pk] // 100))
    house.counted(second, chips(c100=by_hand[second.pk] // 100))
    for box in (first, second):
        assert (read(box).expected_cents, read(box).difference_cents) == (by_hand[box.pk], 0)
        assert box_expected_cents(box) == by_hand[box.pk]
        assert sum(each.cents for each in rounds_of(box)) == by_hand[box.pk]
    count = shift_count(shift)
    assert count.complete
    (table,) = count.tables
    assert (table.number, table.counted_cents) == (7, count.counted_cents)
    assert count.expected_cents == count.counted_cents == table_cents(shift)[house.table.pk]
    assert variances_of(house.room) == []


def test_fees_given_back_leave_the_box_and_stay_in_sight(house: CountRoom) -> None:
    box = house.place()
    house.play({4: 2000})
    kept = sum(row.cents for row in Transfer.objects.filter(target="drop"))
    house.bet({4: 2000})
    house.send(bets_close)
    house.send(round_deal)
    void(house)
    assert Transfer.objects.filter(kind="fee_refund").exists()
    assert box_expected_cents(box) == kept
    last = rounds_of(box)[-1]
    assert (last.state, last.cents) == ("void", 0) and last.in_cents == last.out_cents > 0


def test_what_came_before_the_first_box_belongs_to_it_and_what_came_after_the_last_to_that(
    house: CountRoom,
) -> None:
    house.play({4: 2000})
    box = house.dropped()
    house.play({4: 2000})
    assert len(rounds_of(box)) == 2
    assert box_expected_cents(box) == table_cents(Shift.objects.get())[house.table.pk]


def test_a_table_that_collected_without_a_box_is_told(house: CountRoom) -> None:
    house.play({4: 2000})
    count = shift_count(Shift.objects.get())
    assert count.without_box == [
        (7, sum(row.cents for row in Transfer.objects.filter(target="drop")), "drop")
    ]
    assert not count.complete


def test_no_figure_is_read_before_the_count_stands(house: CountRoom) -> None:
    house.play({4: 2000})
    box = house.dropped()
    house.count(box, 0, chips(c100=2))
    each = read(box)
    assert (each.counted_cents, each.expected_cents, each.difference_cents, each.sheet) == (
        None,
        None,
        None,
        None,
    )
    count = shift_count(Shift.objects.get())
    assert (count.counted_cents, count.expected_cents) == (0, 0)


# --- Variances ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def short(house: CountRoom) -> DropBox:
    """A box that is a dollar short of $2."""
    house.play({4: 2000})
    box = house.dropped()
    assert box_expected_cents(box) == 200
    return house.counted(box, chips(c100=1))


def answer(house: CountRoom, box: DropBox, status: str, says: str = "", **more: object) -> None:
    who = more.pop("who", house.people[Role.COMPLIANCE])
    house.send_room(variance_answer, who, box_id=box.pk, status=status, says=says, **more)


def test_a_difference_over_the_threshold_is_in_the_queue_until_it_is_explained(
    house: CountRoom, short: DropBox
) -> None:
    (each,) = variances_of(house.room)
    assert (each.difference_cents, each.status, each.owner) == (-100, "open", None)
    answer(house, short, "open", owner_id=house.manager.pk)
    answer(house, short, "escalated", "To compliance: nobody saw a chip fall.")
    (each,) = variances_of(house.room)
    assert (each.status, each.owner) == ("escalated", house.manager)
    answer(house, short, "explained", "Chip found under the rail; see the incident log.")
    assert variances_of(house.room) == []
    (each,) = variances_of(house.room, answered=True)
    assert [note.status for note in each.notes] == ["open", "escalated", "explained"]


@pytest.mark.parametrize(("threshold", "over"), [(0, True), (99, True), (100, False)])
def test_the_rooms_threshold_decides_what_must_be_explained(
    house: CountRoom, threshold: int, over: bool
) -> None:
    Room.objects.filter(pk=house.room.pk).update(variance_threshold_cents=threshold)
    house.play({4: 2000})
    box = house.counted(house.dropped(), chips(c100=1))
    assert (len(variances_of(house.room)) == 1) == over == Weighing.objects.get().is_over
    if not over:
        with pytest.raises(NotNow, match="nothing to explain"):
            answer(house, box, "explained", "There is none.")


def test_a_correction_weighs_anew_and_may_take_the_variance_away(house: CountRoom, short: DropBox) -> None:
    answer(house, short, "explained", "Somebody paid late.")
    house.correct(short, chips(c100=3))
    (each,) = variances_of(house.room)
    assert (each.difference_cents, each.status) == (100, "open"), "what was explained was another difference"
    house.correct(short, chips(c100=2))
    assert variances_of(house.room) == variances_of(house.room, answered=True) == []


def test_what_is_expected_later_is_weighed_again_when_somebody_asks(house: CountRoom) -> None:
    house.deal({4: 2000})
    box = house.counted(house.dropped(), chips(c100=2))
    with pytest.raises(NotNow, match="is what it was"):
        house.send_room(box_weigh_again, house.manager, box_id=box.pk)
    void(house)
    assert read(box).moved and not read(box).is_over
    house.send_room(box_weigh_again, house.manager, box_id=box.pk)
    (each,) = variances_of(house.room)
    assert (each.difference_cents, each.moved) == (200, False)


def test_an_answer_says_something_and_has_an_owner_who_may_answer(house: CountRoom, short: DropBox) -> None:
    for status, says, code in (
        ("explained", " ", "bad_explanation"),
        ("escalated", "", "bad_explanation"),
        ("open", "x" * 501, "bad_explanation"),
        ("forgotten", "x", "unknown_status"),
    ):
        with pytest.raises(BadInput) as refused:
            answer(house, short, status, says)
        assert refused.value.code == code
    for owner in (house.dealer.pk, House("Other Room").manager.pk, 999_999):
        with pytest.raises(BadInput) as refused:
            answer(house, short, "open", owner_id=owner)
        assert (refused.value.code, refused.value.path) == ("unknown_owner", "owner_id")
    assert not VarianceNote.objects.exists()


def test_who_counted_a_box_does_not_explain_it_and_the_count_team_answers_nothing(
    house: CountRoom, short: DropBox
) -> None:
    with pytest.raises(Forbidden, match="takes one of: Compliance, Shift manager"):
        answer(house, short, "explained", "We lost it.", who=house.counters[2])
    Employment.objects.create(staff=house.counters[0], room=house.room, role=Role.SHIFT_MANAGER)
    with pytest.raises(NotNow, match="counted Box 12 and cannot explain") as refused:
        answer(house, short, "explained", "We lost it.", who=house.counters[0])
    assert refused.value.code == "own_count"


def test_tables_of_a_shift_are_told_apart(house: CountRoom) -> None:
    other = Table.objects.create(room=house.room, number=8)
    house.play({4: 2000})
    mine, theirs = house.place(12), house.place(13, other)
    house.send_room(boxes_drop, house.floor, boxes=[mine.pk, theirs.pk], witness=house.counters[1])
    house.counted(mine, chips(c100=2))
    house.counted(theirs, [])
    count = shift_count(Shift.objects.get())
    assert [(table.number, table.expected_cents, table.difference_cents) for table in count.tables] == [
        (7, 200, 0),
        (8, 0, 0),
    ]
