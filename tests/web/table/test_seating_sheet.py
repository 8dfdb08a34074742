"""The seating sheet: whom the server finds for a free seat, what a touch on each does, and who may not be seated."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.floor.commands.player_photos import player_photo_set
from cardroom.floor.commands.seats import guest_seat, player_leave, player_seat
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.models import Seating, Table, WaitingEntry
from cardroom.people.models import Player
from cardroom.rooms.models import Room
from tests.cast import Cast, new_key
from tests.filing import table_settings

PersonAt = Callable[[str], Any]
_LINE = re.compile(r"<li>.*?</li>", re.DOTALL)


@pytest.fixture
def free(running: Cast) -> Cast:
    """Table 7 with nobody at seat 5; Eve has left it."""
    running.send(player_leave, "floor", seat=5)
    return running


class Sheet:
    """What a browser gets for the sheet of seat 5."""

    def __init__(self, person: Any, cast: Cast, query: str = "") -> None:
        answer = person.client.get(f"/tables/{cast.table.pk}/seats/5/sheet/?{query}")
        assert answer.status_code == 200
        self.text = html.unescape(answer.content.decode())
        self.lines = {
            re.sub(r"<[^>]+>", "", re.findall(r"<b>(.*?)</b>", line)[0]): line
            for line in _LINE.findall(self.text)
            if "<b>" in line
        }

    def act(self, name: str) -> str:
        """What the line of somebody says at its right."""
        return re.findall(r'<span class="act">([^<]+)', self.lines[name])[0].strip()

    def touch(self, name: str) -> tuple[str, dict[str, str]]:
        """The command of a touch on somebody's line, and what it sends."""
        line = self.lines[name]
        given = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', line))
        return re.findall(r'data-command="([\w-]+)"', line)[0], given


def test_the_sheet_offers_who_was_here_and_finds_by_number_and_part_of_a_name(
    free: Cast, person: PersonAt
) -> None:
    floor = person("floor")
    sheet = Sheet(floor, free)
    assert list(sheet.lines) == ["Eve"], "whoever left is offered, and nobody who sits"
    assert "last here" in sheet.lines["Eve"]
    assert sheet.touch("Eve")[0] == "seat"
    following = free.players[1].__class__.next_number(free.room.pk)
    assert f"Guest {following}" in sheet.text
    # By a part of the name, marked; by the number; nobody.
    found = Sheet(floor, free, "search=al&results")
    assert list(found.lines) == ["Hal"]
    assert "H<mark>al</mark>" in found.text
    assert "1 of " in found.text
    assert "Guest" not in found.text, "what stands beside the results is not drawn again"
    ida = free.waiting[1]
    assert list(Sheet(floor, free, f"search={ida.number}").lines) == ["Ida"]
    assert "A guest can be seated now" in Sheet(floor, free, "search=zzz").text
    # Eve's line, touched.
    command, given = sheet.touch("Eve")
    answer = floor.client.post(f"/tables/{free.table.pk}/commands/{command}/", given)
    assert answer.status_code == 302
    assert free.state().seatings[5].player == free.players[5]


def test_whoever_sits_here_moves_whoever_sits_elsewhere_comes_and_who_is_barred_does_not(
    free: Cast, person: PersonAt
) -> None:
    floor = person("floor")
    here = Sheet(floor, free, "here=")
    assert list(here.lines) == ["Ana", "Bo", "Cy", "Dee", "Fay", "Gus"]
    assert here.act("Gus") == "Move here"
    assert here.touch("Gus") == ("move", {**here.touch("Gus")[1], "seat": "7", "to_seat": "5"})
    free.send(
        table_set, "floor", free.second_table, **table_settings(free.room, schedule_id=free.schedule(1).pk)
    )
    free.send(table_open, "floor", free.second_table)
    free.send(player_seat, "floor", free.second_table, seat=2, player_id=free.waiting[0].pk)
    free.waiting[1].is_active = False
    free.waiting[1].save()
    hal, ida = Sheet(floor, free, "search=hal"), Sheet(floor, free, "search=ida")
    assert "at Table 8, seat 2" in hal.lines["Hal"]
    assert (hal.act("Hal"), hal.touch("Hal")[0]) == ("Move here", "bring")
    assert (ida.act("Ida"), "not seated from here" in ida.text) == ("Ask a shift manager", True)
    assert "data-command" not in ida.lines["Ida"]
    # Two tablets, one person: the second is told where they sit, and nothing is half done.
    before = Table.objects.get(pk=free.table.pk).version
    given = {**Sheet(floor, free).touch("Eve")[1], "player": free.waiting[0].label}
    refused = floor.client.post(f"/tables/{free.table.pk}/commands/seat/", given)
    assert refused.status_code == 409
    assert "Hal sits at seat 2 of Table 8" in html.unescape(refused.content.decode())
    assert (Table.objects.get(pk=free.table.pk).version, 5 in free.state().seatings) == (before, False)


def test_the_sheet_is_nobody_elses_and_of_no_seat_that_is_not_there(free: Cast, person: PersonAt) -> None:
    address = f"/tables/{free.table.pk}/seats"
    assert person("inspector").client.get(f"{address}/5/sheet/").status_code == 403
    assert person("outsider").client.get(f"{address}/5/sheet/").status_code == 404
    assert person("floor").client.get(f"{address}/8/sheet/").status_code == 404


