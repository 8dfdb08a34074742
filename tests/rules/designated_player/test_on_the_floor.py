"""What `004` asks of the table while a round is on: the least Base Bet."""

from __future__ import annotations

import pytest

from cardroom.floor.commands.rounds import bets_place, round_open
from cardroom.floor.commands.tables import table_set
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Round
from tests.cast import Cast
from tests.filing import table_settings

clause = pytest.mark.clause


@clause("designated_player:play.1.2")
@pytest.mark.django_db
def test_everybody_in_the_round_posts_the_minimum_base_bet() -> None:
    cast = Cast()
    cast.open()
    settings = table_settings(
        cast.room,
        rulebook="designated_player",
        rake={"mode": "all", "cents": 100},
        wager_limits={"ante": [1000, 30_000]},
    )
    cast.send(table_set, "floor", **settings)
    cast.bank_to(3)
    cast.send(round_open, bank_wager_cents=20_000)
    for wagers, code in (
        ({"ante": 999}, "outside_table_limits"),
        ({"ante": 30_001}, "outside_table_limits"),
        ({"pair_plus": 1000}, "wager_needs_ante"),
    ):
        with pytest.raises(FloorError) as refused:
            cast.send(bets_place, positions=[{"seat": 4, "wagers": wagers}])
        assert refused.value.code == code, wagers
    cast.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 1000}}])
    assert Round.objects.get().bets[0]["wagers"] == {"ante": 1000}
