"""The rack of a provider's player on the table page: what its seat offers, who signs, and what a refusal keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardroom.floor.commands.racks import rack_open
from cardroom.floor.models import RackCount
from cardroom.people.models import Player
from cardroom.people.rights import Right
from tests.cast import PIN, Cast
from tests.floor.test_racks import hand_over, levee

__all__ = ["levee"]


def offered(browser: Any) -> list[str]:
    """The commands on racks that the page has a form for."""
    return [
        slug for slug in ("hand-over", "opening", "closing") if f'data-command="rack-{slug}"' in browser.text
    ]


def test_a_seat_of_a_provider_offers_the_hand_over_and_one_count(
    levee: Cast, person: Callable[[str], Any]
) -> None:
    floor = person("floor")
    floor.at_table()
    assert offered(floor) == ["hand-over", "opening"]
    assert floor.text.count('data-command="rack-hand-over"') == 1, "the other players have no rack"
    levee.send(rack_open, "floor", seat=3, cents=0)
    floor.at_table()
    assert offered(floor) == ["hand-over", "closing"]
    inspector = person("inspector")
    inspector.at_table()
    assert offered(inspector) == []


def test_the_floor_hands_over_and_a_refusal_keeps_what_was_typed(
    levee: Cast, person: Callable[[str], Any]
) -> None:
    floor, hal = person("floor"), levee.waiting[0]
    floor.at_table()
    floor.command("rack-hand-over", seat="3", to_player_id=str(hal.pk), cents="12x")
    assert "is no amount in dollars" in floor.text and 'value="12x"' in floor.text
    assert (
        'id="panel-3" data-panel="3" data-wrong' in floor.text and '<details class="rack" open>' in floor.text
    )
    assert not RackCount.objects.exists()
    floor.command("rack-hand-over", seat="3", to_player_id=str(hal.pk), cents="12,500")
    assert "The rack is handed over." in floor.text
    made = RackCount.objects.get()
    assert (made.cents, made.player, made.witnessed_by) == (1_250_000, hal, levee.people["floor"])


def test_chips_are_added_up_and_kept_by_denomination(levee: Cast, person: Callable[[str], Any]) -> None:
    floor = person("floor")
    floor.at_table()
    floor.command("rack-opening", seat="3", cents="")
    assert "This field is required." in floor.text and not RackCount.objects.exists()
    chips = {"chips-2500": "40", "chips-10000": "5"}
    floor.command("rack-opening", seat="3", cents="1,000", **chips)
    assert "The chips come to $1,500, and the count to $1,000. Count again." in floor.text
    assert 'class="rack-chips" open' in floor.text and 'value="40"' in floor.text
    floor.command("rack-opening", seat="3", cents="", **chips)
    made = RackCount.objects.get()
    assert (made.cents, made.chips) == (150_000, {"2500": 40, "10000": 5})


def test_at_a_dealers_screen_the_floor_signs(levee: Cast, person: Callable[[str], Any]) -> None:
    dealer, hal = person("dealer"), levee.waiting[0]
    dealer.at_table()
    assert f'data-right="{Right.WITNESS_RACK.name}"' in dealer.text
    given = {"seat": "3", "to_player_id": str(hal.pk), "cents": "500"}
    dealer.command("rack-hand-over", **given, approver="dealer_2", approver_pin=PIN)
    assert not RackCount.objects.exists() and 'value="500"' in dealer.text
    dealer.command("rack-hand-over", **given, approver="floor", approver_pin=PIN)
    assert RackCount.objects.get().witnessed_by == levee.people["floor"]


def test_where_nobody_is_free_the_seat_says_so(levee: Cast, person: Callable[[str], Any]) -> None:
    Player.objects.filter(pk=levee.waiting[0].pk).update(provider=None)
    floor = person("floor")
    floor.at_table()
    assert "No other authorized player of Levee is free to take the rack over." in floor.text
    assert offered(floor) == ["opening"]


def test_the_rotation_says_who_took_over_from_whom(levee: Cast, person: Callable[[str], Any]) -> None:
    hand_over(levee)
    floor = person("floor")
    floor.open(f"/tables/{levee.table.pk}/rotation/")
    assert "takes the rack over from Cy at $12,500, and the turn goes on" in floor.text
    assert "Cy then Hal, seat 3" in floor.text
