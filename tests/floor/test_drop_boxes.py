"""A table without a drop box collects nothing, unless a supervisor lets it, for a reason."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from cardroom.drop.models import DropBox
from cardroom.floor.checks.boxes import why_no_box
from cardroom.floor.commands.boxes import box_waive, boxes_drop
from cardroom.floor.commands.rounds import bets_close, round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.watch import room_watch
from cardroom.floor.models import Alert, JournalEntry, Procedure, Round, Shift, Table, Transfer
from cardroom.floor.reads.board import Attention, room_board
from tests.cast import BANK_HAND, HANDS, Cast

from .procedures import prompted, reading_of, refused


def pull(cast: Cast) -> None:
    """Take the box off the table."""
    box = DropBox.objects.get(dropped_at__isnull=True)
    cast.send_room(boxes_drop, "count", boxes=[box.pk], witness=cast.people["floor"])


def whole_sheet() -> dict[str, object]:
    position = {"seat": 4, "wagers": {"ante": 1000}, "hand": HANDS[4], "decision": "play"}
    return {
        "rulebook": "california",
        "bank": {"seat": 3, "wager": 20000},
        "bank_hand": BANK_HAND,
        "positions": [position],
    }


def test_no_more_bets_is_refused_where_no_box_hangs_and_the_table_says_so(running: Cast) -> None:
    pull(running)
    prompt = prompted(running)["no_box"]
    assert (prompt.blocks, prompt.command) == (True, "box_waive")
    running.bet({4: 1000})
    assert refused(running, bets_close) == "no_drop_box"
    assert Round.objects.get().state == "betting"
    assert not Transfer.objects.exists()
    running.hang_box(71)
    assert "no_box" not in prompted(running)
    running.send(bets_close)
    assert Transfer.objects.filter(kind="fee").count() == 2


def test_a_whole_sheet_is_refused_as_well(running: Cast) -> None:
    pull(running)
    assert refused(running, round_record, sheet=whole_sheet()) == "no_drop_box"
    assert not Round.objects.exists()


def test_a_table_that_collects_nothing_needs_no_box(running: Cast) -> None:
    pull(running)
    Table.objects.update(schedule=None)
    assert "no_box" not in prompted(running)
    assert why_no_box(reading_of(running)) is None


def test_a_supervisor_lets_the_table_collect_without_for_a_reason_and_it_is_on_record(
    running: Cast,
) -> None:
    assert refused(running, box_waive, "floor", reason="x") == "no_box_missing"
    pull(running)
    assert refused(running, box_waive, reason="stuck") == "supervisor_required"
    assert refused(running, box_waive, "floor", reason=" ") == "reason_required"
    running.send(box_waive, reason="the rail is stuck", approver=running.people["floor"])
    [word] = Procedure.objects.filter(kind="box_waived")
    assert (word.reason, word.recorded_by, word.ordered_by) == (
        "the rail is stuck",
        running.people["dealer"],
        running.people["floor"],
    )
    entry = JournalEntry.objects.get(command="procedure_box_waived")
    assert (entry.reason, entry.data["ordered_by"]["name"]) == (
        "the rail is stuck",
        str(running.people["floor"]),
    )
    assert refused(running, box_waive, "floor", reason="again") == "box_waived"
    assert not prompted(running)["box_waived"].blocks
    running.play({4: 1000})


def test_the_word_holds_until_a_box_is_put_on_and_not_into_the_next_shift(running: Cast) -> None:
    pull(running)
    running.send(box_waive, "floor", reason="stuck")
    running.hang_box(71)
    pull(running)
    running.bet({4: 1000})
    assert refused(running, bets_close) == "no_drop_box"
    running.send(box_waive, "floor", reason="stuck again")
    running.send(bets_close)
    running.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get().pk)
    running.send_room(shift_open, name="Graveyard")
    assert reading_of(running).box_waiver is None


def test_the_database_wants_a_reason_and_a_supervisor(running: Cast) -> None:
    pull(running)
    running.send(box_waive, "floor", reason="stuck")
    word = Procedure.objects.get(kind="box_waived")
    word.pk, word.ordered_by = None, None
    with pytest.raises(IntegrityError), transaction.atomic():
        word.save(force_insert=True)


def test_the_board_says_so_in_red_at_once_and_the_floor_is_told(running: Cast) -> None:
    shift = Shift.objects.get()
    glance, _ = room_board(running.room, shift, reading_of(running).now)
    assert glance.why_no_box is None
    pull(running)
    glance, _ = room_board(running.room, shift, reading_of(running).now)
    assert glance.why_no_box is not None and glance.why_no_box.code == "no_drop_box"
    assert glance.attention == Attention.STOP
    assert room_watch(running.room.pk, reading_of(running).now) == 1
    alert = Alert.objects.get(kind="no_drop_box")
    assert alert.is_urgent and alert.cleared_at is None
    running.hang_box(71)
    room_watch(running.room.pk, reading_of(running).now)
    alert.refresh_from_db()
    assert alert.cleared_at is not None


def test_a_closed_table_needs_none(running: Cast) -> None:
    pull(running)
    Table.objects.update(state="closed")
    assert prompted(running) == {}
    glance, _ = room_board(running.room, Shift.objects.get(), reading_of(running).now)
    assert glance.why_no_box is None
