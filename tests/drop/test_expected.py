"""What is expected of a box ties to the cent to what its table collected, and the difference has an owner."""

from __future__ import annotations

import pytest

from cardroom.drop.commands.variances import variance_answer, variance_check_again
from cardroom.drop.models import DropBox, VarianceCheck, VarianceNote
from cardroom.drop.reads.boxes import BoxCount, box_count, shift_count, variances_of
from cardroom.drop.reads.expected import box_expected_cents, collected_cents, rounds_of, table_cents
from cardroom.floor.commands.boxes import boxes_drop
from cardroom.floor.commands.rounds import bets_close, round_deal, round_void
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.errors import BadInput, Forbidden, NotNow
from cardroom.floor.models import Round, Shift, Transfer
from cardroom.people.models import Role
from cardroom.rooms.models import Room
from tests.floor.test_corrections import as_recorded, correct

from .room import CountTeam, chips


def read(box: DropBox) -> BoxCount:
    return box_count(DropBox.objects.get(pk=box.pk))


def void(team: CountTeam) -> None:
    team.send(round_void, "floor", reason="device failure", approver=team.people["shift_manager"])


@pytest.mark.postgresql
def test_a_shifts_boxes_expect_what_its_tables_collected_to_the_cent(team: CountTeam) -> None:
    first = team.place(12)
    team.play({4: 2000, 5: 2000})  # $1 a player, $1 of the bank for $40
    team.drop(first)
    second = team.place(13)
    team.play({1: 3000, 4: 1000, 5: 5000})
    team.drop(second)
    shift = Shift.objects.get()
    drop = Transfer.objects.filter(target="drop")
    by_hand = {
        box.pk: sum(row.cents for row in drop if (row.made_at >= second.placed_at) == (box == second))
        for box in (first, second)
    }
    assert all(by_hand.values())
    team.counted(first, chips(c100=by_hand[first.pk] // 100))
    team.counted(second, chips(c100=by_hand[second.pk] // 100))
    for box in (first, second):
        assert (read(box).expected_cents, read(box).difference_cents) == (by_hand[box.pk], 0)
        assert box_expected_cents(box) == by_hand[box.pk]
        assert sum(each.cents for each in rounds_of(box)) == by_hand[box.pk]
    count = shift_count(shift)
    assert count.complete
    (table,) = count.tables
    assert (table.number, table.counted_cents) == (7, count.counted_cents)
    assert count.expected_cents == count.counted_cents == table_cents(shift)[team.table.pk]
    assert variances_of(team.room) == []


@pytest.mark.postgresql
def test_fees_given_back_leave_the_box_and_stay_in_sight(team: CountTeam) -> None:
    box = team.place()
    team.play({4: 2000})
    kept = sum(row.cents for row in Transfer.objects.filter(target="drop"))
    team.bet({4: 2000})
    team.send(bets_close)
    team.send(round_deal)
    void(team)
    assert Transfer.objects.filter(kind="fee_refund").exists()
    assert box_expected_cents(box) == kept
    last = rounds_of(box)[-1]
    assert (last.state, last.cents) == ("void", 0) and last.in_cents == last.out_cents > 0


@pytest.mark.postgresql
def test_what_came_before_a_box_and_after_it_is_in_none(team: CountTeam) -> None:
    team.play({4: 2000})
    box = team.dropped(12, {4: 2000, 5: 2000})
    team.bank_to(6)
    team.play({4: 2000})
    assert [each.cents for each in rounds_of(box)] == [300]
    assert box_expected_cents(box) == 300
    team.counted(box, chips(c100=3))
    count = shift_count(Shift.objects.get())
    assert (count.expected_cents, count.without_box, count.complete) == (300, [(7, 400, "drop")], False)
    assert table_cents(Shift.objects.get())[team.table.pk] == 700


def test_a_table_that_collected_without_a_box_is_told(team: CountTeam) -> None:
    team.play({4: 2000})
    count = shift_count(Shift.objects.get())
    assert count.without_box == [
        (7, sum(row.cents for row in Transfer.objects.filter(target="drop")), "drop")
    ]
    assert not count.complete


def test_no_figure_is_read_before_the_count_stands(team: CountTeam) -> None:
    box = team.dropped(12, {4: 2000})
    team.count(box, 0, chips(c100=2))
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
def short(team: CountTeam) -> DropBox:
    """A box that is a dollar short of $2."""
    box = team.dropped(12, {4: 2000})
    assert box_expected_cents(box) == 200
    return team.counted(box, chips(c100=1))


def answer(team: CountTeam, box: DropBox, status: str, text: str = "", **more: object) -> None:
    who = more.pop("who", team.people["compliance"])
    team.send_room(variance_answer, who, box_id=box.pk, status=status, text=text, **more)


def test_a_difference_over_the_threshold_is_in_the_queue_until_it_is_explained(
    team: CountTeam, short: DropBox
) -> None:
    (each,) = variances_of(team.room)
    assert (each.difference_cents, each.status, each.owner) == (-100, "open", None)
    answer(team, short, "open", owner_id=team.people["shift_manager"].pk)
    answer(team, short, "escalated", "To compliance: nobody saw a chip fall.")
    (each,) = variances_of(team.room)
    assert (each.status, each.owner) == ("escalated", team.people["shift_manager"])
    answer(team, short, "explained", "Chip found under the rail; see the incident log.")
    assert variances_of(team.room) == []
    (each,) = variances_of(team.room, answered=True)
    assert [note.status for note in each.notes] == ["open", "escalated", "explained"]


@pytest.mark.parametrize(("threshold", "over"), [(0, True), (99, True), (100, False)])
def test_the_rooms_threshold_decides_what_must_be_explained(
    team: CountTeam, threshold: int, over: bool
) -> None:
    Room.objects.filter(pk=team.room.pk).update(variance_threshold_cents=threshold)
    box = team.counted(team.dropped(12, {4: 2000}), chips(c100=1))
    assert (len(variances_of(team.room)) == 1) == over == VarianceCheck.objects.get().is_over
    if not over:
        with pytest.raises(NotNow, match="nothing to explain"):
            answer(team, box, "explained", "There is none.")


def test_a_correction_checks_anew_and_may_take_the_variance_away(team: CountTeam, short: DropBox) -> None:
    answer(team, short, "explained", "Somebody paid late.")
    team.correct(short, chips(c100=3))
    (each,) = variances_of(team.room)
    assert (each.difference_cents, each.status) == (100, "open"), "what was explained was another difference"
    team.correct(short, chips(c100=2))
    assert variances_of(team.room) == variances_of(team.room, answered=True) == []


def test_what_is_expected_later_is_checked_again_when_somebody_asks(team: CountTeam) -> None:
    box = team.dropped(12, {4: 2000, 5: 2000})
    team.counted(box, chips(c100=3))
    with pytest.raises(NotNow, match="is what it was"):
        team.send_room(variance_check_again, "shift_manager", box_id=box.pk)
    record = as_recorded(Round.objects.get())
    del record["positions"][1]
    correct(team, record, drop="as_due")
    assert read(box).moved and not read(box).is_over
    team.send_room(variance_check_again, "shift_manager", box_id=box.pk)
    (each,) = variances_of(team.room)
    assert (each.difference_cents, each.moved) == (100, False)


def test_an_answer_says_something_and_has_an_owner_who_may_answer(team: CountTeam, short: DropBox) -> None:
    for status, text, code in (
        ("explained", " ", "bad_explanation"),
        ("escalated", "", "bad_explanation"),
        ("open", "x" * 501, "bad_explanation"),
        ("forgotten", "x", "unknown_status"),
    ):
        with pytest.raises(BadInput) as refused:
            answer(team, short, status, text)
        assert refused.value.code == code
    for owner in (team.people["dealer"].pk, team.people["rival_shift_manager"].pk, 999_999):
        with pytest.raises(BadInput) as refused:
            answer(team, short, "open", owner_id=owner)
        assert (refused.value.code, refused.value.path) == ("unknown_owner", "owner_id")
    assert not VarianceNote.objects.exists()


def test_who_counted_a_box_does_not_explain_it_and_the_count_team_answers_nothing(
    team: CountTeam, short: DropBox
) -> None:
    with pytest.raises(Forbidden, match="that is for Compliance, Shift manager"):
        answer(team, short, "explained", "We lost it.", who=team.counters[2])
    team.hire("count", Role.SHIFT_MANAGER)
    with pytest.raises(NotNow, match="counted Box 12 and cannot explain") as refused:
        answer(team, short, "explained", "We lost it.", who=team.counters[0])
    assert refused.value.code == "own_count"


@pytest.mark.postgresql
def test_a_fee_that_is_given_back_later_comes_out_of_the_box_that_hangs_then(team: CountTeam) -> None:
    first = team.place(12)
    team.bet({4: 2000})
    team.send(bets_close)
    team.drop(first)
    second = team.place(13)
    assert (box_expected_cents(first), box_expected_cents(second)) == (200, 0)
    assert [(each.in_cents, each.out_cents) for each in rounds_of(first)] == [(200, 0)]
    assert rounds_of(second) == []
    void(team)
    assert (box_expected_cents(first), box_expected_cents(second)) == (200, -200)
    assert [(each.in_cents, each.out_cents) for each in rounds_of(second)] == [(0, 200)]


def test_what_a_shift_collected_is_told_by_shift_and_table(team: CountTeam) -> None:
    """In a shift whose id is not that of the table."""
    while (shift := Shift.objects.get(closed_at=None)).pk == team.table.pk:
        team.send_room(shift_close, confirmed=True, shift_id=shift.pk, next_name="Night")
    team.play({4: 2000})
    assert collected_cents([shift]) == {(shift.pk, team.table.pk, "drop"): 200}
    assert collected_cents([shift], team.table) == {(shift.pk, team.table.pk, "drop"): 200}


def test_tables_of_a_shift_are_told_apart(team: CountTeam) -> None:
    mine, theirs = team.place(12), team.place(13, team.second_table)
    team.play({4: 2000})
    team.send_room(boxes_drop, "floor", boxes=[mine.pk, theirs.pk], witness=team.counters[1])
    team.counted(mine, chips(c100=2))
    team.counted(theirs, [])
    count = shift_count(Shift.objects.get())
    assert [(table.number, table.expected_cents, table.difference_cents) for table in count.tables] == [
        (7, 200, 0),
        (8, 0, 0),
    ]
