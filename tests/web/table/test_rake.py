"""House rake on the pages: set in the form of the table's settings, posted on its placard, on the floor board."""

from __future__ import annotations

from collections.abc import Callable

from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Alert, Table
from tests.cast import Cast, sheet
from tests.filing import filed_game, free_schedule, table_settings

from ..conftest import Person

People = Callable[[str], Person]


def test_the_floor_sets_a_raked_game_and_the_limits_of_the_base_bet(running: Cast, person: People) -> None:
    options = {"six_card_bonus_table": "TCP-6B4", "pair_plus_requires_win": True}
    rake = {"mode": "all_but_bank", "cents": 250}
    raked = filed_game(running.room, rulebook="designated_player", options=options, rake=rake)
    floor = person("floor")
    floor.at_table()
    assert "house rake $2.50 from every player but the bank" in floor.text  # among the games to choose from
    limits = {"least-ante": "5", "most-ante": "100"}
    floor.command("settings", game_id=str(raked.pk), schedule_id="", **limits)
    table = Table.objects.get(pk=running.table.pk)
    assert (table.rulebook, table.rake_mode, table.rake_cents) == ("designated_player", "all_but_bank", 250)
    assert table.options == options
    assert table.wager_limits["ante"] == [500, 10000]
    floor.open(f"/tables/{table.pk}/placard/")
    assert "Every player in the round pays $2.50 a round; the bank pays nothing." in floor.text
    assert "A hand that the bank could not cover pays none." in floor.text


def test_a_rake_beside_a_schedule_and_neither_are_refused_beside_the_field(
    running: Cast, person: People
) -> None:
    floor = person("floor")
    floor.at_table()
    floor.command("settings", schedule_id="")
    assert "has no house rake: a filed fee schedule says what is collected" in floor.text
    raked = filed_game(running.room, rulebook="designated_player", rake={"mode": "all", "cents": 100})
    schedule = free_schedule(running.room, "designated_player")
    floor.at_table()
    floor.command("settings", game_id=str(raked.pk), schedule_id=str(schedule.pk))
    assert "never both" in floor.text
    table = Table.objects.get(pk=running.table.pk)
    assert (table.rulebook, table.rake) == ("california", None)


def test_a_round_with_a_dead_hand_says_that_and_not_that_the_bank_is_exhausted(
    running: Cast, person: People
) -> None:
    """Seat 4 has $40 on ante and play against funds of $20; seat 5 is covered after it."""
    rake = {"mode": "all", "cents": 150}
    running.send(
        table_set,
        "floor",
        **table_settings(running.room, rulebook="designated_player", options={}, schedule_id=None, rake=rake),
    )
    running.send(
        round_record, "dealer", sheet=sheet({4: 2000, 5: 500}, wager=2000, rulebook="designated_player")
    )
    round_ = running.table.rounds.latest("pk")
    floor = person("floor")
    floor.open(f"/rounds/{round_.pk}/")
    assert "▲ 1 dead hand" in floor.text
    assert "bank exhausted" not in floor.text
    assert "did not cover every hand in round" in Alert.objects.latest("pk").text
