"""A shift that opens with its drop boxes, and which box is proposed for which table."""

from __future__ import annotations

import pytest
from django.test import Client

from cardroom.drop.models import DropBox
from cardroom.floor.boxes import bare_tables, usual_numbers
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.errors import Forbidden, NotFound, NotNow
from cardroom.floor.models import Shift
from cardroom.rooms.models import Room

from .room import CountTeam, chips


@pytest.fixture
def closed(db: None) -> CountTeam:
    """A room without a shift, with two tables, that hangs its boxes as a shift opens."""
    team = CountTeam()
    Room.objects.filter(pk=team.room.pk).update(boxes_at_opening=True)
    return team


def opened(team: CountTeam, name: str = "Day") -> list[DropBox]:
    answer = team.send_room(shift_open, name=name)
    return list(DropBox.objects.filter(pk__in=answer["boxes"]).order_by("number"))


def test_a_shift_opens_with_a_box_on_every_table_where_the_room_says_so(closed: CountTeam) -> None:
    boxes = opened(closed)
    assert [(box.number, box.table.number, box.kind) for box in boxes] == [(7, 7, "drop"), (8, 8, "drop")]
    assert {box.shift for box in boxes} == {Shift.objects.get()}


def test_a_shift_opens_without_boxes_where_the_room_does_not(closed: CountTeam) -> None:
    Room.objects.update(boxes_at_opening=False)
    assert opened(closed) == []
    assert Shift.objects.get().closed_at is None


def test_a_box_of_the_last_shift_stays_on_its_table_until_two_people_take_it_off(closed: CountTeam) -> None:
    first, _ = opened(closed)
    closed.drop(first)
    closed.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get().pk)
    (second,) = opened(closed, "Swing")
    assert (second.table, second.number) == (first.table, 107)  # box 7 waits for its count
    assert bare_tables(closed.room) == []


def test_the_box_that_rested_longest_goes_on_next(closed: CountTeam) -> None:
    opened(closed)
    for number in (107, 207):
        closed.drop(DropBox.objects.get(table=closed.table, dropped_at__isnull=True))
        assert usual_numbers(closed.room, [closed.table]) == {closed.table.pk: number}
        closed.place(number)
    closed.counted(DropBox.objects.get(number=107), chips(c100=1))
    assert usual_numbers(closed.room, [closed.table]) == {closed.table.pk: 107}
    closed.counted(DropBox.objects.get(number=7), chips(c100=1))
    assert usual_numbers(closed.room, [closed.table]) == {closed.table.pk: 7}


def test_neither_shift_nor_boxes_come_where_one_cannot(closed: CountTeam) -> None:
    opened(closed)
    with pytest.raises(NotNow):
        opened(closed, "Swing")
    with pytest.raises(Forbidden):
        closed.send_room(shift_open, "floor", name="Swing")
    with pytest.raises(NotFound):
        closed.send_room(shift_open, closed.people["rival_shift_manager"], name="Swing")
    assert (Shift.objects.count(), DropBox.objects.count()) == (1, 2)


def test_the_room_page_opens_the_shift_with_its_boxes_and_says_so(closed: CountTeam) -> None:
    browser = Client()
    browser.force_login(closed.people["shift_manager"])
    address = f"/rooms/{closed.room.code}/"
    form = {"version": "0", "idempotency_key": "once", "name": "Day"}
    page = browser.post(f"{address}shifts/open/", form, follow=True)
    assert "2 drop boxes put on." in page.content.decode()
    assert DropBox.objects.count() == 2
    browser.post(f"{address}shifts/open/", form, follow=True)  # the button was pressed twice
    assert (Shift.objects.count(), DropBox.objects.count()) == (1, 2)