def test_a_seat_is_held_by_one_touch_of_its_panel_and_shows_until_when(free: Cast, person: PersonAt) -> None:
    Room.objects.filter(pk=free.room.pk).update(hold_choices="15 45")
    floor, address = person("floor"), f"/tables/{free.table.pk}/"
    panel = re.compile(r'<section class="seat-panel" id="panel-4".*?</section>', re.DOTALL)

    def post(command: str) -> None:
        [given] = [
            dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
            for form in re.findall(
                r"<form.*?</form>", panel.findall(floor.client.get(address).content.decode())[0], re.DOTALL
            )
            if f'data-command="{command}"' in form
        ]
        assert floor.client.post(f"{address}commands/{command}/", given).status_code == 302

    post("hold")
    page = floor.client.get(address).content.decode()
    assert re.search(r'data-seat="4".*?Held until \d+:\d\d [AP]M.*?bank: absent', page, re.DOTALL)
    assert "Dee is back" in page
    assert (held := free.state().seatings[4].held_until) is not None
    assert 44 * 60 < (held - free.state().now).total_seconds() <= 45 * 60, (
        "the last of the room's buttons: 45 minutes"
    )
    # Once the time is over the page reminds of it, with one touch for who is back.
    Seating.objects.filter(table=free.table, seat=4).update(held_until="2026-11-18T12:00:00Z")
    page = floor.client.get(address).content.decode()
    assert re.search(
        r'data-prompt="held_over".*?Seat 4 was held for Dee until.*?/commands/hold-end/', page, re.DOTALL
    )
    post("hold-end")
    assert free.state().seatings[4].held_until is None


def test_a_guest_has_the_next_number_and_is_named_on_their_own_page(free: Cast, person: PersonAt) -> None:
    first = free.send(guest_seat, "floor", seat=5)
    assert free.state().seatings[5].player.name == f"Guest {first['number']}"
    named = f'href="/rooms/{free.room.code}/players/{first["player"]}/">Name Guest {first["number"]}…</a>'
    address = f"/tables/{free.table.pk}/"
    assert named in person("floor").client.get(address).content.decode()
    assert named not in person("dealer").client.get(address).content.decode(), "who keeps players names them"


def test_the_waiting_list_is_kept_on_its_page_and_its_first_is_seated_from_the_sheet(
    free: Cast, person: PersonAt
) -> None:
    floor, page = person("floor"), f"/rooms/{free.room.code}/waiting/"
    game = re.findall(r'<option value="(\d+)"', floor.client.get(page).content.decode())[0]

    def post(address: str, **given: str) -> int:
        version = str(Table.objects.get(pk=free.table.pk).version)
        answer = floor.client.post(address, {"idempotency_key": new_key(), "version": version, **given})
        return int(answer.status_code)

    assert post(page, game=game, who="Hal") == post(page, game=game, who="Red cap") == 302
    assert post(page, game=game, who="Hal") == 409, "waits already"
    first, second = WaitingEntry.objects.order_by("pk")
    assert (first.player, second.name) == (free.waiting[0], "Red cap")
    dealer = person("dealer").client
    shown = dealer.get(page).content.decode()
    assert f"{second.pk}/call/" in shown and f"{second.pk}/remove/" not in shown
    assert 'data-why="Not called yet: call them first."' in shown
    called = dealer.post(f"{page}{second.pk}/call/", {"idempotency_key": new_key(), "version": "0"})
    assert called.status_code == 302
    text = Sheet(floor, free).text
    assert "Seat next: Hal" in text
    assert "Waiting for" in text
    seat_next = f"/tables/{free.table.pk}/commands/seat-waiting/"
    assert post(seat_next, seat="5", entry_id=str(first.pk)) == 302
    assert free.state().seatings[5].player == free.waiting[0]
    assert post(f"{page}{second.pk}/no-show/") == 302
    assert floor.client.get(page).content.decode().count("Nobody waits") == 1
    assert person("outsider").client.get(page).status_code == 404


def test_who_has_a_photograph_is_shown_by_it_at_no_further_query(free: Cast, person: PersonAt) -> None:
    floor = person("floor")
    Sheet(floor, free, "search=a&results")  # the session is read first
    with CaptureQueriesContext(connection) as before:
        shown = Sheet(floor, free, "search=a&results")
    assert len(shown.lines) > 2 and "<img" not in shown.text
    for player in Player.objects.filter(room=free.room):
        free.send_room(
            player_photo_set, "floor", player_id=player.pk, content=player_photo_set.example["content"]
        )
    with CaptureQueriesContext(connection) as after:
        shown = Sheet(floor, free, "search=a&results")
    assert all("<img" in line for line in shown.lines.values())
    assert len(after) == len(before)
    assert not [query for query in after if "people_playerphoto" in query["sql"]]
    address = re.findall(r'src="(/tables/[^"]+)"', shown.text)[0]
    assert address.startswith(f"/tables/{free.table.pk}/players/")
    assert floor.client.get(address).headers["Content-Type"] == "image/jpeg"
    assert (
        floor.client.get(address.replace(f"/tables/{free.table.pk}/", "/tables/999999/")).status_code == 404
    )
    assert person("rival_floor").client.get(address).status_code == 404
