"""The admin of the floor: it changes reference data and leaves what commands keep alone."""

from __future__ import annotations

import datetime
import re

import pytest
from django.test import Client
from django.utils import timezone

from cardroom.floor.models import Round, Shift
from cardroom.people.admin_words import format_document
from cardroom.people.models import Employment, Role
from cardroom.rooms.models import Room
from tests.cast import Cast


@pytest.mark.parametrize(
    ("zones", "shown"),
    [
        (["America/Los_Angeles"], "Sat Jul 4, 2026, 9:14:05 PM PDT"),
        (["America/New_York"], "Sun Jul 5, 2026, 12:14:05 AM EDT"),
        (["America/Los_Angeles", "America/New_York"], "Sun Jul 5, 2026, 4:14:05 AM UTC"),
    ],
)
def test_the_admin_shows_instants_in_the_zone_of_the_persons_rooms_and_says_which(
    cast: Cast, zones: list[str], shown: str
) -> None:
    staff = cast.people["room_manager"]
    staff.is_staff = True
    staff.save()
    Room.objects.filter(pk=cast.room.pk).update(time_zone=zones[0])
    for number, zone in enumerate(zones[1:]):
        other = Room.objects.create(name=f"Room {number}", code=f"room-{number}", time_zone=zone)
        Employment.objects.create(staff=staff, room=other, role=Role.ROOM_MANAGER)
    opened = datetime.datetime(2026, 7, 5, 4, 14, 5, tzinfo=datetime.UTC)
    Shift.objects.create(
        room=cast.room,
        name="Swing",
        gaming_day=opened.date(),
        opened_at=opened,
        opened_by=cast.people["shift_manager"],
    )
    client = Client()
    client.force_login(staff)
    page = client.get("/admin/floor/shift/")
    assert shown in page.content.decode()
    assert timezone.get_current_timezone_name() == "UTC", "the zone ends with the page"


def test_the_admin_shows_dollars_and_documents_in_words_and_leads_back_to_the_floor(running: Cast) -> None:
    staff = running.people["room_manager"]
    staff.is_staff = True
    staff.save()
    running.bet({4: 4_550})
    round_ = Round.objects.get()
    client = Client()
    client.force_login(staff)
    listed = client.get("/admin/floor/round/?o=4").content.decode()
    assert "$0" in listed
    page = client.get(f"/admin/floor/round/{round_.pk}/change/").content.decode()
    assert "<li>ante: $45.50</li>" in page
    assert '{"' not in page and "&quot;seat&quot;" not in page
    index = client.get("/admin/").content.decode()
    assert "May be set here" in index
    for address in re.findall(r'href="(/admin/[a-z]+/[a-z]+/)"', index):
        assert client.get(address).status_code == 200, address
    assert 'href="/"' in index


def test_a_document_is_shown_as_text() -> None:
    document = {
        "fee_cents": -150,
        "seats": [4, 5],
        "options": {"card_shown": True, "note": None},
        "rows": [{"a": 1}],
    }
    assert format_document(document) == (
        "<ul><li>fee: −$1.50</li><li>seats: 4, 5</li><li>options: <ul><li>card shown: yes</li><li>note: –</li></ul></li>"
        "<li>rows: <ol><li><ul><li>a: 1</li></ul></li></ol></li></ul>"
    )
    assert format_document({"name": "<b>"}) == "<ul><li>name: &lt;b&gt;</li></ul>"
