"""The settings page: the room's settings with a second person, tables by the manager, and who else only reads."""

from __future__ import annotations

from collections.abc import Callable

from cardroom.floor.models import Table
from cardroom.rooms.models import Room
from tests.cast import PIN, Cast

from ..conftest import Person

SETTINGS = "/rooms/cache-slough/settings/"


def test_the_manager_changes_settings_and_tables_and_others_read_them(
    running: Cast, person: Callable[[str], Person]
) -> None:
    manager, room = person("room_manager"), Room.objects.filter(code="cache-slough")
    manager.open(SETTINGS)
    own = f"{SETTINGS}room/"
    assert manager.post(own, idle_minutes="20").status_code == 422, "nobody has signed"
    assert 'value="20"' in manager.text
    manager.post(own, variance_threshold_cents="$5", approver="compliance", approver_pin=PIN)
    assert (room.get().idle_minutes, room.get().variance_threshold_cents) == (20, 500)
    wrong = manager.post(own, time_zone="Mars", approver="compliance", approver_pin=PIN)
    assert wrong.status_code == 422 and "no IANA time zone" in manager.text
    manager.open(SETTINGS)
    manager.post(f"{SETTINGS}tables/", number="12")
    manager.post(f"{SETTINGS}tables/12/", number="14")
    assert manager.post(f"{SETTINGS}tables/14/", number="7").status_code == 422
    assert sorted(Table.objects.filter(room=running.room).values_list("number", flat=True)) == [7, 8, 14]
    reader = person("compliance")
    reader.open(SETTINGS)
    assert "$5, within 24 h" in reader.text and own not in reader.text
    assert reader.client.post(f"{SETTINGS}tables/", {"number": "15"}).status_code == 403
