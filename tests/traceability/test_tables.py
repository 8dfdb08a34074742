"""A table can be set to the game of every rule document and played: a test of the floor may prove any of their clauses."""

from __future__ import annotations

import pytest

from cardroom.floor.models import Round
from tests.cast import Cast
from tests.traceability.catalogue import RULEBOOKS

HOUSE_BANKED = {"massachusetts", "south_dakota", "shuffle_master"}


@pytest.mark.django_db
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_round_of_every_rulebook_is_played_at_a_table_that_was_set_to_it(rulebook: str) -> None:
    cast = Cast()
    cast.open(rulebook=rulebook, schedule=1 if rulebook == "california" else None)
    if rulebook not in HOUSE_BANKED:
        cast.bank_to(3)
    assert cast.play({4: 1000, 5: 1000})["settlement"]["rulebook"] == rulebook
    played = Round.objects.get()
    assert (played.rulebook, played.state, played.house_banks) == (
        rulebook,
        "settled",
        rulebook in HOUSE_BANKED,
    )
