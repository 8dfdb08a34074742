"""The settings of a room and its list of tables: what is set, what is refused, and that nothing else moves by it."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from cardroom.floor.commands.rooms import room_set, table_add, table_number_set
from cardroom.floor.errors import BadInput, FloorError, NotFound
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry, Table
from cardroom.floor.verification.rows import rows_verify
from cardroom.rooms.models import Room
from tests.cast import Cast


def test_settings_are_changed_by_two_and_stand_in_the_journal_as_they_were_and_are(cast: Cast) -> None:
    given = {"gaming_day_starts": "05:30", "idle_minutes": 20, "checkpoint_directory": "/mnt/checkpoints"}
    cast.send_room(room_set, "room_manager", **given, approver=cast.people["compliance"])
    room = Room.objects.get(pk=cast.room.pk)
    assert (room.gaming_day_starts, room.idle_minutes) == (datetime.time(5, 30), 20)
    entry = JournalEntry.objects.get(command="room_set")
    assert entry.data["changed"] == {
        "gaming_day_starts": ["06:00:00", "05:30:00"],
        "idle_minutes": ["15", "20"],
        "checkpoint_directory": ["", "/mnt/checkpoints"],
    }
    assert entry.data["approved_by"]["id"] == cast.people["compliance"].pk
    cast.send_room(room_set, "room_manager", **given)  # as it is already: nothing to sign for, and no entry
    assert JournalEntry.objects.filter(command="room_set").count() == 1
    assert [*rows_verify()] == []


def test_the_minutes_of_a_hold_are_kept_in_their_order(cast: Cast) -> None:
    sign = {"approver": cast.people["compliance"]}
    cast.send_room(
        room_set, "room_manager", hold_choices="45, 10;10", call_minutes=4, reliefs_sign=True, **sign
    )
    room = Room.objects.get(pk=cast.room.pk)
    assert (room.hold_choices, room.hold_minutes, room.reliefs_sign) == ("10 45", (10, 45), True)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"time_zone": "America/Fresno"}, "time_zone"),
        ({"gaming_day_starts": "6am"}, "gaming_day_starts"),
        ({"checkpoint_directory": "mnt"}, "checkpoint_directory"),
        ({"checkpoint_witness": "http://witness.example"}, "checkpoint_witness"),
        ({"chips": "5 red"}, "chips"),
        ({"meter_contribution_cents": 99, "meter_reserve_cents": 2}, "progressive_unit_cents"),
        ({"hold_choices": "5 soon"}, "hold_choices"),
        ({"hold_choices": "0"}, "hold_choices"),
        ({"hold_choices": "5 10 20 30 60"}, "hold_choices"),
        ({"retention_years": 6}, "retention_years"),
        ({"name": "Gold Bar"}, "name"),
        ({"code": "two words"}, "code"),
    ],
)
def test_what_is_no_setting_is_refused_with_its_place_and_nothing_is_written(
    cast: Cast, given: dict[str, Any], path: str
) -> None:
    before = Room.objects.values().get(pk=cast.room.pk)
    with pytest.raises(BadInput) as error:
        cast.send_room(room_set, "room_manager", **given, approver=cast.people["compliance"])
    assert error.value.path == path
    assert Room.objects.values().get(pk=cast.room.pk) == before


def test_a_table_is_added_and_renumbered_while_it_is_played(running: Cast) -> None:
    added = running.send_room(table_add, "room_manager", number=12)
    assert Table.objects.get(pk=added["table_id"]).state == Table.State.CLOSED
    running.bet({4: 1000})
    before = Table.objects.get(pk=running.table.pk)
    for number in (8, 12):
        with pytest.raises(FloorError) as error:
            running.send_room(table_number_set, "room_manager", table_id=running.table.pk, number=number)
        assert error.value.code == "number_taken"
    running.send_room(table_number_set, "room_manager", table_id=running.table.pk, number=17)
    table = Table.objects.get(pk=running.table.pk)
    assert (table.number, table.version, table.chain_seq) == (17, before.version, before.chain_seq)
    assert list(chain_breaks(table)) == [] and [*rows_verify()] == []
    assert table.history.latest().number == 17
    with pytest.raises(NotFound):
        running.send_room(table_number_set, "room_manager", table_id=running.rival_table.pk, number=18)
