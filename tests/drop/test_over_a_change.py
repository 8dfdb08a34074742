"""A box holds what was dropped while it hung, whichever shift it was hung in and whichever counts the rounds (ruling 58)."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from django.db import IntegrityError, transaction

from cardroom.drop.models import DropBox
from cardroom.drop.reads.boxes import BoxCount, ShiftCount, box_count, shift_count, variances_of
from cardroom.drop.reads.expected import box_expected_cents, rounds_of, table_cents
from cardroom.drop.verification import sheets_verify
from cardroom.floor.commands import boxes
from cardroom.floor.commands.boxes import boxes_drop
from cardroom.floor.commands.rounds import bets_close, round_deal, round_void
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.commands.undo import undo
from cardroom.floor.execution.locks import lock_tables
from cardroom.floor.models import Round, Shift, Table, Transfer
from cardroom.jobs.models import Job
from cardroom.rooms.models import Room
from tests.floor.test_corrections import as_recorded, correct
from tests.reports.commands import as_superuser

from .room import CountTeam, chips
from .test_jackpot import collected, jackpot_placed

pytestmark = pytest.mark.postgresql


def change(team: CountTeam, name: str) -> Shift:
    """Close the open shift, open the next, and return it."""
    team.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get(closed_at=None).pk, next_name=name)
    return Shift.objects.get(closed_at=None)


def lay_in(box: DropBox) -> int:
    """What went in while it hung less what came out, by the instants alone, in cents."""
    box.refresh_from_db()
    rows = [
        (row.cents if row.target == box.kind else -row.cents)
        for row in Transfer.objects.filter(table=box.table_id)
        if box.kind in (row.source, row.target)
        and box.placed_at <= row.made_at
        and (box.dropped_at is None or row.made_at < box.dropped_at)
    ]
    return sum(rows)


def read(box: DropBox) -> BoxCount:
    return box_count(DropBox.objects.get(pk=box.pk))


def ladder(count: ShiftCount, kind: str = "drop") -> tuple[int, int | None, int, int]:
    """Dropped in the shift, over a change, without a box, and expected in its boxes: they add up."""
    of = count.of_kind(kind)
    figures = (of.dropped_cents, of.change_cents, of.without_box_cents, of.expected_cents)
    assert figures[1] is None or figures[0] + figures[1] - figures[2] == figures[3]
    return figures


def test_a_box_pulled_after_the_change_expects_what_both_shifts_dropped_into_it(team: CountTeam) -> None:
    day = Shift.objects.get()
    old = team.place(12)
    team.play({4: 2000, 5: 2000})  # $3
    grave = change(team, "Grave")
    team.play({1: 3000, 4: 1000, 5: 5000})  # $4 more, into the box that still hangs
    team.drop(old)
    new = team.place(13)
    team.bank_to(6)
    team.play({4: 2000})
    team.drop(new)
    assert (box_expected_cents(old), box_expected_cents(new)) == (lay_in(old), lay_in(new)) == (700, 200)
    assert [each.cents for each in rounds_of(old)] == [300, 400]
    assert [shift_count(shift).without_box for shift in (day, grave)] == [[], []]
    assert (table_cents(day)[team.table.pk], table_cents(grave)[team.table.pk]) == (300, 600)
    # Of a box that is not counted no figure is shown, neither in its shift nor in the other.
    for shift in (day, grave):
        assert shift_count(shift).drop.change_cents is None and not shift_count(shift).changes_known
    team.counted(new, chips(c100=2))
    assert not shift_count(grave).complete, "money of it is in a box that is not counted"
    team.counted(old, chips(c100=7))
    assert ladder(shift_count(day)) == (300, 400, 0, 700)
    assert ladder(shift_count(grave)) == (600, -400, 0, 200)
    assert [each.text for each in shift_count(day).changes_known] == [f"$4 of {grave} in Box 12"]
    assert [each.text for each in shift_count(grave).changes_known] == [
        f"$4 of this shift in Box 12 of {day}"
    ]
    assert [(share.shift, share.cents) for share in read(old).of_other_shifts] == [(grave, 400)]
    assert shift_count(day).complete and shift_count(grave).complete
    assert variances_of(team.room) == []


def test_a_box_under_several_changes_and_shifts_without_one_of_their_own(team: CountTeam) -> None:
    day = Shift.objects.get()
    box = team.place(12)
    team.play({4: 2000})
    swing = change(team, "Late")
    team.play({4: 2000, 5: 2000})
    grave = change(team, "Grave")
    team.bank_to(6)
    team.play({4: 2000})
    team.drop(box)
    team.counted(box, chips(c100=7))
    assert box_expected_cents(box) == lay_in(box) == 700
    assert ladder(shift_count(day)) == (200, 500, 0, 700)
    assert ladder(shift_count(swing)) == (300, -300, 0, 0)
    assert ladder(shift_count(grave)) == (200, -200, 0, 0)
    assert all(shift_count(shift).complete for shift in (day, swing, grave))


def test_boxes_of_two_tables_keep_apart(team: CountTeam) -> None:
    day = Shift.objects.get()
    mine, theirs = team.place(12), team.place(13, team.second_table)
    team.play({4: 2000})
    grave = change(team, "Grave")
    team.play({4: 2000, 5: 2000})
    team.send_room(boxes_drop, "floor", boxes=[mine.pk, theirs.pk], witness=team.counters[1])
    team.counted(mine, chips(c100=5))
    team.counted(theirs, [])
    assert (box_expected_cents(mine), box_expected_cents(theirs)) == (500, 0)
    assert [(each.box.number, each.cents) for each in shift_count(day).over_change] == [(12, 300)]
    assert [(each.box.number, each.cents) for each in shift_count(grave).over_change] == [(12, -300)]


def test_a_jackpot_box_over_a_change_is_by_its_box_and_in_no_sum_of_the_drop(team: CountTeam) -> None:
    day = Shift.objects.get()
    drop, jackpot = team.place(12), jackpot_placed(team)
    team.play({4: 2000})
    collected(Round.objects.latest("pk"), 50)
    grave = change(team, "Grave")
    team.play({4: 2000})
    collected(Round.objects.latest("pk"), 150)
    team.drop(drop, jackpot)
    team.counted(drop, chips(c100=4))
    team.counted(jackpot, chips(c100=2))
    assert (box_expected_cents(drop), box_expected_cents(jackpot)) == (400, 200)
    assert (ladder(shift_count(day)), ladder(shift_count(day), "jackpot")) == (
        (200, 200, 0, 400),
        (50, 150, 0, 200),
    )
    assert (ladder(shift_count(grave)), ladder(shift_count(grave), "jackpot")) == (
        (200, -200, 0, 0),
        (150, -150, 0, 0),
    )
    assert shift_count(day).jackpot.difference_cents == shift_count(day).drop.difference_cents == 0


def test_what_was_collected_between_two_boxes_is_in_neither(team: CountTeam) -> None:
    first = team.dropped(12, {4: 2000})
    team.play({4: 2000, 5: 2000})  # a supervisor lets the table collect without one
    team.bank_to(6)
    second = team.dropped(13, {4: 2000})
    team.play({4: 2000, 5: 2000})
    assert (
        (box_expected_cents(first), box_expected_cents(second))
        == (lay_in(first), lay_in(second))
        == (200, 200)
    )
    team.counted(first, chips(c100=2))
    team.counted(second, chips(c100=2))
    count = shift_count(Shift.objects.get())
    assert ladder(count) == (1000, 0, 600, 400)
    assert [each.text for each in count.without_box] == ["collected $6 without a box"]


def test_a_fee_given_back_after_the_pull_comes_out_of_the_box_that_hangs_or_of_none(team: CountTeam) -> None:
    def dealt() -> None:
        team.bet({4: 2000})
        team.send(bets_close)
        team.send(round_deal)

    def void() -> None:
        team.send(round_void, "floor", reason="device failure", approver=team.people["shift_manager"])

    first = team.place(12)
    dealt()
    team.drop(first)
    second = team.place(13)
    void()
    dealt()
    team.drop(second)
    void()
    assert (
        (box_expected_cents(first), box_expected_cents(second)) == (lay_in(first), lay_in(second)) == (200, 0)
    )
    team.counted(first, chips(c100=2))
    team.counted(second, [])
    count = shift_count(Shift.objects.get())
    assert ladder(count) == (0, 0, -200, 200)
    assert [each.text for each in count.without_box] == ["gave back $2 without a box"]


def test_no_more_bets_taken_back_gives_the_fees_back_out_of_the_box_that_hangs(team: CountTeam) -> None:
    box = team.place(12)
    team.bet({4: 2000})
    team.send(bets_close)
    team.drop(box)
    second = team.place(13)
    team.send(undo, reason="a late bet", approver=team.people["floor"])
    assert (
        (box_expected_cents(box), box_expected_cents(second)) == (lay_in(box), lay_in(second)) == (200, -200)
    )


def test_a_correction_mends_what_lay_in_the_box_of_its_round(team: CountTeam) -> None:
    """`as_due` says what had been dropped: the box that hangs by now never held it."""
    day = Shift.objects.get()
    old = team.dropped(12, {4: 2000, 5: 2000})
    team.counted(old, chips(c100=3))
    swing = change(team, "Late")
    new = team.dropped(13, {5: 2000})
    team.counted(new, chips(c100=2))
    record = as_recorded(Round.objects.filter(shift=day).get())
    del record["positions"][1]
    correct(team, record, drop="as_due")
    assert (box_expected_cents(old), box_expected_cents(new)) == (200, 200)
    assert read(old).moved and not read(new).moved
    assert ladder(shift_count(day)) == (300, -100, 0, 200)
    assert ladder(shift_count(swing)) == (100, 100, 0, 200)


def test_the_count_of_a_box_asks_for_the_reports_of_all_shifts_that_dropped_into_it(team: CountTeam) -> None:
    day = Shift.objects.get()
    box = team.place(12)
    team.play({4: 2000})
    swing = change(team, "Late")
    team.play({4: 2000})
    change(team, "Grave")
    team.drop(box)
    last = Job.objects.latest("pk").pk
    team.counted(box, chips(c100=4))
    asked = Job.objects.filter(kind="shift_report", pk__gt=last).order_by("pk")
    assert [job.arguments["shift"] for job in asked] == [day.pk, swing.pk]


def test_only_what_goes_into_a_box_or_comes_out_of_one_names_it(team: CountTeam) -> None:
    box = team.place(12)
    team.play({4: 2000})
    for row in Transfer.objects.all():
        assert (row.box_id == box.pk) == ("drop" in (row.source, row.target)), row
    taken = Transfer.objects.filter(box=None).first()
    assert taken is not None
    taken.pk, taken.box = None, box
    with pytest.raises(IntegrityError, match="only_what_is_dropped_names_a_box"), transaction.atomic():
        taken.save(force_insert=True)


def test_boxes_are_put_on_and_pulled_under_the_locks_of_their_tables(
    team: CountTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a command at a table, which names the box, sees the one that hangs until it is done."""
    locked: list[set[int]] = []

    def seen(room: Room, ids: Collection[int]) -> list[Table]:
        locked.append(set(ids))
        return lock_tables(room, ids)

    monkeypatch.setattr(boxes, "lock_tables", seen)
    team.dropped(12)
    assert locked == [{team.table.pk}] * 2


def test_a_transfer_that_names_a_box_of_another_table_or_kind_is_found(team: CountTeam) -> None:
    other = team.place(13, team.second_table)
    jackpot = jackpot_placed(team)
    team.place(12)
    team.play({4: 2000})
    assert not [each for each in sheets_verify() if "names" in each]
    first, second = Transfer.objects.filter(target="drop")
    with as_superuser() as cursor:
        for row, box in ((first, other), (second, jackpot)):
            cursor.execute(f"UPDATE floor_transfer SET box_id = {box.pk} WHERE id = {row.pk}")
    assert len([each for each in sheets_verify() if "of another table or for other fees" in each]) == 2
