"""The chips of a room's keypads: set on the settings page by who keeps the room, and kept in its history."""

from __future__ import annotations

import re
from collections.abc import Callable

from cardroom.people.models import Staff
from cardroom.rooms.models import Room
from tests.cast import Cast

from ..conftest import Person

SETTINGS = "/rooms/cache-slough/settings/"
CHIPS = f"{SETTINGS}chips/"


def keypad(page: str) -> list[str]:
    """The amounts on the chips of a table page."""
    return re.findall(r'data-add="[^"]+">\+([^<]+)</button>', page)


def test_the_manager_sets_the_chips_and_every_keypad_has_them(
    running: Cast, person: Callable[[str], Person]
) -> None:
    manager = person("room_manager")
    manager.open(SETTINGS)
    assert "$1 · $5 · $25 · $100" in manager.text
    manager.post(CHIPS, chips="500 $5 2.50 25")
    assert "$2.50 · $5 · $25 · $500" in manager.text
    assert Room.objects.get(code="cache-slough").chips == "2.50 5 25 500"
    dealer = person("dealer")
    dealer.at_table()
    assert keypad(dealer.text) == ["$2.50", "$5", "$25", "$500"]
    history = Room.history.filter(code="cache-slough").latest()
    assert (history.chips, history.history_user) == (
        "2.50 5 25 500",
        Staff.objects.get(username="room_manager"),
    )


def test_what_is_no_chip_stays_typed_with_what_is_wrong(
    running: Cast, person: Callable[[str], Person]
) -> None:
    manager = person("room_manager")
    manager.open(SETTINGS)
    answer = manager.post(CHIPS, chips="5 red")
    assert answer.status_code == 422
    assert "“red” is no chip" in manager.text
    assert 'value="5 red"' in manager.text
    assert "$1 · $5 · $25 · $100" in manager.text
    assert Room.objects.get(code="cache-slough").chips == "1 5 25 100"


def test_who_does_not_keep_the_room_sees_why_and_is_refused(
    running: Cast, person: Callable[[str], Person]
) -> None:
    manager = person("shift_manager")
    page = manager.open(SETTINGS)
    assert page.status_code == 200
    assert re.search(r'<button[^>]*aria-disabled="true"[^>]*>Set the chips', manager.text)
    assert manager.post(CHIPS, chips="5").status_code == 403
    assert Room.objects.get(code="cache-slough").chips == "1 5 25 100"
