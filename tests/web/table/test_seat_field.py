"""The field of a seat: the server finds players by number and by any part of a name, and seats exactly one."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import pytest

from cardroom.floor.commands.seats import player_leave
from cardroom.floor.models import Seating
from cardroom.people.models import Player
from tests.cast import Cast

PersonAt = Callable[[str], Any]


@pytest.fixture
def free(running: Cast) -> Cast:
    """Table 7 with nobody at seat 5."""
    running.send(player_leave, "floor", seat=5)
    return running


def offered(person: Any, cast: Cast, search: str) -> list[str]:
    answer = person.client.get(f"/tables/{cast.table.pk}/players/", {"search": search})
    assert answer.status_code == 200
    return (
        html.unescape(answer.content.decode())
        .removesuffix('">')
        .removeprefix('<option value="')
        .split('"><option value="')
    )


def seated(cast: Cast, seat: int) -> str | None:
    stay = Seating.objects.filter(table=cast.table, seat=seat, left_at__isnull=True).first()
    return None if stay is None else stay.player.name


def test_two_of_one_name_are_told_apart_before_one_is_seated(free: Cast, person: PersonAt) -> None:
    first = Player.objects.create(room=free.room, name="Lee Chan")
    second = Player.objects.create(room=free.room, name="LEE CHAN")
    floor = person("floor")
    floor.at_table()
    answer = floor.command("seat", seat="5", player="LEE CHAN")
    said = html.unescape(answer.content.decode())
    assert answer.status_code == 422
    assert seated(free, 5) is None
    assert "may mean several players" in said
    assert f'value="{first.label}"' in said and f'value="{second.label}"' in said
    floor.command("seat", seat="5", player=second.label)
    assert seated(free, 5) == "LEE CHAN"


def test_a_part_of_a_name_is_asked_about_without_script(free: Cast, person: PersonAt) -> None:
    zoe = Player.objects.create(room=free.room, name="Zoë Ruiz")
    floor = person("floor")
    floor.at_table()
    said = html.unescape(floor.command("seat", seat="5", player="zoe").content.decode())
    assert seated(free, 5) is None
    assert f'value="{zoe.label}"' in said
    floor.command("seat", seat="5", player=str(zoe.number))
    assert seated(free, 5) == "Zoë Ruiz"


def test_the_server_searches_all_players_and_leaves_out_who_sits_elsewhere(
    free: Cast, person: PersonAt
) -> None:
    for number in range(549):
        Player.objects.create(room=free.room, name=f"Aaron {number:03}x")
    zoe = Player.objects.create(room=free.room, name="Zoë Ruiz")
    floor = person("floor")
    floor.at_table()
    assert offered(floor, free, "ruiz") == [zoe.label]
    assert offered(floor, free, str(zoe.number)) == [zoe.label]
    assert len(offered(floor, free, "")) == 30
    Seating.objects.create(
        room=free.room, table=free.second_table, seat=1, player=zoe, seated_at=free.state().now
    )
    assert offered(floor, free, "ruiz") == [""]
    assert offered(floor, free, free.players[1].name) == [""]


def test_whoever_may_seat_nobody_gets_no_names(free: Cast, person: PersonAt) -> None:
    assert person("inspector").client.get(f"/tables/{free.table.pk}/players/?search=a").status_code == 403
    assert person("outsider").client.get(f"/tables/{free.table.pk}/players/?search=a").status_code == 404
