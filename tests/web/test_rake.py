"""House rake on the pages: set in the form of the table's settings, posted on its placard, on the floor board."""

from __future__ import annotations

from collections.abc import Callable

from cardroom.floor.models import Table
from tests.cast import Cast

from .conftest import Person

People = Callable[[str], Person]


def test_the_floor_sets_game_and_rake_in_one_form_and_the_limits_of_the_base_bet(
    running: Cast, person: People
) -> None:
    floor = person("floor")
    floor.at_table()
    floor.act(
        "settings", rulebook="designated_player", schedule_id="", rake_mode="all_but_bank", rake_cents="2.50"
    )
    table = Table.objects.get(pk=running.table.pk)
    assert (table.rulebook, table.rake_mode, table.rake_cents) == ("designated_player", "all_but_bank", 250)
    floor.at_table()
    assert "house rake $2.50 from every player but the bank" in floor.text
    floor.act(
        "settings",
        **{
            "six_card_bonus_table": "TCP-6B4",
            "pair_plus_requires_win": "True",
            "least-ante": "5",
            "most-ante": "100",
        },
    )
    table = Table.objects.get(pk=running.table.pk)
    assert table.options == {"pair_plus_requires_win": True, "six_card_bonus_table": "TCP-6B4"}
    assert (table.wager_limits["ante"], table.rake_cents) == ([500, 10000], 250)
    floor.open(f"/tables/{table.pk}/placard/")
    assert "Every player in the round pays $2.50 a round; the bank pays nothing." in floor.text
    assert "A hand that the bank could not cover pays none." in floor.text


def test_a_rake_beside_a_schedule_or_without_an_amount_is_refused_beside_its_field(
    running: Cast, person: People
) -> None:
    floor = person("floor")
    floor.at_table()
    floor.act("settings", rake_mode="all", rake_cents="1")
    assert "knows no house rake" in floor.text
    floor.at_table()
    floor.act("settings", rulebook="designated_player", schedule_id="", rake_mode="all", rake_cents="")
    assert "Write how much each of them pays a round." in floor.text
    table = Table.objects.get(pk=running.table.pk)
    assert (table.rulebook, table.rake) == ("california", None)
