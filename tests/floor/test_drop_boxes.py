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
from cardroom.people.models import Role

from .procedures import prompted, reading_of, refused
from .site import BANK_HAND, HANDS, Site


def pull(site: Site) -> None:
    """Take the box off the table."""
    box = DropBox.objects.get(dropped_at__isnull=True)
    site.send_room(boxes_drop, site.people[Role.COUNT], boxes=[box.pk], witness=site.floor)


def whole_sheet() -> dict[str, object]:
    position = {"seat": 4, "wagers": {"ante": 1000}, "hand": HANDS[4], "decision": "play"}
    return {
        "rulebook": "california",
        "bank": {"seat": 3, "wager": 20000},
        "bank_hand": BANK_HAND,
        "positions": [position],
    }


def test_no_more_bets_is_refused_where_no_box_hangs_and_the_table_says_so(open_site: Site) -> None:
    site = open_site
    pull(site)
    prompt = prompted(site)["no_box"]
    assert (prompt.blocks, prompt.command) == (True, "box_waive")
    site.bet({4: 1000})
    assert refused(site, bets_close) == "no_drop_box"
    assert Round.objects.get().state == "betting"
    assert not Transfer.objects.exists()
    site.hang_box(71)
    assert "no_box" not in prompted(site)
    site.send(bets_close)
    assert Transfer.objects.filter(kind="fee").count() == 2


def test_a_whole_sheet_is_refused_as_well(open_site: Site) -> None:
    pull(open_site)
    assert refused(open_site, round_record, sheet=whole_sheet()) == "no_drop_box"
    assert not Round.objects.exists()


def test_a_table_that_collects_nothing_needs_no_box(open_site: Site) -> None:
    pull(open_site)
    Table.objects.update(schedule=None)
    assert "no_box" not in prompted(open_site)
    assert why_no_box(reading_of(open_site)) is None


def test_a_supervisor_lets_the_table_collect_without_for_a_reason_and_it_is_on_record(
    open_site: Site,
) -> None:
    site = open_site
    assert refused(site, box_waive, site.floor, reason="x") == "no_box_missing"
    pull(site)
    assert refused(site, box_waive, reason="stuck") == "supervisor_required"
    assert refused(site, box_waive, site.floor, reason=" ") == "reason_required"
    site.send(box_waive, reason="the rail is stuck", approver=site.floor)
    [word] = Procedure.objects.filter(kind="box_waived")
    assert (word.reason, word.recorded_by, word.ordered_by) == (
        "the rail is stuck",
        site.dealer,
        site.floor,
    )
    entry = JournalEntry.objects.get(command="procedure_box_waived")
    assert (entry.reason, entry.data["ordered_by"]["name"]) == ("the rail is stuck", str(site.floor))
    assert refused(site, box_waive, site.floor, reason="again") == "box_waived"
    assert not prompted(site)["box_waived"].blocks
    site.play({4: 1000})


def test_the_word_holds_until_a_box_is_put_on_and_not_into_the_next_shift(open_site: Site) -> None:
    site = open_site
    pull(site)
    site.send(box_waive, site.floor, reason="stuck")
    site.hang_box(71)
    pull(site)
    site.bet({4: 1000})
    assert refused(site, bets_close) == "no_drop_box"
    site.send(box_waive, site.floor, reason="stuck again")
    site.send(bets_close)
    site.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get().pk)
    site.send_room(shift_open, name="Graveyard")
    assert reading_of(site).box_waiver is None


def test_the_database_wants_a_reason_and_a_supervisor(open_site: Site) -> None:
    pull(open_site)
    open_site.send(box_waive, open_site.floor, reason="stuck")
    word = Procedure.objects.get(kind="box_waived")
    word.pk, word.ordered_by = None, None
    with pytest.raises(IntegrityError), transaction.atomic():
        word.save(force_insert=True)


def test_the_board_says_so_in_red_at_once_and_the_floor_is_told(open_site: Site) -> None:
    site = open_site
    shift = Shift.objects.get()
    [glance] = room_board(site.room, shift, reading_of(site).now)
    assert glance.why_no_box is None
    pull(site)
    [glance] = room_board(site.room, shift, reading_of(site).now)
    assert glance.why_no_box is not None and glance.why_no_box.code == "no_drop_box"
    assert glance.attention == Attention.STOP
    assert room_watch(site.room.pk, reading_of(site).now) == 1
    alert = Alert.objects.get(kind="no_drop_box")
    assert alert.is_urgent and alert.cleared_at is None
    site.hang_box(71)
    room_watch(site.room.pk, reading_of(site).now)
    alert.refresh_from_db()
    assert alert.cleared_at is not None


def test_a_closed_table_needs_none(open_site: Site) -> None:
    pull(open_site)
    Table.objects.update(state="closed")
    assert prompted(open_site) == {}
    [glance] = room_board(open_site.room, Shift.objects.get(), reading_of(open_site).now)
    assert glance.why_no_box is None
